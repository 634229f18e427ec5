use std::collections::HashSet;

use super::{Model, Tone};
use crate::list::{Delta, EventKind, FileChange, FileContent, List};
use crate::task::{State, TaskId};

/// So many events are remembered, the latest ones.
const REMEMBERED: usize = 500;

/// What happened to a task while the board was open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// To which task.
    pub id: TaskId,
    /// What.
    pub kind: EventKind,
    /// From what to what, or which fields, in words; empty where the kind says it all.
    pub change: String,
    /// When, in milliseconds since the epoch.
    pub at_ms: i64,
}

/// What changed while nobody looked: the terminal had not the focus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Away {
    /// Nobody looks now.
    pub away: bool,
    /// The tasks that changed, in order, each once.
    pub changed: Vec<TaskId>,
    /// The same, to be looked up.
    known: HashSet<TaskId>,
    /// How many of them were stepped through.
    pub seen: usize,
}

impl Model {
    /// The files that agents wrote: taken over, unless the picture is to hold still.
    pub(super) fn hear(&mut self, files: Vec<FileChange>) {
        if let Some(held) = &mut self.frozen {
            for file in files.into_iter().filter(|f| !is_known(&self.list, f)) {
                held.retain(|earlier| earlier.name != file.name);
                held.push(file);
            }
            return;
        }
        let Some(delta) = self.take_files(files) else {
            return;
        };
        let newest = delta
            .events
            .iter()
            .rfind(|event| self.list.get(&event.id).is_some());
        if let (true, Some(event)) = (self.follow && self.layers.is_empty(), newest) {
            self.select(&event.id.clone());
        }
        if self.away.away {
            for event in &delta.events {
                if self.away.known.insert(event.id.clone()) {
                    self.away.changed.push(event.id.clone());
                }
            }
        }
    }

    /// The person looks elsewhere. What changed before and was not stepped through yet stays.
    pub(super) fn look_away(&mut self) {
        self.away.away = true;
    }

    /// Selects the next task that changed while nobody looked.
    pub(super) fn step_through_changes(&mut self) {
        while let Some(id) = self.away.changed.get(self.away.seen).cloned() {
            self.away.seen += 1;
            self.away.known.remove(&id); // it may change again while nobody looks
            if self.list.get(&id).is_some() {
                self.select(&id);
                let left = self.away.changed.len() - self.away.seen;
                self.say(
                    Tone::Done,
                    format!("{left} more changed while you looked away"),
                );
                return;
            }
        }
        self.away = Away::default();
        self.say(
            Tone::Done,
            "that was all that changed while you looked away",
        );
    }

    pub(super) fn toggle_follow(&mut self) {
        self.follow = !self.follow;
        let text = if self.follow {
            "the selection follows what changes"
        } else {
            "the selection stays"
        };
        self.say(Tone::Done, text);
    }

    /// Holds the picture still, or lets it go on with all that was held back.
    pub(super) fn toggle_freeze(&mut self) {
        match self.frozen.take() {
            None => self.frozen = Some(Vec::new()),
            Some(held) => self.hear(held),
        }
    }

    /// Remembers what happened, for the details and for what is usual here.
    pub(super) fn remember_events(&mut self, delta: &Delta) {
        for event in &delta.events {
            let change = match (event.kind, &event.from, &event.to) {
                (EventKind::Updated, ..) => event.fields_in_words(),
                (_, Some(from), Some(to)) => format!("{from} → {to}"),
                _ => String::new(),
            };
            self.happened.push(Happened {
                id: event.id.clone(),
                kind: event.kind,
                change,
                at_ms: self.now_ms,
            });
        }
        for event in &delta.events {
            if matches!(event.kind, EventKind::Unblocked | EventKind::Blocked) {
                self.turned.insert(event.id.clone(), self.now_ms);
            }
        }
        let surplus = self.happened.len().saturating_sub(REMEMBERED);
        self.happened.drain(..surplus);
        let finished = delta
            .restated
            .iter()
            .filter(|(_, from, to)| (*from, *to) == (State::InProgress, State::Completed));
        for (id, ..) in finished {
            if let Some(since) = self.state.since(id).filter(|since| !since.at_least) {
                self.times_seen.push(self.now_ms - since.ms);
            }
        }
        let surplus = self.times_seen.len().saturating_sub(REMEMBERED);
        self.times_seen.drain(..surplus);
    }
}

/// Whether the list has a file's content already: the echo of what was written here.
fn is_known(list: &List, file: &FileChange) -> bool {
    match &file.content {
        FileContent::Task(task) => list.get(&task.id).is_some_and(|t| t.raw == task.raw),
        FileContent::Broken { .. } | FileContent::Gone => false,
    }
}
