use super::plans::{carry_out, new_task};
use super::*;
use crate::list::{Op, RefusalCode, local_id, plan};
use crate::task::NewTask;

fn split(whole: &str, into: Vec<NewTask>) -> Op {
    Op::Split {
        id: id(whole),
        into,
    }
}

fn ids(ids: &[TaskId]) -> Vec<&str> {
    ids.iter().map(|id| &id.as_str()[2..]).collect()
}

#[test]
fn parts_take_the_place_of_the_whole() {
    let mut list = list("a; w<a #high; z<w");
    let mut second = new_task("p2", &[]);
    second.blocked_by = vec![local_id(0)];
    let plan = plan(&list, split("w", vec![new_task("p1", &[]), second])).unwrap();
    assert_eq!(ids(&plan.subjects), ["p1", "p2"]);
    carry_out(&mut list, &plan);
    assert_eq!(ids(&list.blockers(&id("p1"))), ["a"]);
    assert_eq!(ids(&list.blockers(&id("p2"))), ["p1"]);
    assert_eq!(ids(&list.blockers(&id("z"))), ["p2"]);
    assert_eq!(list.state(&id("w")), Some(State::Deleted));
    assert!(list.dependants(&id("w")).is_empty());
    assert!(list.warnings(&id("p1")).is_empty(), "edges on both ends");
    let created = plan.changes.iter().find_map(|change| match change {
        Change::Create(task) => Some(task),
        _ => None,
    });
    assert_eq!(created.unwrap().metadata[0].1.as_str(), "\"high\"");
}

#[test]
fn parts_of_what_was_given_to_somebody_are_theirs_and_parts_of_running_work_are_free() {
    for (status, owner) in [("pending", Some("hera")), ("in_progress", None)] {
        let list = list(&format!("w {status} @hera"));
        let plan = plan(&list, split("w", vec![new_task("p", &[])])).unwrap();
        let owners = plan.changes.iter().find_map(|change| match change {
            Change::Create(part) => Some(part.owner.as_deref()),
            _ => None,
        });
        assert_eq!(owners, Some(owner), "{status}");
    }
}

#[test]
fn a_split_is_taken_back_as_one() {
    let before = list("a; w<a; z<w");
    let mut list = before.clone();
    let done = plan(&list, split("w", vec![new_task("p", &[])])).unwrap();
    carry_out(&mut list, &done);
    let back = plan(&list, Op::Undo(Arc::new(done))).unwrap();
    carry_out(&mut list, &back);
    for short in ["a", "w", "z"] {
        assert_eq!(list.state(&id(short)), before.state(&id(short)), "{short}");
    }
    assert_eq!(ids(&list.blockers(&id("z"))), ["w"]);
}

#[test]
fn what_cannot_be_split_is_refused() {
    let list = list("w; done completed; z<w");
    let cases = [
        split("done", vec![new_task("p", &[])]),
        split("w", Vec::new()),
        split("w", vec![new_task("p", &["w"])]),
        split("w", vec![new_task("p", &["z"])]),
    ];
    for op in cases {
        let refusal = plan(&list, op).unwrap_err();
        assert_eq!(refusal.code, RefusalCode::ValidationError, "{refusal}");
    }
    let missing = plan(&list, split("no", vec![new_task("p", &[])])).unwrap_err();
    assert_eq!(missing.code, RefusalCode::TaskNotFound);
}

#[test]
fn new_tasks_name_each_other_before_they_have_ids() {
    let mut list = List::from_files(Dialect::Claude, Vec::new());
    let mut tasks: Vec<NewTask> = ["1", "2", "3"].map(|s| new_task(s, &[])).into();
    tasks.iter_mut().for_each(|task| task.id = None);
    tasks[0].blocked_by = vec![local_id(2)];
    tasks[1].blocks = vec![local_id(0)];
    let plan = plan(&list, Op::Create(tasks.clone())).unwrap();
    carry_out(&mut list, &plan);
    let blockers = list.blockers(&TaskId::new("1"));
    assert_eq!(blockers, [TaskId::new("2"), TaskId::new("3")]);
    assert!(list.warnings(&TaskId::new("1")).is_empty());

    tasks[2].blocked_by = vec![local_id(0)];
    let ring = crate::list::plan(&list, Op::Create(tasks.clone())).unwrap_err();
    assert!(ring.what.contains("ring"), "{ring}");
    tasks[2].blocked_by = vec![local_id(7)];
    let nobody = crate::list::plan(&list, Op::Create(tasks)).unwrap_err();
    assert_eq!(nobody.code, RefusalCode::ValidationError);
}

#[test]
fn a_task_is_given_back_by_its_owner_only() {
    let mut list = list("a in_progress @atlas; b completed; c");
    let release = |short: &str, owner: Option<&str>| Op::Release {
        id: id(short),
        owner: owner.map(str::to_owned),
    };
    let other = plan(&list, release("a", Some("hera"))).unwrap_err();
    assert_eq!(other.code, RefusalCode::AlreadyClaimed);
    let closed = plan(&list, release("b", None)).unwrap_err();
    assert_eq!(closed.code, RefusalCode::ValidationError);
    assert!(plan(&list, release("c", None)).unwrap().changes.is_empty());
    let done = plan(&list, release("a", Some("atlas"))).unwrap();
    carry_out(&mut list, &done);
    let task = list.get(&id("a")).unwrap();
    assert_eq!((&task.status, &task.owner), (&Status::Pending, &None));
}
