//! OmO team mode's locks: files of three lines, owner tag, process id and milliseconds. `.lock`
//! covers creating, `claims/<n>.lock` one task.
//!
//! OmO takes one over only when it is older than five minutes and its process is gone; anything
//! that is not three lines is never stale. Status changes of its own take no lock at all.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::super::dialect::Scope;
use super::super::doctor::TaskLock;
use super::file::{self, Content, FileLock, Manner, Verdict};
use super::{LockError, LockHolder, Waiting};
use crate::task::{Dialect, TaskId};

const MANNER: Manner = Manner {
    stale: Duration::from_secs(300),
    content: |now_ms| format!("taskdeck\n{}\n{now_ms}\n", std::process::id()),
    stamp: |bytes| Some(parse(bytes)?.taken_ms),
    judge,
    name,
};

/// Waits for every lock that the scope needs, the list's first, then the tasks' by number.
pub(in crate::store) fn take(
    dir: &Path,
    scope: &Scope<'_>,
    waiting: &Waiting,
) -> Result<Vec<FileLock>, LockError> {
    let mut locks = Vec::new();
    if scope.list {
        locks.push(file::take(&dir.join(".lock"), &MANNER, waiting)?);
    }
    let claims = dir.join("claims");
    if !scope.changed.is_empty() && !claims.is_dir() {
        fs::create_dir(&claims).map_err(|source| LockError::Io {
            path: claims.clone(),
            source,
        })?;
    }
    for id in scope.in_order() {
        let path = claims.join(format!("{id}.lock"));
        locks.push(file::take(&path, &MANNER, waiting)?);
    }
    Ok(locks)
}

/// Who holds the list's create lock now, if anybody.
pub(in crate::store) fn holder(dir: &Path, waiting: &Waiting) -> Option<LockHolder> {
    file::holder(&dir.join(".lock"), &MANNER, waiting)
}

/// The claim locks that are there now.
pub(in crate::store) fn task_locks(dir: &Path, waiting: &Waiting) -> Vec<TaskLock> {
    let claims = dir.join("claims");
    let look = |name: String| {
        let task = TaskId::new(name.strip_suffix(".lock")?);
        Dialect::OmoTeam.check_id(task.as_str()).ok()?;
        let holder = file::holder(&claims.join(&name), &MANNER, waiting)?;
        let file = format!("claims/{name}");
        Some(TaskLock { file, task, holder })
    };
    super::names_in(&claims)
        .into_iter()
        .filter_map(look)
        .collect()
}

struct Lines<'a> {
    owner: &'a str,
    process: u32,
    taken_ms: i64,
}

fn parse(bytes: &[u8]) -> Option<Lines<'_>> {
    let lines: Vec<&str> = std::str::from_utf8(bytes).ok()?.lines().collect();
    let [owner, process, taken] = lines.as_slice() else {
        return None;
    };
    Some(Lines {
        owner,
        process: process.trim().parse().ok()?,
        taken_ms: taken.trim().parse().ok()?,
    })
}

fn judge(lock: &Content<'_>) -> Verdict {
    match parse(lock.bytes) {
        Some(lines) if lock.is_older_than_stale(lines.taken_ms) && is_gone(lines.process) => {
            Verdict::Stale
        }
        _ => Verdict::Held,
    }
}

/// Whether no such process runs here. Where that cannot be told, it runs.
fn is_gone(process: u32) -> bool {
    let processes = Path::new("/proc");
    processes.join("self").exists() && !processes.join(process.to_string()).exists()
}

fn name(bytes: &[u8]) -> String {
    match parse(bytes) {
        Some(lines) => format!("{} (process {})", lines.owner, lines.process),
        None => "a lock file of another kind".to_owned(),
    }
}
