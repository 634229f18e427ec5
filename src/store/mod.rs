//! The only room that touches task files: reads a folder of them, watches nothing unasked, and
//! writes what a plan says under the lock that the agents respect.
//!
//! Looking never writes (DESIGN decision 1). A write changes what was asked and nothing else, in
//! a form that the agent's own reader accepts.

mod clock;
mod commit;
mod dialect;
mod error;
mod folder;
mod json;
mod load;
mod lock;
mod mark;
mod parse;
mod schema;
mod sniff;
mod temp;
#[cfg(test)]
mod tests;

pub mod discover;
pub mod doctor;
pub mod watch;

mod claude;
mod omo;
mod omo_team;

pub use clock::Clock;
pub use commit::Committed;
pub use error::{CommitError, StoreError};
pub use json::Fault;
#[cfg(any(test, fuzzing))]
pub use json::fuzz;
pub use lock::LockHolder;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::list::{FileChange, List, Needs, Op, Plan, plan};
use crate::task::Dialect;
use dialect::rules;
use folder::Folder;
use lock::Waiting;

/// How a store behaves.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long a busy lock is waited for (`--lock-timeout`); 5 s.
    pub lock_timeout: Duration,
    /// Refuses every write.
    pub read_only: bool,
    /// Where the time of day comes from; locks are stamped with it.
    pub clock: Clock,
    /// The age from which a lock may be taken over; `None` is the dialect's own, which agents
    /// share. For tests.
    pub stale: Option<Duration>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            lock_timeout: Duration::from_secs(5),
            read_only: false,
            clock: Clock::system(),
            stale: None,
        }
    }
}

/// One task list on disk. Cheap to clone; holds no file open and keeps no state of the tasks.
#[derive(Debug, Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    dir: PathBuf,
    dialect: Dialect,
    read_only: bool,
    waiting: Waiting,
}

impl Store {
    /// Opens the list in `dir`, which need not be there yet. Without `dialect` it is told from
    /// the files: the majority counts, an empty folder follows its place (`.omo/tasks` and so on),
    /// else it is OmO's.
    ///
    /// # Errors
    /// When `dir` is no folder or cannot be read.
    pub fn open(
        dir: &Path,
        dialect: Option<Dialect>,
        options: Options,
    ) -> Result<Store, StoreError> {
        let sniffed = sniff::sniff(dir)?;
        let inner = Inner {
            dir: dir.to_owned(),
            dialect: dialect.unwrap_or(sniffed),
            read_only: options.read_only,
            waiting: Waiting {
                timeout: options.lock_timeout,
                stale: options.stale,
                clock: options.clock,
                given_up: Arc::default(),
            },
        };
        Ok(Store {
            inner: Arc::new(inner),
        })
    }

    /// The list's folder, as given.
    pub fn dir(&self) -> &Path {
        &self.inner.dir
    }

    /// Whose files these are.
    pub fn dialect(&self) -> Dialect {
        self.inner.dialect
    }

    /// Whether every write is refused.
    pub fn is_read_only(&self) -> bool {
        self.inner.read_only
    }

    /// One sentence for people when the folder holds files of another dialect too.
    /// Reads every name of the folder.
    pub fn note(&self) -> Option<String> {
        sniff::note(&self.inner.dir, self.inner.dialect)
    }

    /// Reads every file of the folder, on all cores; nothing when there is no folder yet.
    ///
    /// # Errors
    /// When the folder cannot be read. Files that cannot are part of the answer.
    pub fn load_files(&self) -> Result<Vec<FileChange>, StoreError> {
        load::load(&self.folder())
    }

    /// Reads the whole list.
    ///
    /// # Errors
    /// When the folder cannot be read. Files that cannot are problems of the list.
    pub fn load(&self) -> Result<List, StoreError> {
        let mut list = List::from_files(self.dialect(), self.load_files()?);
        if self.dialect().is_numbered() {
            list.set_high_water_mark(mark::read(self.dir()));
        }
        Ok(list)
    }

    /// Plans a wish on the list as it is on disk, and carries it out.
    ///
    /// # Errors
    /// Like [`Store::commit`].
    pub fn act(&self, op: Op) -> Result<Committed, CommitError> {
        let plan = self.plan(&op, &|_| {})?;
        self.commit(plan)
    }

    /// Carries a plan out (DESIGN decision 5): as it is when the disk is still as the plan saw it,
    /// else made anew on what is there now.
    ///
    /// # Errors
    /// When the wish is refused, the lock stays busy for longer than the timeout, or the disk
    /// refuses. Nothing is changed then, but for [`CommitError::Torn`].
    pub fn commit(&self, plan: Plan) -> Result<Committed, CommitError> {
        self.commit_with(plan, |_| {})
    }

    /// Carries a plan out once; `None` when the disk is not as the plan saw it, and nothing is
    /// changed then. For callers who know the list and plan anew themselves.
    ///
    /// # Errors
    /// Like [`Store::commit`].
    pub fn try_commit(&self, plan: Plan) -> Result<Option<Committed>, CommitError> {
        if self.is_read_only() && !plan.changes.is_empty() {
            return Err(CommitError::ReadOnly);
        }
        commit::once(&self.folder(), plan)
    }

    /// Like [`Store::commit`]; a list that is read to make the plan anew goes through `prepare`
    /// first, which gives it what the files do not say: when its tasks were first seen.
    ///
    /// # Errors
    /// Like [`Store::commit`].
    pub fn commit_with(
        &self,
        plan: Plan,
        prepare: impl Fn(&mut List),
    ) -> Result<Committed, CommitError> {
        if self.is_read_only() && !plan.changes.is_empty() {
            return Err(CommitError::ReadOnly);
        }
        commit::commit(&self.folder(), plan, |op| self.plan(op, &prepare))
    }

    fn plan(&self, op: &Op, prepare: &dyn Fn(&mut List)) -> Result<Plan, CommitError> {
        let list = match op.needs() {
            Needs::Nothing => List::new(self.dialect()),
            Needs::Everything => {
                let mut list = self.load()?;
                prepare(&mut list);
                list
            }
        };
        Ok(plan(&list, op.clone())?)
    }

    /// Reads these names of the folder again, and nothing else.
    pub fn read(&self, names: &[String]) -> Vec<FileChange> {
        load::read(&self.folder(), names)
    }

    /// What a file of this name and content is to the list; touches no disk. `mtime_ms` is when
    /// it was written, in milliseconds since the epoch.
    pub fn parse_file(&self, name: &str, bytes: &[u8], mtime_ms: Option<i64>) -> FileChange {
        FileChange {
            name: name.to_owned(),
            content: self.folder().named(name, bytes, mtime_ms),
        }
    }

    /// Reads the files whose names are not known yet: new tasks, without reading the old ones.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn read_unknown(
        &self,
        known: impl Fn(&str) -> bool,
    ) -> Result<Vec<FileChange>, StoreError> {
        load::unknown(&self.folder(), known)
    }

    /// Lets nobody wait for a lock any more, in this store and its clones: the process is about to
    /// end, and those who wait clear away what they prepared.
    pub fn give_up_waiting(&self) {
        self.inner.waiting.given_up.store(true, Ordering::Relaxed);
    }

    /// Who holds the list's lock now, if anybody.
    pub fn lock_holder(&self) -> Option<LockHolder> {
        rules(self.dialect()).holder(self.dir(), &self.inner.waiting)
    }

    fn folder(&self) -> Folder<'_> {
        Folder {
            dir: &self.inner.dir,
            dialect: self.inner.dialect,
            waiting: &self.inner.waiting,
        }
    }
}
