//! Writing numbered lists: OmO team mode's and Claude Code's, each with its own bytes, numbers
//! and locks.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use taskdeck::list::Op;
use taskdeck::store::{Clock, CommitError, Committed, Options, Store};
use taskdeck::task::{Dialect, EdgeField, Edit, NewTask, Patch, Status, TaskId};

const NOW: i64 = 1_760_000_000_000;

fn open(dir: &Path, dialect: Dialect, lock_timeout_ms: u64) -> Store {
    let options = Options {
        lock_timeout: Duration::from_millis(lock_timeout_ms),
        clock: Clock::new(|| NOW),
        ..Options::default()
    };
    Store::open(dir, Some(dialect), options).unwrap()
}

fn create(store: &Store, subject: &str, blocked_by: &[&str]) -> Result<Committed, CommitError> {
    store.act(Op::Create(vec![NewTask {
        id: None,
        subject: subject.to_owned(),
        description: String::new(),
        status: Status::Pending,
        active_form: None,
        owner: None,
        blocks: Vec::new(),
        blocked_by: blocked_by.iter().map(TaskId::new).collect(),
        metadata: Vec::new(),
        repo_url: None,
        parent_id: None,
        thread_id: "unused".to_owned(),
    }]))
}

fn set_status(store: &Store, id: &str, status: &Status) -> Result<Committed, CommitError> {
    store.act(Op::Update {
        ids: vec![TaskId::new(id)],
        patch: Patch {
            edits: vec![Edit::status(status)],
        },
        force: true,
    })
}

fn names(dir: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(dir).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn set<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.map(str::to_owned).into()
}

fn text(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

#[test]
fn a_team_task_is_written_counted_and_claimed_as_team_mode_does_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path(), Dialect::OmoTeam, 5000);
    create(&store, "Plan", &[]).unwrap();
    let right = format!(
        "{{\n  \"version\": 1,\n  \"id\": \"1\",\n  \"subject\": \"Plan\",\n  \"description\": \"\",\n  \
         \"status\": \"pending\",\n  \"blocks\": [],\n  \"blockedBy\": [],\n  \"createdAt\": {NOW},\n  \
         \"updatedAt\": {NOW}\n}}\n"
    );
    assert_eq!(text(dir.path(), "1.json"), right);
    assert_eq!(text(dir.path(), ".highwatermark"), "1");
    let later = Options {
        clock: Clock::new(|| NOW + 5),
        ..Options::default()
    };
    let later = Store::open(dir.path(), None, later).unwrap();
    assert_eq!(later.dialect(), Dialect::OmoTeam);
    let claim = Op::Claim {
        id: None,
        owner: "atlas".to_owned(),
    };
    later.act(claim).unwrap();
    let claimed = right
        .replace("\"pending\"", "\"claimed\",\n  \"owner\": \"atlas\"")
        .replace(
            &format!("\"updatedAt\": {NOW}"),
            &format!("\"updatedAt\": {0},\n  \"claimedAt\": {0}", NOW + 5),
        );
    assert_eq!(text(dir.path(), "1.json"), claimed);
    assert_eq!(
        names(dir.path()),
        set([".highwatermark", "1.json", "claims"])
    );
    assert!(names(&dir.path().join("claims")).is_empty());
    let task = &later.load().unwrap();
    assert!(task.warnings(&TaskId::new("1")).is_empty());
}

#[test]
fn a_team_task_that_a_person_starts_and_puts_back_says_when_it_was_claimed() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path(), Dialect::OmoTeam, 5000);
    create(&store, "Plan", &[]).unwrap();
    let before = text(dir.path(), "1.json");
    let started = set_status(&store, "1", &Status::InProgress).unwrap();
    assert!(text(dir.path(), "1.json").contains(&format!("\"claimedAt\": {NOW}")));
    store.act(Op::Undo(started.plan.into())).unwrap();
    assert_eq!(text(dir.path(), "1.json"), before);
}

#[test]
fn a_team_lock_is_stale_only_when_it_is_old_and_its_process_is_gone() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path(), Dialect::OmoTeam, 20);
    let (old, own, gone) = (NOW - 300_001, std::process::id(), u32::MAX);
    for (lock, free) in [
        (
            format!("lead\n{gone}\n{old}\n"),
            cfg!(target_os = "linux"), // elsewhere nobody can tell
        ),
        (format!("lead\n{own}\n{old}\n"), false),
        (format!("lead\n{gone}\n{NOW}\n"), false),
        (String::new(), false),
        ("{}".to_owned(), false),
    ] {
        fs::write(dir.path().join(".lock"), &lock).unwrap();
        let done = create(&store, "x", &[]);
        match done {
            Ok(_) => assert!(free, "{lock:?} was taken over"),
            Err(CommitError::Busy { .. }) => {
                assert!(!free, "{lock:?} was not taken over");
                assert_eq!(text(dir.path(), ".lock"), lock);
            }
            Err(other) => panic!("{lock:?}: {other}"),
        }
    }
}

#[test]
fn a_claude_list_is_written_as_claude_code_does_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path(), Dialect::Claude, 5000);
    fs::write(dir.path().join(".highwatermark"), "4").unwrap();
    create(&store, "Plan", &[]).unwrap();
    create(&store, "Build", &["5"]).unwrap();
    let right = "{\n  \"id\": \"5\",\n  \"subject\": \"Plan\",\n  \"description\": \"\",\n  \
         \"status\": \"pending\",\n  \"blocks\": [\n    \"6\"\n  ],\n  \"blockedBy\": []\n}";
    assert_eq!(text(dir.path(), "5.json"), right);
    assert_eq!(
        text(dir.path(), ".highwatermark"),
        "4",
        "creating leaves the mark"
    );
    store.act(Op::Delete(vec![TaskId::new("6")])).unwrap();
    assert_eq!(
        text(dir.path(), ".highwatermark"),
        "6",
        "deleting raises it"
    );
    assert_eq!(text(dir.path(), ".lock"), "", "the anchor stays, empty");
    assert_eq!(
        names(dir.path()),
        set([".highwatermark", ".lock", "5.json"])
    );
    assert!(
        !text(dir.path(), "5.json").contains("\"6\""),
        "edges are pruned"
    );
    create(&store, "Again", &[]).unwrap();
    assert!(dir.path().join("7.json").exists(), "no number comes twice");
}

#[test]
fn claude_locks_are_folders_waited_for_and_taken_over_when_old() {
    let dir = tempfile::tempdir().unwrap();
    let now = std::time::SystemTime::now();
    let ms = now
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_millis();
    let opened_at = |ms: i64| {
        let options = Options {
            lock_timeout: Duration::from_millis(30),
            clock: Clock::new(move || ms),
            ..Options::default()
        };
        Store::open(dir.path(), Some(Dialect::Claude), options).unwrap()
    };
    let ms = i64::try_from(ms).unwrap();
    let (fresh, late) = (opened_at(ms), opened_at(ms + 60_000));
    create(&fresh, "one", &[]).unwrap();
    let (list, task) = (
        dir.path().join(".lock.lock"),
        dir.path().join("1.json.lock"),
    );

    fs::create_dir(&list).unwrap();
    assert!(matches!(
        create(&fresh, "two", &[]),
        Err(CommitError::Busy { .. })
    ));
    set_status(&fresh, "1", &Status::InProgress).expect("an update needs its task's lock only");
    create(&late, "two", &[]).expect("an old lock is taken over");
    assert!(!list.exists());

    fs::create_dir(&task).unwrap();
    let busy = set_status(&fresh, "1", &Status::Completed);
    assert!(matches!(busy, Err(CommitError::Busy { .. })));
    assert!(task.exists());
    set_status(&late, "1", &Status::Completed).unwrap();
    assert!(!task.exists());

    fs::create_dir(&list).unwrap();
    fs::write(list.join("theirs"), "").unwrap();
    let busy = create(&late, "three", &[]).unwrap_err().to_string();
    assert!(busy.contains("left behind"), "{busy}");
    assert!(list.join("theirs").exists());
}

#[test]
fn writers_at_once_never_share_a_number() {
    for dialect in [Dialect::OmoTeam, Dialect::Claude] {
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let store = open(dir.path(), dialect, 20_000);
                scope.spawn(move || {
                    for turn in 0..8 {
                        create(&store, &format!("{writer} {turn}"), &[]).unwrap();
                    }
                });
            }
        });
        let list = open(dir.path(), dialect, 0).load().unwrap();
        let subjects: BTreeSet<&str> = list.tasks().map(|task| task.subject.as_str()).collect();
        assert_eq!(subjects.len(), 32, "{dialect:?}");
        assert_eq!(list.next_number(), Some(33), "{dialect:?}");
        assert!(!dir.path().join(".lock.lock").exists());
        assert!(names(dir.path()).iter().all(|name| !name.contains("tmp")));
    }
}

#[test]
fn an_edge_of_a_numbered_list_stands_on_both_ends() {
    for dialect in [Dialect::OmoTeam, Dialect::Claude] {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path(), dialect, 5000);
        create(&store, "a", &[]).unwrap();
        create(&store, "b", &[]).unwrap();
        let edge = Edit::AddEdge(EdgeField::BlockedBy, TaskId::new("1"));
        store
            .act(Op::Update {
                ids: vec![TaskId::new("2")],
                patch: Patch { edits: vec![edge] },
                force: false,
            })
            .unwrap();
        let list = store.load().unwrap();
        assert_eq!(list.open_blockers(&TaskId::new("2")).len(), 1);
        assert!(list.warnings(&TaskId::new("1")).is_empty(), "{dialect:?}");
    }
}
