//! What taskdeck remembers about a list outside the list's folder: when a task was first seen and
//! when it entered its status. Kept per list in the person's state directory.

mod notices;

pub use notices::{Heard, Notice, Notices};

/// When a task entered its present status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Since {
    /// Milliseconds since the epoch.
    pub ms: i64,
    /// Whether it was already so when we first looked: then it is true for at least this long.
    pub at_least: bool,
}
