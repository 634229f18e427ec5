use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// Where a demo's files are. A folder of its own is removed when it is dropped; one that was given
/// stays.
#[derive(Debug)]
pub(super) struct Folder {
    tasks: PathBuf,
    /// The folder to remove at the end.
    own: PathBuf,
    given: bool,
}

/// How the folders of demos are named; the process's number follows.
const NAME: &str = "taskdeck-demo-";

impl Folder {
    pub(super) fn make(given: Option<&Path>) -> anyhow::Result<Folder> {
        remove_leftovers();
        let unique = uuid::Uuid::new_v4().simple().to_string();
        let name = format!("{NAME}{}-{}", std::process::id(), &unique[..8]);
        let own = std::env::temp_dir().join(name);
        fs::create_dir(&own).with_context(|| format!("{} cannot be made", own.display()))?;
        let tasks = given.map_or_else(|| own.join("webshop/.omo/tasks"), Path::to_owned);
        Ok(Folder {
            tasks,
            own,
            given: given.is_some(),
        })
    }

    pub(super) fn tasks(&self) -> &Path {
        &self.tasks
    }

    pub(super) fn state(&self) -> PathBuf {
        self.own.join("state")
    }

    pub(super) fn kept(&self) -> Option<&Path> {
        self.given.then_some(&self.tasks)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next demo.
        let _ = fs::remove_dir_all(&self.own);
    }
}

/// Removes the folders of demos that were killed: their process is gone.
fn remove_leftovers() {
    let entries = fs::read_dir(std::env::temp_dir())
        .into_iter()
        .flatten()
        .flatten();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name
            .strip_prefix(NAME)
            .and_then(|rest| rest.split('-').next()?.parse().ok());
        if process.is_some_and(is_gone) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a process is surely gone. Where that cannot be told it counts as alive.
fn is_gone(process: u32) -> bool {
    Path::new("/proc/self").exists() && !Path::new("/proc").join(process.to_string()).exists()
}
