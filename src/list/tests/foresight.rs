//! What is said before it happens is what happens.

use proptest::prelude::*;

use super::plans::{carry_out, new_task, wish};
use super::*;
use crate::task::{EdgeField, Edit, NewTask, Patch};

fn set(ids: &[&str], status: &str) -> Op {
    Op::Update {
        ids: ids.iter().map(|i| id(i)).collect(),
        patch: Patch {
            edits: vec![Edit::status(&Status::parse(status, Dialect::Omo))],
        },
        force: true,
    }
}

fn wait_no_more(task: &str, blocker: &str) -> Op {
    Op::Update {
        ids: vec![id(task)],
        patch: Patch {
            edits: vec![Edit::RemoveEdge(EdgeField::BlockedBy, id(blocker))],
        },
        force: true,
    }
}

/// `ready/blocked/rings` by short names.
fn foreseen(tasks: &str, op: Op) -> String {
    let list = list(tasks);
    let plan = plan(&list, op).unwrap();
    let foresight = list.foresee(&plan);
    let short = |ids: &[TaskId]| {
        let ids: Vec<&str> = ids.iter().map(|id| &id.as_str()[2..]).collect();
        ids.join(",")
    };
    let rings: Vec<String> = foresight.rings.iter().map(|ring| short(ring)).collect();
    let (ready, blocked) = (short(&foresight.ready), short(&foresight.blocked));
    format!("{ready}/{blocked}/{}", rings.join(";"))
}

#[test]
fn what_a_change_does_to_others_is_known_before() {
    let plain = "a; b<a; c<a,d; d";
    assert_eq!(foreseen(plain, set(&["a"], "completed")), "b//");
    assert_eq!(foreseen(plain, set(&["a", "d"], "completed")), "b,c//");
    assert_eq!(foreseen(plain, set(&["a"], "in_progress")), "//");
    assert_eq!(
        foreseen("a completed; b<a; c<b", set(&["a"], "pending")),
        "/b/"
    );
    assert_eq!(foreseen("a; b<a", Op::Delete(vec![id("a")])), "//");
    assert_eq!(
        foreseen("a completed; b<a", Op::Delete(vec![id("a")])),
        "/b/"
    );
    assert_eq!(
        foreseen("a<b completed; b<a", set(&["a"], "pending")),
        "/b/a,b"
    );
    // The task that is freed is the one that the person named.
    assert_eq!(foreseen(plain, wait_no_more("b", "a")), "//");
    let created = Op::Create(vec![NewTask {
        blocks: vec![id("a")],
        ..new_task("n", &[])
    }]);
    assert_eq!(foreseen(plain, created), "/a/");
}

#[test]
fn several_wishes_are_one_plan() {
    let mut now = list("a; b<a; c<a");
    let both = Op::All(vec![set(&["a"], "completed"), set(&["b"], "in_progress")]);
    let made = plan(&now, both).unwrap();
    assert_eq!(made.changes.len(), 2);
    carry_out(&mut now, &made);
    assert_eq!(now.state(&id("b")), Some(State::InProgress));
    let undone = plan(&now, Op::Undo(Arc::new(made))).unwrap();
    carry_out(&mut now, &undone);
    assert_eq!(now.state(&id("a")), Some(State::Ready));
    assert_eq!(now.state(&id("b")), Some(State::Blocked));
    let refused = Op::All(vec![
        set(&["a"], "completed"),
        Op::Claim {
            id: Some(id("b")),
            owner: "x".into(),
        },
    ]);
    assert!(plan(&now, refused).is_err(), "one refusal refuses all");
}

#[test]
fn a_wish_with_a_condition_does_nothing_where_it_no_longer_holds() {
    let now = list("a in_progress @x; b<a");
    let done_if = |owner: &str| Op::IfHolds {
        id: id("a"),
        holds: vec![
            Edit::status(&Status::InProgress),
            Edit::text(crate::task::Field::Owner, owner),
        ],
        then: Box::new(set(&["a"], "completed")),
    };
    assert_eq!(plan(&now, done_if("x")).unwrap().changes.len(), 1);
    let other = plan(&now, done_if("y")).unwrap();
    assert!(other.changes.is_empty());
    assert_eq!(
        other.relied_on.len(),
        1,
        "that it did not hold is checked too"
    );
    let gone = Op::IfHolds {
        id: id("zz"),
        holds: Vec::new(),
        then: Box::new(set(&["zz"], "completed")),
    };
    assert!(plan(&now, gone).unwrap().changes.is_empty());
}

proptest! {
    /// The foresight of any wish is the difference that carrying it out makes.
    #[test]
    fn foresight_comes_true(op in wish()) {
        let mut now = list("a; b<a; c<b completed; d<a,c; e<d @x; f deleted; g<f");
        let Ok(plan) = plan(&now, op) else { return Ok(()) };
        let foresight = now.foresee(&plan);
        let before = now.clone();
        carry_out(&mut now, &plan);
        let turned = |from: State, to: State| -> Vec<TaskId> {
            let all = now.tasks().map(|t| t.id.clone());
            all.filter(|id| !plan.subjects.contains(id))
                .filter(|id| before.is_in(id, from) && now.is_in(id, to))
                .collect()
        };
        prop_assert_eq!(&foresight.ready, &turned(State::Blocked, State::Ready));
        prop_assert_eq!(&foresight.blocked, &turned(State::Ready, State::Blocked));
        let mut rings = now.cycles();
        rings.retain(|ring| !before.cycles().contains(ring));
        let mut foreseen = foresight.rings;
        foreseen.sort();
        prop_assert_eq!(foreseen, rings);
    }
}
