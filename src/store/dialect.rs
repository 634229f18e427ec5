//! What differs between the dialects: schema, names, creation, lock. One file per dialect
//! implements [`Rules`]; everything else in this room is the same for all.

use std::path::Path;

use super::json::Object;
use super::lock::{Held, LockError, Waiting};
use super::{claude, omo, omo_team};
use crate::task::{Dialect, NewTask, TaskId};

/// The files of a commit that a lock must cover.
#[expect(
    dead_code,
    reason = "OmO locks the whole list; the dialects with locks per task look at it"
)]
pub(super) struct Scope<'a> {
    /// Files that are changed or removed.
    pub(super) changed: &'a [TaskId],
    /// Whether files are created or removed, so that the list itself changes.
    pub(super) list: bool,
}

/// One dialect's own rules.
pub(super) trait Rules: Sync {
    /// Why the agent's own reader treats the file as absent; empty when it sees it.
    fn faults(&self, object: &Object<'_>) -> Vec<String>;

    /// The schema's keys in file order.
    fn order(&self) -> &'static [&'static str];

    /// Whether a name that ends in `.json` and is no id was perhaps meant as a task.
    fn looks_like_task(&self, stem: &str) -> bool;

    /// Whether this is the name of a temp file that the dialect's own program leaves when it
    /// crashes.
    fn is_temp(&self, name: &str) -> bool;

    /// Who holds the list's lock, by the dialect's rule.
    fn holder(&self, dir: &Path, waiting: &Waiting) -> Option<super::LockHolder>;

    /// The file of a new task, byte for byte as the dialect's own program writes it. `None` while
    /// taskdeck cannot write this dialect.
    fn create(&self, id: &TaskId, task: &NewTask) -> Option<Vec<u8>>;

    /// Takes the locks that cover `scope`, all of them before it returns.
    fn lock(
        &self,
        dir: &Path,
        scope: &Scope<'_>,
        waiting: &Waiting,
    ) -> Result<Box<dyn Held>, LockError>;
}

/// The rules of a dialect.
pub(super) fn rules(dialect: Dialect) -> &'static dyn Rules {
    match dialect {
        Dialect::Omo => &omo::Omo,
        Dialect::OmoTeam => &omo_team::OmoTeam,
        Dialect::Claude => &claude::Claude,
    }
}
