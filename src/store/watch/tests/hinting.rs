//! Which notifications concern a folder.

use std::fs;
use std::path::PathBuf;

use notify::event::{
    AccessKind, CreateKind, DataChange, Flag, MetadataKind, ModifyKind, RemoveKind,
};
use notify::{Event, EventKind};

use crate::store::watch::hints::{Scope, Signal};

const WRITTEN: EventKind = EventKind::Modify(ModifyKind::Data(DataChange::Any));
const TOUCHED: EventKind = EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any));
const REMOVED: EventKind = EventKind::Remove(RemoveKind::Folder);
const CREATED: EventKind = EventKind::Create(CreateKind::Folder);

fn one(scope: &Scope, kind: EventKind, path: PathBuf) -> Vec<Signal> {
    scope.signals(Ok(Event::new(kind).add_path(path)))
}

#[test]
fn files_by_name_and_the_folder_as_a_whole() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let folder = root.join("tasks");
    fs::create_dir(&folder).unwrap();
    let scope = Scope::of(&folder);
    let name = || vec![Signal::Name("1.json".into())];

    assert_eq!(one(&scope, WRITTEN, folder.join("1.json")), name());
    assert_eq!(one(&scope, REMOVED, folder.clone()), [Signal::Folder]);
    assert_eq!(one(&scope, TOUCHED, folder.clone()), [Signal::Sweep]);
    assert_eq!(one(&scope, CREATED, folder.clone()), [Signal::Folder]);
    assert_eq!(one(&scope, REMOVED, root.clone()), [Signal::Folder]);
    assert_eq!(one(&scope, TOUCHED, root.clone()), []);
    assert_eq!(one(&scope, WRITTEN, root.join("other")), []);
    assert_eq!(one(&scope, WRITTEN, folder.join("claims/1.lock")), []);
    let read = EventKind::Access(AccessKind::Read);
    assert_eq!(
        one(&scope, read, folder.join("1.json")),
        [],
        "our own reads"
    );
}

#[test]
fn lost_notifications_ask_for_a_sweep() {
    let root = tempfile::tempdir().unwrap();
    let scope = Scope::of(root.path());
    let overflow = Event::new(EventKind::Other).set_flag(Flag::Rescan);
    assert_eq!(scope.signals(Ok(overflow)), [Signal::Sweep]);
    let error = notify::Error::generic("gone wrong");
    assert_eq!(scope.signals(Err(error)), [Signal::Sweep]);
}

#[test]
fn a_missing_folder_is_awaited_step_by_step() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let folder = root.join(".omo").join("tasks");
    let scope = Scope::of(&folder);
    assert_eq!(scope.places(), std::slice::from_ref(&root));
    assert_eq!(one(&scope, CREATED, root.join(".omo")), [Signal::Folder]);
    assert_eq!(one(&scope, CREATED, root.join("src")), []);

    fs::create_dir(root.join(".omo")).unwrap();
    let scope = Scope::of(&folder);
    assert_eq!(scope.places(), [root.join(".omo")]);
    assert_eq!(one(&scope, CREATED, folder.clone()), [Signal::Folder]);
}

#[cfg(unix)]
#[test]
fn a_linked_folder_is_watched_at_both_ends() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("real/tasks")).unwrap();
    fs::create_dir(root.join("repo")).unwrap();
    let link = root.join("repo/tasks");
    std::os::unix::fs::symlink(root.join("real/tasks"), &link).unwrap();
    let scope = Scope::of(&link);
    let places = [
        root.join("repo"),
        root.join("real"),
        root.join("real/tasks"),
    ];
    assert_eq!(scope.places(), places);
    let file = root.join("real/tasks/1.json");
    assert_eq!(one(&scope, WRITTEN, file), [Signal::Name("1.json".into())]);
    assert_eq!(one(&scope, REMOVED, link), [Signal::Folder]);
}
