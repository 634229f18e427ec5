use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// How many notices are kept; an agent that was away for longer reads the list anyway.
const KEPT: usize = 200;

/// Something that a person did and that an agent at work should hear of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Counts up within a list; acknowledging one acknowledges those before it.
    pub number: u64,
    /// When, in milliseconds since the epoch.
    pub at: i64,
    /// The task it is about.
    pub task: String,
    /// One sentence, such as `a person raised the priority of "Deploy" to high`.
    pub text: String,
}

/// How far an agent has heard of the notices, as the board shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It never called a tool under this name.
    DoesNotUseTools,
    /// There is one that it was not given yet.
    Waiting,
    /// It was given them all, and has not acknowledged the last.
    Delivered,
    /// It acknowledged them all.
    Acknowledged,
}

/// The notices of one list, shared by every process that has the list open.
#[derive(Debug, Clone)]
pub struct Notices {
    /// `None` keeps nothing: without a home there is no place that processes share.
    folder: Option<PathBuf>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Book {
    last: u64,
    notices: Vec<Notice>,
    agents: BTreeMap<String, Agent>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Agent {
    delivered: u64,
    acknowledged: u64,
}

impl Notices {
    /// The notices kept in a list's state folder (`ListState::folder`), which need not exist yet.
    pub fn new(folder: Option<&Path>) -> Notices {
        Notices {
            folder: folder.map(Path::to_owned),
        }
    }

    /// Adds notices, each a task and a sentence.
    ///
    /// # Errors
    /// When the state folder cannot be written.
    pub fn add(&self, what: Vec<(String, String)>, now_ms: i64) -> io::Result<()> {
        if what.is_empty() {
            return Ok(());
        }
        self.change(|book| {
            for (task, text) in what {
                book.last += 1;
                book.notices.push(Notice {
                    number: book.last,
                    at: now_ms,
                    task,
                    text,
                });
            }
            let surplus = book.notices.len().saturating_sub(KEPT);
            book.notices.drain(..surplus);
        })
    }

    /// What an agent has not acknowledged yet, after it acknowledged everything up to a number.
    /// At its first call an agent hears nothing: it has just read the list as it is.
    ///
    /// # Errors
    /// When the state folder cannot be read or written.
    pub fn deliver(&self, agent: &str, acknowledged: Option<u64>) -> io::Result<Vec<Notice>> {
        let mut open = Vec::new();
        self.change(|book| {
            let last = book.last;
            let agent = book.agents.entry(agent.to_owned()).or_insert(Agent {
                delivered: last,
                acknowledged: last,
            });
            let up_to = acknowledged.unwrap_or(0).min(agent.delivered);
            agent.acknowledged = agent.acknowledged.max(up_to);
            agent.delivered = last;
            let after = agent.acknowledged;
            open = book
                .notices
                .iter()
                .filter(|n| n.number > after)
                .cloned()
                .collect();
        })?;
        Ok(open)
    }

    /// How far an agent has heard.
    ///
    /// # Errors
    /// When the state folder cannot be read.
    pub fn heard(&self, agent: &str) -> io::Result<Heard> {
        let book = self.read()?;
        Ok(match book.agents.get(agent) {
            None => Heard::DoesNotUseTools,
            Some(a) if a.acknowledged == book.last => Heard::Acknowledged,
            Some(a) if a.delivered == book.last => Heard::Delivered,
            Some(_) => Heard::Waiting,
        })
    }

    fn path(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join("notices.json"))
    }

    /// A book that cannot be understood begins anew: it is news, not knowledge.
    fn read(&self) -> io::Result<Book> {
        let Some(path) = self.path() else {
            return Ok(Book::default());
        };
        match std::fs::read(path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Book::default()),
            Err(error) => Err(error),
        }
    }

    fn change(&self, change: impl FnOnce(&mut Book)) -> io::Result<()> {
        let (Some(folder), Some(path)) = (&self.folder, self.path()) else {
            change(&mut Book::default());
            return Ok(());
        };
        super::private_folder(folder)?;
        let lock =
            super::private(OpenOptions::new().write(true)).open(folder.join("notices.lock"))?;
        File::lock(&lock)?; // until it is dropped
        let mut book = self.read()?;
        let before = serde_json::to_string(&book)?;
        change(&mut book);
        let after = serde_json::to_string(&book)?;
        if after == before {
            return Ok(());
        }
        let temp = folder.join("notices.json.new");
        super::private(OpenOptions::new().write(true).truncate(true))
            .open(&temp)?
            .write_all(after.as_bytes())?;
        std::fs::rename(temp, path)
    }
}

#[cfg(test)]
mod tests {
    use super::{Heard, KEPT, Notices};

    fn numbers(notices: &Notices, agent: &str, acknowledged: Option<u64>) -> Vec<u64> {
        let open = notices.deliver(agent, acknowledged).unwrap();
        open.iter().map(|notice| notice.number).collect()
    }

    fn did(text: &str) -> Vec<(String, String)> {
        vec![("T-1".to_owned(), text.to_owned())]
    }

    #[test]
    fn notices_come_again_until_they_are_acknowledged() {
        let folder = tempfile::tempdir().unwrap();
        let notices = Notices::new(Some(&folder.path().join("list")));
        notices.add(did("before anybody listened"), 1).unwrap();
        assert_eq!(notices.heard("atlas").unwrap(), Heard::DoesNotUseTools);
        assert_eq!(numbers(&notices, "atlas", None), [] as [u64; 0]);
        notices.add(did("raised"), 2).unwrap();
        notices.add(did("unblocked"), 3).unwrap();
        assert_eq!(notices.heard("atlas").unwrap(), Heard::Waiting);
        assert_eq!(numbers(&notices, "atlas", None), [2, 3]);
        assert_eq!(notices.heard("atlas").unwrap(), Heard::Delivered);
        assert_eq!(numbers(&notices, "atlas", Some(2)), [3]);
        assert_eq!(numbers(&notices, "hera", None), [] as [u64; 0]);
        assert_eq!(numbers(&notices, "atlas", Some(3)), [] as [u64; 0]);
        assert_eq!(notices.heard("atlas").unwrap(), Heard::Acknowledged);
    }

    #[test]
    fn what_was_not_delivered_cannot_be_acknowledged() {
        let folder = tempfile::tempdir().unwrap();
        let notices = Notices::new(Some(folder.path()));
        assert_eq!(numbers(&notices, "atlas", Some(99)), [] as [u64; 0]);
        notices.add(did("raised"), 1).unwrap();
        assert_eq!(numbers(&notices, "atlas", Some(99)), [1]);
    }

    #[test]
    fn old_ones_go_and_numbers_stay() {
        let folder = tempfile::tempdir().unwrap();
        let notices = Notices::new(Some(folder.path()));
        numbers(&notices, "atlas", None);
        for _ in 0..=KEPT {
            notices.add(did("moved"), 1).unwrap();
        }
        let kept = numbers(&notices, "atlas", None);
        assert_eq!((kept.len(), kept[0]), (KEPT, 2));
    }

    #[test]
    fn without_a_home_nothing_is_kept_and_nothing_fails() {
        let notices = Notices::new(None);
        notices.add(did("raised"), 1).unwrap();
        assert_eq!(numbers(&notices, "atlas", None), [] as [u64; 0]);
    }
}
