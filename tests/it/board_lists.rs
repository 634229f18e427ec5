//! Lists come, go and change while a board shows them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use taskdeck::list::Op;
use taskdeck::store::{Options, Store};
use taskdeck::task::{Edit, Patch, Status, TaskId};

use super::pty::{Board, make, tasks};

/// Completes a task, as an agent does.
fn complete(list: &Path, id: &str) {
    let store = Store::open(list, None, Options::default()).unwrap();
    let patch = Patch {
        edits: vec![Edit::status(&Status::Completed)],
    };
    let ids = vec![TaskId::new(id)];
    let force = false;
    store.act(Op::Update { ids, patch, force }).unwrap();
}

#[test]
fn a_list_that_is_deleted_while_it_is_shown_can_be_brought_back() {
    let mut board = Board::open(140, 30);
    board.see("● live");
    fs::remove_dir_all(tasks(board.home.path())).unwrap();
    board.see("Vanished 2");
    board.see("Lay the ground");
    // A card that was there is made again, under a fresh id.
    board.press("llllR");
    board.see("Vanished 1");
    board.see("Ready 1");
    let files = fs::read_dir(tasks(board.home.path())).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let made: Vec<String> = names.filter(|name| name.ends_with(".json")).collect();
    assert!(
        made.len() == 1 && !made[0].starts_with("T-0000000"),
        "{made:?}"
    );
    make(board.home.path(), 3, "Start anew", &[]);
    board.see("Start anew");
    board.press("q");
    assert_eq!(board.end().0, 0);
}

#[test]
fn what_claude_deletes_after_the_last_completion_vanishes_and_comes_back_under_a_new_number() {
    let home = tempfile::tempdir().unwrap();
    let list = home.path().join(".claude/tasks/shop");
    fs::create_dir_all(&list).unwrap();
    let task = |id: u32, subject: &str, status: &str| {
        let text = format!(
            r#"{{"id":"{id}","subject":"{subject}","description":"","status":"{status}","blocks":[],"blockedBy":[]}}"#
        );
        fs::write(list.join(format!("{id}.json")), text).unwrap(); // in place, as Claude writes
    };
    task(1, "Lay the ground", "completed");
    task(2, "Raise the walls", "in_progress");
    fs::write(list.join(".lock"), "").unwrap();
    let dir = list.display().to_string();
    let mut board = Board::start(Arc::new(home), 140, 30, &[], &["--dir", &dir]);
    board.see("In progress 1");
    task(2, "Raise the walls", "completed");
    board.see("Completed 2");
    // Five seconds later its session takes every task file away and raises the mark.
    for id in ["1", "2"] {
        fs::remove_file(list.join(format!("{id}.json"))).unwrap();
    }
    fs::write(list.join(".highwatermark"), "2").unwrap();
    board.see("Vanished 2");
    board.see("Raise the walls");
    board.press("llllR");
    board.see("Vanished 1");
    let made = fs::read_to_string(list.join("3.json")).unwrap();
    assert!(made.contains("Lay the ground") || made.contains("Raise the walls"));
    assert!(!list.join("1.json").exists() && !list.join("2.json").exists());
    board.press("q");
    assert_eq!(board.end().0, 0);
}

#[test]
fn the_screen_of_lists_follows_them_and_goes_back_and_forth() {
    let home = tempfile::tempdir().unwrap();
    let other = home.path().join("shop/.sisyphus/tasks");
    make(home.path(), 1, "Of the other list", &[]);
    fs::create_dir_all(other.parent().unwrap()).unwrap();
    fs::rename(tasks(home.path()), &other).unwrap();
    make(home.path(), 2, "Of this list", &[]);
    let mut board = Board::open_in(Arc::new(home), 140, 30, &[]);
    board.see("● live");
    let (opens, goes) = match board.text().contains("Of this list") {
        true => ("Of this list", "Of the other list"),
        false => ("Of the other list", "Of this list"), // written in the same millisecond
    };
    board.press("\x0c"); // ctrl-l
    board.see("0/1");
    complete(&other, "T-00000001");
    board.wait("finished list", |screen| screen.contains("█ 1/1"));
    board.press("\x1b");
    board.wait("closed screen", |screen| !screen.contains("enter opens"));
    for subject in [goes, opens, goes] {
        board.press("\x0c");
        board.see("enter opens");
        board.press("\r");
        board.wait(subject, |screen| {
            screen.contains(subject) && !screen.contains("enter opens")
        });
    }
    board.press("q");
    assert_eq!(board.end().0, 0);
}
