//! From a file's bytes to a [`Task`], by the rules of its dialect.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::dialect::rules;
use super::json::{self, Fault, Object, decode, edge_ids};
use crate::task::{
    Dialect, Json, Priority, Status, StoredPriority, Task, TaskId, Warning, WarningCode,
};

const BOM: char = '\u{feff}';

/// Reads one task file. `mtime_ms` becomes the task's `first_seen`.
///
/// # Errors
/// [`Fault`] when the bytes are not one JSON object.
pub(super) fn parse(
    dialect: Dialect,
    id: &TaskId,
    bytes: &[u8],
    mtime_ms: Option<i64>,
) -> Result<Task, Fault> {
    let text = String::from_utf8_lossy(bytes); // as node decodes a file
    let not_utf8 = matches!(text, Cow::Owned(_));
    let without_bom = text.strip_prefix(BOM);
    let object = json::read(without_bom.unwrap_or(&text))?;
    let mut reader = Reader {
        object: &object,
        lossy: not_utf8,
    };
    let mut task = reader.task(id, dialect);
    task.first_seen = mtime_ms;
    task.raw = Arc::from(bytes);

    let faults = rules(dialect).faults(&object);
    let mut hidden: Vec<String> = faults.iter().map(ToString::to_string).collect();
    if without_bom.is_some() {
        hidden.insert(0, "the file starts with a byte order mark".to_owned());
    }
    let lossy = reader.lossy;
    let mut warn = |code, message| task.warnings.push(Warning { code, message });
    if !hidden.is_empty() {
        let message = format!("the agent cannot see this task: {}", hidden.join("; "));
        warn(WarningCode::AgentCannotSee, message);
    }
    if !dialect.knows_status(&task.status) {
        let message = format!(
            "{dialect_name} has no status {status:?}",
            dialect_name = dialect.as_str(),
            status = task.status.as_str()
        );
        warn(WarningCode::UnknownStatus, message);
    }
    if let Some(inner) = object
        .get("id")
        .map(|raw| decode(raw).0)
        .filter(|inner| inner != id.as_str())
    {
        let message =
            format!("the file is named {id} but the id inside is {inner:?}; the name counts");
        warn(WarningCode::IdMismatch, message);
    }
    if not_utf8 {
        let message = "some bytes of the file are not UTF-8; they are shown as \u{fffd}".to_owned();
        warn(WarningCode::NotUtf8, message);
    }
    if lossy {
        let message =
            "some text cannot be shown as stored; \u{fffd} stands in its place".to_owned();
        warn(WarningCode::LossyText, message);
    }
    Ok(task)
}

struct Reader<'a> {
    object: &'a Object<'a>,
    lossy: bool,
}

impl<'a> Reader<'a> {
    fn task(&mut self, id: &TaskId, dialect: Dialect) -> Task {
        let mut task = Task::new(id.clone());
        task.subject = self.text("subject").unwrap_or_default();
        task.description = self.text("description").unwrap_or_default();
        task.status = self.status(dialect);
        task.active_form = self.text("activeForm");
        task.owner = self.text("owner").filter(|owner| !owner.is_empty());
        task.blocks = self.edges("blocks");
        task.blocked_by = self.edges("blockedBy");
        task.parent_id = self
            .text("parentID")
            .filter(|id| !id.is_empty())
            .map(TaskId::new);
        task.repo_url = self.text("repoURL");
        task.thread_id = self.text("threadID");
        task.created_at = self.object.get("createdAt").and_then(whole_number);
        self.metadata(&mut task);
        task
    }

    /// A string field; a value of another type counts as absent.
    fn text(&mut self, key: &str) -> Option<String> {
        let raw = self.object.get(key).filter(|raw| raw.starts_with('"'))?;
        Some(self.decode(raw))
    }

    fn decode(&mut self, raw: &str) -> String {
        let (text, lossy) = decode(raw);
        self.lossy |= lossy;
        text.into_owned()
    }

    fn status(&mut self, dialect: Dialect) -> Status {
        match self.object.get("status") {
            Some(raw) if raw.starts_with('"') => Status::parse(&self.decode(raw), dialect),
            Some(raw) => Status::Other(raw.into()),
            None => Status::Other("".into()),
        }
    }

    fn edges(&mut self, key: &str) -> Vec<TaskId> {
        let Some(raw) = self.object.get(key) else {
            return Vec::new();
        };
        let found = edge_ids(raw);
        self.lossy |= found.lossy;
        let mut seen = HashSet::new();
        let ids = found.ids.into_iter().map(TaskId::new);
        ids.filter(|id| seen.insert(id.clone())).collect()
    }

    fn metadata(&mut self, task: &mut Task) {
        let Some(raw) = self
            .object
            .get("metadata")
            .filter(|raw| raw.starts_with('{'))
        else {
            return;
        };
        task.metadata = Some(Json::raw(raw));
        let Ok(metadata) = json::read(raw) else {
            return; // a value inside a valid object is one
        };
        task.priority = match metadata.get("priority") {
            None => StoredPriority::Absent,
            Some(raw) if raw.starts_with('"') => {
                let word = self.decode(raw);
                match Priority::parse(&word) {
                    Some(priority) => StoredPriority::Known(priority),
                    None => StoredPriority::Unknown(word.into()),
                }
            }
            Some(raw) => StoredPriority::Unknown(raw.into()),
        };
        let order = metadata
            .get("order")
            .and_then(|raw| raw.parse::<f64>().ok());
        task.order = order.filter(|order| order.is_finite());
    }
}

/// Milliseconds as JavaScript writes them; a fraction is cut off.
fn whole_number(raw: &str) -> Option<i64> {
    let number = raw.parse::<f64>().ok().filter(|n| n.is_finite())?;
    #[allow(clippy::cast_possible_truncation, reason = "the cast saturates")]
    Some(number as i64)
}
