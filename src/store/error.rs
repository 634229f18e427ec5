use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::lock::LockError;
use crate::list::Refusal;
use crate::task::TaskId;

/// Why a list cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The path is no folder.
    #[error("{} is not a folder; a task list is a folder of JSON files", path.display())]
    NotAFolder {
        /// The path as given.
        path: PathBuf,
    },
    /// The folder cannot be read.
    #[error("{} cannot be read: {}", path.display(), reason(source))]
    Unreadable {
        /// The path as given.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Why a plan was not carried out. But for [`CommitError::Torn`] nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// The list, as it is now, does not allow it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The list cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Somebody holds the lock for longer than the time to wait.
    #[error("the list is locked by {holder}; gave up after {:.1} s, nothing was changed", waited.as_secs_f64())]
    Busy {
        /// Who holds it, and for how long.
        holder: String,
        /// How long we waited.
        waited: Duration,
    },
    /// The store was opened for looking only.
    #[error("the list is open read-only; nothing was changed")]
    ReadOnly,
    /// Our lock was taken over while we held it.
    #[error(
        "the lock was lost before everything was written (a very slow disk?); nothing was changed"
    )]
    LockLost,
    /// An edit cannot be applied to a file as it is.
    #[error("{} cannot be edited: {reason}", path.display())]
    Unfit {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The system refused to write.
    #[error("{} cannot be written: {}; nothing was changed", path.display(), reason(source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The system refused to write in the middle of a step and then to take back what was written.
    #[error("{} cannot be written: {}; only part of it was written: {}", path.display(), reason(source), names(written))]
    Torn {
        /// The file that could not be written.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
        /// The tasks whose files were changed.
        written: Vec<TaskId>,
    },
}

impl From<LockError> for CommitError {
    fn from(error: LockError) -> CommitError {
        match error {
            LockError::Busy { holder, waited } => CommitError::Busy { holder, waited },
            LockError::Io { path, source } => CommitError::Io { path, source },
        }
    }
}

fn names(ids: &[TaskId]) -> String {
    let ids: Vec<&str> = ids.iter().map(TaskId::as_str).collect();
    ids.join(", ")
}

/// An I/O error in the words of its kind where there are any, without error numbers.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::NotFound => "it is not there".to_owned(),
        io::ErrorKind::StorageFull => "no space left on the disk".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        _ => error.to_string(),
    }
}
