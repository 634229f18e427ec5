//! Writers with OmO's rules to the letter beside ours, on one task. Their lock is empty for a
//! moment and counts as stale then, so that two of them may hold it; their temp files are named by
//! the millisecond, so that two of them may write into one. Ours must come out of that whole, and a
//! file that they destroyed is named and left.

use std::fmt;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use taskdeck::list::Op;
use taskdeck::store::watch::WatchMode;
use taskdeck::store::{CommitError, Store};
use taskdeck::task::TaskId;

use super::mirror::Mirror;
use super::worker::{Role, mark, new_task, open, say, spawn};

/// The task that all write to.
const TASK: &str = "T-1";
/// How often each process writes in one round.
const TURNS: u64 = 25;
/// So often a patient one tries to get the lock.
const TRIES: u32 = 200;
/// OmO's stale time in milliseconds.
const STALE: u128 = 30_000;

fn now_ms() -> u128 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis())
}

/// What a process of OmO's does: each turn writes a key of its own into the task's metadata.
pub fn rival(dir: &Path, name: &str, patient: bool) {
    for turn in 0..TURNS {
        let key = format!("{name}-{turn}");
        let mut tries = if patient { TRIES } else { 1 };
        let outcome = loop {
            match write_as_omo(dir, &key) {
                Err(holder) if tries > 1 && !holder.is_empty() => tries -= 1,
                other => break other,
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        match outcome {
            Ok(()) => say(&format!("theirs {key}")),
            Err(holder) => say(&format!("failed {holder}")),
        }
        std::thread::sleep(Duration::from_millis(1)); // the agent thinks
    }
}

/// One turn; an error names who has the lock, or nobody when the task cannot be read.
fn write_as_omo(dir: &Path, key: &str) -> Result<(), String> {
    let lock = dir.join(".lock");
    let id = format!("omo-{}-{key}", std::process::id());
    let Some(mut file) = create_lock(&lock)? else {
        return Err("another".to_owned());
    };
    let content = json!({"id": id, "timestamp": now_ms() as u64});
    let _ = file.write_all(content.to_string().as_bytes());
    let written = change(dir, key);
    let holder = fs::read(&lock).ok().and_then(|bytes| holder(&bytes));
    if holder.is_some_and(|holder| holder == id) {
        let _ = fs::remove_file(&lock);
    }
    written.ok_or_else(String::new)
}

/// Creates the lock; a stale one, or one that cannot be parsed, is removed and tried once more.
fn create_lock(lock: &Path) -> Result<Option<fs::File>, String> {
    for _ in 0..2 {
        if let Ok(file) = fs::File::create_new(lock) {
            return Ok(Some(file));
        }
        let content: Option<Value> = fs::read(lock)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let stamp = content.as_ref().and_then(|lock| lock["timestamp"].as_u64());
        let is_stale = stamp.is_none_or(|stamp| now_ms().saturating_sub(stamp.into()) > STALE);
        if !is_stale {
            let id = content.as_ref().and_then(|lock| lock["id"].as_str());
            return Err(id.unwrap_or("somebody").to_owned());
        }
        let _ = fs::remove_file(lock);
    }
    Ok(None)
}

fn holder(lock: &[u8]) -> Option<String> {
    let lock: Value = serde_json::from_slice(lock).ok()?;
    lock["id"].as_str().map(str::to_owned)
}

fn change(dir: &Path, key: &str) -> Option<()> {
    let path = dir.join(format!("{TASK}.json"));
    let mut task: Value = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
    if task.get("metadata").is_none() {
        task["metadata"] = json!({});
    }
    task["metadata"][key] = true.into();
    let temp = dir.join(format!("{TASK}.json.tmp.{}", now_ms()));
    let text = serde_json::to_string_pretty(&task).ok()?;
    let done = fs::write(&temp, text).and_then(|()| fs::rename(&temp, &path));
    if done.is_err() {
        let _ = fs::remove_file(&temp);
    }
    done.ok()
}

/// The same through our store.
pub fn ours(dir: &Path, name: &str) {
    let store = open(dir);
    for turn in 0..TURNS {
        let key = format!("{name}-{turn}");
        match store.act(mark(TASK, &key, 1)) {
            Ok(_) => say(&format!("ours {key}")),
            Err(CommitError::Refused(refusal)) => say(&format!("refused {}", refusal.what)),
            Err(error) => say(&format!("failed {error}")),
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What came of it.
#[derive(Default)]
pub struct Contest {
    pub rounds: u32,
    /// Rounds at whose end the others had destroyed the file.
    pub destroyed: u32,
    /// Writes of ours that were acknowledged in rounds in which the file survived.
    pub ours: u64,
    /// How many of those are not in the file.
    pub lost: u64,
    pub theirs: u64,
    /// How many of theirs are not in the file: what their rules cost among themselves.
    pub theirs_lost: u64,
    /// A destroyed file that was not named, or was written again.
    pub faults: Vec<String>,
}

impl Contest {
    /// Whether at most one in a hundred of ours was lost, and nothing went wrong otherwise.
    pub fn held(&self) -> bool {
        self.lost * 100 <= self.ours && self.faults.is_empty()
    }
}

impl fmt::Display for Contest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} rounds; ours: {} acknowledged, {} lost; theirs: {}, {} lost; the file destroyed by \
             them in {} rounds{}",
            self.rounds,
            self.ours,
            self.lost,
            self.theirs,
            self.theirs_lost,
            self.destroyed,
            self.faults
                .iter()
                .fold(String::new(), |all, fault| all + "\n  " + fault)
        )
    }
}

/// Four of theirs, which try again, and four of ours write to one task.
pub fn contest(worker: &[&str], rounds: u32) -> Contest {
    let mut contest = Contest::default();
    for _ in 0..rounds {
        let dir = list_of_one();
        let four = |role, name: &str| -> Vec<Child> {
            let one = |n| spawn(worker, role, &format!("{name}{n}"), dir.path(), 0);
            (0..4).map(one).collect()
        };
        let (theirs, ours) = (four(Role::PatientRival, "theirs"), four(Role::Ours, "ours"));
        let lines: Vec<String> = theirs.into_iter().chain(ours).flat_map(lines_of).collect();
        contest.rounds += 1;
        contest.count(dir.path(), &lines);
    }
    contest
}

impl Contest {
    fn count(&mut self, dir: &Path, lines: &[String]) {
        let path = dir.join(format!("{TASK}.json"));
        let bytes = fs::read(&path).unwrap_or_default();
        let store = open(dir);
        let Ok(task) = serde_json::from_slice::<Value>(&bytes) else {
            self.destroyed += 1;
            self.faults.extend(left_alone(&store, &path, &bytes).err());
            return;
        };
        let keys = |word: &str| -> Vec<&str> {
            let keys = lines.iter().filter_map(|line| line.strip_prefix(word));
            keys.collect()
        };
        let lost = |keys: &[&str]| {
            let gone = keys
                .iter()
                .filter(|key| task["metadata"].get(**key).is_none());
            gone.count() as u64
        };
        let (ours, theirs) = (keys("ours "), keys("theirs "));
        self.ours += ours.len() as u64;
        self.lost += lost(&ours);
        self.theirs += theirs.len() as u64;
        self.theirs_lost += lost(&theirs);
    }
}

/// A destroyed file is a problem of the list, and no wish of ours writes it.
fn left_alone(store: &Store, path: &Path, bytes: &[u8]) -> Result<(), String> {
    let list = store.load().map_err(|error| error.to_string())?;
    let named = list.problems().iter().any(|p| path.ends_with(&p.file));
    let written = store.act(mark(TASK, "late", 1)).is_ok();
    let same = fs::read(path).unwrap_or_default() == bytes;
    match named && !written && same {
        true => Ok(()),
        false => Err(format!(
            "a destroyed file: named {named}, written {written}, same {same}"
        )),
    }
}

fn list_of_one() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let task = new_task(TASK, Vec::<TaskId>::new());
    open(dir.path()).act(Op::Create(vec![task])).unwrap();
    dir
}

/// Everything that a process says until its end.
fn lines_of(mut child: Child) -> Vec<String> {
    let mut text = String::new();
    let _ = child.stdout.take().unwrap().read_to_string(&mut text);
    child.wait().unwrap();
    text.lines().map(str::to_owned).collect()
}

/// How often writers that never try again failed, alone and beside an idle board.
#[derive(Debug, Default)]
pub struct Company {
    pub writes: u64,
    pub failed_alone: u64,
    pub failed_beside: u64,
    /// Failures on a lock of ours: an idle board takes none.
    pub because_of_us: u64,
}

/// Eight of theirs that never try again, in rounds alone and rounds beside a watched list such as
/// an idle board's.
pub fn company(worker: &[&str], rounds: u32) -> Company {
    let mut company = Company::default();
    for round in 0..2 * rounds {
        let dir = list_of_one();
        let beside = round % 2 == 1;
        let mut board = beside.then(|| Mirror::open(&open(dir.path()), WatchMode::Auto));
        let one = |n| spawn(worker, Role::Rival, &format!("theirs{n}"), dir.path(), 0);
        let children: Vec<Child> = (0..8).map(one).collect();
        let lines: Vec<String> = children.into_iter().flat_map(lines_of).collect();
        board.iter_mut().for_each(Mirror::take);
        let failed = lines.iter().filter_map(|line| line.strip_prefix("failed "));
        let failed: Vec<&str> = failed.collect();
        let sum = match beside {
            true => &mut company.failed_beside,
            false => &mut company.failed_alone,
        };
        *sum += failed.len() as u64;
        company.writes += 8 * TURNS / 2; // half of the rounds each
        let ours = failed
            .iter()
            .filter(|holder| holder.starts_with("taskdeck-"));
        company.because_of_us += ours.count() as u64;
    }
    company
}

impl fmt::Display for Company {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "of {} writes each, {} failed alone and {} beside an idle board, {} of them because of it",
            self.writes, self.failed_alone, self.failed_beside, self.because_of_us
        )
    }
}
