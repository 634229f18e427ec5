//! Claude Code: `<n>.json`, proper-lockfile folders. taskdeck reads these lists.

use std::path::Path;

use super::dialect::{Rules, Scope};
use super::json::Object;
use super::lock::{Held, LockError, Waiting};
use super::schema::{self, Key, Kind, optional, required};
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

const ORDER: [&str; 9] = [
    "id",
    "subject",
    "description",
    "activeForm",
    "owner",
    "status",
    "blocks",
    "blockedBy",
    "metadata",
];

/// The rules of Claude Code.
pub(super) struct Claude;

impl Rules for Claude {
    fn faults(&self, object: &Object<'_>) -> Vec<String> {
        schema::faults(object, &KEYS, false)
    }

    fn order(&self) -> &'static [&'static str] {
        &ORDER
    }

    fn looks_like_task(&self, _: &str) -> bool {
        true // Claude Code lists every *.json
    }

    fn is_temp(&self, name: &str) -> bool {
        name.starts_with(|first: char| first.is_ascii_digit()) && name.contains(".json.tmp.")
    }

    fn holder(&self, _: &Path, _: &Waiting) -> Option<super::LockHolder> {
        None
    }

    fn create(&self, _: &TaskId, _: &NewTask) -> Option<Vec<u8>> {
        None
    }

    fn lock(&self, _: &Path, _: &Scope<'_>, _: &Waiting) -> Result<Box<dyn Held>, LockError> {
        Err(LockError::Unsupported)
    }
}
