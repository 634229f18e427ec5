//! OmO team mode: `<n>.json` with `version` and times.

use std::io;
use std::path::Path;

use super::dialect::{Numbers, Rules, Scope, is_temp_of_a_number, stringify, value};
use super::doctor::TaskLock;
use super::json::{self, Fault, Object};
use super::lock::{self, Held, LockError, Waiting};
use super::mark;
use super::schema::{self, Key, KeyFault, Kind, optional, required};
use crate::task::{Edit, Json, NewTask, Patch, Status, TaskId};

/// The schema in the order in which OmO team mode writes its keys; it ignores unknown ones.
const KEYS: [Key; 13] = [
    required("version", Kind::One),
    required("id", Kind::Text),
    required("subject", Kind::Text),
    required("description", Kind::Text),
    optional("activeForm", Kind::Text),
    required("status", Kind::OneOf(&STATUSES)),
    optional("owner", Kind::Text),
    required("blocks", Kind::TextList),
    required("blockedBy", Kind::TextList),
    optional("metadata", Kind::Object),
    required("createdAt", Kind::Positive),
    required("updatedAt", Kind::Positive),
    optional("claimedAt", Kind::Positive),
];

const STATUSES: [&str; 5] = ["pending", "claimed", "in_progress", "completed", "deleted"];

const ORDER: [&str; 13] = schema::names(&KEYS);

/// The rules of OmO team mode.
pub(super) struct OmoTeam;

impl Rules for OmoTeam {
    fn faults(&self, object: &Object<'_>) -> Vec<KeyFault> {
        schema::faults(object, &KEYS, false)
    }

    fn order(&self) -> &'static [&'static str] {
        &ORDER
    }

    fn looks_like_task(&self, stem: &str) -> bool {
        stem.starts_with(|first: char| first.is_ascii_digit())
    }

    fn is_temp(&self, name: &str) -> bool {
        is_temp_of_a_number(name)
    }

    fn holder(&self, dir: &Path, waiting: &Waiting) -> Option<super::LockHolder> {
        lock::omo_team::holder(dir, waiting)
    }

    fn task_locks(&self, dir: &Path, waiting: &Waiting) -> Vec<TaskLock> {
        lock::omo_team::task_locks(dir, waiting)
    }

    fn create(&self, id: &TaskId, task: &NewTask, now_ms: i64) -> Vec<u8> {
        let now = Json::raw(now_ms.to_string());
        let own = |key: &str| match key {
            "version" => Some(Json::raw("1")),
            "createdAt" | "updatedAt" => Some(now.clone()),
            "claimedAt" if task.status == Status::Claimed => Some(now.clone()),
            key => value(id, task, key),
        };
        (stringify(ORDER.map(|key| (key, own(key)))) + "\n").into_bytes()
    }

    /// Every write sets `updatedAt`. A task that leaves `pending` is claimed first, which sets
    /// `claimedAt`; a person who puts it back makes that untrue.
    fn touch(&self, bytes: Vec<u8>, patch: &Patch, now_ms: i64) -> Result<Vec<u8>, Fault> {
        let now = Json::raw(now_ms.to_string());
        let is = |status: &Status| patch.edits.contains(&Edit::status(status));
        let key = |name: &str, value| Edit::SetKey(name.to_owned(), value);
        let claimed = json::place_of(&bytes, "claimedAt").is_some();
        let mut edits = vec![key("updatedAt", Some(now.clone()))];
        if is(&Status::Claimed) || (is(&Status::InProgress) && !claimed) {
            edits.push(key("claimedAt", Some(now)));
        } else if is(&Status::Pending) && claimed {
            edits.push(key("claimedAt", None));
        }
        json::apply(&bytes, &Patch { edits }, &ORDER)
    }

    /// OmO team mode writes the mark before the task.
    fn count(&self, dir: &Path, numbers: &Numbers) -> io::Result<bool> {
        mark::count(dir, &numbers.created, numbers.created.iter().max())
    }

    fn lock(
        &self,
        dir: &Path,
        scope: &Scope<'_>,
        waiting: &Waiting,
    ) -> Result<Box<dyn Held>, LockError> {
        Ok(Box::new(lock::omo_team::take(dir, scope, waiting)?))
    }
}
