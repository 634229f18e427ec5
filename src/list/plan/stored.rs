use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::task::{BYTE_ORDER_MARK, EdgeField, Edit, Field, Json, StoredPriority, Task, TaskId};

/// What one file holds, as far as edits can change it, with the exact text of every value.
pub(super) struct Stored {
    fields: BTreeMap<String, Json>,
    metadata: BTreeMap<String, Json>,
    blocks: Vec<TaskId>,
    blocked_by: Vec<TaskId>,
    marked: bool,
}

type Members<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

impl Stored {
    pub(super) fn of(task: &Task) -> Stored {
        let text = task.raw.strip_prefix(BYTE_ORDER_MARK);
        let fields = members(text.unwrap_or(&task.raw)).unwrap_or_else(|| decoded(task));
        let metadata = task
            .metadata
            .as_ref()
            .and_then(|m| members(m.as_str().as_bytes()));
        Stored {
            fields,
            metadata: metadata.unwrap_or_else(|| decoded_metadata(task)),
            blocks: task.blocks.clone(),
            blocked_by: task.blocked_by.clone(),
            marked: text.is_some(),
        }
    }

    /// Whether the file starts with a byte order mark.
    pub(super) fn marked(&self) -> bool {
        self.marked
    }

    /// The value that a `Set`, `SetKey` or `SetMetadata` is about.
    pub(super) fn value(&self, edit: &Edit) -> Option<Json> {
        match edit {
            Edit::Set(field, _) => self.fields.get(field.key()).cloned(),
            Edit::SetKey(key, _) => self.fields.get(key).cloned(),
            Edit::SetMetadata(key, _) => self.metadata.get(key).cloned(),
            Edit::AddEdge(..) | Edit::RemoveEdge(..) | Edit::ByteOrderMark(_) => None,
        }
    }

    pub(super) fn names(&self, field: EdgeField, id: &TaskId) -> bool {
        match field {
            EdgeField::Blocks => self.blocks.contains(id),
            EdgeField::BlockedBy => self.blocked_by.contains(id),
        }
    }

    /// Applies an edit and returns the one that takes it back; `None` when it changes nothing.
    pub(super) fn apply(&mut self, edit: &Edit) -> Option<Edit> {
        match edit {
            Edit::Set(field, value) => {
                let before = exchange(&mut self.fields, field.key(), value)?;
                Some(Edit::Set(*field, before))
            }
            Edit::SetKey(key, value) => {
                let before = exchange(&mut self.fields, key, value)?;
                Some(Edit::SetKey(key.clone(), before))
            }
            Edit::SetMetadata(key, value) => {
                let before = exchange(&mut self.metadata, key, value)?;
                Some(Edit::SetMetadata(key.clone(), before))
            }
            Edit::AddEdge(field, id) => {
                let edges = self.edges(*field);
                let absent = !edges.contains(id);
                absent.then(|| {
                    edges.push(id.clone());
                    Edit::RemoveEdge(*field, id.clone())
                })
            }
            Edit::RemoveEdge(field, id) => {
                let edges = self.edges(*field);
                let there = edges.contains(id);
                there.then(|| {
                    edges.retain(|other| other != id);
                    Edit::AddEdge(*field, id.clone())
                })
            }
            Edit::ByteOrderMark(there) => {
                let before = std::mem::replace(&mut self.marked, *there);
                (before != *there).then_some(Edit::ByteOrderMark(before))
            }
        }
    }

    fn edges(&mut self, field: EdgeField) -> &mut Vec<TaskId> {
        match field {
            EdgeField::Blocks => &mut self.blocks,
            EdgeField::BlockedBy => &mut self.blocked_by,
        }
    }
}

/// Puts a value in place of another; `None` when both mean the same.
fn exchange(
    values: &mut BTreeMap<String, Json>,
    key: &str,
    value: &Option<Json>,
) -> Option<Option<Json>> {
    let before = values.get(key).cloned();
    let same = match (&before, value) {
        (Some(before), Some(value)) => before.same_value(value),
        (None, None) => true,
        _ => false,
    };
    if same {
        return None;
    }
    match value {
        Some(value) => values.insert(key.to_owned(), value.clone()),
        None => values.remove(key),
    };
    Some(before)
}

/// The members of a JSON object with their exact texts; `None` for what serde_json cannot split.
fn members(object: &[u8]) -> Option<BTreeMap<String, Json>> {
    let object = object.strip_prefix(b"\xef\xbb\xbf").unwrap_or(object);
    let members: Members = serde_json::from_slice(object).ok()?;
    Some(
        members
            .into_iter()
            .map(|(k, v)| (k.into_owned(), Json::raw(v.get())))
            .collect(),
    )
}

/// The fields as they were decoded: all that is left when the exact text cannot be split.
fn decoded(task: &Task) -> BTreeMap<String, Json> {
    let texts = [
        (Field::Subject, Some(task.subject.as_str())),
        (Field::Description, Some(task.description.as_str())),
        (Field::Status, Some(task.status.as_str())),
        (Field::ActiveForm, task.active_form.as_deref()),
        (Field::Owner, task.owner.as_deref()),
        (Field::RepoUrl, task.repo_url.as_deref()),
        (Field::ParentId, task.parent_id.as_ref().map(TaskId::as_str)),
        (Field::ThreadId, task.thread_id.as_deref()),
    ];
    let known = texts
        .into_iter()
        .filter_map(|(field, text)| Some((field, text?)));
    known
        .map(|(field, text)| (field.key().to_owned(), Json::string(text)))
        .collect()
}

fn decoded_metadata(task: &Task) -> BTreeMap<String, Json> {
    let mut metadata = BTreeMap::new();
    if let StoredPriority::Known(priority) = task.priority {
        metadata.insert("priority".to_owned(), Json::string(priority.as_str()));
    }
    if let Some(order) = task.order {
        metadata.insert(
            "order".to_owned(),
            Json::value(&serde_json::Value::from(order)),
        );
    }
    metadata
}
