//! OmO's standalone tasks: `T-<uuid>.json`, a strict schema, one lock for the whole list.

use std::path::Path;

use super::dialect::{Rules, Scope};
use super::json::{Object, Style, print};
use super::lock::{self, Held, LockError, Waiting};
use super::schema::{self, Key, Kind, optional, required};
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

const ORDER: [&str; 12] = {
    let mut names = [""; 12];
    let mut at = 0;
    while at < KEYS.len() {
        names[at] = KEYS[at].name;
        at += 1;
    }
    names
};

/// The rules of OmO's standalone tasks.
pub(super) struct Omo;

impl Rules for Omo {
    fn faults(&self, object: &Object<'_>) -> Vec<String> {
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

    fn create(&self, id: &TaskId, task: &NewTask) -> Option<Vec<u8>> {
        Some(created(id, task).into_bytes())
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

/// `JSON.stringify(task, null, 2)` with OmO's keys: absent ones left out, no newline at the end.
fn created(id: &TaskId, task: &NewTask) -> String {
    let text = |text: &str| Some(Json::string(text));
    let maybe = |value: Option<&str>| value.map(Json::string);
    let values = [
        text(id.as_str()),
        text(&task.subject),
        text(&task.description),
        text(task.status.as_str()),
        maybe(task.active_form.as_deref()),
        Some(ids(&task.blocks)),
        Some(ids(&task.blocked_by)),
        maybe(task.owner.as_deref()),
        metadata(&task.metadata),
        maybe(task.repo_url.as_deref()),
        maybe(task.parent_id.as_ref().map(TaskId::as_str)),
        text(&task.thread_id),
    ];
    let members: Vec<String> = ORDER
        .iter()
        .zip(values)
        .filter_map(|(key, value)| Some(format!("{}:{}", Json::string(key), value?)))
        .collect();
    let object = Json::raw(format!("{{{}}}", members.join(",")));
    print(&object, &Style::node(), 0)
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
