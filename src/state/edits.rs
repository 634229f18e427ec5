use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ListState;
use crate::list::{Change, Op, Plan};
use crate::task::{Dialect, EdgeField, Edit, Field, Json, NewTask, Patch, Status, TaskId};

/// An edit made on a board, kept so that it can be taken back, also by the board's next run.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptEdit {
    /// What was carried out. Of one that comes from an earlier run only the changes and the
    /// subjects are known, which is what taking it back needs.
    pub plan: Arc<Plan>,
    /// What it was, in words.
    pub what: String,
    /// When, in milliseconds since the epoch.
    pub at_ms: i64,
    /// Whether it was taken back; then it can be made again.
    pub undone: bool,
}

/// So many edits are kept, the latest ones.
const KEPT: usize = 50;

/// The file in the list's state folder: one edit per line, oldest first.
const EDITS: &str = "edits";

impl ListState {
    /// The edits of earlier runs, oldest first. A line that cannot be read is skipped.
    pub fn edits(&self, dialect: Dialect) -> Vec<KeptEdit> {
        self.kept(EDITS, dialect)
    }

    /// Keeps edits for the next run, the latest ones of them.
    pub fn keep_edits<'a>(&self, edits: impl Iterator<Item = &'a KeptEdit>) {
        self.keep(EDITS, edits);
    }

    pub(super) fn kept(&self, file: &str, dialect: Dialect) -> Vec<KeptEdit> {
        let text = self.read(file).unwrap_or_default();
        let record = |line: &str| serde_json::from_str::<Record>(line).ok()?.edit(dialect);
        text.lines().filter_map(record).collect()
    }

    pub(super) fn keep<'a>(&self, file: &str, edits: impl Iterator<Item = &'a KeptEdit>) {
        let lines: Vec<String> = edits
            .filter_map(|edit| serde_json::to_string(&Record::of(edit)).ok())
            .collect();
        let latest = lines.len().saturating_sub(KEPT);
        let mut text = lines[latest..].join("\n");
        text.push('\n');
        self.write(file, &text);
    }
}

#[derive(Serialize, Deserialize)]
struct Record {
    at: i64,
    what: String,
    #[serde(default)]
    undone: bool,
    subjects: Vec<String>,
    changes: Vec<StoredChange>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredChange {
    Create {
        id: String,
        status: String,
        blocks: Vec<String>,
    },
    Patch {
        id: String,
        patch: Vec<StoredEdit>,
        inverse: Vec<StoredEdit>,
    },
    Remove {
        id: String,
    },
}

/// An edit as `[kind, key, value]`; a value is JSON text, `None` removes the key.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredEdit {
    Set(String, Option<String>),
    Key(String, Option<String>),
    Metadata(String, Option<String>),
    Add(String, String),
    Cut(String, String),
    Mark(bool),
}

impl Record {
    fn of(edit: &KeptEdit) -> Record {
        let change = |change: &Change| match change {
            Change::Create(task) => StoredChange::Create {
                id: change.id().to_string(),
                status: task.status.as_str().to_owned(),
                blocks: task.blocks.iter().map(TaskId::to_string).collect(),
            },
            Change::Patch { id, patch, inverse } => StoredChange::Patch {
                id: id.to_string(),
                patch: patch.edits.iter().map(StoredEdit::of).collect(),
                inverse: inverse.edits.iter().map(StoredEdit::of).collect(),
            },
            Change::Remove { id } => StoredChange::Remove { id: id.to_string() },
        };
        Record {
            at: edit.at_ms,
            what: edit.what.clone(),
            undone: edit.undone,
            subjects: edit.plan.subjects.iter().map(TaskId::to_string).collect(),
            changes: edit.plan.changes.iter().map(change).collect(),
        }
    }

    fn edit(self, dialect: Dialect) -> Option<KeptEdit> {
        let changes = self.changes.into_iter().map(|c| c.change(dialect));
        let subjects: Vec<TaskId> = self.subjects.iter().map(TaskId::new).collect();
        let plan = Plan {
            // Nobody plans an old edit anew; what takes it back is planned on the list as it is.
            op: Op::All(Vec::new()),
            changes: changes.collect::<Option<_>>()?,
            relied_on: Vec::new(),
            subjects,
            warnings: Vec::new(),
        };
        Some(KeptEdit {
            plan: Arc::new(plan),
            what: self.what,
            at_ms: self.at,
            undone: self.undone,
        })
    }
}

impl StoredChange {
    fn change(self, dialect: Dialect) -> Option<Change> {
        let patch = |edits: Vec<StoredEdit>| {
            let edits: Option<Vec<Edit>> = edits.into_iter().map(StoredEdit::edit).collect();
            Some(Patch { edits: edits? })
        };
        Some(match self {
            StoredChange::Create { id, status, blocks } => Change::Create(Box::new(NewTask {
                id: Some(TaskId::new(id)),
                status: Status::parse(&status, dialect),
                blocks: blocks.iter().map(TaskId::new).collect(),
                ..NewTask::pending("")
            })),
            StoredChange::Patch {
                id,
                patch: done,
                inverse,
            } => Change::Patch {
                id: TaskId::new(id),
                patch: patch(done)?,
                inverse: patch(inverse)?,
            },
            StoredChange::Remove { id } => Change::Remove {
                id: TaskId::new(id),
            },
        })
    }
}

impl StoredEdit {
    fn of(edit: &Edit) -> StoredEdit {
        let text = |value: &Option<Json>| value.as_ref().map(|v| v.as_str().to_owned());
        match edit {
            Edit::Set(field, value) => StoredEdit::Set(field.key().to_owned(), text(value)),
            Edit::SetKey(key, value) => StoredEdit::Key(key.clone(), text(value)),
            Edit::SetMetadata(key, value) => StoredEdit::Metadata(key.clone(), text(value)),
            Edit::AddEdge(field, id) => StoredEdit::Add(field.key().to_owned(), id.to_string()),
            Edit::RemoveEdge(field, id) => StoredEdit::Cut(field.key().to_owned(), id.to_string()),
            Edit::ByteOrderMark(there) => StoredEdit::Mark(*there),
        }
    }

    fn edit(self) -> Option<Edit> {
        let json = |text: Option<String>| text.map(Json::raw);
        Some(match self {
            StoredEdit::Set(key, value) => Edit::Set(Field::named(&key)?, json(value)),
            StoredEdit::Key(key, value) => Edit::SetKey(key, json(value)),
            StoredEdit::Metadata(key, value) => Edit::SetMetadata(key, json(value)),
            StoredEdit::Add(key, id) => Edit::AddEdge(EdgeField::named(&key)?, TaskId::new(id)),
            StoredEdit::Cut(key, id) => Edit::RemoveEdge(EdgeField::named(&key)?, TaskId::new(id)),
            StoredEdit::Mark(there) => Edit::ByteOrderMark(there),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_there_for_the_next_run() {
        let root = tempfile::tempdir().unwrap();
        let state = ListState::open(Some(root.path()), root.path());
        let edits = vec![
            Edit::status(&Status::Completed),
            Edit::Set(Field::Owner, None),
            Edit::SetKey("createdAt".into(), Some(Json::raw("1"))),
            Edit::SetMetadata("order".into(), Some(Json::raw("1.5"))),
            Edit::AddEdge(EdgeField::Blocks, TaskId::new("T-b")),
            Edit::RemoveEdge(EdgeField::BlockedBy, TaskId::new("T-c")),
            Edit::ByteOrderMark(true),
        ];
        let plan = Plan {
            op: Op::All(Vec::new()),
            changes: vec![
                Change::Patch {
                    id: TaskId::new("T-a"),
                    patch: Patch {
                        edits: edits.clone(),
                    },
                    inverse: Patch { edits },
                },
                Change::Remove {
                    id: TaskId::new("T-d"),
                },
                Change::Create(Box::new(NewTask {
                    id: Some(TaskId::new("T-n")),
                    blocks: vec![TaskId::new("T-a")],
                    ..NewTask::pending("")
                })),
            ],
            relied_on: Vec::new(),
            subjects: vec![TaskId::new("T-a")],
            warnings: Vec::new(),
        };
        let edit = |at_ms: i64| KeptEdit {
            plan: Arc::new(plan.clone()),
            what: "saved\nit".into(),
            at_ms,
            undone: at_ms % 2 == 0,
        };
        let all: Vec<KeptEdit> = (0..60).map(edit).collect();
        state.keep_edits(all.iter());
        let next = ListState::open(Some(root.path()), root.path());
        assert_eq!(next.edits(Dialect::Omo), all[10..]);
    }
}
