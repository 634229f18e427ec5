//! Claude Code: `<n>.json`, proper-lockfile folders.

use std::io;
use std::path::Path;

use super::dialect::{Numbers, Rules, Scope, is_temp_of_a_number, stringify, value};
use super::doctor::TaskLock;
use super::json::Object;
use super::lock::{self, Held, LockError, Waiting};
use super::mark;
use super::schema::{self, Key, KeyFault, Kind, optional, required};
use crate::task::{NewTask, TaskId};

/// The schema in the order in which Claude Code writes its keys; it ignores unknown ones.
const KEYS: [Key; 9] = [
    required("id", Kind::Text),
    required("subject", Kind::Text),
    required("description", Kind::Text),
    optional("activeForm", Kind::Text),
    optional("owner", Kind::Text),
    required("status", Kind::OneOf(&STATUSES)),
    required("blocks", Kind::TextList),
    required("blockedBy", Kind::TextList),
    optional("metadata", Kind::Object),
];

const STATUSES: [&str; 3] = ["pending", "in_progress", "completed"];

const ORDER: [&str; 9] = schema::names(&KEYS);

/// The rules of Claude Code.
pub(super) struct Claude;

impl Rules for Claude {
    fn faults(&self, object: &Object<'_>) -> Vec<KeyFault> {
        schema::faults(object, &KEYS, false)
    }

    fn order(&self) -> &'static [&'static str] {
        &ORDER
    }

    fn looks_like_task(&self, _: &str) -> bool {
        true // Claude Code lists every *.json
    }

    fn is_temp(&self, name: &str) -> bool {
        is_temp_of_a_number(name)
    }

    fn holder(&self, dir: &Path, waiting: &Waiting) -> Option<super::LockHolder> {
        lock::claude::holder(dir, waiting)
    }

    fn task_locks(&self, dir: &Path, waiting: &Waiting) -> Vec<TaskLock> {
        lock::claude::task_locks(dir, waiting)
    }

    fn create(&self, id: &TaskId, task: &NewTask, _: i64) -> Vec<u8> {
        stringify(ORDER.map(|key| (key, value(id, task, key)))).into_bytes()
    }

    /// Claude Code raises the mark when it deletes, not when it creates.
    fn count(&self, dir: &Path, numbers: &Numbers) -> io::Result<bool> {
        mark::count(dir, &numbers.created, numbers.removed.iter().max())
    }

    fn lock(
        &self,
        dir: &Path,
        scope: &Scope<'_>,
        waiting: &Waiting,
    ) -> Result<Box<dyn Held>, LockError> {
        Ok(Box::new(lock::claude::take(dir, scope, waiting)?))
    }
}
