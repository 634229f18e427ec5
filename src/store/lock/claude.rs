//! Claude Code's locks, as proper-lockfile makes them: a folder `<anchor>.lock`, taken with
//! `mkdir`, stale when its modification time is older than ten seconds.
//!
//! The list's anchor is the empty file `.lock`, which always stays; a task's anchor is its file,
//! behind links. Nothing is ever put into such a folder, and a young one is never touched.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::super::clock::milliseconds;
use super::super::dialect::Scope;
use super::super::doctor::TaskLock;
use super::super::error::reason;
use super::{Backoff, Held, LockError, LockHolder, Waiting};
use crate::task::{Dialect, TaskId};

const STALE: Duration = Duration::from_secs(10);

/// A held lock folder.
pub(in crate::store) struct FolderLock {
    path: PathBuf,
    made: fs::Metadata,
    taken: Instant,
    stale: Duration,
}

impl Held for FolderLock {
    fn is_safe(&self) -> bool {
        self.taken.elapsed() < self.stale / 2 && self.is_ours()
    }
}

impl FolderLock {
    fn is_ours(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok_and(|now| is_same(&now, &self.made))
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        if self.is_ours() {
            let _ = fs::remove_dir(&self.path); // one that stays will be stale
        }
    }
}

/// Waits for every lock that the scope needs, the list's first, then the tasks' in order.
pub(in crate::store) fn take(
    dir: &Path,
    scope: &Scope<'_>,
    waiting: &Waiting,
) -> Result<Vec<FolderLock>, LockError> {
    let mut locks = Vec::new();
    if scope.list {
        let anchor = dir.join(".lock");
        match fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&anchor)
        {
            Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
                return Err(LockError::Io {
                    path: anchor,
                    source,
                });
            }
            _ => locks.push(take_one(&dir.join(".lock.lock"), waiting)?),
        }
    }
    for id in scope.in_order() {
        let file = dir.join(format!("{id}.json"));
        let mut path = fs::canonicalize(&file).unwrap_or(file).into_os_string();
        path.push(".lock");
        locks.push(take_one(Path::new(&path), waiting)?);
    }
    Ok(locks)
}

/// Who holds the list's lock now, if anybody.
pub(in crate::store) fn holder(dir: &Path, waiting: &Waiting) -> Option<LockHolder> {
    let path = dir.join(".lock.lock");
    let made = fs::symlink_metadata(path).ok()?;
    Some(describe(&made, waiting))
}

/// The locks of single tasks that are there now.
pub(in crate::store) fn task_locks(dir: &Path, waiting: &Waiting) -> Vec<TaskLock> {
    let look = |file: String| {
        let task = TaskId::new(file.strip_suffix(".json.lock")?);
        Dialect::Claude.check_id(task.as_str()).ok()?;
        let made = fs::symlink_metadata(dir.join(&file)).ok()?;
        let holder = describe(&made, waiting);
        Some(TaskLock { file, task, holder })
    };
    super::names_in(dir).into_iter().filter_map(look).collect()
}

fn describe(made: &fs::Metadata, waiting: &Waiting) -> LockHolder {
    let made_ms = made.modified().map_or(0, milliseconds);
    let age = u64::try_from(waiting.clock.now_ms() - made_ms).map(Duration::from_millis);
    let age = age.unwrap_or_default(); // the first lock of a process is stamped ahead
    LockHolder {
        description: "Claude Code or another writer".to_owned(),
        age: Some(age),
        stale: age > stale(waiting),
    }
}

fn stale(waiting: &Waiting) -> Duration {
    waiting.stale.unwrap_or(STALE)
}

fn take_one(path: &Path, waiting: &Waiting) -> Result<FolderLock, LockError> {
    let mut backoff = Backoff::new();
    loop {
        let refused = match fs::create_dir(path).and_then(|()| fs::symlink_metadata(path)) {
            Ok(made) => {
                return Ok(FolderLock {
                    path: path.to_owned(),
                    made,
                    taken: Instant::now(),
                    stale: stale(waiting),
                });
            }
            Err(error) => error,
        };
        let gone = [io::ErrorKind::AlreadyExists, io::ErrorKind::NotFound];
        if !gone.contains(&refused.kind()) {
            let path = path.to_owned();
            return Err(LockError::Io {
                path,
                source: refused,
            });
        }
        let holder = fs::symlink_metadata(path)
            .ok()
            .map(|made| describe(&made, waiting));
        let blocked = match &holder {
            Some(holder) if holder.stale => fs::remove_dir(path).err(),
            _ => None,
        };
        let waited = backoff.waited();
        if waiting.is_over(waited) {
            let holder = match (holder, blocked) {
                (Some(_), Some(error)) => {
                    let why = reason(&error);
                    format!(
                        "{}, left behind and not to be removed: {why}",
                        path.display()
                    )
                }
                (Some(holder), None) => holder.in_words(),
                (None, _) => "other writers".to_owned(),
            };
            return Err(LockError::Busy { holder, waited });
        }
        backoff.pause();
    }
}

#[cfg(unix)]
fn is_same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino(), a.ctime(), a.ctime_nsec()) == (b.dev(), b.ino(), b.ctime(), b.ctime_nsec())
}

#[cfg(not(unix))]
fn is_same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    a.created().ok() == b.created().ok()
}
