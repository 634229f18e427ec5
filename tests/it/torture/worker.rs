//! One process of the suite: what it is comes in the environment, what it did goes out in lines.
//!
//! `ack ID KEY TURN` follows a write that is done: from then on the file must hold that turn of
//! that key, or a later one.

use std::fs;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use taskdeck::list::Op;
use taskdeck::store::{Clock, CommitError, Options, Store};
use taskdeck::task::{Dialect, Edit, Field, Json, NewTask, Patch, Status, TaskId};

use super::rival;

/// The age from which locks are taken over here; agents' is 30 s.
pub const STALE: Duration = Duration::from_millis(500);
/// How many tasks everybody writes to who respects the lock.
pub const SHARED: u64 = 4;

const ROLE: &str = "TASKDECK_TORTURE_ROLE";
const NAME: &str = "TASKDECK_TORTURE_NAME";
const FROM: &str = "TASKDECK_TORTURE_FROM";
/// How many file descriptors are left to a worker.
pub const SPARE: &str = "TASKDECK_TORTURE_SPARE";
const DIR: &str = "TASKDECK_TORTURE_DIR";

/// What a process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Edits and creates through the store, as the board, the tools and the command line do.
    Tool,
    /// Takes OmO's lock as OmO does, and gives up at once when somebody has it.
    Omo,
    /// Replaces its own file by rename, without a lock.
    Renamer,
    /// Truncates and writes its own file in two halves, without a lock.
    InPlace,
    /// Makes and unlinks files, without a lock.
    Deleter,
    /// Tries one edit and says how that went.
    Once,
    /// Takes OmO's lock by OmO's rules to the letter, and does not try again.
    Rival,
    /// The same, but tries again.
    PatientRival,
    /// Writes to the task that the rivals write to, through the store.
    Ours,
    /// Falls asleep when it has got the lock, until a line comes on its standard input.
    Sleeper,
}

const ROLES: [(&str, Role); 10] = [
    ("tool", Role::Tool),
    ("omo", Role::Omo),
    ("renamer", Role::Renamer),
    ("in-place", Role::InPlace),
    ("deleter", Role::Deleter),
    ("once", Role::Once),
    ("sleeper", Role::Sleeper),
    ("rival", Role::Rival),
    ("patient-rival", Role::PatientRival),
    ("ours", Role::Ours),
];

/// Prints one line at once, past the capture of the test harness.
pub fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // A parent that is gone needs no lines.
    let _ = out.write_all(format!("{line}\n").as_bytes());
    let _ = out.flush();
}

/// A command that will be a worker of this role on `dir`, behind the words of `before`.
pub fn command(before: &[&str], worker: &[&str], role: Role, name: &str, dir: &Path) -> Command {
    let exe = std::env::current_exe().unwrap().display().to_string();
    let words: Vec<&str> = [before, &[&exe], worker].concat();
    let mut command = Command::new(words[0]);
    let (word, _) = ROLES.iter().find(|(_, r)| *r == role).unwrap();
    command.args(&words[1..]).env(ROLE, word).env(NAME, name);
    command.env(DIR, dir).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Starts a worker whose turns begin at `from`.
pub fn spawn(worker: &[&str], role: Role, name: &str, dir: &Path, from: u64) -> Child {
    let mut command = command(&[], worker, role, name, dir);
    command.env(FROM, from.to_string()).spawn().unwrap()
}

/// The file whose presence ends the workers of the list in `dir`; beside it, not in it.
pub fn stop_file(dir: &Path) -> PathBuf {
    dir.with_extension("stop")
}

/// The list in `dir` with this suite's stale time.
pub fn open(dir: &Path) -> Store {
    open_with(dir, Clock::system())
}

/// The same with another clock.
pub fn open_with(dir: &Path, clock: Clock) -> Store {
    let options = Options {
        lock_timeout: Duration::from_secs(60),
        stale: Some(STALE),
        clock,
        ..Options::default()
    };
    Store::open(dir, Some(Dialect::Omo), options).unwrap()
}

/// A pending task with nothing in it.
pub fn new_task(id: &str, blocked_by: Vec<TaskId>) -> NewTask {
    NewTask {
        id: Some(TaskId::new(id)),
        subject: id.to_owned(),
        description: String::new(),
        status: Status::Pending,
        active_form: None,
        owner: None,
        blocks: Vec::new(),
        blocked_by,
        metadata: Vec::new(),
        repo_url: None,
        parent_id: None,
        thread_id: "ses_torture".to_owned(),
    }
}

/// The wish to change one task.
pub fn update(id: &str, edit: Edit) -> Op {
    Op::Update {
        ids: vec![TaskId::new(id)],
        patch: Patch { edits: vec![edit] },
        force: false,
    }
}

/// The wish to write `turn` under `key` in the metadata of a task.
pub fn mark(id: &str, key: &str, turn: u64) -> Op {
    let turn = Json::raw(turn.to_string());
    update(id, Edit::SetMetadata(key.to_owned(), Some(turn)))
}

struct Job {
    dir: PathBuf,
    name: String,
    from: u64,
    /// How many file descriptors are left to it, where that is limited.
    spare: Option<usize>,
}

/// Does what the environment says, if it says anything.
pub fn work_if_told() -> bool {
    let Ok(word) = std::env::var(ROLE) else {
        return false;
    };
    let (_, role) = ROLES.iter().find(|(w, _)| *w == word).unwrap();
    let from = std::env::var(FROM).ok().and_then(|n| n.parse().ok());
    let job = Job {
        dir: std::env::var_os(DIR).unwrap().into(),
        name: std::env::var(NAME).unwrap(),
        from: from.unwrap_or(0),
        spare: std::env::var(SPARE).ok().and_then(|n| n.parse().ok()),
    };
    say(""); // ends a line that the test harness has begun
    match role {
        Role::Once => return once(&job),
        Role::Sleeper => return sleep(&job),
        Role::Rival => rival::rival(&job.dir, &job.name, false),
        Role::PatientRival => rival::rival(&job.dir, &job.name, true),
        Role::Ours => rival::ours(&job.dir, &job.name),
        _ => take_turns(&job, *role),
    }
    true
}

fn take_turns(job: &Job, role: Role) {
    let store = open(&job.dir);
    for turn in job.from.. {
        if stop_file(&job.dir).exists() {
            break;
        }
        match role {
            Role::Tool => tool(&store, job, turn),
            Role::Omo => omo(job, turn),
            Role::Renamer | Role::InPlace => overwrite(job, turn, role == Role::InPlace),
            _ => make_and_unlink(job, turn),
        }
    }
}

fn tool(store: &Store, job: &Job, turn: u64) {
    let shared = format!("T-shared{}", turn % SHARED);
    let id = format!("T-{}-{turn}", job.name);
    let (op, told) = match turn % 8 {
        3 => {
            let waits_for = vec![TaskId::new(&shared)];
            let op = Op::Create(vec![new_task(&id, waits_for)]);
            (op, format!("made {id} {shared}"))
        }
        5 => (
            mark(&format!("T-doomed{}", turn % 3), "by", turn),
            "tried a doomed task".to_owned(),
        ),
        _ => (
            mark(&shared, &job.name, turn),
            format!("ack {shared} {} {turn}", job.name),
        ),
    };
    let doomed = turn % 8 == 5;
    match store.act(op) {
        Ok(_) => say(&told),
        Err(CommitError::Busy { .. } | CommitError::LockLost) => say("gave up"),
        Err(CommitError::Refused(_) | CommitError::Io { .. }) if doomed => say("refused"),
        Err(error) => say(&format!("fault {}: {error}", job.name)),
    }
}

/// OmO's way: an empty `.lock` first, its content then; read, change, temp file, rename. Like any
/// careful writer it looks whether the lock is still its own before it renames.
fn omo(job: &Job, turn: u64) {
    let lock = job.dir.join(".lock");
    let Ok(mut file) = fs::File::create_new(&lock) else {
        std::thread::sleep(Duration::from_millis(2)); // the agent thinks, then tries the next
        return say("gave up");
    };
    let ms = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_millis();
    let content = json!({"id": format!("{}-{turn}", job.name), "timestamp": ms}).to_string();
    let _ = file.write_all(content.as_bytes());
    let ours = || fs::read_to_string(&lock).is_ok_and(|now| now == content);
    let id = format!("T-shared{}", turn % SHARED);
    let path = job.dir.join(format!("{id}.json"));
    let mut task: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    if task.get("metadata").is_none() {
        task["metadata"] = json!({});
    }
    task["metadata"][&job.name] = turn.into();
    let temp = job.dir.join(format!("{id}.json.tmp.{ms}"));
    fs::write(&temp, serde_json::to_string_pretty(&task).unwrap()).unwrap();
    if ours() {
        fs::rename(&temp, &path).unwrap();
        say(&format!("ack {id} {} {turn}", job.name));
    } else {
        fs::remove_file(&temp).unwrap();
        say("gave up");
    }
    if ours() {
        let _ = fs::remove_file(&lock);
    }
}

fn own_text(id: &str, key: &str, turn: u64) -> String {
    json!({
        "id": id, "subject": id, "description": "x".repeat(2_000), "status": "pending",
        "blocks": [], "blockedBy": [], "metadata": {key: turn}, "threadID": "ses_other",
    })
    .to_string()
}

fn overwrite(job: &Job, turn: u64, in_place: bool) {
    let id = format!("T-own-{}", job.name);
    let path = job.dir.join(format!("{id}.json"));
    let text = own_text(&id, &job.name, turn);
    if in_place {
        let (head, tail) = text.split_at(text.len() / 2);
        let mut file = fs::File::create(&path).unwrap();
        file.write_all(head.as_bytes()).unwrap();
        std::thread::yield_now();
        file.write_all(tail.as_bytes()).unwrap();
    } else {
        let temp = job.dir.join(format!(".{}.swap", job.name));
        fs::write(&temp, text).unwrap();
        fs::rename(&temp, &path).unwrap();
    }
    say(&format!("ack {id} {} {turn}", job.name));
    std::thread::sleep(Duration::from_millis(1)); // leaves the others a share of the processor
}

fn make_and_unlink(job: &Job, turn: u64) {
    let id = format!("T-doomed{}", turn % 3);
    let path = job.dir.join(format!("{id}.json"));
    if fs::remove_file(&path).is_err() {
        let temp = job.dir.join(format!(".{}.swap", job.name));
        fs::write(&temp, own_text(&id, &job.name, turn)).unwrap();
        fs::rename(&temp, &path).unwrap();
    }
    std::thread::sleep(Duration::from_millis(1));
}

fn once(job: &Job) -> bool {
    let _hoard = job.spare.map(hoard);
    let options = Options {
        stale: Some(STALE),
        ..Options::default()
    };
    let text = Edit::text(Field::Description, &job.name.repeat(20_000));
    let outcome = Store::open(&job.dir, Some(Dialect::Omo), options)
        .map_err(|error| error.to_string())
        .and_then(|store| {
            let done = store.act(update("T-1", text));
            done.map_err(|error| error.to_string())
        });
    match outcome {
        Ok(_) => say("done"),
        Err(error) => say(&format!("failed {error}")),
    }
    true
}

/// Every file descriptor that the system gives, but for so many.
fn hoard(spare: usize) -> Vec<fs::File> {
    let files = std::iter::from_fn(|| fs::File::open("/dev/null").ok());
    let mut files: Vec<fs::File> = files.take(10_000).collect();
    files.truncate(files.len().saturating_sub(spare));
    files
}

fn sleep(job: &Job) -> bool {
    let lock = job.dir.join(".lock");
    let ours = format!("taskdeck-{}-", std::process::id());
    let slept = AtomicBool::new(false);
    let clock = Clock::new(move || {
        let held = || fs::read_to_string(&lock).is_ok_and(|text| text.contains(&ours));
        if !slept.load(Ordering::Relaxed) && held() {
            slept.store(true, Ordering::Relaxed);
            say("holding");
            let _ = std::io::stdin().lock().read_line(&mut String::new());
        }
        Clock::system().now_ms()
    });
    match open_with(&job.dir, clock).act(update("T-1", Edit::text(Field::Owner, "sleeper"))) {
        Ok(_) => say("done"),
        Err(error) => say(&format!("failed {error}")),
    }
    true
}
