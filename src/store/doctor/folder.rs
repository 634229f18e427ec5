//! What only the folder shows, and the clearing of what writers left behind in it.

use std::fs;
use std::io;
use std::path::Path;

use super::super::dialect::{Scope, rules};
use super::super::error::CommitError;
use super::super::lock::LockHolder;
use super::super::{Store, mark};
use super::{Cure, Finding, Severity};
use crate::list::List;
use crate::task::{Dialect, TaskId};

/// What only a look at the folder tells. The default knows nothing and finds nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Task locks whose holder is gone.
    pub dead_locks: Vec<TaskLock>,
    /// The number in `.highwatermark`, as OmO team mode reads it; `None` where it is not asked.
    pub mark: Option<u64>,
    /// That the folder holds files of another dialect too, in words.
    pub mixed: Option<String>,
}

/// A task's lock whose holder is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskLock {
    /// Its name in the list's folder.
    pub file: String,
    /// The task.
    pub task: TaskId,
    /// Who left it.
    pub holder: LockHolder,
}

impl Facts {
    pub(super) fn findings(&self, list: &List) -> Vec<Finding> {
        let agent = list.dialect().agent();
        let lock = |lock: &TaskLock| Finding {
            severity: Severity::Warning,
            code: "lock_stale",
            file: lock.file.clone(),
            at: None,
            task: list.get(&lock.task).map(|task| task.id.clone()),
            what: format!("{} left the lock of a task", lock.holder.description),
            meaning: format!("{agent} waits for it, or fails, until it is old enough"),
            advice: "clear the lock".to_owned(),
            cure: Some(Cure::ClearLock(Some(lock.task.clone()))),
        };
        let mut findings: Vec<Finding> = self.dead_locks.iter().map(lock).collect();
        findings.extend(self.mark.and_then(|mark| behind(list, mark)));
        findings.extend(self.mixed.as_ref().map(|note| Finding {
            severity: Severity::Warning,
            code: "mixed_dialects",
            file: ".".to_owned(),
            at: None,
            task: None,
            what: note.clone(),
            meaning: "the programs' locks do not exclude each other".to_owned(),
            advice: "give each program a folder of its own".to_owned(),
            cure: None,
        }));
        findings
    }
}

/// OmO team mode gives the number after the mark, whatever files there are.
fn behind(list: &List, mark: u64) -> Option<Finding> {
    let numbers = list.tasks().filter_map(|task| task.id.number());
    let highest = numbers.max().filter(|highest| *highest > mark)?;
    let next = mark + 1;
    let agent = list.dialect().agent();
    Some(Finding {
        severity: Severity::Error,
        code: "mark_behind",
        file: ".highwatermark".to_owned(),
        at: None,
        task: None,
        what: format!("the mark says {mark}, but there is a task {highest}"),
        meaning: format!(
            "{agent} gives the number {next} next, and overwrites a task of that number"
        ),
        advice: format!("raise the mark to {highest} (it is never lowered again)"),
        cure: Some(Cure::RaiseMark(highest)),
    })
}

impl Store {
    /// What only a look at the folder tells the doctor.
    pub fn facts(&self) -> Facts {
        let dialect = self.dialect();
        let waiting = &self.inner.waiting;
        let locks = rules(dialect).task_locks(self.dir(), waiting).into_iter();
        Facts {
            dead_locks: locks.filter(|lock| lock.holder.stale).collect(),
            mark: (dialect == Dialect::OmoTeam).then(|| mark::read(self.dir()).unwrap_or(0)),
            mixed: self.note(),
        }
    }

    /// Clears a dead lock in the one way that is safe: it is taken over as its dialect allows, and
    /// given back. A lock that came to life meanwhile is waited for instead.
    ///
    /// # Errors
    /// When it is held, or the system refuses.
    pub fn clear_lock(&self, task: Option<&TaskId>) -> Result<(), CommitError> {
        if self.is_read_only() {
            return Err(CommitError::ReadOnly);
        }
        let changed: Vec<TaskId> = task.into_iter().cloned().collect();
        let scope = Scope {
            changed: &changed,
            list: task.is_none(),
        };
        rules(self.dialect()).lock(self.dir(), &scope, &self.inner.waiting)?;
        Ok(())
    }

    /// Raises the mark of a numbered list, under the lock of the list.
    ///
    /// # Errors
    /// When the lock is held, or the system refuses.
    pub fn raise_mark(&self, number: u64) -> Result<(), CommitError> {
        if self.is_read_only() {
            return Err(CommitError::ReadOnly);
        }
        let scope = Scope {
            changed: &[],
            list: true,
        };
        let _held = rules(self.dialect()).lock(self.dir(), &scope, &self.inner.waiting)?;
        let path = self.dir().to_owned();
        mark::raise(self.dir(), number).map_err(|source| CommitError::Io { path, source })
    }

    /// Moves a left temp file out of the list's folder into `keep`.
    ///
    /// # Errors
    /// When the name is no temp file's, or the system refuses.
    pub fn clear_temp(&self, name: &str, keep: &Path) -> Result<(), CommitError> {
        if self.is_read_only() {
            return Err(CommitError::ReadOnly);
        }
        let path = self.dir().join(name);
        if !self.folder().is_temp(name) {
            let reason = "it is no temp file".to_owned();
            return Err(CommitError::Unfit { path, reason });
        }
        fs::create_dir_all(keep)
            .and_then(|()| move_file(&path, &keep.join(name)))
            .map_err(|source| CommitError::Io { path, source })
    }

    /// Brings temp files that were cleared back, those whose names are free; how many.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn bring_back(&self, kept: &Path) -> io::Result<usize> {
        let mut back = 0;
        for entry in fs::read_dir(kept)? {
            let entry = entry?;
            let target = self.dir().join(entry.file_name());
            if fs::symlink_metadata(&target).is_err() {
                move_file(&entry.path(), &target)?;
                back += 1;
            }
        }
        let _ = fs::remove_dir(kept); // not empty when a name was taken
        Ok(back)
    }
}

/// Across file systems too, with its time: what was left long ago stays so.
fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    let modified = fs::metadata(from)?.modified()?;
    fs::copy(from, to)?;
    fs::File::options()
        .write(true)
        .open(to)?
        .set_modified(modified)?;
    fs::remove_file(from)
}
