//! What happened to a task, in the words of `watch`, and which of its fields changed.

use std::collections::BTreeSet;

use crate::task::{Json, Problem, State, Status, Task, TaskId};

/// What happened to a task, as people speak of it (DESIGN section 4, `watch`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A new file.
    Created,
    /// Some field changed, with no other event of this list.
    Updated,
    /// Claimed or in progress now.
    Started,
    /// Completed now.
    Completed,
    /// Open again after completion or deletion.
    Reopened,
    /// Soft-deleted now.
    Deleted,
    /// Pending as before, and ready now.
    Unblocked,
    /// Pending as before, and waiting now.
    Blocked,
    /// The file is gone.
    Vanished,
    /// A file cannot be read any more, or is no task.
    Problem,
}

impl EventKind {
    /// The word in `watch`.
    pub fn as_str(self) -> &'static str {
        match self {
            EventKind::Created => "created",
            EventKind::Updated => "updated",
            EventKind::Started => "started",
            EventKind::Completed => "completed",
            EventKind::Reopened => "reopened",
            EventKind::Deleted => "deleted",
            EventKind::Unblocked => "unblocked",
            EventKind::Blocked => "blocked",
            EventKind::Vanished => "vanished",
            EventKind::Problem => "problem",
        }
    }
}

/// One line of `watch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// To which task; for a problem the file's name.
    pub id: TaskId,
    /// The task's subject; for a problem what is wrong.
    pub subject: String,
    /// The status (or the column, for unblocked and blocked) before.
    pub from: Option<String>,
    /// The same after.
    pub to: Option<String>,
    /// Who works on the task now.
    pub owner: Option<String>,
    /// Which fields of the file say something else now; none for a file that came or went, and for
    /// one whose bytes alone are others.
    pub fields: Vec<FieldChange>,
}

impl Event {
    /// Who did it, where the write itself says so: who becomes a task's owner by starting it.
    pub fn actor(&self) -> Option<&str> {
        let owned = |change: &FieldChange| change.field == "owner" && change.to.is_some();
        let claimed = self.kind == EventKind::Started && self.fields.iter().any(owned);
        self.owner.as_deref().filter(|_| claimed)
    }

    /// The changed fields for people, such as `priority high → critical, blockedBy +1`.
    pub fn fields_in_words(&self) -> String {
        let words: Vec<String> = self.fields.iter().map(FieldChange::in_words).collect();
        words.join(", ")
    }
}

/// A field whose value is another one now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// The key as the file has it; members of `metadata` are named one by one (`metadata.order`).
    pub field: String,
    /// The value before; `None`: there was none.
    pub from: Option<Json>,
    /// The value now; `None`: there is none.
    pub to: Option<Json>,
}

/// Values up to this many characters are told in words; of longer ones only the field is named.
const TOLD_IN_FULL: usize = 24;

impl FieldChange {
    /// The change for people: `priority high → critical`, `blockedBy +1`, `description`.
    pub fn in_words(&self) -> String {
        let field = self.field.strip_prefix("metadata.").unwrap_or(&self.field);
        let items = |value: &Option<Json>| value.as_ref().map_or(Some(Vec::new()), Json::items);
        if let (Some(before), Some(now)) = (items(&self.from), items(&self.to)) {
            let new = |of: &[Json], than: &[Json]| of.iter().filter(|i| !than.contains(i)).count();
            let counts = [("+", new(&now, &before)), ("−", new(&before, &now))];
            let told = counts.iter().filter(|(_, count)| *count > 0);
            let told: Vec<String> = told.map(|(sign, count)| format!("{sign}{count}")).collect();
            return format!("{field} {}", told.join(" ")).trim_end().to_owned();
        }
        match (short(&self.from), short(&self.to)) {
            (Some(from), Some(to)) => format!("{field} {from} → {to}"),
            _ => field.to_owned(),
        }
    }
}

/// A value in a word or two; `None` when it is longer.
fn short(value: &Option<Json>) -> Option<String> {
    let text = match value {
        None => "–".to_owned(),
        Some(value) => value.text().unwrap_or_else(|| value.as_str().to_owned()),
    };
    (text.chars().take(TOLD_IN_FULL + 1).count() <= TOLD_IN_FULL).then_some(text)
}

/// The fields that differ, in the order of the schema, `metadata` at the end.
fn field_changes(before: &Task, now: &Task) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    let mut compare = |field: &str, from: Option<Json>, to: Option<Json>| {
        if from != to {
            let field = field.to_owned();
            changes.push(FieldChange { field, from, to });
        }
    };
    for (field, read) in FIELDS {
        compare(field, read(before), read(now));
    }
    let (from, to) = (metadata(before), metadata(now));
    if before.metadata != now.metadata {
        let value = |of: &[(String, Json)], key: &str| {
            let found = of.iter().rev().find(|(name, _)| name == key);
            found.map(|(_, value)| value.clone())
        };
        let both = from.iter().chain(&to);
        let keys: BTreeSet<&str> = both.map(|(key, _)| key.as_str()).collect();
        for key in keys {
            compare(
                &format!("metadata.{key}"),
                value(&from, key),
                value(&to, key),
            );
        }
    }
    changes
}

type Read = fn(&Task) -> Option<Json>;

/// The fields outside `metadata`, and how a task has them.
const FIELDS: [(&str, Read); 10] = [
    ("subject", |task| Some(Json::string(&task.subject))),
    ("description", |task| Some(Json::string(&task.description))),
    ("status", |task| Some(Json::string(task.status.as_str()))),
    ("activeForm", |task| text(&task.active_form)),
    ("owner", |task| text(&task.owner)),
    ("blocks", |task| Some(ids(&task.blocks))),
    ("blockedBy", |task| Some(ids(&task.blocked_by))),
    ("parentID", |task| {
        task.parent_id.as_ref().map(|id| Json::string(id.as_str()))
    }),
    ("repoURL", |task| text(&task.repo_url)),
    ("threadID", |task| text(&task.thread_id)),
];

fn text(field: &Option<String>) -> Option<Json> {
    field.as_deref().map(Json::string)
}

fn ids(ids: &[TaskId]) -> Json {
    let ids: Vec<&str> = ids.iter().map(TaskId::as_str).collect();
    Json::value(&ids.into())
}

fn metadata(task: &Task) -> Vec<(String, Json)> {
    let members = task.metadata.as_ref().and_then(Json::members);
    members.unwrap_or_default()
}

/// A file cannot be read any more, or is no task.
pub(super) fn problem_event(problem: &Problem) -> Event {
    Event {
        kind: EventKind::Problem,
        id: TaskId::new(&problem.file),
        subject: problem.message.clone(),
        from: None,
        to: Some(problem.code.as_str().to_owned()),
        owner: None,
        fields: Vec::new(),
    }
}

/// What a file's new content means against the one before.
pub(super) fn task_event(before: Option<&Task>, now: &Task) -> Event {
    let to = Some(now.status.as_str().to_owned());
    let Some(before) = before else {
        return event(EventKind::Created, now, None, to);
    };
    let from = Some(before.status.as_str().to_owned());
    let kind = match (&before.status, &now.status) {
        (from, to) if from == to => EventKind::Updated,
        (_, Status::Completed) => EventKind::Completed,
        (_, Status::Deleted) => EventKind::Deleted,
        (from, _) if from.is_closed() => EventKind::Reopened,
        (from, to) if to.is_active() && !from.is_active() => EventKind::Started,
        _ => EventKind::Updated,
    };
    let fields = field_changes(before, now);
    Event {
        fields,
        ..event(kind, now, from, to)
    }
}

/// The file is gone.
pub(super) fn vanished_event(task: &Task) -> Event {
    let status = task.status.as_str().to_owned();
    event(EventKind::Vanished, task, Some(status), None)
}

/// A pending task stands in another column, by what others did.
pub(super) fn column_event(kind: EventKind, task: &Task, before: State, now: State) -> Event {
    let (from, to) = (before.as_str().to_owned(), now.as_str().to_owned());
    event(kind, task, Some(from), Some(to))
}

fn event(kind: EventKind, task: &Task, from: Option<String>, to: Option<String>) -> Event {
    let (id, subject) = (task.id.clone(), task.subject.clone());
    Event {
        kind,
        id,
        subject,
        from,
        to,
        owner: task.owner.clone(),
        fields: Vec::new(),
    }
}
