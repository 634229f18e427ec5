//! OmO's list lock: the file `.lock` with `{"id":"…","timestamp":<ms>}` on one line.
//!
//! OmO creates it empty and writes it then, and takes over what it cannot parse at once. Ours
//! appears together with its content, and an empty one is given a moment to be filled.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::super::clock::Clock;
use super::super::error::reason;
use super::super::folder::{Obstacle, read_regular};
use super::super::temp::{self, Temp};
use super::{Backoff, Held, LockError, LockHolder, Waiting};

/// OmO takes over a lock whose stamp is older.
const STALE: Duration = Duration::from_secs(30);

/// How long a lock that cannot be parsed must stay as it is before it is taken over: its holder
/// may be between creating and writing it.
const SETTLE: Duration = Duration::from_millis(200);

/// The start of ids that we give, followed by our process id.
const OURS: &str = "taskdeck-";

fn path(dir: &Path) -> PathBuf {
    dir.join(".lock")
}

/// A held OmO lock.
pub(in crate::store) struct OmoLock {
    path: PathBuf,
    content: String,
    taken_ms: i64,
    stale: Duration,
    clock: Clock,
}

impl Held for OmoLock {
    fn is_safe(&self) -> bool {
        let age = self.clock.now_ms() - self.taken_ms;
        let limit = i64::try_from(self.stale.as_millis() / 2).unwrap_or(i64::MAX);
        age < limit && self.is_ours()
    }
}

impl OmoLock {
    fn is_ours(&self) -> bool {
        fs::read(&self.path).is_ok_and(|bytes| bytes == self.content.as_bytes())
    }
}

impl Drop for OmoLock {
    fn drop(&mut self) {
        if self.is_ours() {
            let _ = fs::remove_file(&self.path); // a lock that stays is stale in 30 s
        }
    }
}

/// Waits for the lock and takes it.
pub(in crate::store) fn take(dir: &Path, waiting: &Waiting) -> Result<OmoLock, LockError> {
    let path = path(dir);
    let mut backoff = Backoff::new();
    let mut garbage: Option<(Vec<u8>, Instant)> = None;
    loop {
        let seen = look(&path);
        let verdict = judge(&seen, waiting);
        if verdict != Verdict::Garbage {
            garbage = None;
        }
        let stolen = match (&verdict, &seen) {
            (Verdict::Free, _) => match link(&path, waiting)? {
                Some(lock) => return Ok(lock),
                None => false, // somebody was faster
            },
            (Verdict::Stale, Seen::Content { bytes, .. }) => steal(&path, bytes),
            (Verdict::Garbage, Seen::Content { bytes, .. }) => match &garbage {
                Some((same, since)) if same == bytes => {
                    since.elapsed() >= SETTLE && steal(&path, bytes)
                }
                _ => {
                    garbage = Some((bytes.clone(), Instant::now()));
                    false
                }
            },
            _ => false,
        };
        let waited = backoff.waited();
        if waited >= waiting.timeout && !stolen {
            let holder = describe(&seen, waiting);
            let holder = holder.map_or_else(|| "other writers".to_owned(), |h| in_words(&h));
            return Err(LockError::Busy { holder, waited });
        }
        if !stolen {
            backoff.pause();
        }
    }
}

/// Who holds the lock now, if anybody.
pub(in crate::store) fn holder(dir: &Path, waiting: &Waiting) -> Option<LockHolder> {
    describe(&look(&path(dir)), waiting)
}

fn in_words(holder: &LockHolder) -> String {
    match holder.age {
        Some(age) => format!("{}, for {:.1} s", holder.description, age.as_secs_f64()),
        None => holder.description.clone(),
    }
}

/// What is at the lock's path.
enum Seen {
    Nothing,
    Content {
        bytes: Vec<u8>,
        written_ms: i64,
    },
    /// Something that cannot be read, in words.
    Unreadable(String),
}

fn look(path: &Path) -> Seen {
    match read_regular(path, None) {
        Ok(file) => Seen::Content {
            bytes: file.bytes,
            written_ms: file.mtime_ms,
        },
        Err(Obstacle::Gone) => Seen::Nothing,
        Err(Obstacle::NotAFile(what)) => Seen::Unreadable(format!("{what} named .lock")),
        Err(Obstacle::Io(error)) => {
            Seen::Unreadable(format!("a .lock that cannot be read: {}", reason(&error)))
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Free,
    Held,
    Stale,
    /// Stale by OmO's rule, but perhaps only not written yet.
    Garbage,
}

/// OmO's rule, and ours where its rule would wait for ever: a stamp in the future says nothing,
/// so the file's own time counts instead.
fn judge(seen: &Seen, waiting: &Waiting) -> Verdict {
    let (bytes, written_ms) = match seen {
        Seen::Nothing => return Verdict::Free,
        Seen::Unreadable(_) => return Verdict::Held,
        Seen::Content { bytes, written_ms } => (bytes, *written_ms),
    };
    let now = waiting.clock.now_ms();
    match stamp(bytes) {
        Stamp::Unparsable => Verdict::Garbage,
        Stamp::Absent => Verdict::Held,
        Stamp::At(stamp) => {
            let since = if stamp > now { written_ms } else { stamp };
            let age = u128::try_from(now.saturating_sub(since)).unwrap_or(0);
            if age > stale(waiting).as_millis() {
                Verdict::Stale
            } else {
                Verdict::Held
            }
        }
    }
}

fn stale(waiting: &Waiting) -> Duration {
    waiting.stale.unwrap_or(STALE)
}

#[derive(Debug, PartialEq, Eq)]
enum Stamp {
    /// Node cannot parse the content, or reads `null`.
    Unparsable,
    /// Never stale by OmO's rule: comparing with a time that is not there is always false.
    Absent,
    At(i64),
}

fn stamp(bytes: &[u8]) -> Stamp {
    match serde_json::from_slice::<Value>(bytes) {
        Err(_) | Ok(Value::Null) => Stamp::Unparsable,
        Ok(lock) => match lock.get("timestamp").and_then(number) {
            #[allow(clippy::cast_possible_truncation, reason = "the cast saturates")]
            Some(stamp) => Stamp::At(stamp as i64),
            None => Stamp::Absent,
        },
    }
}

/// What JavaScript makes of a value in a subtraction.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Null => Some(0.0),
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Value::Number(number) => number.as_f64(),
        Value::String(text) if text.trim().is_empty() => Some(0.0),
        Value::String(text) => text.trim().parse().ok().filter(|n: &f64| n.is_finite()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn describe(seen: &Seen, waiting: &Waiting) -> Option<LockHolder> {
    let verdict = judge(seen, waiting);
    let (description, stamp) = match seen {
        Seen::Nothing => return None,
        Seen::Unreadable(what) => (what.clone(), None),
        Seen::Content { bytes, .. } => {
            let stamp = match stamp(bytes) {
                Stamp::At(stamp) => Some(stamp),
                _ => None,
            };
            (name(bytes), stamp)
        }
    };
    let age = stamp.and_then(|at| u64::try_from(waiting.clock.now_ms().saturating_sub(at)).ok());
    Some(LockHolder {
        description,
        age: age.map(Duration::from_millis),
        stale: match verdict {
            Verdict::Stale => true,
            Verdict::Garbage => is_settled(seen, waiting),
            Verdict::Free | Verdict::Held => false,
        },
    })
}

/// Whether the file was written so long ago that its writer is done with it.
fn is_settled(seen: &Seen, waiting: &Waiting) -> bool {
    let now = waiting.clock.now_ms();
    matches!(seen, Seen::Content { written_ms, .. }
        if u128::try_from(now - written_ms).unwrap_or(0) > SETTLE.as_millis())
}

/// The holder's name, from the id in the lock.
fn name(bytes: &[u8]) -> String {
    let lock: Value = serde_json::from_slice(bytes).unwrap_or_default();
    match lock.get("id").and_then(Value::as_str) {
        Some(id) => match id
            .strip_prefix(OURS)
            .and_then(|rest| rest.split('-').next())
        {
            Some(process) => format!("taskdeck (process {process})"),
            None => format!("an agent (lock id {id})"),
        },
        None if bytes.is_empty() => "an empty .lock".to_owned(),
        None => "a .lock without an id".to_owned(),
    }
}

/// Makes the lock appear with its content; `None` when somebody was faster.
fn link(path: &Path, waiting: &Waiting) -> Result<Option<OmoLock>, LockError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let taken_ms = waiting.clock.now_ms();
    let id = format!("{OURS}{}-{}", std::process::id(), uuid::Uuid::new_v4());
    let content = format!(r#"{{"id":"{id}","timestamp":{taken_ms}}}"#);
    let linked =
        Temp::write(folder, content.as_bytes(), false).and_then(|temp| temp.appear_as(path));
    match linked {
        Ok(()) => Ok(Some(OmoLock {
            path: path.to_owned(),
            content,
            taken_ms,
            stale: stale(waiting),
            clock: waiting.clock.clone(),
        })),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        Err(source) => Err(LockError::Io {
            path: folder.to_owned(),
            source,
        }),
    }
}

/// Takes a stale lock away: moved to a name of our own first, so that of several robbers one
/// wins, then looked at again: a lock that was taken meanwhile is put back.
fn steal(path: &Path, stale: &[u8]) -> bool {
    let folder = path.parent().unwrap_or(Path::new("."));
    let moved = temp::unique(folder);
    if fs::rename(path, &moved).is_err() {
        return false;
    }
    let was_stale = fs::read(&moved).is_ok_and(|bytes| bytes == stale);
    if !was_stale {
        let _ = fs::hard_link(&moved, path);
    }
    let _ = fs::remove_file(&moved);
    was_stale
}

#[cfg(test)]
#[path = "omo_tests.rs"]
mod tests;
