//! Shows what agents write the moment they write it.
//!
//! The system's notifications are hints and nothing more: they say which names may have changed,
//! and the truth is read from disk again. A watcher sends what it read only when it differs from
//! what it sent before, so that its own reads, touched files and doubled notifications end here.

use crate::list::FileChange;

/// What a watcher tells.
#[derive(Debug, Clone, PartialEq)]
pub enum WatchEvent {
    /// Files whose content differs from what was told before.
    Files(Vec<FileChange>),
    /// How far the picture can be trusted from now on.
    Status(WatchStatus),
}

/// How far what is shown can be trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchStatus {
    /// Changes are told within milliseconds.
    Live,
    /// Changes are looked for every two seconds.
    Polling {
        /// Why, for people.
        why: String,
    },
    /// The folder cannot be looked at; what is shown may be out of date.
    Stale {
        /// Why, for people.
        why: String,
    },
}

/// How a watcher learns of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WatchMode {
    /// By the system's notifications where they work, else by looking every two seconds.
    #[default]
    Auto,
    /// By looking every two seconds, for file systems whose notifications cannot be trusted.
    Poll,
}
