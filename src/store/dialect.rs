//! What differs between the dialects: schema, names, creation, lock. One file per dialect
//! implements [`Rules`]; everything else in this room is the same for all.

use std::io;
use std::path::Path;

use super::doctor::TaskLock;
use super::json::{Fault, Object, Style, print};
use super::lock::{Held, LockError, Waiting};
use super::schema::KeyFault;
use super::{claude, omo, omo_team};
use crate::task::{Dialect, Json, NewTask, Patch, TaskId};

/// The files of a commit that a lock must cover.
pub(super) struct Scope<'a> {
    /// Files that are changed or removed.
    pub(super) changed: &'a [TaskId],
    /// Whether files are created or removed, so that the list itself changes.
    pub(super) list: bool,
}

impl Scope<'_> {
    /// The changed tasks, each once, in the order in which their locks are taken.
    pub(super) fn in_order(&self) -> Vec<&TaskId> {
        let mut ids: Vec<&TaskId> = self.changed.iter().collect();
        ids.sort_by_key(|id| (id.number(), id.as_str()));
        ids.dedup();
        ids
    }
}

/// The numbers that a commit gives and takes away.
#[derive(Default)]
pub(super) struct Numbers {
    /// Of the tasks that it creates.
    pub(super) created: Vec<u64>,
    /// Of the tasks whose files it removes.
    pub(super) removed: Vec<u64>,
}

/// One dialect's own rules.
pub(super) trait Rules: Sync {
    /// Why the agent's own reader treats the file as absent; empty when it sees it.
    fn faults(&self, object: &Object<'_>) -> Vec<KeyFault>;

    /// The schema's keys in file order.
    fn order(&self) -> &'static [&'static str];

    /// Whether a name that ends in `.json` and is no id was perhaps meant as a task.
    fn looks_like_task(&self, stem: &str) -> bool;

    /// Whether this is the name of a temp file that the dialect's own program leaves when it
    /// crashes.
    fn is_temp(&self, name: &str) -> bool;

    /// Who holds the list's lock, by the dialect's rule.
    fn holder(&self, dir: &Path, waiting: &Waiting) -> Option<super::LockHolder>;

    /// The locks of single tasks that are there now.
    fn task_locks(&self, dir: &Path, waiting: &Waiting) -> Vec<TaskLock> {
        let _ = (dir, waiting);
        Vec::new()
    }

    /// The file of a new task, byte for byte as the dialect's own program writes it.
    fn create(&self, id: &TaskId, task: &NewTask, now_ms: i64) -> Vec<u8>;

    /// What a file that `patch` has changed must say besides.
    fn touch(&self, bytes: Vec<u8>, patch: &Patch, now_ms: i64) -> Result<Vec<u8>, Fault> {
        let _ = (patch, now_ms);
        Ok(bytes)
    }

    /// Under the lock, before the first write: false when a number is not free any more.
    fn count(&self, dir: &Path, numbers: &Numbers) -> io::Result<bool> {
        let _ = (dir, numbers);
        Ok(true)
    }

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

/// `<n>.json.tmp.…`, as the programs of numbered lists name their temp files.
pub(super) fn is_temp_of_a_number(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_digit()) && name.contains(".json.tmp.")
}

/// A new task's file: `JSON.stringify(task, null, 2)` with these keys, absent ones left out.
pub(super) fn stringify(members: impl IntoIterator<Item = (&'static str, Option<Json>)>) -> String {
    let members: Vec<String> = members
        .into_iter()
        .filter_map(|(key, value)| Some(format!("{}:{}", Json::string(key), value?)))
        .collect();
    let object = Json::raw(format!("{{{}}}", members.join(",")));
    print(&object, &Style::node(), 0)
}

/// The value of a key of a new task that every dialect has; `None` when it is left out.
pub(super) fn value(id: &TaskId, task: &NewTask, key: &str) -> Option<Json> {
    match key {
        "id" => Some(Json::string(id.as_str())),
        "subject" => Some(Json::string(&task.subject)),
        "description" => Some(Json::string(&task.description)),
        "status" => Some(Json::string(task.status.as_str())),
        "activeForm" => task.active_form.as_deref().map(Json::string),
        "blocks" => Some(ids(&task.blocks)),
        "blockedBy" => Some(ids(&task.blocked_by)),
        "owner" => task.owner.as_deref().map(Json::string),
        "metadata" => metadata(&task.metadata),
        _ => None,
    }
}

fn ids(ids: &[TaskId]) -> Json {
    let items: Vec<String> = ids
        .iter()
        .map(|id| Json::string(id.as_str()).to_string())
        .collect();
    Json::raw(format!("[{}]", items.join(",")))
}

fn metadata(members: &[(String, Json)]) -> Option<Json> {
    if members.is_empty() {
        return None;
    }
    let members: Vec<String> = members
        .iter()
        .map(|(key, value)| format!("{}:{value}", Json::string(key)))
        .collect();
    Some(Json::raw(format!("{{{}}}", members.join(","))))
}
