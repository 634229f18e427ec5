use super::{List, Refusal, RefusalCode};
use crate::task::{Task, TaskId};
use crate::text::count;

/// How a text is matched with ids (DESIGN decision 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolve {
    /// The id itself: agents' tools, and numbered lists everywhere.
    Exact,
    /// Also a unique prefix of an OmO id: people on the command line and in the board.
    Prefix,
}

/// The fewest characters after `T-` that make a prefix.
const SHORTEST_PREFIX: usize = 6;

impl List {
    /// Finds the task that a text names.
    ///
    /// # Errors
    /// `InvalidTaskId` when the text can be no id, `AmbiguousId` with the candidates when a prefix
    /// fits several, `Unreadable` when the file is there but broken, else `TaskNotFound`.
    pub fn resolve(&self, text: &str, how: Resolve) -> Result<TaskId, Refusal> {
        self.dialect
            .check_id(text)
            .map_err(|invalid| Refusal::new(RefusalCode::InvalidTaskId, invalid.to_string()))?;
        let id = TaskId::new(text);
        match self.get(&id) {
            Some(task) => Ok(task.id.clone()),
            None if self.is_unreadable(&id) => Err(self.unreadable(&id)),
            None if how == Resolve::Prefix => self.resolve_prefix(text),
            None => Err(not_found(text)),
        }
    }

    fn resolve_prefix(&self, text: &str) -> Result<TaskId, Refusal> {
        let long_enough = text.len() >= "T-".len() + SHORTEST_PREFIX;
        if self.dialect.is_numbered() || !long_enough {
            return Err(not_found(text));
        }
        let fits = self
            .tasks()
            .map(|task| &task.id)
            .filter(|id| id.as_str().starts_with(text));
        let fits: Vec<TaskId> = fits.cloned().collect();
        match fits.as_slice() {
            [] => Err(not_found(text)),
            [one] => Ok(one.clone()),
            several => {
                let names: Vec<&str> = several.iter().take(8).map(TaskId::as_str).collect();
                let what = format!(
                    "{text} fits {}: {}",
                    count(several.len(), "task"),
                    names.join(", ")
                );
                let refusal = Refusal::new(RefusalCode::AmbiguousId, what);
                Err(refusal.hint("give more characters of the id").path(fits))
            }
        }
    }

    /// The task that somebody typed: by its id, or by a part of the subject that only one open task
    /// has. For people only; what agents write is taken to the letter.
    ///
    /// # Errors
    /// Like [`List::resolve`]; also when several subjects hold the text.
    pub fn resolve_typed(&self, text: &str) -> Result<TaskId, Refusal> {
        let by_id = self.resolve(text, Resolve::Prefix);
        let Err(refusal) = by_id else { return by_id };
        let part = text.to_lowercase();
        let open = self.tasks().filter(|task| !task.status.is_closed());
        let mut named = open.filter(|task| task.subject.to_lowercase().contains(&part));
        match (named.next(), named.next()) {
            (Some(only), None) => Ok(only.id.clone()),
            (Some(_), Some(_)) => {
                let what = format!("several open tasks have {text:?} in their subject");
                Err(Refusal::new(RefusalCode::AmbiguousId, what).hint("tab completes a name"))
            }
            (None, _) => Err(refusal),
        }
    }

    /// What somebody may have meant by a text that names no task: the one whose id goes on like it
    /// without the `T-`, or the only open one with it in its subject.
    pub fn suggestion(&self, text: &str) -> Option<&Task> {
        if text.trim().is_empty() {
            return None;
        }
        let by_id = self.resolve_prefix(&format!("T-{text}"));
        let id = by_id.or_else(|_| self.resolve_typed(text)).ok()?;
        self.get(&id).map(AsRef::as_ref)
    }

    /// The refusal for a task whose file cannot be read; it says why.
    pub(super) fn unreadable(&self, id: &TaskId) -> Refusal {
        let file = format!("{id}.json");
        let why = self
            .broken
            .get(&file)
            .map_or("its file cannot be read", |p| p.message.as_str());
        Refusal::new(RefusalCode::Unreadable, format!("{file}: {why}"))
            .hint("repair the file first; taskdeck never overwrites what it cannot read")
    }
}

/// The refusal for an id that no file has.
pub(super) fn not_found(id: &str) -> Refusal {
    Refusal::new(RefusalCode::TaskNotFound, format!("there is no task {id}"))
        .hint("`taskdeck list --all` shows every id")
}
