use std::fs;
use std::path::Path;

use super::*;
use crate::list::FileContent;
use crate::task::{ProblemCode, State, Status, StoredPriority, Task, TaskId, WarningCode};

const OMO: &str = r#"{"id":"T-1","subject":"s","description":"","status":"pending","blocks":[],"blockedBy":[],"threadID":"t"}"#;

fn store(dir: &Path, dialect: Option<Dialect>) -> Store {
    Store::open(dir, dialect, Options::default()).unwrap()
}

fn parse(dialect: Dialect, name: &str, text: &str) -> Arc<Task> {
    let store = store(Path::new("/nowhere"), Some(dialect));
    match store.parse_file(name, text.as_bytes(), Some(7)).content {
        FileContent::Task(task) => task,
        other => panic!("{name} is no task: {other:?}"),
    }
}

fn omo(text: &str) -> Arc<Task> {
    parse(Dialect::Omo, "T-1.json", text)
}

fn codes(task: &Task) -> Vec<&'static str> {
    task.warnings.iter().map(|w| w.code.as_str()).collect()
}

fn problem(store: &Store, name: &str) -> Option<(ProblemCode, String)> {
    let mut found = store.read(&[name.to_owned()]);
    match found.remove(0).content {
        FileContent::Broken { problem, .. } => Some((problem.code, problem.message)),
        _ => None,
    }
}

#[test]
fn what_omos_strict_reader_hides_says_why() {
    assert!(omo(OMO).warnings.is_empty());
    for (from, to, why) in [
        (r#","threadID":"t""#, "", "threadID is missing"),
        (
            r#""threadID":"t""#,
            r#""threadID":null"#,
            "threadID is null",
        ),
        (
            r#""threadID":"t""#,
            r#""threadID":"t","due":1"#,
            "the key \"due\" is unknown",
        ),
        (
            r#""threadID":"t""#,
            r#""threadID":"t","owner":null"#,
            "owner is null",
        ),
        (
            r#""threadID":"t""#,
            r#""threadID":"t","metadata":[]"#,
            "metadata is not an object",
        ),
        (r#","description":"""#, "", "description is missing"),
        (r#""s""#, "5", "subject is not a string"),
        (
            r#""blocks":[]"#,
            r#""blocks":["a",1]"#,
            "blocks is not a list of strings",
        ),
        (r#""pending""#, r#""claimed""#, "status is none of pending"),
        (r#"{"id""#, "\u{feff}{\"id\"", "byte order mark"),
    ] {
        let text = OMO.replace(from, to);
        let task = omo(&text);
        let hidden = task
            .warnings
            .iter()
            .find(|w| w.code == WarningCode::AgentCannotSee);
        let message = &hidden.expect(&text).message;
        assert!(message.contains(why), "{text}: {message}");
    }
    let without_edges = OMO.replace(r#","blocks":[],"blockedBy":[]"#, "");
    assert!(omo(&without_edges).warnings.is_empty());
}

#[test]
fn odd_files_are_read_with_tolerance_and_warned_about() {
    let task = omo(
        r#"{"id":"T-2","status":3,"blocks":"T-9","blockedBy":[1,"T-9","T-9",null],"owner":"","metadata":{"priority":7,"order":1.5}}"#,
    );
    let ids = |ids: &[TaskId]| ids.iter().map(TaskId::to_string).collect::<Vec<_>>();
    assert_eq!(
        (ids(&task.blocks), ids(&task.blocked_by)),
        (vec!["T-9".into()], vec!["1".into(), "T-9".into()])
    );
    assert_eq!(task.status, Status::Other("3".into()));
    assert_eq!(
        (task.subject.as_str(), &task.owner, task.order),
        ("", &None, Some(1.5))
    );
    assert_eq!(task.priority, StoredPriority::Unknown("7".into()));
    assert_eq!(task.first_seen, Some(7));
    assert_eq!(
        codes(&task),
        ["agent_cannot_see", "unknown_status", "id_mismatch"]
    );

    let lossy = omo(&OMO.replace(r#""s""#, r#""half \ud83d""#));
    assert_eq!(
        (lossy.subject.as_str(), codes(&lossy)),
        ("half \u{fffd}", vec!["lossy_text"])
    );

    let store = store(Path::new("/nowhere"), Some(Dialect::Omo));
    let at = OMO.find("s\",\"description").unwrap();
    let bytes = [&OMO.as_bytes()[..at], b"\xff", &OMO.as_bytes()[at..]].concat();
    match store.parse_file("T-1.json", &bytes, None).content {
        FileContent::Task(task) => {
            assert_eq!(task.subject, "\u{fffd}s");
            assert_eq!(codes(&task), ["not_utf8", "lossy_text"]);
            assert_eq!(*task.raw, *bytes);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbered_lists_follow_their_own_schemas() {
    let claude = r#"{"id":"1","subject":"s","description":"","status":"pending","blocks":[],"blockedBy":[],"extra":1}"#;
    assert!(parse(Dialect::Claude, "1.json", claude).warnings.is_empty());
    let deleted = claude.replace("pending", "deleted");
    assert_eq!(
        codes(&parse(Dialect::Claude, "1.json", &deleted)),
        ["agent_cannot_see", "unknown_status"]
    );
    let number = claude.replace(r#""id":"1""#, r#""id":1"#);
    assert_eq!(
        codes(&parse(Dialect::Claude, "1.json", &number)),
        ["agent_cannot_see"]
    );

    let team = r#"{"version":1,"id":"1","subject":"s","description":"","status":"claimed","blocks":[],"blockedBy":[],"createdAt":5,"updatedAt":6}"#;
    let task = parse(Dialect::OmoTeam, "1.json", team);
    assert_eq!(
        (&task.status, task.created_at, codes(&task)),
        (&Status::Claimed, Some(5), vec![])
    );
    let unversioned = team.replace(r#""version":1"#, r#""version":2"#);
    assert_eq!(
        codes(&parse(Dialect::OmoTeam, "1.json", &unversioned)),
        ["agent_cannot_see"]
    );
}

#[test]
fn only_tasks_are_tasks_and_the_rest_is_named_or_noise() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    for (name, text) in [
        ("T-1.json", OMO),
        ("T-1 (conflicted copy).json", OMO),
        ("T-3.JSON", OMO),
        ("T-1.json.bak", "x"),
        ("T-1.json~", "x"),
        (".T-1.json.swp", "x"),
        ("#T-1.json#", "x"),
        ("notes.json", "{}"),
        ("4913", ""),
        ("T-1.json.tmp.1760000000000", "{"),
        (".taskdeck-0.tmp", "{"),
        ("T-cut.json", "{\"id\":"),
        ("T-markers.json", "{\n<<<<<<< ours\n}"),
    ] {
        fs::write(path(name), text).unwrap();
    }
    fs::create_dir(path("T-folder.json")).unwrap();
    std::os::unix::fs::symlink("nowhere", path("T-link.json")).unwrap();
    let pipe = std::process::Command::new("mkfifo")
        .arg(path("T-pipe.json"))
        .status();
    assert!(pipe.unwrap().success());

    let list = store(dir.path(), None).load().unwrap();
    let problems: Vec<String> = list
        .problems()
        .iter()
        .map(|p| format!("{} {}: {}", p.file, p.code, p.message))
        .collect();
    insta::assert_snapshot!(problems.join("\n"), @r"
    T-1 (conflicted copy).json bad_name: the name is no task id: it must be T- followed by letters, digits or dashes, at most 128 in all
    T-cut.json unreadable: line 1, column 7: it ends in the middle (cut off, or still being written)
    T-folder.json not_a_file: a folder is named like a task
    T-link.json not_a_file: a link that leads nowhere is named like a task
    T-markers.json unreadable: line 2, column 1: conflict markers of a merge (<<<<<<<) are in it
    T-pipe.json not_a_file: a pipe, socket or device is named like a task
    ");
    let ids: Vec<&str> = list.tasks().map(|task| task.id.as_str()).collect();
    assert_eq!(ids, ["T-1"]);
}

#[test]
fn a_temp_file_is_told_only_when_it_was_left_behind() {
    let dir = tempfile::tempdir().unwrap();
    let name = "T-1.json.tmp.1760000000000";
    fs::write(dir.path().join(name), "{").unwrap();
    let written = clock::milliseconds(
        fs::metadata(dir.path().join(name))
            .unwrap()
            .modified()
            .unwrap(),
    );
    for (age, left) in [(59_999, false), (60_000, true)] {
        let options = Options {
            clock: Clock::new(move || written + age),
            ..Options::default()
        };
        let store = Store::open(dir.path(), None, options).unwrap();
        let told = problem(&store, name).map(|(code, _)| code);
        assert_eq!(
            told,
            left.then_some(ProblemCode::TempLeft),
            "after {age} ms"
        );
    }
}

#[test]
fn reading_names_again_tells_what_is_there_now() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path(), Some(Dialect::Omo));
    let file = dir.path().join("T-1.json");
    let read = || store.read(&["T-1.json".to_owned()]).remove(0).content;
    assert_eq!(read(), FileContent::Gone);
    fs::write(&file, OMO).unwrap();
    assert!(matches!(read(), FileContent::Task(_)));
    fs::write(&file, "").unwrap();
    assert_eq!(
        problem(&store, "T-1.json"),
        Some((ProblemCode::Unreadable, "the file is empty".into()))
    );
    assert_eq!(
        problem(&store, "../T-1.json"),
        None,
        "no name climbs out of the folder"
    );
}

#[test]
fn a_dialect_is_told_from_the_files_then_from_the_place() {
    let claude = r#"{"id":"1"}"#;
    let team = r#"{"version":1,"id":"1","createdAt":1}"#;
    type Files<'a> = &'a [(&'a str, &'a str)];
    for (place, files, dialect, mixed) in [
        ("x", &[("T-1.json", OMO)] as Files, Dialect::Omo, false),
        ("x", &[("1.json", claude)], Dialect::Claude, false),
        (
            "x",
            &[("1.json", "{"), ("2.json", team)],
            Dialect::OmoTeam,
            false,
        ),
        (
            ".omo/tasks",
            &[("1.json", claude), ("2.json", claude), ("T-1.json", OMO)],
            Dialect::Claude,
            true,
        ),
        (
            "x",
            &[("T-1.json", OMO), ("T-2.json", OMO), ("2.json", claude)],
            Dialect::Omo,
            true,
        ),
        (
            "x",
            &[(".highwatermark", "3"), (".lock", "")],
            Dialect::Claude,
            false,
        ),
        ("x", &[], Dialect::Omo, false),
        (".omo/tasks", &[], Dialect::Omo, false),
        (".config/opencode/tasks/shop", &[], Dialect::Omo, false),
        (".claude-work/tasks/shop", &[], Dialect::Claude, false),
        (".omo/runtime/r1/tasks", &[], Dialect::OmoTeam, false),
    ] {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join(place);
        fs::create_dir_all(&dir).unwrap();
        for (name, text) in files {
            fs::write(dir.join(name), text).unwrap();
        }
        let store = store(&dir, None);
        assert_eq!(
            (store.dialect(), store.note().is_some()),
            (dialect, mixed),
            "{place} {files:?}"
        );
    }
}

#[test]
fn a_numbered_list_goes_on_after_its_mark() {
    for (mark, next) in [
        (None, Some(8)),
        (Some("12"), Some(13)),
        (Some("3"), Some(8)),
        (Some("12\r\n"), Some(13)),
        (Some(""), Some(8)),
        (Some("-4"), Some(8)),
        (Some("99999999999999999999999"), None),
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("7.json"), "{}").unwrap();
        if let Some(mark) = mark {
            fs::write(dir.path().join(".highwatermark"), mark).unwrap();
        }
        let list = store(dir.path(), None).load().unwrap();
        assert_eq!(list.next_number(), next, "{mark:?}");
    }
}

#[test]
fn a_path_that_is_no_list_is_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let error = Store::open(&file, None, Options::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("is not a folder") && error.contains("file"),
        "{error}"
    );
    assert!(!error.contains('\n'));
    let missing = store(&dir.path().join("missing"), None);
    assert!(missing.load().unwrap().is_empty());
}

#[test]
fn a_read_only_store_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("T-1.json"), OMO).unwrap();
    let options = Options {
        read_only: true,
        ..Options::default()
    };
    let store = Store::open(dir.path(), None, options).unwrap();
    let done = store.act(Op::Delete(vec![TaskId::new("T-1")]));
    assert!(matches!(done, Err(CommitError::ReadOnly)));
    let list = store.load().unwrap();
    assert_eq!(list.state(&TaskId::new("T-1")), Some(State::Ready));
}

#[test]
fn a_step_that_fails_in_the_middle_is_taken_back() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(dir.path(), Some(Dialect::Omo));
    let file = |id: &str| dir.path().join(format!("{id}.json"));
    for id in ["T-1", "T-2"] {
        fs::write(file(id), OMO.replace("T-1", id)).unwrap();
    }
    let list = store.load().unwrap();
    let op = Op::Update {
        ids: vec![TaskId::new("T-1"), TaskId::new("T-2")],
        patch: crate::task::Patch {
            edits: vec![crate::task::Edit::status(&Status::Completed)],
        },
        force: false,
    };
    let plan = plan(&list, op).unwrap();
    // A third change that cannot work, because there is no such file.
    let mut blind = plan.clone();
    blind.changes.push(crate::list::Change::Remove {
        id: TaskId::new("T-3"),
    });
    let done = store.commit(blind);
    assert!(matches!(done, Err(CommitError::Io { .. })), "{done:?}");
    for id in ["T-1", "T-2"] {
        assert_eq!(
            fs::read_to_string(file(id)).unwrap(),
            OMO.replace("T-1", id)
        );
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "no litter");
    store.commit(plan).unwrap();
}
