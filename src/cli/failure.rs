use crate::list::Refusal;
use crate::run::RunError;
use crate::store::discover::DiscoverError;
use crate::store::{CommitError, StoreError};

/// Why a command did not do what was asked, as `--json` and people read it.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The code in `--json`.
    pub code: &'static str,
    /// What happened, and to which file.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// The exit status: 1 refused or failed, 2 wrong usage.
    pub exit: u8,
}

impl Failure {
    /// Something that could not be done.
    pub fn new(code: &'static str, message: impl Into<String>) -> Failure {
        Failure {
            code,
            message: message.into(),
            hint: None,
            exit: 1,
        }
    }

    /// Everything was said already; only the exit status is left.
    pub fn said() -> Failure {
        Failure::new("said", "")
    }

    /// A command line that makes no sense.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure {
            exit: 2,
            ..Failure::new("usage", message)
        }
    }

    /// Adds what to do.
    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        let failure = Failure::new(refusal.code.as_str(), refusal.what);
        Failure {
            hint: refusal.hint,
            ..failure
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::new("store_unreadable", error.to_string())
    }
}

impl From<DiscoverError> for Failure {
    fn from(error: DiscoverError) -> Failure {
        Failure::new("no_list", error.to_string())
    }
}

impl From<CommitError> for Failure {
    fn from(error: CommitError) -> Failure {
        let message = error.to_string();
        match error {
            CommitError::Refused(refusal) => refusal.into(),
            CommitError::Store(error) => error.into(),
            CommitError::Busy { .. } => Failure::new("task_lock_unavailable", message)
                .hint("try again, or wait longer with --lock-timeout SECONDS"),
            CommitError::ReadOnly => {
                Failure::new("read_only", message).hint("leave out --read-only to write")
            }
            CommitError::LockLost => Failure::new("lock_lost", message).hint("try again"),
            CommitError::Unfit { .. } => Failure::new("unfit_file", message),
            CommitError::Io { .. } | CommitError::Torn { .. } => Failure::new("io_error", message),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match error {
            RunError::Commit(error) => error.into(),
            RunError::Worker(_) => Failure::new("io_error", error.to_string()),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::new("io_error", error.to_string())
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::new("failed", format!("{error:#}"))
    }
}
