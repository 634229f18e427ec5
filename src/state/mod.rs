//! What taskdeck remembers about a list outside the list's folder: when a task was first seen and
//! when it entered its status. Kept per list in the person's state directory. The person's
//! configuration is read here too.

pub mod config;
mod edits;
mod filters;
mod notices;
mod observations;
mod pane_sizes;
mod repairs;
mod seen;

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

pub use edits::KeptEdit;
pub use notices::{Heard, Notice, Notices};
pub use pane_sizes::PaneSizes;
pub use repairs::Repairs;
pub use seen::ListState;

/// When a task entered its present status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Since {
    /// Milliseconds since the epoch.
    pub ms: i64,
    /// Whether it was already so when we first looked: then it is true for at least this long.
    pub at_least: bool,
}

/// The person's state directory: `TASKDECK_STATE_DIR`, else `taskdeck` in `XDG_STATE_HOME` or
/// `~/.local/state`. `None` without a home.
pub fn root(var: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if let Some(own) = var("TASKDECK_STATE_DIR") {
        return Some(own);
    }
    let states = var("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let states = states.or_else(|| Some(var("HOME")?.join(".local/state")))?;
    Some(states.join("taskdeck"))
}

/// Replaces a file as a whole. What cannot be remembered is missed by nobody but the next run.
fn replace(path: &Path, text: &str) {
    let temp = path.with_extension(std::process::id().to_string());
    if let Some(folder) = path.parent() {
        let _ = private_folder(folder);
    }
    let file = private(OpenOptions::new().write(true).truncate(true)).open(&temp);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    let _ = written.and_then(|()| std::fs::rename(&temp, path));
}

/// The options for a file that is made when it is not there, for this person's eyes only.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options.create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes a folder that only this person can read.
fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
