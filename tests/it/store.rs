//! The store with real files, real processes and real kills.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use taskdeck::list::{Op, RefusalCode};
use taskdeck::store::{CommitError, Options, Store};
use taskdeck::task::{EdgeField, Edit, Field, Json, NewTask, Patch, Status, TaskId};

fn open(dir: &Path) -> Store {
    Store::open(dir, None, Options::default()).unwrap()
}

fn new_task(id: &str, subject: &str) -> NewTask {
    NewTask {
        id: Some(TaskId::new(id)),
        subject: subject.to_owned(),
        description: String::new(),
        status: Status::Pending,
        active_form: None,
        owner: None,
        blocks: Vec::new(),
        blocked_by: Vec::new(),
        metadata: Vec::new(),
        repo_url: None,
        parent_id: None,
        thread_id: "ses_1".to_owned(),
    }
}

fn update(id: &str, edits: Vec<Edit>) -> Op {
    Op::Update {
        ids: vec![TaskId::new(id)],
        patch: Patch { edits },
        force: false,
    }
}

fn create(store: &Store, id: &str) {
    store.act(Op::Create(vec![new_task(id, id)])).unwrap();
}

/// Names in the folder that are no tasks: there must be none left.
fn litter(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap());
    names
        .filter(|n| !(n.starts_with("T-") && n.ends_with(".json")))
        .collect()
}

#[test]
fn a_new_task_is_written_as_omo_writes_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let mut task = new_task("T-1", "Fix \"login\" für 日本");
    task.owner = Some("atlas".to_owned());
    task.metadata = vec![("priority".to_owned(), Json::string("high"))];
    store.act(Op::Create(vec![task])).unwrap();
    let right = "{\n  \"id\": \"T-1\",\n  \"subject\": \"Fix \\\"login\\\" für 日本\",\n  \
        \"description\": \"\",\n  \"status\": \"pending\",\n  \"blocks\": [],\n  \"blockedBy\": [],\n  \
        \"owner\": \"atlas\",\n  \"metadata\": {\n    \"priority\": \"high\"\n  },\n  \
        \"threadID\": \"ses_1\"\n}";
    assert_eq!(
        fs::read_to_string(dir.path().join("T-1.json")).unwrap(),
        right
    );
    assert!(litter(dir.path()).is_empty());
}

#[test]
fn an_edge_lands_in_both_files_and_leaves_both() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    create(&store, "T-a");
    create(&store, "T-b");
    let before = fs::read(dir.path().join("T-a.json")).unwrap();
    let edge = |edit: fn(EdgeField, TaskId) -> Edit| {
        update("T-b", vec![edit(EdgeField::BlockedBy, TaskId::new("T-a"))])
    };
    store.act(edge(Edit::AddEdge)).unwrap();
    let list = store.load().unwrap();
    assert!(
        list.warnings(&TaskId::new("T-a")).is_empty(),
        "no one-sided edge"
    );
    assert_eq!(list.open_blockers(&TaskId::new("T-b")).len(), 1);
    store.act(edge(Edit::RemoveEdge)).unwrap();
    assert_eq!(fs::read(dir.path().join("T-a.json")).unwrap(), before);
}

#[test]
fn mode_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = open(dir.path());
    create(&store, "T-1");
    let (link, target) = (
        dir.path().join("T-1.json"),
        elsewhere.path().join("real.json"),
    );
    fs::rename(&link, &target).unwrap();
    symlink(&target, &link).unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
    store
        .act(update("T-1", vec![Edit::status(&Status::Completed)]))
        .unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(
        fs::metadata(&target).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(fs::read_to_string(&target).unwrap().contains("completed"));
}

#[test]
fn a_plan_made_on_old_bytes_is_made_anew() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    create(&store, "T-1");
    let list = store.load().unwrap();
    let op = update("T-1", vec![Edit::text(Field::Owner, "me")]);
    let plan = taskdeck::list::plan(&list, op).unwrap();
    store
        .act(update("T-1", vec![Edit::status(&Status::InProgress)]))
        .unwrap();
    store.commit(plan).unwrap();
    let now = store.load().unwrap();
    let task = now.get(&TaskId::new("T-1")).unwrap();
    assert_eq!(
        (&task.status, task.owner.as_deref()),
        (&Status::InProgress, Some("me"))
    );
}

#[test]
fn a_busy_lock_is_waited_for_and_then_named() {
    let dir = tempfile::tempdir().unwrap();
    create(&open(dir.path()), "T-1");
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let lock = format!("{{\"id\":\"agent-7\",\"timestamp\":{}}}", now.as_millis());
    fs::write(dir.path().join(".lock"), &lock).unwrap();
    let options = Options {
        lock_timeout: Duration::from_millis(30),
        ..Options::default()
    };
    let store = Store::open(dir.path(), None, options).unwrap();
    let before = fs::read(dir.path().join("T-1.json")).unwrap();
    match store.act(update("T-1", vec![Edit::status(&Status::Completed)])) {
        Err(CommitError::Busy { holder, .. }) => assert!(holder.contains("agent-7"), "{holder}"),
        other => panic!("expected a busy lock, got {other:?}"),
    }
    assert_eq!(fs::read(dir.path().join("T-1.json")).unwrap(), before);
    assert_eq!(fs::read_to_string(dir.path().join(".lock")).unwrap(), lock);
    assert_eq!(litter(dir.path()), [".lock"]);
}

#[test]
fn a_stale_lock_is_taken_over() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    create(&store, "T-1");
    for stale in ["{\"id\":\"x\",\"timestamp\":1000}", "not json", "null"] {
        fs::write(dir.path().join(".lock"), stale).unwrap();
        store
            .act(update("T-1", vec![Edit::text(Field::Owner, stale)]))
            .unwrap();
        assert!(litter(dir.path()).is_empty(), "{stale}");
    }
}

#[test]
fn refusals_leave_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("tasks");
    let store = open(&folder);
    match store.act(Op::Create(vec![new_task("T-1", " ")])) {
        Err(CommitError::Refused(refusal)) => {
            assert_eq!(refusal.code, RefusalCode::ValidationError);
        }
        other => panic!("expected a refusal, got {other:?}"),
    }
    assert!(!folder.exists(), "a refused first write makes no folder");
}

#[test]
fn many_writers_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    create(&open(dir.path()), "T-shared");
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let store = open(dir.path());
            scope.spawn(move || {
                for turn in 0..10 {
                    let key = format!("w{writer}-{turn}");
                    create(&store, &format!("T-{key}"));
                    let edit = Edit::SetMetadata(key, Some(Json::raw("1")));
                    store.act(update("T-shared", vec![edit])).unwrap();
                }
            });
        }
    });
    let list = open(dir.path()).load().unwrap();
    assert_eq!(list.len(), 81);
    let shared = list
        .get(&TaskId::new("T-shared"))
        .unwrap()
        .metadata
        .clone()
        .unwrap();
    assert_eq!(shared.parse().unwrap().as_object().unwrap().len(), 80);
    assert!(litter(dir.path()).is_empty());
}

/// What the child of [`a_killed_writer_leaves_the_old_file_or_the_new_one`] does: it writes until
/// it is killed.
#[test]
fn write_until_killed() {
    let Some(dir) = std::env::var_os("TASKDECK_TEST_WRITE_INTO") else {
        return;
    };
    let store = open(&PathBuf::from(dir));
    let long = "x".repeat(100_000);
    for turn in 0_u64.. {
        let edits = vec![
            Edit::text(Field::Subject, &format!("turn {turn}")),
            Edit::text(Field::Description, &format!("{turn} {long} {turn}")),
        ];
        store.act(update("T-1", edits)).unwrap();
        println!("{turn}");
    }
}

#[test]
fn a_killed_writer_leaves_the_old_file_or_the_new_one() {
    use std::io::{BufRead, BufReader};
    let dir = tempfile::tempdir().unwrap();
    create(&open(dir.path()), "T-1");
    let options = Options {
        stale: Some(Duration::from_millis(300)),
        ..Options::default()
    };
    let store = Store::open(dir.path(), None, options).unwrap();
    for kill in 1..8 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::write_until_killed", "--nocapture"])
            .env("TASKDECK_TEST_WRITE_INTO", dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let turns = lines
            .map_while(Result::ok)
            .filter(|line| line.parse::<u64>().is_ok());
        assert!(turns.take(kill).count() == kill, "the writer wrote");
        child.kill().unwrap();
        child.wait().unwrap();
        let list = store.load().unwrap();
        let task = list.get(&TaskId::new("T-1")).unwrap();
        if let Some(turn) = task.subject.strip_prefix("turn ") {
            assert!(
                task.description.starts_with(&format!("{turn} ")),
                "a torn file"
            );
            assert!(
                task.description.ends_with(&format!(" {turn}")),
                "a torn file"
            );
        }
        store
            .act(update(
                "T-1",
                vec![Edit::text(Field::Owner, &kill.to_string())],
            ))
            .unwrap();
    }
}

#[test]
fn looking_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join(".omo/tasks");
    assert!(open(&missing).load().unwrap().is_empty());
    assert!(!dir.path().join(".omo").exists());
    create(&open(&missing), "T-1");
    let stamp = |p: &Path| fs::metadata(p).unwrap().modified().unwrap();
    let before: BTreeMap<PathBuf, _> = [missing.clone(), missing.join("T-1.json")]
        .map(|p| (p.clone(), stamp(&p)))
        .into();
    open(&missing).load().unwrap();
    assert!(before.iter().all(|(path, time)| stamp(path) == *time));
}
