use std::collections::HashMap;
use std::sync::Arc;

use crate::list::{FileChange, FileContent};
use crate::task::Problem;

use super::stamp::Stamp;
use super::worker::is_task_file;

/// What was told about each name, and how its directory entry looked at that time.
#[derive(Debug, Default)]
pub(super) struct Seen {
    names: HashMap<String, Entry>,
}

#[derive(Debug)]
struct Entry {
    stamp: Option<Stamp>,
    told: Told,
}

/// The content as it was told last.
#[derive(Debug, PartialEq)]
enum Told {
    /// There since before the watcher, and not read by it yet.
    Nothing,
    Task(Arc<[u8]>),
    Broken(Box<Problem>),
    Gone,
}

impl Told {
    fn of(content: &FileContent) -> Told {
        match content {
            FileContent::Task(task) => Told::Task(task.raw.clone()),
            FileContent::Broken { problem, .. } => Told::Broken(Box::new(problem.clone())),
            FileContent::Gone => Told::Gone,
        }
    }
}

impl Seen {
    /// Notes which names are there, so that it can be told when they go.
    pub(super) fn note_names(&mut self, names: Vec<String>) {
        let unread = |name| {
            let entry = Entry {
                stamp: None,
                told: Told::Nothing,
            };
            (name, entry)
        };
        self.names.extend(names.into_iter().map(unread));
    }

    /// Notes how what is there looks, without having read it. What was told since stays as it was
    /// told.
    pub(super) fn note(&mut self, survey: HashMap<String, Stamp>) {
        for (name, stamp) in survey {
            let entry = self.names.entry(name).or_insert(Entry {
                stamp: None,
                told: Told::Nothing,
            });
            if entry.told == Told::Nothing {
                entry.stamp = Some(stamp);
            }
        }
    }

    /// Whether a change says something new. Tasks are compared by their bytes.
    pub(super) fn is_news(&self, change: &FileChange) -> bool {
        let told = Told::of(&change.content);
        match self.names.get(&change.name) {
            Some(entry) => entry.told != told,
            // A task that came and went may have been loaded in between.
            None => told != Told::Gone || is_task_file(&change.name),
        }
    }

    /// Notes what is told about a name; the stamp is from before it was read.
    pub(super) fn tell(&mut self, change: &FileChange, stamp: Option<Stamp>) {
        let told = Told::of(&change.content);
        self.names
            .insert(change.name.clone(), Entry { stamp, told });
    }

    /// Notes that a name was read and says nothing new.
    pub(super) fn still(&mut self, name: &str, stamp: Option<Stamp>) {
        if let Some(entry) = self.names.get_mut(name) {
            entry.stamp = stamp;
        }
    }

    /// The names whose directory entries differ from what was read, those that went included.
    pub(super) fn differing(&self, survey: &HashMap<String, Stamp>) -> Vec<String> {
        let unread = survey.iter().filter(|(name, now)| {
            let before = self.names.get(*name).and_then(|entry| entry.stamp);
            !before.is_some_and(|before| before.still_holds(now))
        });
        let went = self
            .names
            .iter()
            .filter(|(name, entry)| entry.told != Told::Gone && !survey.contains_key(*name));
        let unread = unread.map(|(name, _)| name.clone());
        unread.chain(went.map(|(name, _)| name.clone())).collect()
    }
}
