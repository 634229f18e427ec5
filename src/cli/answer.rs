use serde_json::{Map, Value, json};

use super::failure::Failure;
use super::session::Session;
use crate::list::List;
use crate::task::{Task, TaskId, Warning};

/// A list of tasks in the shape of `list --json` (DESIGN section 4).
pub fn tasks(session: &Session, list: &List, tasks: &[&Task]) -> Value {
    let entries: Vec<Value> = tasks.iter().map(|task| entry(list, task)).collect();
    let problems: Vec<Value> = list
        .problems()
        .iter()
        .map(|p| json!({"file": p.file, "code": p.code.as_str(), "message": p.message}))
        .collect();
    let cycles: Vec<Vec<String>> = list.cycles().iter().map(|ring| texts(ring)).collect();
    json!({
        "list": {
            "dir": session.store.dir().display().to_string(),
            "dialect": list.dialect().as_str(),
            "id": session.discovery.chosen.id,
        },
        "tasks": entries,
        "problems": problems,
        "cycles": cycles,
    })
}

/// One task of that list: only open blockers, all dependants.
pub fn entry(list: &List, task: &Task) -> Value {
    let mut entry = Map::new();
    entry.insert("id".into(), task.id.as_str().into());
    entry.insert("subject".into(), task.subject.as_str().into());
    entry.insert("status".into(), task.status.as_str().into());
    let state = list.state(&task.id).map_or("other", |state| state.as_str());
    entry.insert("state".into(), state.into());
    if let Some(owner) = &task.owner {
        entry.insert("owner".into(), owner.as_str().into());
    }
    if let Some(priority) = task.priority.known() {
        entry.insert("priority".into(), priority.as_str().into());
    }
    let blockers: Vec<TaskId> = list
        .open_blockers(&task.id)
        .into_iter()
        .map(|b| b.id)
        .collect();
    entry.insert("blockedBy".into(), texts(&blockers).into());
    entry.insert("blocks".into(), texts(&list.dependants(&task.id)).into());
    let mut codes: Vec<&str> = list
        .warnings(&task.id)
        .iter()
        .map(|w| w.code.as_str())
        .collect();
    codes.dedup();
    entry.insert("warnings".into(), codes.into());
    Value::Object(entry)
}

/// What a change answers: the tasks as they are now, and what people should know.
pub fn changed(list: &List, ids: &[TaskId], warnings: &[(TaskId, Warning)]) -> Value {
    let entries: Vec<Value> = ids
        .iter()
        .filter_map(|id| list.get(id))
        .map(|task| entry(list, task))
        .collect();
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
