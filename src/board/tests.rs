//! The board driven by keys, without a terminal and without a disk.

mod screens;
mod steer;
mod watch;
mod workers;

use std::sync::Arc;

use super::*;
use crate::command::{COMMANDS, Key};
use crate::list::{FileChange, FileContent, List, Op};
use crate::state::ListState;
use crate::task::{Dialect, State, Status, Task, TaskId};

fn id(name: &str) -> TaskId {
    TaskId::new(format!("T-{name}"))
}

/// `name<blocker,blocker status @owner`
fn file(text: &str) -> FileChange {
    let mut words = text.split_whitespace();
    let head = words.next().unwrap();
    let (name, blockers) = head.split_once('<').unwrap_or((head, ""));
    let mut task = Task::new(id(name));
    task.subject = name.to_owned();
    task.blocked_by = blockers
        .split(',')
        .filter(|b| !b.is_empty())
        .map(id)
        .collect();
    for word in words {
        match word.strip_prefix('@') {
            Some(owner) => task.owner = Some(owner.to_owned()),
            None => task.status = Status::parse(word, Dialect::Omo),
        }
    }
    let owner = task
        .owner
        .as_ref()
        .map_or_else(String::new, |o| format!(",\"owner\":\"{o}\""));
    let raw = format!(
        "{{\"id\":\"T-{name}\",\"subject\":\"{name}\",\"status\":\"{}\",\"blockedBy\":{:?}{owner}}}",
        task.status.as_str(),
        task.blocked_by
    );
    task.raw = Arc::from(raw.into_bytes());
    FileChange {
        name: format!("T-{name}.json"),
        content: FileContent::Task(Arc::new(task)),
    }
}

fn board(text: &str) -> Model {
    let place = Place {
        name: "webshop".into(),
        ..Place::default()
    };
    let mut model = Model::new(Dialect::Omo, place, ListState::default(), false);
    let list = List::from_files(
        Dialect::Omo,
        text.split(';').map(|t| file(t.trim())).collect(),
    );
    update(&mut model, Message::Loaded(Ok(Box::new(list))));
    model
}

/// Presses keys, written with spaces between: `j j L`. Sent-out wishes are planned and carried out
/// on nothing; they come back to be looked at.
fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let keys = keys.split(' ').map(|key| key.parse::<Key>().unwrap());
    keys.flat_map(|key| update(model, Message::Key(key)))
        .collect()
}

fn typed(text: &str) -> String {
    let key = |c: char| {
        if c == ' ' {
            "space".to_owned()
        } else {
            c.to_string()
        }
    };
    text.chars().map(key).collect::<Vec<_>>().join(" ")
}

fn selected(model: &Model) -> &str {
    model.selected.as_ref().map_or("", |id| &id.as_str()[2..])
}

fn shown(model: &Model) -> Vec<(State, usize)> {
    model
        .columns
        .iter()
        .map(|c| (c.state().unwrap(), c.ids.len()))
        .collect()
}

#[test]
fn cards_are_walked_by_keys() {
    let mut model = board("a; b; c<a; d in_progress");
    assert_eq!(selected(&model), "a");
    press(&mut model, "j");
    assert_eq!(selected(&model), "b");
    press(&mut model, "l");
    assert_eq!(selected(&model), "c");
    press(&mut model, "l l");
    assert_eq!(
        selected(&model),
        "",
        "an empty column has the focus and no card"
    );
    press(&mut model, "h");
    assert_eq!(selected(&model), "d");
}

#[test]
fn status_keys_send_wishes_and_wait_for_their_outcome() {
    let mut model = board("a");
    let effects = press(&mut model, "L");
    assert!(matches!(&effects[..], [Effect::Act(op)] if matches!(**op, Op::Update { .. })));
    assert_eq!(model.pending, 1);
    assert_eq!(
        shown(&model)[0],
        (State::Ready, 1),
        "the truth is the outcome"
    );
}

#[test]
fn the_selection_is_a_task_and_not_a_place() {
    let mut model = board("a; b; c");
    press(&mut model, "j");
    for change in ["0; 1", "b in_progress", "b completed @hera"] {
        let files = change.split(';').map(|t| file(t.trim())).collect();
        update(&mut model, Message::Files(files));
        assert_eq!(selected(&model), "b", "after {change}");
    }
    assert_eq!(
        model.columns[model.column].state().unwrap(),
        State::Completed
    );
    let gone = FileChange {
        name: "T-b.json".into(),
        content: FileContent::Gone,
    };
    update(&mut model, Message::Files(vec![gone]));
    assert_ne!(selected(&model), "b");
    assert!(model.notice.as_ref().unwrap().text.contains("gone"));
}

#[test]
fn a_filter_narrows_as_it_is_typed_and_escape_takes_it_back() {
    let mut model = board("login; logout; cart");
    press(&mut model, "/ l o g");
    assert_eq!(shown(&model)[0], (State::Ready, 2));
    assert_eq!(model.columns[0].hidden, 1);
    press(&mut model, "enter q"); // q is a key again, not a letter
    let mut model = board("login; logout; cart");
    press(&mut model, "/ q");
    assert_eq!(model.query.to_string(), "q");
    press(&mut model, "esc");
    assert_eq!(shown(&model)[0], (State::Ready, 3));
}

#[test]
fn a_form_saves_only_what_was_changed() {
    let mut model = board("a @hera");
    press(&mut model, &format!("e {} tab tab tab", typed("!")));
    let effects = press(&mut model, "enter");
    let [Effect::Act(op)] = &effects[..] else {
        panic!("{effects:?}")
    };
    let Op::Update { patch, .. } = &**op else {
        panic!("{op:?}")
    };
    assert_eq!(patch.edits.len(), 1);
}

#[test]
fn an_open_form_follows_agents_and_asks_when_both_wrote() {
    let mut model = board("a @hera");
    press(&mut model, "e !");
    update(
        &mut model,
        Message::Files(vec![file("a @atlas in_progress")]),
    );
    let Some(Layer::Form(form)) = model.top() else {
        panic!("the form stays")
    };
    assert_eq!(form.typed(What::Field(crate::task::Field::Owner)), "atlas");
    assert_eq!(form.typed(What::Field(crate::task::Field::Subject)), "a!");
    press(&mut model, "tab tab tab backspace");
    update(&mut model, Message::Files(vec![file("a @zeus")]));
    assert!(press(&mut model, "ctrl-s").is_empty(), "asks first");
    let effects = press(&mut model, "ctrl-s");
    assert!(
        matches!(&effects[..], [Effect::Act(_)]),
        "then keeps what was typed"
    );
}

#[test]
fn pickers_add_and_remove_edges() {
    let mut model = board("a; b<a; c; d<a,c");
    press(&mut model, &format!("b {}", typed("c")));
    let effects = press(&mut model, "enter");
    assert!(matches!(&effects[..], [Effect::Act(_)]));
    let mut model = board("a; b<a; c; d<a,c");
    press(&mut model, "l");
    assert_eq!(selected(&model), "b");
    assert_eq!(
        press(&mut model, "x").len(),
        1,
        "one blocker needs no question"
    );
    press(&mut model, "j x");
    let Some(Layer::Menu(menu)) = model.top() else {
        panic!("several do")
    };
    assert_eq!(menu.choices.len(), 3);
}

#[test]
fn deleting_asks_and_names_what_stays_blocked() {
    let mut model = board("a; b<a");
    press(&mut model, "d");
    let Some(Layer::Confirm(confirm)) = model.top() else {
        panic!("asks")
    };
    assert!(confirm.lines.iter().any(|line| line.contains("b")));
    assert!(
        press(&mut model, "d d").is_empty(),
        "the same key again is no yes"
    );
    assert_eq!(press(&mut model, "y").len(), 1);
}

#[test]
fn a_paste_on_the_board_is_no_command() {
    let mut model = board("a");
    let paste = || Message::Paste("dqd\nyes\n".into());
    assert!(update(&mut model, paste()).is_empty());
    assert!(model.layers.is_empty());
    press(&mut model, "n");
    update(&mut model, paste());
    let Some(Layer::Form(form)) = model.top() else {
        panic!("still open")
    };
    assert_eq!(
        form.typed(What::Field(crate::task::Field::Subject)),
        "dqd yes "
    );
}

/// The edits that stand, and those that were taken back.
fn stacks(model: &Model) -> (usize, usize) {
    let undone = model.history.all().filter(|edit| edit.undone).count();
    (model.history.all().count() - undone, undone)
}

#[test]
fn undo_and_redo_walk_the_edits() {
    let mut model = board("a");
    let plan = |model: &Model, op: Op| crate::list::plan(&model.list, op).unwrap();
    let done = |model: &mut Model, effects: Vec<Effect>, after: &str| {
        let [Effect::Act(op)] = &effects[..] else {
            panic!("{effects:?}")
        };
        let plan = Box::new(plan(model, (**op).clone()));
        let files = vec![file(after)];
        update(
            model,
            Message::Done(Outcome::Committed {
                plan,
                files,
                warnings: Vec::new(),
                heard: Vec::new(),
            }),
        );
    };
    let effects = press(&mut model, "L");
    done(&mut model, effects, "a in_progress");
    assert_eq!(stacks(&model), (1, 0));
    let effects = press(&mut model, "u");
    done(&mut model, effects, "a pending");
    assert_eq!(stacks(&model), (0, 1));
    let effects = press(&mut model, "U");
    done(&mut model, effects, "a in_progress");
    assert_eq!(stacks(&model), (1, 0));
}

#[test]
fn every_command_works_on_nothing() {
    for command in COMMANDS {
        for text in ["", "a; b<a; c<c; d in_progress; e deleted"] {
            let mut model = if text.is_empty() {
                Model::new(Dialect::Omo, Place::default(), ListState::default(), false)
            } else {
                board(text)
            };
            for keys in command.keys {
                press(&mut model, keys);
                press(&mut model, "esc esc tab");
                press(&mut model, keys);
                press(&mut model, "enter esc esc");
            }
        }
    }
}

#[test]
fn the_graph_and_the_board_select_the_same() {
    let mut model = board("a; b<a; c<b");
    press(&mut model, "tab");
    assert_eq!(model.pane, Pane::Graph);
    press(&mut model, "l l");
    assert_eq!(selected(&model), "c");
    assert_eq!(model.columns[model.column].state().unwrap(), State::Blocked);
    press(&mut model, "h");
    assert_eq!(selected(&model), "b");
}

#[test]
fn a_status_change_moves_nothing_in_the_graph() {
    let mut model = board("a; b<a; c<b; d");
    let places = |m: &Model| {
        (0..4)
            .map(|n| m.graph.layout.node_rect(n))
            .collect::<Vec<_>>()
    };
    let before = places(&model);
    update(
        &mut model,
        Message::Files(vec![file("a in_progress @hera")]),
    );
    assert_eq!(places(&model), before);
}

#[test]
fn dropping_a_card_means_what_the_column_says() {
    let mut model = board("a; b<a; c in_progress");
    let drag = |model: &mut Model, name: &str, from: usize, to: usize| {
        update(
            model,
            Message::Mouse(Mouse::Press(MouseAt::Card(id(name), from))),
        );
        update(model, Message::Mouse(Mouse::Drag(MouseAt::Column(to))));
        update(model, Message::Mouse(Mouse::Release(MouseAt::Column(to))))
    };
    assert_eq!(drag(&mut model, "a", 0, 2).len(), 1);
    assert!(drag(&mut model, "a", 0, 1).is_empty());
    assert!(
        matches!(model.top(), Some(Layer::Menu(_))),
        "asks what it waits for"
    );
    model.layers.clear();
    assert_eq!(drag(&mut model, "b", 1, 0).len(), 1, "its one blocker goes");
}
