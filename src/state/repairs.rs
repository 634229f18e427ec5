//! The doctor's repairs of a list, kept so that the last can be taken back, and the clearing of
//! what writers left behind: what is taken out of the list's folder is kept here.

use std::path::PathBuf;
use std::sync::Arc;

use super::{KeptEdit, ListState};
use crate::list::{Op, Plan};
use crate::store::doctor::{Cure, Finding};
use crate::store::{CommitError, Store};
use crate::task::Dialect;

/// One repair per line, oldest first.
const FILE: &str = "repairs";

/// The repairs of one list.
#[derive(Debug, Clone)]
pub struct Repairs(ListState);

impl Repairs {
    /// Those of the list that this state is about.
    pub fn of(state: &ListState) -> Repairs {
        Repairs(state.beside())
    }

    /// All that are kept, oldest first. A line that cannot be read is skipped.
    pub fn all(&self, dialect: Dialect) -> Vec<KeptEdit> {
        self.0.kept(FILE, dialect)
    }

    /// Keeps repairs, the latest ones of them, in place of those that were kept.
    pub fn keep<'a>(&self, repairs: impl Iterator<Item = &'a KeptEdit>) {
        self.0.keep(FILE, repairs);
    }

    /// Adds a repair; `plan` is what it did to task files, if it did anything to them.
    pub fn add(&self, dialect: Dialect, plan: Option<Plan>, what: String, at_ms: i64) {
        let nothing = || Plan {
            op: Op::All(Vec::new()),
            changes: Vec::new(),
            relied_on: Vec::new(),
            subjects: Vec::new(),
            warnings: Vec::new(),
        };
        let repair = KeptEdit {
            plan: Arc::new(plan.unwrap_or_else(nothing)),
            what,
            at_ms,
            undone: false,
        };
        let mut repairs = self.all(dialect);
        repairs.push(repair);
        self.keep(repairs.iter());
    }

    /// Where the files are kept that a repair of this time took out of the list's folder; `None`
    /// without a home.
    pub fn folder(&self, at_ms: i64) -> Option<PathBuf> {
        let folder = self.0.folder()?;
        Some(folder.join("removed").join(at_ms.to_string()))
    }

    /// What [`Repairs::clear`] would do about a finding, in words; `None` where it does nothing.
    pub fn would_clear(&self, finding: &Finding, at_ms: i64) -> Option<String> {
        let file = &finding.file;
        match finding.cure.as_ref()? {
            Cure::ClearLock(_) => Some(format!("{file}: clear the dead lock")),
            Cure::ClearTemp => {
                let folder = self.folder(at_ms)?;
                Some(format!("{file}: move to {}", folder.display()))
            }
            Cure::RaiseMark(number) => Some(format!("{file}: raise the mark to {number}")),
            Cure::Edit(_) => None,
        }
    }

    /// Clears what a writer left behind: a dead lock, a temp file, a mark that is behind. Cures
    /// that are edits of task files are none of these. A repair of the same time must have been
    /// added, for the files to come back with it.
    ///
    /// # Errors
    /// When a lock is held, or the system refuses.
    pub fn clear(&self, store: &Store, finding: &Finding, at_ms: i64) -> Result<(), CommitError> {
        match &finding.cure {
            Some(Cure::ClearLock(task)) => store.clear_lock(task.as_ref()),
            Some(Cure::ClearTemp) => match self.folder(at_ms) {
                Some(folder) => store.clear_temp(&finding.file, &folder),
                None => Ok(()), // there is nowhere to keep it
            },
            Some(Cure::RaiseMark(number)) => store.raise_mark(*number),
            Some(Cure::Edit(_)) | None => Ok(()),
        }
    }
}
