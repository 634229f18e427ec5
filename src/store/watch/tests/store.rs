//! The watcher on a real store, where names that are no task's matter too.

use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, SystemTime};

use crate::list::{FileChange, FileContent};
use crate::store::watch::{WatchEvent, WatchMode};
use crate::store::{Options, Store};
use crate::task::{Dialect, ProblemCode};

const PATIENCE: Duration = Duration::from_secs(20);

fn next_files(events: &Receiver<WatchEvent>) -> Vec<FileChange> {
    loop {
        if let WatchEvent::Files(files) = events.recv_timeout(PATIENCE).unwrap() {
            return files;
        }
    }
}

/// Nothing happens to a temp file that its writer left: only a sweep can tell that it is old.
#[test]
fn a_temp_file_left_behind_is_told_and_so_is_its_end() {
    let root = tempfile::tempdir().unwrap();
    let left = root.path().join("T-1.json.tmp.1700000000000");
    let file = fs::File::create(&left).unwrap();
    let old = SystemTime::now() - Duration::from_secs(120);
    file.set_modified(old).unwrap();
    let store = Store::open(root.path(), Some(Dialect::Omo), Options::default()).unwrap();
    let (send, events) = channel();
    let watcher = store.watch(WatchMode::Auto, move |event| drop(send.send(event)));

    watcher.sweep();
    let told = next_files(&events);
    assert!(
        matches!(&told[0].content, FileContent::Broken { problem, .. }
            if problem.code == ProblemCode::TempLeft),
        "{told:?}"
    );
    fs::remove_file(&left).unwrap();
    watcher.sweep();
    assert_eq!(next_files(&events)[0].content, FileContent::Gone);
}

/// Every write of an agent makes a lock and a temp file; only the task is told.
#[test]
fn what_a_commit_leaves_beside_is_not_told() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path(), Some(Dialect::Omo), Options::default()).unwrap();
    let (send, events) = channel();
    let watcher = store.watch(WatchMode::Auto, move |event| drop(send.send(event)));
    fs::write(root.path().join(".lock"), "{}").unwrap();
    fs::write(root.path().join("T-1.json.tmp.1"), "{").unwrap();
    fs::write(root.path().join("notes.json"), "{}").unwrap();
    fs::write(root.path().join("T-1.json"), r#"{"subject":"one"}"#).unwrap();
    let names = |files: Vec<FileChange>| -> Vec<String> {
        files.into_iter().map(|file| file.name).collect()
    };
    assert_eq!(names(next_files(&events)), ["T-1.json"]);
    drop(watcher);
    assert!(
        events
            .iter()
            .all(|event| !matches!(event, WatchEvent::Files(_)))
    );
}
