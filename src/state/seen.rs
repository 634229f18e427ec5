use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::Since;
use crate::list::List;
use crate::task::{Task, TaskId};

/// What is remembered of one list: one text line per observation, appended, the last one counts.
/// Without a home nothing is kept beyond the process.
#[derive(Debug, Clone, Default)]
pub struct ListState {
    folder: Option<PathBuf>,
    tasks: HashMap<TaskId, Seen>,
    thread_id: Option<String>,
    lines: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    first: i64,
    status: String,
    since: Since,
}

/// The file of observations in the list's state folder, and that of the thread id.
const SEEN: &str = "seen";
const THREAD: &str = "thread";

/// A file of this many lines per task is written anew.
const LINES_PER_TASK: usize = 4;

impl ListState {
    /// Reads what is remembered of the list in `dir`. `root` is the person's state directory
    /// ([`super::root`]); `None` remembers nothing beyond this process. Never fails: a line that
    /// cannot be read is skipped.
    pub fn open(root: Option<&Path>, dir: &Path) -> ListState {
        let folder = root.map(|root| root.join("lists").join(folder_name(dir)));
        let mut state = ListState {
            folder,
            ..ListState::default()
        };
        let text = state.read(SEEN).unwrap_or_default();
        for line in text.lines() {
            state.lines += 1;
            if let Some((id, seen)) = read_line(line) {
                state.tasks.insert(id, seen);
            }
        }
        state.thread_id = state
            .read(THREAD)
            .map(|t| t.trim().to_owned())
            .filter(|t| !t.is_empty());
        state
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
        self.thread_id = Some(fresh.to_owned());
        self.write(THREAD, fresh);
        fresh.to_owned()
    }

    /// Gives a list's tasks the times at which they were first seen.
    pub fn apply(&self, list: &mut List) {
        for (id, seen) in &self.tasks {
            list.set_first_seen(id, seen.first);
        }
    }

    /// Remembers what is new about a list's tasks. `fresh` says that the tasks that we did not know
    /// were created or changed just now, so that their time in the status is exact.
    pub fn remember(&mut self, list: &List, now_ms: i64, fresh: bool) {
        let tasks: Vec<&Task> = list.tasks().map(AsRef::as_ref).collect();
        self.observe(&tasks, now_ms, fresh);
        if self.lines > LINES_PER_TASK * (self.tasks.len() + 16) {
            self.compact(list);
        }
    }

    /// Remembers what is new about some tasks.
    pub fn observe(&mut self, tasks: &[&Task], now_ms: i64, fresh: bool) {
        let mut news = String::new();
        for task in tasks {
            let known = self.tasks.get(&task.id);
            if known.is_some_and(|seen| seen.status == task.status.as_str()) {
                continue;
            }
            let first = known.map_or_else(|| task.first_seen.unwrap_or(now_ms), |seen| seen.first);
            let exact = fresh || known.is_some();
            let ms = if exact {
                now_ms
            } else {
                task.first_seen.unwrap_or(now_ms).min(now_ms)
            };
            let since = Since {
                ms,
                at_least: !exact,
            };
            let seen = Seen {
                first,
                status: task.status.as_str().to_owned(),
                since,
            };
            news.push_str(&line_of(&task.id, &seen));
            self.lines += 1;
            self.tasks.insert(task.id.clone(), seen);
        }
        self.append(&news);
    }

    /// Since when a task is in its status.
    pub fn since(&self, id: &TaskId) -> Option<Since> {
        self.tasks.get(id).map(|seen| seen.since)
    }

    fn compact(&mut self, list: &List) {
        self.tasks.retain(|id, _| list.get(id).is_some());
        let mut lines: Vec<String> = self.tasks.iter().map(|(id, s)| line_of(id, s)).collect();
        lines.sort();
        self.lines = lines.len();
        self.write(SEEN, &lines.concat());
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

/// `id, first seen, since, =|≥, status`, separated by tabs; the status last, since it may be any
/// text.
fn line_of(id: &TaskId, seen: &Seen) -> String {
    let sign = if seen.since.at_least { '>' } else { '=' };
    let status = seen.status.escape_default();
    format!(
        "{id}\t{}\t{}\t{sign}\t{status}\n",
        seen.first, seen.since.ms
    )
}

fn read_line(line: &str) -> Option<(TaskId, Seen)> {
    let mut parts = line.splitn(5, '\t');
    let id = TaskId::new(parts.next().filter(|id| !id.is_empty())?);
    let first = parts.next()?.parse().ok()?;
    let ms = parts.next()?.parse().ok()?;
    let at_least = match parts.next()? {
        ">" => true,
        "=" => false,
        _ => return None,
    };
    let status = parts.next()?.to_owned();
    Some((
        id,
        Seen {
            first,
            status,
            since: Since { ms, at_least },
        },
    ))
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
    fn lines_that_cannot_be_read_are_skipped() {
        for line in [
            "",
            "T-a",
            "T-a\t1\t2",
            "T-a\tx\t2\t=\tpending",
            "T-a\t1\t2\t?\tpending",
        ] {
            assert_eq!(read_line(line), None, "{line:?}");
        }
        let seen = Seen {
            first: -1,
            status: "odd".to_owned(),
            since: Since {
                ms: 2,
                at_least: true,
            },
        };
        let line = line_of(&TaskId::new("T-a"), &seen);
        assert_eq!(read_line(line.trim_end()), Some((TaskId::new("T-a"), seen)));
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
