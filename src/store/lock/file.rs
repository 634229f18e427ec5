//! Locks that are a file with content: OmO's list lock and OmO team mode's. They differ in what
//! the file says and when it is stale; how it is taken, stolen and released is the same.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::super::clock::Clock;
use super::super::folder::{Obstacle, read_regular};
use super::super::temp::{self, Temp};
use super::{Backoff, Held, LockError, LockHolder, Waiting};

/// How long a lock that cannot be understood must stay as it is before it is taken over: its
/// holder may be between creating and writing it.
const SETTLE: Duration = Duration::from_millis(200);

/// What a lock file says in one dialect.
pub(super) struct Manner {
    /// The age from which it may be taken over.
    pub(super) stale: Duration,
    /// The content of a lock taken at this time.
    pub(super) content: fn(i64) -> String,
    /// When it was taken, as its content says.
    pub(super) stamp: fn(&[u8]) -> Option<i64>,
    /// What its content and age mean.
    pub(super) judge: fn(&Content<'_>) -> Verdict,
    /// Its holder, for people.
    pub(super) name: fn(&[u8]) -> String,
}

impl Manner {
    fn stale(&self, waiting: &Waiting) -> Duration {
        waiting.stale.unwrap_or(self.stale)
    }
}

/// A lock file's content with what is needed to judge it.
pub(super) struct Content<'a> {
    pub(super) bytes: &'a [u8],
    /// When the file was written, in milliseconds since the epoch.
    pub(super) written_ms: i64,
    pub(super) now_ms: i64,
    /// The age from which it may be taken over.
    pub(super) stale: Duration,
}

impl Content<'_> {
    /// Whether a lock stamped so is too old. A stamp in the future says nothing, so the file's
    /// own time counts instead.
    pub(super) fn is_older_than_stale(&self, stamp: i64) -> bool {
        let since = if stamp > self.now_ms {
            self.written_ms
        } else {
            stamp
        };
        let age = u128::try_from(self.now_ms.saturating_sub(since)).unwrap_or(0);
        age > self.stale.as_millis()
    }
}

/// What a lock file means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Free,
    Held,
    Stale,
    /// Stale by the dialect's rule, but perhaps only not written yet.
    Garbage,
}

/// A held lock file.
pub(in crate::store) struct FileLock {
    path: PathBuf,
    content: String,
    taken_ms: i64,
    stale: Duration,
    clock: Clock,
}

impl Held for FileLock {
    fn is_safe(&self) -> bool {
        let age = self.clock.now_ms() - self.taken_ms;
        let limit = i64::try_from(self.stale.as_millis() / 2).unwrap_or(i64::MAX);
        age < limit && self.is_ours()
    }
}

impl FileLock {
    fn is_ours(&self) -> bool {
        fs::read(&self.path).is_ok_and(|bytes| bytes == self.content.as_bytes())
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        if self.is_ours() {
            let _ = fs::remove_file(&self.path); // one that stays will be stale
        }
    }
}

/// Waits for the lock file and takes it.
pub(super) fn take(path: &Path, manner: &Manner, waiting: &Waiting) -> Result<FileLock, LockError> {
    let mut backoff = Backoff::new();
    let mut garbage: Option<(Vec<u8>, Instant)> = None;
    loop {
        let seen = look(path);
        let verdict = judge(&seen, manner, waiting);
        if verdict != Verdict::Garbage {
            garbage = None;
        }
        let stolen = match (&verdict, &seen) {
            (Verdict::Free, _) => match link(path, manner, waiting)? {
                Some(lock) => return Ok(lock),
                None => false, // somebody was faster
            },
            (Verdict::Stale, Seen::Content { bytes, .. }) => steal(path, bytes),
            (Verdict::Garbage, Seen::Content { bytes, .. }) => match &garbage {
                Some((same, since)) if same == bytes => {
                    since.elapsed() >= SETTLE && steal(path, bytes)
                }
                _ => {
                    garbage = Some((bytes.clone(), Instant::now()));
                    false
                }
            },
            _ => false,
        };
        let waited = backoff.waited();
        if waiting.is_over(waited) && !stolen {
            let holder = describe(&seen, manner, waiting);
            let holder = holder.map_or_else(|| "other writers".to_owned(), |h| h.in_words());
            return Err(LockError::Busy { holder, waited });
        }
        if !stolen {
            backoff.pause();
        }
    }
}

/// Who holds the lock file now, if anybody.
pub(super) fn holder(path: &Path, manner: &Manner, waiting: &Waiting) -> Option<LockHolder> {
    describe(&look(path), manner, waiting)
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
        Err(obstacle @ (Obstacle::TooLarge(_) | Obstacle::Io(_))) => {
            Seen::Unreadable(format!("a .lock that cannot be read: {obstacle}"))
        }
    }
}

fn judge(seen: &Seen, manner: &Manner, waiting: &Waiting) -> Verdict {
    match seen {
        Seen::Nothing => Verdict::Free,
        Seen::Unreadable(_) => Verdict::Held,
        Seen::Content { bytes, written_ms } => (manner.judge)(&Content {
            bytes,
            written_ms: *written_ms,
            now_ms: waiting.clock.now_ms(),
            stale: manner.stale(waiting),
        }),
    }
}

fn describe(seen: &Seen, manner: &Manner, waiting: &Waiting) -> Option<LockHolder> {
    let verdict = judge(seen, manner, waiting);
    let (description, stamp) = match seen {
        Seen::Nothing => return None,
        Seen::Unreadable(what) => (what.clone(), None),
        Seen::Content { bytes, .. } => ((manner.name)(bytes), (manner.stamp)(bytes)),
    };
    let age = stamp.map(|at| u64::try_from(waiting.clock.now_ms().saturating_sub(at)));
    let description = match age {
        Some(Err(_)) => format!("{description}, whose clock is ahead"),
        _ => description,
    };
    Some(LockHolder {
        description,
        age: age.and_then(Result::ok).map(Duration::from_millis),
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

/// Makes the lock appear with its content; `None` when somebody was faster.
fn link(path: &Path, manner: &Manner, waiting: &Waiting) -> Result<Option<FileLock>, LockError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let taken_ms = waiting.clock.now_ms();
    let content = (manner.content)(taken_ms);
    let linked = Temp::write(folder, content.as_bytes()).and_then(|temp| temp.appear_as(path));
    match linked {
        Ok(()) => Ok(Some(FileLock {
            path: path.to_owned(),
            content,
            taken_ms,
            stale: manner.stale(waiting),
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
#[path = "file_tests.rs"]
mod tests;
