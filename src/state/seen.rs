use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Since;
use super::observations::Observations;
use crate::list::List;
use crate::task::{Task, TaskId};

/// What is remembered of one list. Files are read when they are asked for: a call that makes one
/// task must not pay for the memory of 100,000. Without a home nothing is kept beyond the process.
#[derive(Debug, Clone, Default)]
pub struct ListState {
    folder: Option<PathBuf>,
    seen: OnceLock<Observations>,
    thread_id: Option<String>,
}

/// The file of observations in the list's state folder, and that of the thread id.
const SEEN: &str = "seen";
const THREAD: &str = "thread";

impl ListState {
    /// What is remembered of the list in `dir`. `root` is the person's state directory
    /// ([`super::root`]); `None` remembers nothing beyond this process. Never fails: what cannot be
    /// read is not remembered.
    pub fn open(root: Option<&Path>, dir: &Path) -> ListState {
        ListState {
            folder: root.map(|root| root.join("lists").join(folder_name(dir))),
            ..ListState::default()
        }
    }

    /// The same list's state without what was read of it so far.
    pub(super) fn beside(&self) -> ListState {
        ListState {
            folder: self.folder.clone(),
            ..ListState::default()
        }
    }

    fn seen(&self) -> &Observations {
        self.seen
            .get_or_init(|| Observations::read(&self.read(SEEN).unwrap_or_default()))
    }

    fn seen_mut(&mut self) -> &mut Observations {
        self.seen();
        self.seen.get_mut().expect("it was read just now")
    }

    /// The list's own folder in the state directory; it need not exist.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Where the output of the worker that `run` last gave a task to is kept; the file need not
    /// exist.
    pub fn log_of(&self, id: &TaskId) -> Option<PathBuf> {
        Some(self.folder()?.join("logs").join(format!("{id}.log")))
    }

    /// Waits until no other process of this machine chooses what to run next in this list; until
    /// what it returns is dropped. `None` where nothing can be remembered.
    pub fn turn(&self) -> Option<fs::File> {
        let folder = self.folder()?;
        super::private_folder(folder).ok()?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let file = options.open(folder.join("turn")).ok()?;
        file.lock().ok()?;
        Some(file)
    }

    /// Where `run` puts the prompt of the task for a worker that wants it in a file.
    pub fn prompt_of(&self, id: &TaskId) -> Option<PathBuf> {
        Some(self.folder()?.join("logs").join(format!("{id}.prompt")))
    }

    /// The `threadID` of this list's command-line calls (DESIGN decision 17); `fresh` is taken, and
    /// remembered, the first time.
    pub fn thread_id(&mut self, fresh: &str) -> String {
        if let Some(id) = &self.thread_id {
            return id.clone();
        }
        let kept = self.read(THREAD).map(|text| text.trim().to_owned());
        let id = kept.filter(|id| !id.is_empty()).unwrap_or_else(|| {
            self.write(THREAD, fresh);
            fresh.to_owned()
        });
        self.thread_id.insert(id).clone()
    }

    /// Gives a list's tasks the times at which they were first seen.
    pub fn apply(&self, list: &mut List) {
        for (id, first) in self.seen().first_seen() {
            list.set_first_seen(id, first);
        }
    }

    /// Remembers what is new about a list's tasks. `fresh` says that the tasks that we did not know
    /// were created or changed just now, so that their time in the status is exact.
    pub fn remember(&mut self, list: &List, now_ms: i64, fresh: bool) {
        let tasks: Vec<&Task> = list.tasks().map(AsRef::as_ref).collect();
        self.observe(&tasks, now_ms, fresh);
        let there = |id: &TaskId| list.get(id).is_some();
        if let Some(compact) = self.seen_mut().compacted(there) {
            self.write(SEEN, &compact);
        }
    }

    /// Remembers what is new about some tasks.
    pub fn observe(&mut self, tasks: &[&Task], now_ms: i64, fresh: bool) {
        let seen = self.seen_mut();
        let news = tasks.iter().map(|task| seen.observe(task, now_ms, fresh));
        let news: String = news.collect();
        self.append(&news);
    }

    /// Since when a task is in its status.
    pub fn since(&self, id: &TaskId) -> Option<Since> {
        self.seen().since(id)
    }

    pub(super) fn read(&self, name: &str) -> Option<String> {
        let bytes = fs::read(self.folder.as_ref()?.join(name)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// One write in append mode, so that several processes can share the file.
    fn append(&self, text: &str) {
        let Some(folder) = self.folder.as_ref().filter(|_| !text.is_empty()) else {
            return;
        };
        // What cannot be remembered is missed by nobody but the next run.
        let _ = super::private_folder(folder);
        let file = super::private(OpenOptions::new().append(true)).open(folder.join(SEEN));
        let _ = file.and_then(|mut file| file.write_all(text.as_bytes()));
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        if let Some(folder) = &self.folder {
            super::replace(&folder.join(name), text);
        }
    }
}

/// A readable name and a hash, so that two lists of one name have two folders.
fn folder_name(dir: &Path) -> String {
    let real = fs::canonicalize(dir).or_else(|_| std::path::absolute(dir));
    let real = real.unwrap_or_else(|_| dir.to_owned());
    let parts: Vec<String> = real
        .iter()
        .rev()
        .map(|part| part.to_string_lossy().trim_matches('.').to_owned())
        .filter(|part| !part.is_empty() && part != "/" && part != "tasks")
        .take(2)
        .collect();
    let readable: String = parts
        .iter()
        .rev()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join("-");
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '-'
        }
    };
    let readable: String = readable.chars().map(safe).take(40).collect();
    format!(
        "{readable}-{:016x}",
        fnv1a(real.as_os_str().as_encoded_bytes())
    )
}

/// FNV-1a, 64 bits (Fowler, Noll and Vo): stable over versions, which the standard hasher is not.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::list::{FileChange, FileContent};
    use crate::task::{Dialect, Status};

    fn list(tasks: &[(&str, i64, Status)]) -> List {
        let files = tasks.iter().map(|(id, seen, status)| {
            let mut task = Task::new(TaskId::new(id));
            task.first_seen = Some(*seen);
            task.status = status.clone();
            task.raw = Arc::from(format!("{status:?}").into_bytes());
            FileChange {
                name: format!("{id}.json"),
                content: FileContent::Task(Arc::new(task)),
            }
        });
        List::from_files(Dialect::Omo, files.collect())
    }

    #[test]
    fn what_was_seen_is_known_to_the_next_process() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("webshop/tasks");
        let mut state = ListState::open(Some(root.path()), &dir);
        state.remember(&list(&[("T-a", 50, Status::Pending)]), 1000, false);
        state.remember(&list(&[("T-a", 70, Status::InProgress)]), 2000, false);
        assert_eq!(state.thread_id("taskdeck-1"), "taskdeck-1");
        let mut next = ListState::open(Some(root.path()), &dir);
        assert_eq!(
            next.since(&TaskId::new("T-a")),
            Some(Since {
                ms: 2000,
                at_least: false
            })
        );
        assert_eq!(next.thread_id("taskdeck-2"), "taskdeck-1");
        let mut later = list(&[("T-a", 99, Status::InProgress)]);
        next.apply(&mut later);
        assert_eq!(later.get(&TaskId::new("T-a")).unwrap().first_seen, Some(50));
    }

    #[test]
    fn what_was_already_so_counts_from_when_it_was_written() {
        let mut state = ListState::default();
        state.remember(&list(&[("T-a", 50, Status::InProgress)]), 1000, false);
        assert_eq!(
            state.since(&TaskId::new("T-a")),
            Some(Since {
                ms: 50,
                at_least: true
            })
        );
    }

    #[test]
    fn the_file_does_not_grow_for_ever() {
        let root = tempfile::tempdir().unwrap();
        let mut state = ListState::open(Some(root.path()), root.path());
        for turn in 0..200 {
            let status = if turn % 2 == 0 {
                Status::Pending
            } else {
                Status::InProgress
            };
            state.remember(&list(&[("T-a", 1, status)]), turn, false);
        }
        let text = fs::read_to_string(state.folder().unwrap().join(SEEN)).unwrap();
        assert!(text.lines().count() < 100);
    }
}
