//! OmO's standalone tasks: `T-<uuid>.json`, a strict schema, one lock for the whole list.

use std::path::Path;

use super::dialect::{Rules, Scope, stringify, value};
use super::json::Object;
use super::lock::{self, Held, LockError, Waiting};
use super::schema::{self, Key, KeyFault, Kind, optional, required};
use crate::task::{Json, NewTask, TaskId};

/// OmO's `.strict()` schema, in the order in which it writes its keys.
const KEYS: [Key; 12] = [
    required("id", Kind::Text),
    required("subject", Kind::Text),
    required("description", Kind::Text),
    required("status", Kind::OneOf(&STATUSES)),
    optional("activeForm", Kind::Text),
    optional("blocks", Kind::TextList),
    optional("blockedBy", Kind::TextList),
    optional("owner", Kind::Text),
    optional("metadata", Kind::Object),
    optional("repoURL", Kind::Text),
    optional("parentID", Kind::Text),
    required("threadID", Kind::Text),
];

const STATUSES: [&str; 4] = ["pending", "in_progress", "completed", "deleted"];

const ORDER: [&str; 12] = schema::names(&KEYS);

/// The rules of OmO's standalone tasks.
pub(super) struct Omo;

impl Rules for Omo {
    fn faults(&self, object: &Object<'_>) -> Vec<KeyFault> {
        schema::faults(object, &KEYS, true)
    }

    fn order(&self) -> &'static [&'static str] {
        &ORDER
    }

    fn looks_like_task(&self, stem: &str) -> bool {
        stem.starts_with("T-") // OmO lists every T-*.json
    }

    /// `T-….json.tmp.<ms>`
    fn is_temp(&self, name: &str) -> bool {
        name.starts_with("T-") && name.contains(".json.tmp.")
    }

    fn holder(&self, dir: &Path, waiting: &Waiting) -> Option<super::LockHolder> {
        lock::omo::holder(dir, waiting)
    }

    fn create(&self, id: &TaskId, task: &NewTask, _: i64) -> Vec<u8> {
        let own = |key: &str| match key {
            "repoURL" => task.repo_url.as_deref().map(Json::string),
            "parentID" => task.parent_id.as_ref().map(|id| Json::string(id.as_str())),
            "threadID" => Some(Json::string(&task.thread_id)),
            key => value(id, task, key),
        };
        stringify(ORDER.map(|key| (key, own(key)))).into_bytes()
    }

    fn lock(
        &self,
        dir: &Path,
        _: &Scope<'_>,
        waiting: &Waiting,
    ) -> Result<Box<dyn Held>, LockError> {
        Ok(Box::new(lock::omo::take(dir, waiting)?))
    }
}
