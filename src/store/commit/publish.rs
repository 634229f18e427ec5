//! Under the lock: the finished files are put in place, or everything is taken back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::prepare::{Action, Write};
use crate::store::error::CommitError;
use crate::store::lock::Held;
use crate::store::temp::Temp;
use crate::task::TaskId;

/// Why files were not put in place.
pub(super) enum Failure {
    /// A file appeared that the plan did not know.
    Outdated,
    Error(CommitError),
}

/// Puts the files in place, in order, while the lock is safely ours; takes everything back when
/// one of them fails.
pub(super) fn publish(writes: Vec<Write>, lock: &dyn Held) -> Result<(), Failure> {
    let mut done: Vec<Written> = Vec::with_capacity(writes.len());
    for write in writes {
        if !lock.is_safe() {
            return Err(undo(done, CommitError::LockLost));
        }
        let Write {
            id,
            target,
            action,
            old,
            new,
            ..
        } = write;
        let result = match action {
            Action::Appear(temp) => temp.appear_as(&target),
            Action::Replace(temp) => temp.replace(&target),
            Action::Remove => fs::remove_file(&target),
        };
        match result {
            Ok(()) => done.push(Written {
                id,
                target,
                old,
                new,
            }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let source = io::Error::from(io::ErrorKind::AlreadyExists);
                let path = target;
                return match undo(done, CommitError::Io { path, source }) {
                    Failure::Error(torn @ CommitError::Torn { .. }) => Err(Failure::Error(torn)),
                    _ => Err(Failure::Outdated),
                };
            }
            Err(source) => {
                let path = target;
                return Err(undo(done, CommitError::Io { path, source }));
            }
        }
    }
    Ok(())
}

/// A file that was put in place.
struct Written {
    id: TaskId,
    target: PathBuf,
    old: Option<Arc<[u8]>>,
    new: Option<Vec<u8>>,
}

/// Takes back what was written, last first, as far as it is still what we wrote.
fn undo(done: Vec<Written>, error: CommitError) -> Failure {
    let mut left = Vec::new();
    let mut stuck = PathBuf::new();
    for file in done.into_iter().rev() {
        if take_back(&file).is_err() {
            stuck = file.target;
            left.push(file.id);
        }
    }
    if left.is_empty() {
        return Failure::Error(error);
    }
    let (path, source) = match error {
        CommitError::Io { path, source } => (path, source),
        _ => (stuck, io::Error::other("the lock was lost")),
    };
    Failure::Error(CommitError::Torn {
        path,
        source,
        written: left,
    })
}

fn take_back(file: &Written) -> io::Result<()> {
    let now = fs::read(&file.target).ok();
    if now != file.new {
        return Ok(()); // somebody wrote since; theirs stands
    }
    let Some(old) = &file.old else {
        return fs::remove_file(&file.target);
    };
    let folder = file.target.parent().unwrap_or(Path::new("."));
    let temp = Temp::write(folder, old)?;
    match fs::metadata(&file.target) {
        Ok(data) => {
            temp.take_after(&data)?;
            temp.replace(&file.target)
        }
        Err(_) => temp.appear_as(&file.target),
    }
}
