use proptest::prelude::*;

use super::*;
use crate::task::{EdgeField, Edit, Field, Json, NewTask, Patch, WarningCode};

fn update(ids: &[&str], edits: Vec<Edit>) -> Op {
    let ids = ids.iter().map(|i| id(i)).collect();
    Op::Update {
        ids,
        patch: Patch { edits },
        force: false,
    }
}

fn wait_for(blocker: &str) -> Edit {
    Edit::AddEdge(EdgeField::BlockedBy, id(blocker))
}

pub(super) fn new_task(short: &str, blocked_by: &[&str]) -> NewTask {
    NewTask {
        id: Some(id(short)),
        subject: short.to_owned(),
        description: String::new(),
        status: Status::Pending,
        active_form: None,
        owner: None,
        blocks: Vec::new(),
        blocked_by: blocked_by.iter().map(|b| id(b)).collect(),
        metadata: Vec::new(),
        repo_url: None,
        parent_id: None,
        thread_id: "ses".to_owned(),
    }
}

/// Carries a plan out on the list, as the store does on the disk.
pub(super) fn carry_out(list: &mut List, plan: &Plan) {
    for change in &plan.changes {
        let change = match change {
            Change::Create(new) => {
                let mut task = Task::new(new.id.clone().unwrap());
                task.subject = new.subject.clone();
                task.blocked_by = new.blocked_by.clone();
                task.blocks = new.blocks.clone();
                task.raw = raw(&task);
                file(Arc::new(task))
            }
            Change::Patch { id, patch, .. } => {
                let mut task = Task::clone(list.get(id).unwrap());
                patch
                    .edits
                    .iter()
                    .for_each(|edit| carry_out_edit(&mut task, edit));
                task.raw = raw(&task);
                file(Arc::new(task))
            }
            Change::Remove { id } => gone(&id.as_str()[2..]),
        };
        list.apply(vec![change]);
    }
}

fn carry_out_edit(task: &mut Task, edit: &Edit) {
    let text = |v: &Option<Json>| {
        v.as_ref()
            .and_then(Json::parse)
            .and_then(|v| v.as_str().map(str::to_owned))
    };
    match edit {
        Edit::Set(Field::Status, v) => {
            task.status = Status::parse(&text(v).unwrap(), Dialect::Omo);
        }
        Edit::Set(Field::Owner, v) => task.owner = text(v),
        Edit::Set(Field::Subject, v) => task.subject = text(v).unwrap(),
        Edit::Set(..) | Edit::SetKey(..) | Edit::ByteOrderMark(_) => {}
        Edit::SetMetadata(key, v) => {
            let mut all = task
                .metadata
                .as_ref()
                .and_then(Json::parse)
                .unwrap_or(serde_json::json!({}));
            let members = all.as_object_mut().unwrap();
            match v.as_ref().and_then(Json::parse) {
                Some(value) => {
                    task.order = if key == "order" {
                        value.as_f64()
                    } else {
                        task.order
                    };
                    members.insert(key.clone(), value);
                }
                None => {
                    task.order = if key == "order" { None } else { task.order };
                    members.remove(key);
                }
            }
            let empty = members.is_empty();
            task.metadata = (!empty).then(|| Json::value(&all));
        }
        Edit::AddEdge(EdgeField::Blocks, other) => task.blocks.push(other.clone()),
        Edit::AddEdge(EdgeField::BlockedBy, other) => task.blocked_by.push(other.clone()),
        Edit::RemoveEdge(EdgeField::Blocks, other) => task.blocks.retain(|i| i != other),
        Edit::RemoveEdge(EdgeField::BlockedBy, other) => task.blocked_by.retain(|i| i != other),
    }
}

fn files_of(plan: &Plan) -> Vec<String> {
    plan.changes
        .iter()
        .map(|change| match change {
            Change::Create(task) => format!("+{}", &task.id.as_ref().unwrap().as_str()[2..]),
            Change::Patch { id, .. } => id.as_str()[2..].to_owned(),
            Change::Remove { id } => format!("-{}", &id.as_str()[2..]),
        })
        .collect()
}

#[test]
fn an_edge_is_stored_on_both_ends_the_waiting_file_first() {
    let list = list("a; b");
    let plan = plan(&list, update(&["b"], vec![wait_for("a")])).unwrap();
    assert_eq!(files_of(&plan), ["b", "a"]);
    let relied: Vec<&TaskId> = plan.relied_on.iter().map(|s| &s.id).collect();
    assert_eq!(relied, [&id("a"), &id("b")]);
}

#[test]
fn an_edge_is_taken_from_both_ends_the_waiting_file_last() {
    let list = list("a >b; b<a");
    let cut = vec![Edit::RemoveEdge(EdgeField::Blocks, id("b"))];
    let plan = plan(&list, update(&["a"], cut)).unwrap();
    assert_eq!(files_of(&plan), ["a", "b"]);
}

#[test]
fn new_tasks_stand_before_the_edges_to_them() {
    let list = list("a; z");
    let mut second = new_task("n", &["a", "m"]);
    second.blocks = vec![id("z")];
    let made = plan(&list, Op::Create(vec![new_task("m", &[]), second])).unwrap();
    assert_eq!(files_of(&made), ["+m", "+n", "z", "a"]);
}

#[test]
fn rings_and_self_edges_are_refused_with_their_path() {
    let list = list("a; b<a; c<b; d completed; e<d");
    let refuse = |task: &str, blocker: &str| {
        plan(&list, update(&[task], vec![wait_for(blocker)])).unwrap_err()
    };
    let ring = refuse("a", "c");
    assert_eq!(ring.code, RefusalCode::ValidationError);
    assert_eq!(ring.path, [id("a"), id("b"), id("c"), id("a")]);
    assert!(ring.what.contains("T-b"), "{}", ring.what);
    assert_eq!(refuse("a", "a").path, [id("a"), id("a")]);
    assert!(
        plan(&list, update(&["d"], vec![wait_for("e")])).is_ok(),
        "finished tasks do not bind"
    );
}

#[test]
fn edges_of_one_plan_close_rings_together() {
    let list = list("a; b");
    let both = vec![wait_for("b"), Edit::AddEdge(EdgeField::Blocks, id("b"))];
    assert!(plan(&list, update(&["a"], both)).is_err());
    let new = vec![new_task("m", &["n"]), new_task("n", &["m"])];
    assert!(plan(&list, Op::Create(new)).is_err());
}

#[test]
fn starting_a_blocked_task_is_allowed_with_a_warning() {
    let list = list("a; b<a");
    let plan = plan(
        &list,
        update(&["b"], vec![Edit::status(&Status::InProgress)]),
    )
    .unwrap();
    assert_eq!(plan.warnings[0].1.code, WarningCode::StartedWhileBlocked);
}

#[test]
fn reopening_what_closes_a_ring_is_allowed_with_the_path() {
    let list = list("a<b completed; b<a");
    let plan = plan(&list, update(&["a"], vec![Edit::status(&Status::Pending)])).unwrap();
    assert_eq!(plan.warnings[0].1.code, WarningCode::Cycle);
    assert!(plan.warnings[0].1.message.contains("T-b"));
}

#[test]
fn what_changes_nothing_writes_nothing() {
    let list = list("a @hera; b<a");
    let same = vec![
        Edit::status(&Status::Pending),
        Edit::text(Field::Owner, "hera"),
        Edit::SetMetadata("x".into(), None),
    ];
    assert!(
        plan(&list, update(&["a"], same))
            .unwrap()
            .changes
            .is_empty()
    );
}

#[test]
fn claims_take_the_first_free_task_and_refuse_what_is_held() {
    let list = list("a @hera; b; c<b; d @hera in_progress; e in_progress; f completed");
    let claim = |named: Option<&str>| {
        plan(
            &list,
            Op::Claim {
                id: named.map(id),
                owner: "atlas".into(),
            },
        )
    };
    assert_eq!(claim(None).unwrap().subjects, [id("b")]);
    for (named, code) in [
        ("a", RefusalCode::AlreadyClaimed),
        ("c", RefusalCode::Blocked),
        ("d", RefusalCode::AlreadyClaimed),
        ("e", RefusalCode::AlreadyClaimed),
        ("f", RefusalCode::ValidationError),
        ("x", RefusalCode::TaskNotFound),
    ] {
        assert_eq!(claim(Some(named)).unwrap_err().code, code, "{named}");
    }
    assert!(claim(Some("a")).unwrap_err().what.contains("hera"));
}

#[test]
fn a_move_ranks_what_stands_above_its_landing_place() {
    let mut list = list("a; b; c; d");
    let op = Op::Move {
        id: id("d"),
        before: Some(id("c")),
    };
    let moved = plan(&list, op).unwrap();
    carry_out(&mut list, &moved);
    assert_eq!(names(list.ready()), "a b d c");
    let back = plan(&list, Op::Undo(Arc::new(moved))).unwrap();
    carry_out(&mut list, &back);
    assert_eq!(names(list.ready()), "a b c d");
}

#[test]
fn a_file_that_cannot_be_read_is_no_part_of_a_move() {
    let mut list = list("a; b; c");
    list.apply(vec![broken("a")]);
    let plan = plan(
        &list,
        Op::Move {
            id: id("c"),
            before: Some(id("b")),
        },
    )
    .unwrap();
    assert_eq!(files_of(&plan), ["c"]);
}

#[test]
fn moves_always_land_where_they_should() {
    let mut list = list("a !1; b !1.0000000000000002; c; d");
    for (from, before, right) in [
        ("d", Some("b"), "a d b c"),
        ("a", None, "d b c a"),
        ("c", Some("d"), "c d b a"),
    ] {
        let op = Op::Move {
            id: id(from),
            before: before.map(id),
        };
        let plan = plan(&list, op).unwrap();
        carry_out(&mut list, &plan);
        assert_eq!(names(list.ready()), right);
    }
    let other = Op::Move {
        id: id("a"),
        before: Some(id("x")),
    };
    assert!(
        plan(&list, other)
            .unwrap_err()
            .hint
            .unwrap()
            .contains("+ / -")
    );
}

#[test]
fn undo_leaves_what_somebody_changed_since() {
    let mut list = list("a; b");
    let edits = vec![
        Edit::status(&Status::InProgress),
        Edit::text(Field::Owner, "me"),
    ];
    let done = plan(&list, update(&["a"], edits)).unwrap();
    carry_out(&mut list, &done);
    list.apply(files("a completed @me"));
    let done = Arc::new(done);
    let refusal = plan(&list, Op::Undo(done.clone())).unwrap_err();
    assert_eq!(refusal.code, RefusalCode::Conflict);
    assert!(refusal.what.contains("completed"), "{}", refusal.what);
    let rest = plan(&list, Op::UndoRest(done)).unwrap();
    carry_out(&mut list, &rest);
    let now = list.get(&id("a")).unwrap();
    assert_eq!((&now.status, &now.owner), (&Status::Completed, &None));
}

#[test]
fn an_undone_edge_leaves_the_edges_that_came_since() {
    let mut list = list("a; b; c");
    let done = plan(&list, update(&["a"], vec![wait_for("b")])).unwrap();
    carry_out(&mut list, &done);
    let more = plan(&list, update(&["a"], vec![wait_for("c")])).unwrap();
    carry_out(&mut list, &more);
    let back = plan(&list, Op::Undo(Arc::new(done))).unwrap();
    carry_out(&mut list, &back);
    assert_eq!(list.blockers(&id("a")), [id("c")]);
}

#[test]
fn team_mode_goes_forward_unless_a_person_insists() {
    let mut seven = Task::new(TaskId::new("7"));
    seven.status = Status::Completed;
    seven.raw = raw(&seven);
    let list = List::from_files(Dialect::OmoTeam, vec![file(Arc::new(seven))]);
    let reopen = |force| {
        let patch = Patch {
            edits: vec![Edit::status(&Status::Pending)],
        };
        plan(
            &list,
            Op::Update {
                ids: vec![TaskId::new("7")],
                patch,
                force,
            },
        )
    };
    assert_eq!(reopen(false).unwrap_err().code, RefusalCode::BadTransition);
    assert_eq!(reopen(true).unwrap().changes.len(), 1);
}

pub(super) fn wish() -> impl Strategy<Value = Op> {
    let name = prop_oneof![Just("a"), Just("b"), Just("c"), Just("d")];
    let status = prop_oneof![
        Just(Status::Pending),
        Just(Status::InProgress),
        Just(Status::Completed),
        Just(Status::Deleted)
    ];
    (name.clone(), name, status, 0..6).prop_map(|(task, other, status, kind)| match kind {
        0 => update(&[task], vec![Edit::status(&status)]),
        1 => update(&[task, other], vec![Edit::text(Field::Owner, "me")]),
        2 => update(&[task], vec![wait_for(other)]),
        3 => update(
            &[task],
            vec![Edit::RemoveEdge(EdgeField::BlockedBy, id(other))],
        ),
        4 => Op::Move {
            id: id(task),
            before: Some(id(other)),
        },
        _ => Op::Claim {
            id: None,
            owner: "me".into(),
        },
    })
}

fn contents(list: &List) -> Vec<String> {
    let of = |t: &Arc<Task>| {
        let (mut blocks, mut blocked_by) = (t.blocks.clone(), t.blocked_by.clone());
        blocks.sort();
        blocked_by.sort();
        let fields = (&t.status, &t.owner, blocks, blocked_by, t.order);
        format!("{} {fields:?}", t.id)
    };
    list.tasks().map(of).collect()
}

proptest! {
    #[test]
    fn undo_takes_a_plan_back_and_redo_makes_it_again(op in wish()) {
        let mut list = list("a; b<a @hera; c<b >d !3; d in_progress");
        let start = contents(&list);
        if let Ok(done) = plan(&list, op) {
            carry_out(&mut list, &done);
            let after = contents(&list);
            let back = plan(&list, Op::Undo(Arc::new(done))).unwrap();
            carry_out(&mut list, &back);
            prop_assert_eq!(contents(&list), start);
            let again = plan(&list, Op::Undo(Arc::new(back))).unwrap();
            carry_out(&mut list, &again);
            prop_assert_eq!(contents(&list), after);
        }
    }
}
