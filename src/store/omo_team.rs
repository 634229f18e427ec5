//! OmO team mode: `<n>.json` with `version` and times. taskdeck reads these lists.

use std::path::Path;

use super::dialect::{Rules, Scope};
use super::json::Object;
use super::lock::{Held, LockError, Waiting};
use super::schema::{self, Key, Kind, optional, required};
use crate::task::{NewTask, TaskId};

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

const ORDER: [&str; 13] = [
    "version",
    "id",
    "subject",
    "description",
    "activeForm",
    "status",
    "owner",
    "blocks",
    "blockedBy",
    "metadata",
    "createdAt",
    "updatedAt",
    "claimedAt",
];

/// The rules of OmO team mode.
pub(super) struct OmoTeam;

impl Rules for OmoTeam {
    fn faults(&self, object: &Object<'_>) -> Vec<String> {
        schema::faults(object, &KEYS, false)
    }

    fn order(&self) -> &'static [&'static str] {
        &ORDER
    }

    fn looks_like_task(&self, stem: &str) -> bool {
        stem.starts_with(|first: char| first.is_ascii_digit())
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
