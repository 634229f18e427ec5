//! Edits by keys: what is sent out, for one task and for many.

use super::*;
use crate::list::{Plan, plan};
use crate::task::{Edit, Field};

/// The one wish that some keys send out.
fn wish(model: &mut Model, keys: &str) -> Op {
    let effects = press(model, keys);
    match &effects[..] {
        [Effect::Act(op)] => (**op).clone(),
        other => panic!("{keys} sent {other:?}, and says {:?}", model.notice),
    }
}

/// The wish as a plan, one line a file: `T-a status="completed"`.
fn planned(model: &mut Model, keys: &str) -> Vec<String> {
    let mut op = wish(model, keys);
    if let Op::Create(tasks) = &mut op {
        tasks[0].id = Some(id("new")); // The worker gives ids.
    }
    lines(&plan(&model.list, op).unwrap())
}

fn lines(plan: &Plan) -> Vec<String> {
    use crate::list::Change;
    let edit = |edit: &Edit| match edit {
        Edit::Set(Field::Status, value) => value.as_ref().unwrap().as_str().to_owned(),
        Edit::Set(field, value) => {
            format!("{}={:?}", field.key(), value.as_ref().map(|v| v.as_str()))
        }
        Edit::SetKey(key, value) => format!("{key}={value:?}"),
        Edit::SetMetadata(key, value) => format!("{key}={}", value.as_ref().unwrap().as_str()),
        Edit::AddEdge(field, id) => format!("+{}:{id}", field.key()),
        Edit::RemoveEdge(field, id) => format!("-{}:{id}", field.key()),
        Edit::ByteOrderMark(there) => format!("mark={there}"),
    };
    let mut lines: Vec<String> = plan
        .changes
        .iter()
        .map(|change| match change {
            Change::Patch { id, patch, .. } => {
                let edits: Vec<String> = patch.edits.iter().map(edit).collect();
                format!("{id} {}", edits.join(" "))
            }
            Change::Create(task) => format!(
                "new {} <{:?} @{:?}",
                task.subject, task.blocked_by, task.owner
            ),
            Change::Remove { id } => format!("{id} removed"),
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn marked_tasks_are_edited_together_and_then_unmarked() {
    let mut model = board("a; b; c in_progress; d<a");
    press(&mut model, "space space");
    assert_eq!(model.marks.len(), 2);
    press(&mut model, "l l space");
    assert_eq!(selected(&model), "c");
    let plan = planned(&mut model, "L");
    assert_eq!(
        plan,
        [
            r#"T-a "in_progress""#,
            r#"T-b "in_progress""#,
            r#"T-c "completed""#
        ]
    );
    assert!(model.marks.is_empty());
}

#[test]
fn ranges_and_everything_shown_are_marked_at_once() {
    let mut model = board("a; b; c; d");
    press(&mut model, "space j V");
    assert_eq!(model.marks.len(), 3, "from a to c");
    press(&mut model, "*");
    assert_eq!(model.marks.len(), 4);
    press(&mut model, "*");
    assert!(model.marks.is_empty());
    press(&mut model, "/ b enter *");
    assert_eq!(model.marks.len(), 1, "what the filter hides is not meant");
    press(&mut model, "esc esc");
    assert!(model.marks.is_empty());
}

#[test]
fn a_marked_task_that_goes_is_no_longer_marked() {
    let mut model = board("a; b");
    press(&mut model, "*");
    let gone = FileChange {
        name: "T-a.json".into(),
        content: FileContent::Gone,
    };
    update(&mut model, Message::Files(vec![gone]));
    assert_eq!(model.targets(), [id("b")]);
}

#[test]
fn the_selected_task_waits_for_the_marked_ones_or_no_longer() {
    let mut model = board("a; b; c<b");
    press(&mut model, "space space l");
    assert_eq!(selected(&model), "c");
    let edges = planned(&mut model, "m");
    assert_eq!(
        edges,
        ["T-a +blocks:T-c", "T-c -blockedBy:T-b +blockedBy:T-a"]
    );
}

#[test]
fn an_edge_is_turned_around_without_a_ring_between() {
    let mut model = board("a; b<a");
    let turned = planned(&mut model, "M");
    assert_eq!(
        turned,
        ["T-a +blockedBy:T-b", "T-b -blockedBy:T-a +blocks:T-a"]
    );
    let mut model = board("a; b<a; c<a");
    assert!(press(&mut model, "M").is_empty(), "which one?");
    let Some(Layer::Menu(menu)) = model.top() else {
        panic!("a menu")
    };
    assert_eq!(menu.choices.len(), 2);
}

#[test]
fn reopening_says_first_who_has_to_wait_again() {
    let mut model = board("a completed; b<a");
    press(&mut model, "l l l");
    assert_eq!(selected(&model), "a");
    assert!(press(&mut model, "H").is_empty());
    let Some(Layer::Confirm(confirm)) = model.top() else {
        panic!("asks")
    };
    assert_eq!(confirm.lines, ["has to wait again: “b”"]);
    assert_eq!(planned(&mut model, "y"), [r#"T-a "in_progress""#]);
    // What holds nobody back needs no question.
    let mut model = board("a completed; b");
    press(&mut model, "l l l");
    assert_eq!(planned(&mut model, "H"), [r#"T-a "in_progress""#]);
}

#[test]
fn deleting_says_first_what_stays_blocked() {
    let mut model = board("a; b<a; c<a");
    press(&mut model, "d");
    let Some(Layer::Confirm(confirm)) = model.top() else {
        panic!("asks")
    };
    assert_eq!(confirm.lines[0], "stays blocked by it: “b”, “c”");
    assert_eq!(planned(&mut model, "y"), [r#"T-a "deleted""#]);
}

#[test]
fn one_line_makes_a_task_and_tab_completes_names() {
    let mut model = board("wait; other @atlas");
    press(&mut model, &format!("N {}", typed("Fix login >wa")));
    let Some(Layer::Prompt(prompt)) = model.top() else {
        panic!("a prompt")
    };
    assert_eq!(prompt.offers[0].word, ">T-wait");
    press(&mut model, &format!("tab {} tab", typed("@at")));
    let made = planned(&mut model, "enter");
    assert_eq!(made[1], r#"new Fix login <["T-wait"] @Some("atlas")"#);
}

#[test]
fn a_line_that_names_no_task_stays_with_the_reason() {
    let mut model = board("a");
    let effects = press(&mut model, &format!("N {} enter", typed("x >T-nothere")));
    assert!(effects.is_empty());
    assert!(matches!(model.top(), Some(Layer::Prompt(_))));
    assert!(model.notice.as_ref().unwrap().text.contains("T-nothere"));
}

#[test]
fn a_task_is_split_by_lines_and_may_be_chained() {
    let mut model = board("a; b<a");
    press(
        &mut model,
        &format!("s {} enter {}", typed("one"), typed("> two")),
    );
    let Op::Split { id: whole, into } = wish(&mut model, "ctrl-s") else {
        panic!()
    };
    assert_eq!(whole, id("a"));
    assert_eq!(into.len(), 2);
    assert_eq!(into[1].subject, "two");
    assert_eq!(into[1].blocked_by, [crate::list::local_id(0)]);
}

#[test]
fn copies_are_nobodys_and_wait_for_the_same() {
    let mut model = board("a; b<a in_progress @atlas");
    press(&mut model, "l l");
    assert_eq!(selected(&model), "b");
    let made = planned(&mut model, "D");
    assert_eq!(made[1], r#"new b <["T-a"] @None"#);
}

#[test]
fn owners_and_priorities_of_many_are_one_wish() {
    let mut model = board("a; b; c");
    press(&mut model, "*");
    let given = planned(&mut model, &format!("o {} enter", typed("hera")));
    assert_eq!(given.len(), 3);
    assert!(given.iter().all(|line| line.contains("hera")));
    press(&mut model, "*");
    assert_eq!(planned(&mut model, "+").len(), 3);
    press(&mut model, "* b");
    let Some(Layer::Menu(menu)) = model.top() else {
        panic!("which blocker")
    };
    assert!(menu.choices.is_empty(), "none can wait for itself");
}

#[test]
fn all_that_holds_the_marked_tasks_back_is_cut() {
    let mut model = board("a; b<a; c<a,x; x completed");
    press(&mut model, "l space space");
    let cut = planned(&mut model, "x");
    assert_eq!(cut, ["T-b -blockedBy:T-a", "T-c -blockedBy:T-a"]);
}

#[test]
fn filters_are_saved_by_name_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = board("a; b @atlas");
    model.state = ListState::open(Some(folder.path()), folder.path());
    press(&mut model, &format!("/ {} enter", typed("@atlas")));
    press(&mut model, "S enter m i n e enter esc \\");
    assert_eq!(shown(&model)[0], (State::Ready, 2));
    press(&mut model, "S m i n e enter");
    assert_eq!(shown(&model)[0], (State::Ready, 1));
    assert_eq!(model.query.to_string(), "@atlas");
}

#[test]
fn every_edit_is_listed_and_any_of_them_can_be_taken_back() {
    let mut model = board("a; b");
    for (keys, after) in [("+", "a"), ("j o x enter", "b @x")] {
        let op = wish(&mut model, keys);
        let plan = Box::new(plan(&model.list, op).unwrap());
        let outcome = Outcome::Committed {
            plan,
            files: vec![file(after)],
            warnings: Vec::new(),
            heard: Vec::new(),
        };
        update(&mut model, Message::Done(outcome));
    }
    press(&mut model, "g u");
    let Some(Layer::Menu(menu)) = model.top() else {
        panic!("a menu")
    };
    assert_eq!(menu.choices.len(), 2);
    let Op::Undo(first) = wish(&mut model, "down enter") else {
        panic!()
    };
    assert_eq!(first.subjects, [id("a")], "the older one, by itself");
}

#[test]
fn the_board_says_whether_an_edit_reaches_the_agent() {
    use crate::state::Heard;
    for (heard, words) in [
        (
            Heard::DoesNotUseTools,
            "@atlas does not use taskdeck's tools",
        ),
        (Heard::Waiting, "@atlas hears of it at its next call"),
    ] {
        let mut model = board("a in_progress @atlas");
        let op = wish(&mut model, "+");
        let outcome = Outcome::Committed {
            plan: Box::new(plan(&model.list, op).unwrap()),
            files: vec![file("a in_progress @atlas")],
            warnings: Vec::new(),
            heard: vec![("atlas".into(), heard)],
        };
        update(&mut model, Message::Done(outcome));
        let said = &model.notice.as_ref().unwrap().text;
        assert!(said.contains(words), "{said}");
        // What agents write may follow a call in which they heard of it.
        let effects = update(&mut model, Message::Files(vec![file("b")]));
        assert_eq!(effects, [Effect::AskHeard(vec!["atlas".into()])]);
        update(
            &mut model,
            Message::Heard(vec![("atlas".into(), Heard::Acknowledged)]),
        );
        assert!(update(&mut model, Message::Files(vec![file("c")])).is_empty());
    }
}

#[test]
fn a_form_completes_owners_and_tasks_and_saves_edges() {
    let mut model = board("first; second; third<first @atlas");
    press(&mut model, "l");
    assert_eq!(selected(&model), "third");
    // Down to what it waits for: the first id goes, the second comes by a part of its subject.
    press(&mut model, "e tab tab tab tab tab ctrl-u");
    press(&mut model, &typed("seco"));
    let Some(Layer::Form(form)) = model.top() else {
        panic!("a form")
    };
    assert_eq!(form.offer.as_ref().unwrap().word, "T-second");
    let saved = planned(&mut model, "tab enter");
    assert_eq!(
        saved,
        [
            "T-second +blocks:T-third",
            "T-third -blockedBy:T-first +blockedBy:T-second"
        ]
    );
    let mut model = board("a @atlas; b");
    press(
        &mut model,
        &format!("n {} tab tab tab {} tab", typed("new"), typed("at")),
    );
    let made = planned(&mut model, "enter");
    assert!(made[0].ends_with(r#"@Some("atlas")"#), "{made:?}");
}

#[test]
fn a_form_that_names_no_task_stays_with_what_was_typed() {
    let mut model = board("build; test1; test2");
    press(
        &mut model,
        &format!("n {} tab tab tab tab tab {}", typed("new"), typed("test")),
    );
    // Several have that in their subject: nothing is sent, nothing is lost.
    let effects = press(&mut model, "enter");
    assert!(effects.is_empty());
    let Some(Layer::Form(form)) = model.top() else {
        panic!("the form stays")
    };
    assert_eq!(form.typed(What::Field(Field::Subject)), "new");
    press(&mut model, "ctrl-u b u i l");
    let Op::Create(tasks) = wish(&mut model, "enter") else {
        panic!()
    };
    assert_eq!(tasks[0].blocked_by, [id("build")]);
}

#[test]
fn a_task_that_was_freed_is_ready_since_then() {
    let mut model = board("a; b<a");
    model.now_ms = 60_000;
    update(&mut model, Message::Files(vec![file("a completed")]));
    assert_eq!(model.since(&id("b")).map(|since| since.ms), Some(60_000));
}

#[test]
fn the_key_that_links_marked_tasks_takes_the_link_back() {
    let mut model = board("a; b; c");
    model.select(&id("a"));
    press(&mut model, "space");
    model.select(&id("c"));
    for (wish, after) in [("AddEdge", "c<a"), ("RemoveEdge", "c")] {
        let effects = press(&mut model, "m");
        let [Effect::Act(op)] = &effects[..] else {
            panic!("{effects:?}")
        };
        assert!(format!("{op:?}").contains(wish), "{op:?}");
        assert_eq!(model.marks.len(), 1, "still marked");
        super::watch::hear(&mut model, after);
    }
}
