//! Which files `init` itself made: only those may `--remove` delete when nothing of theirs is left.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::FileEdit;

/// The files that `init` made, one absolute path per line in the person's state directory.
#[derive(Debug, Clone, Default)]
pub struct Made(Option<PathBuf>);

impl Made {
    /// Those remembered under the person's state directory; without one, none ever are.
    pub fn under(state: Option<&Path>) -> Made {
        Made(state.map(|root| root.join("made-by-init")))
    }

    /// Whether `init` made this file, and it may go again.
    pub fn holds(&self, path: &Path) -> bool {
        self.all().iter().any(|known| Path::new(known) == path)
    }

    /// Remembers the files that edits make, and forgets those that they delete.
    ///
    /// # Errors
    /// When the state directory cannot be written.
    pub fn note(&self, edits: &[FileEdit]) -> io::Result<()> {
        let Some(file) = &self.0 else { return Ok(()) };
        let before = self.all();
        let mut all = before.clone();
        for edit in edits {
            let path = edit.path.display().to_string();
            all.retain(|known| *known != path || edit.after.is_some());
            if edit.before.is_none() && edit.after.is_some() {
                all.push(path);
            }
        }
        if all == before {
            return Ok(());
        }
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(
            file,
            all.iter()
                .map(|path| format!("{path}\n"))
                .collect::<String>(),
        )
    }

    fn all(&self) -> Vec<String> {
        let text = self
            .0
            .as_ref()
            .and_then(|file| fs::read_to_string(file).ok());
        text.unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }
}
