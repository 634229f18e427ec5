//! The screens of problems and lists, and what is asked before a list ends.

use std::path::{Path, PathBuf};

use super::*;
use crate::list::Change;
use crate::store::LockHolder;
use crate::store::discover::{Overview, Place as ListPlace};
use crate::store::doctor::{Cure, Facts, TaskLock};
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
fn what_a_writer_left_behind_is_cleared_from_the_problems() {
    let mut model = board("a");
    press(&mut model, "p");
    let facts = Facts {
        mark: Some(3),
        dead_locks: vec![TaskLock {
            file: "a.json.lock".into(),
            task: id("a"),
            holder: LockHolder {
                description: "somebody".into(),
                age: None,
                stale: true,
            },
        }],
        ..Facts::default()
    };
    update(&mut model, Message::Facts(facts.clone()));
    press(&mut model, "l o c k ctrl-r");
    let Some(Layer::Confirm(confirm)) = model.top() else {
        panic!("it asks first");
    };
    assert!(confirm.title.contains("a.json.lock"), "{}", confirm.title);
    let effects = press(&mut model, "y");
    let [Effect::Clear(finding)] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert_eq!(finding.cure, Some(Cure::ClearLock(Some(id("a")))));
    assert!(menu(&model).0.contains("Problems"), "they are still there");

    model.read_only = true;
    update(&mut model, Message::Facts(facts));
    press(&mut model, "ctrl-r");
    assert!(menu(&model).0.contains("Problems"), "nothing is asked");
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
fn what_only_the_folder_shows_is_asked_for_and_told() {
    let mut model = board("a");
    assert_eq!(press(&mut model, "p"), [Effect::Examine]);
    let facts = Facts {
        mixed: Some("two kinds of files".into()),
        ..Facts::default()
    };
    update(&mut model, Message::Facts(facts));
    let (title, lines) = menu(&model);
    let told = lines.iter().any(|line| line.contains("two kinds of files"));
    assert!(told && title.contains("1 warning"), "{title}: {lines:?}");
}

#[test]
fn lists_of_one_name_are_told_apart_by_their_folders() {
    let mut model = board("a");
    press(&mut model, "ctrl-l");
    let of = |dir: &str| {
        let mut list = overview(dir, 0, 1);
        list.place.title = None;
        list
    };
    let dirs = [
        "/shop/.omo/tasks",
        "/shop/.sisyphus/tasks",
        "/bank/.omo/tasks",
    ];
    update(&mut model, Message::Lists(dirs.map(of).to_vec(), None));
    let (_, lines) = menu(&model);
    for (line, name) in lines.iter().zip([
        "shop · OmO · .omo/tasks ",
        "shop · OmO · .sisyphus/tasks ",
        "bank · OmO ",
    ]) {
        assert!(line.contains(name), "{lines:?}");
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

fn gone(name: &str) -> FileChange {
    FileChange {
        name: format!("T-{name}.json"),
        content: crate::list::FileContent::Gone,
    }
}

fn vanished(model: &Model) -> Vec<String> {
    let lane = model.columns.iter().find(|c| c.lane == Lane::Vanished);
    let ids = lane.map_or(&[][..], |lane| &lane.ids);
    ids.iter().map(|id| id.as_str()[2..].to_owned()).collect()
}

#[test]
fn what_somebody_removed_stays_on_the_board_and_can_be_made_again() {
    let mut model = board("a; b<a,c in_progress @atlas; c completed");
    model.select(&id("b"));
    update(&mut model, Message::Files(vec![gone("b"), gone("c")]));
    assert_eq!(vanished(&model), ["c", "b"], "the latest first");
    assert_eq!(selected(&model), "a", "the selection goes to a neighbour");

    model.select(&id("b"));
    assert_eq!(
        model.selected_task().unwrap().owner.as_deref(),
        Some("atlas")
    );
    assert_eq!(press(&mut model, "L"), [], "there is no file to edit");
    let effects = press(&mut model, "R");
    let [Effect::Act(op)] = &effects[..] else {
        panic!("{effects:?}");
    };
    let Op::Create(tasks) = &**op else {
        panic!("{op:?}");
    };
    assert_eq!(tasks[0].id, None, "the worker gives a fresh one");
    assert_eq!(
        (tasks[0].subject.as_str(), &tasks[0].status),
        ("b", &Status::Pending)
    );
    assert_eq!(tasks[0].blocked_by, [id("a")], "c is gone too");

    let mut made = tasks.clone();
    made[0].id = Some(id("new"));
    let plan = crate::list::plan(&model.list, Op::Create(made)).unwrap();
    let outcome = Outcome::Committed {
        plan: Box::new(plan),
        files: vec![file("new<a")],
        warnings: Vec::new(),
        heard: Vec::new(),
    };
    update(&mut model, Message::Done(outcome));
    assert_eq!(vanished(&model), ["c"]);
    update(&mut model, Message::Files(vec![file("c")]));
    assert_eq!(vanished(&model), [""; 0], "it is there again");
}

#[test]
fn what_a_person_removed_here_did_not_vanish() {
    for watcher_is_faster in [true, false] {
        let files = vec![file("a"), file("b")];
        let list = List::from_files(Dialect::Claude, files);
        let place = Place::default();
        let mut model = Model::new(Dialect::Claude, place, ListState::default(), false);
        update(&mut model, Message::Loaded(Ok(Box::new(list))));
        let plan = crate::list::plan(&model.list, Op::Delete(vec![id("a")])).unwrap();
        let done = Message::Done(Outcome::Committed {
            plan: Box::new(plan),
            files: vec![gone("a")],
            warnings: Vec::new(),
            heard: Vec::new(),
        });
        let seen = Message::Files(vec![gone("a")]);
        let messages = if watcher_is_faster {
            [seen, done]
        } else {
            [done, seen]
        };
        for message in messages {
            update(&mut model, message);
        }
        assert_eq!(vanished(&model), [""; 0]);
    }
}
