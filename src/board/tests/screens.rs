//! The screens of problems and lists, and what is asked before a list ends.

use std::path::{Path, PathBuf};

use super::*;
use crate::list::Change;
use crate::store::discover::{Overview, Place as ListPlace};
use crate::task::Edit;

fn menu(model: &Model) -> (&str, Vec<&str>) {
    match model.top() {
        Some(Layer::Menu(menu)) => {
            let shown = menu.shown.iter().map(|at| menu.choices[*at].label.as_str());
            (&menu.title, shown.collect())
        }
        other => panic!("no menu but {other:?}"),
    }
}

#[test]
fn problems_are_listed_followed_and_repaired() {
    let mut model = board("a; b<a; c");
    press(&mut model, "p");
    let (title, lines) = menu(&model);
    assert!(title.contains("errors"), "{title}");
    // What the builder of this list leaves out: description and threadID, in every file.
    assert!(lines[0].contains("description is missing"), "{lines:?}");
    press(&mut model, "enter");
    assert!(model.top().is_none());
    assert_eq!(selected(&model), "a");

    press(&mut model, "p ctrl-r");
    let Some(Layer::Confirm(confirm)) = model.top() else {
        panic!("it asks first");
    };
    assert!(confirm.title.contains("T-a.json"), "{}", confirm.title);
    let effects = press(&mut model, "y");
    let [Effect::Act(op)] = &effects[..] else {
        panic!("{effects:?}");
    };
    let plan = crate::list::plan(&model.list, (**op).clone()).unwrap();
    let [Change::Patch { patch, .. }] = &plan.changes[..] else {
        panic!("{plan:?}");
    };
    assert!(matches!(patch.edits[..], [Edit::Set(..)]));
}

#[test]
fn problems_follow_the_list_while_they_are_shown() {
    let mut model = board("a; b<a");
    press(&mut model, "p");
    let before = menu(&model).1.len();
    update(&mut model, Message::Files(vec![file("c<c")]));
    let (_, after) = menu(&model);
    assert!(after.len() > before);
    assert!(after.iter().any(|line| line.contains("waits for itself")));
}

fn overview(dir: &str, done: usize, total: usize) -> Overview {
    Overview {
        place: ListPlace {
            dir: PathBuf::from(dir),
            id: None,
            title: Some(dir.trim_start_matches('/').to_owned()),
            running: false,
            reason: "found".into(),
            exists: true,
            written_ms: Some(0),
        },
        opens: false,
        dialect: Dialect::Omo,
        done,
        total,
        working: Vec::new(),
        live: true,
        unreadable: None,
    }
}

#[test]
fn lists_are_asked_for_shown_and_opened() {
    let mut model = board("a");
    model.place.dir = PathBuf::from("/shop");
    assert_eq!(press(&mut model, "ctrl-l"), [Effect::FindLists]);
    assert!(model.shows_lists());
    let all = vec![overview("/shop", 1, 2), overview("/bank", 0, 3)];
    update(&mut model, Message::Lists(all, None));
    let (_, lines) = menu(&model);
    assert!(
        lines[0].contains("▶ shop") && lines[0].contains("█████░░░░░ 1/2"),
        "{lines:?}"
    );
    let effects = press(&mut model, "down enter");
    assert_eq!(effects, [Effect::Open(PathBuf::from("/bank"))]);
    assert!(!model.shows_lists());

    let mut next = board("z");
    next.place.dir = PathBuf::from("/bank");
    next.come_from(&model);
    assert_eq!(next.lists.before.as_deref(), Some(Path::new("/shop")));
    press(&mut next, "ctrl-l");
    let effects = press(&mut next, "enter");
    assert_eq!(effects, [Effect::Open(PathBuf::from("/shop"))], "and back");
}

#[test]
fn what_ends_a_list_of_claude_code_is_asked_about() {
    let with = |dialect, files: &str| {
        let list = List::from_files(dialect, files.split(';').map(|t| file(t.trim())).collect());
        let mut model = Model::new(dialect, Place::default(), ListState::default(), false);
        update(&mut model, Message::Loaded(Ok(Box::new(list))));
        model
    };
    let mut last = with(Dialect::Claude, "a in_progress; b completed");
    last.select(&id("a"));
    assert_eq!(press(&mut last, "L"), []);
    let Some(Layer::Confirm(confirm)) = last.top() else {
        panic!("it asks first");
    };
    assert!(
        confirm.lines.iter().any(|line| line.contains("deletes")),
        "{confirm:?}"
    );
    assert!(matches!(press(&mut last, "y")[..], [Effect::Act(_)]));

    for (dialect, files) in [
        (Dialect::Claude, "a in_progress; b"),
        (Dialect::Omo, "a in_progress; b completed"),
    ] {
        let mut model = with(dialect, files);
        model.select(&id("a"));
        assert!(
            matches!(press(&mut model, "L")[..], [Effect::Act(_)]),
            "{files}"
        );
    }
}
