use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::failure::Failure;
use super::session::Session;
use crate::list::List;
use crate::task::{Task, TaskId, Warning};

/// A list of tasks in the shape of `list --json` (DESIGN section 4).
#[derive(Serialize)]
pub struct Tasks<'a> {
    list: Place<'a>,
    tasks: Vec<Entry<'a>>,
    problems: Vec<Fault<'a>>,
    cycles: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct Place<'a> {
    dir: String,
    dialect: &'static str,
    id: Option<&'a str>,
}

#[derive(Serialize)]
struct Fault<'a> {
    file: &'a str,
    code: &'static str,
    message: &'a str,
}

/// One task of that list: only open blockers, all dependants.
#[derive(Serialize)]
pub struct Entry<'a> {
    id: &'a str,
    subject: &'a str,
    status: &'a str,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<&'static str>,
    #[serde(rename = "blockedBy")]
    blocked_by: Vec<Text>,
    blocks: Vec<Text>,
    warnings: Vec<&'static str>,
}

/// An id as text.
struct Text(TaskId);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl<'a> Tasks<'a> {
    /// What there is to say of a list and some of its tasks.
    pub fn of(session: &'a Session, list: &'a List, tasks: &[&'a Task]) -> Tasks<'a> {
        let problems = list.problems().into_iter().map(|problem| Fault {
            file: &problem.file,
            code: problem.code.as_str(),
            message: &problem.message,
        });
        Tasks {
            list: Place {
                dir: session.store.dir().display().to_string(),
                dialect: list.dialect().as_str(),
                id: session.discovery.chosen.id.as_deref(),
            },
            tasks: tasks.iter().map(|task| Entry::of(list, task)).collect(),
            problems: problems.collect(),
            cycles: list.cycles().iter().map(|ring| texts(ring)).collect(),
        }
    }
}

impl<'a> Entry<'a> {
    /// What there is to say of one task.
    pub fn of(list: &List, task: &'a Task) -> Entry<'a> {
        let ids = |ids: Vec<TaskId>| ids.into_iter().map(Text).collect();
        let warnings = list.warnings(&task.id);
        let mut codes: Vec<&str> = warnings.iter().map(|w| w.code.as_str()).collect();
        codes.dedup();
        Entry {
            id: task.id.as_str(),
            subject: &task.subject,
            status: task.status.as_str(),
            state: list.state(&task.id).map_or("other", |state| state.as_str()),
            owner: task.owner.as_deref(),
            priority: task.priority.known().map(|priority| priority.as_str()),
            blocked_by: ids(list.open_blocker_ids(&task.id)),
            blocks: ids(list.dependants(&task.id)),
            warnings: codes,
        }
    }
}

/// What a change answers: the tasks as they are now, and what people should know.
pub fn changed(list: &List, ids: &[TaskId], warnings: &[(TaskId, Warning)]) -> Value {
    let tasks = ids.iter().filter_map(|id| list.get(id));
    let entries: Vec<Entry> = tasks.map(|task| Entry::of(list, task)).collect();
    json!({"tasks": entries, "warnings": warned(warnings)})
}

/// Warnings with the task that each is about.
pub fn warned(warnings: &[(TaskId, Warning)]) -> Vec<Value> {
    let of = |(id, w): &(TaskId, Warning)| json!({"id": id.as_str(), "code": w.code.as_str(), "message": w.message});
    warnings.iter().map(of).collect()
}

/// `{"error", "message"}`, the one object of a failure.
pub fn failure(failure: &Failure) -> Value {
    json!({"error": failure.code, "message": failure.message})
}

/// Ids as texts.
pub fn texts(ids: &[TaskId]) -> Vec<String> {
    ids.iter().map(TaskId::to_string).collect()
}
