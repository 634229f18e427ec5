//! Lists in one line: `"a; b<a; c<a,b completed"` is three tasks, b waits for a, c for both.

mod changes;
mod foresight;
mod order;
mod plans;
mod queries;
mod quick_add;
mod reading;
mod splits;

use std::sync::Arc;

use super::*;
use crate::task::{Dialect, Problem, ProblemCode, Status};

pub(super) fn id(short: &str) -> TaskId {
    TaskId::new(format!("T-{short}"))
}

/// One task from `name<blockers status @owner #priority !order`.
pub(super) fn task(text: &str) -> Arc<Task> {
    let mut words = text.split_whitespace();
    let head = words.next().unwrap();
    let (name, blockers) = head.split_once('<').unwrap_or((head, ""));
    let mut task = Task::new(id(name));
    task.subject = name.to_owned();
    task.blocked_by = blockers
        .split(',')
        .filter(|b| !b.is_empty())
        .map(id)
        .collect();
    task.thread_id = Some("ses".to_owned());
    let mut metadata = Vec::new();
    for word in words {
        if let Some(owner) = word.strip_prefix('@') {
            task.owner = Some(owner.to_owned());
        } else if let Some(priority) = word.strip_prefix('#') {
            task.priority = crate::task::Priority::parse(priority)
                .map_or(crate::task::StoredPriority::Unknown(priority.into()), |p| {
                    crate::task::StoredPriority::Known(p)
                });
            metadata.push(format!("\"priority\":\"{priority}\""));
        } else if let Some(order) = word.strip_prefix('!') {
            task.order = order.parse().ok();
            metadata.push(format!("\"order\":{order}"));
        } else if let Some(blocks) = word.strip_prefix('>') {
            task.blocks = blocks.split(',').map(id).collect();
        } else {
            task.status = Status::parse(word, Dialect::Omo);
        }
    }
    if !metadata.is_empty() {
        task.metadata = Some(crate::task::Json::raw(format!(
            "{{{}}}",
            metadata.join(",")
        )));
    }
    task.raw = raw(&task);
    Arc::new(task)
}

/// The bytes that OmO would write, in one line.
pub(super) fn raw(task: &Task) -> Arc<[u8]> {
    let ids = |ids: &[TaskId]| {
        ids.iter()
            .map(|i| i.as_str().to_owned())
            .collect::<Vec<_>>()
    };
    let mut json = serde_json::json!({
        "id": task.id.as_str(),
        "subject": task.subject,
        "description": task.description,
        "status": task.status.as_str(),
        "blocks": ids(&task.blocks),
        "blockedBy": ids(&task.blocked_by),
        "threadID": "ses",
    });
    if let Some(owner) = &task.owner {
        json["owner"] = owner.as_str().into();
    }
    if let Some(metadata) = &task.metadata {
        json["metadata"] = metadata.parse().unwrap();
    }
    Arc::from(json.to_string().into_bytes())
}

pub(super) fn file(task: Arc<Task>) -> FileChange {
    FileChange {
        name: format!("{}.json", task.id),
        content: FileContent::Task(task),
    }
}

pub(super) fn broken(short: &str) -> FileChange {
    let name = format!("T-{short}.json");
    let problem = Problem {
        file: name.clone(),
        code: ProblemCode::Unreadable,
        message: "cut off at line 1".to_owned(),
        at: None,
    };
    FileChange {
        name,
        content: FileContent::Broken {
            id: Some(id(short)),
            problem,
        },
    }
}

pub(super) fn gone(short: &str) -> FileChange {
    FileChange {
        name: format!("T-{short}.json"),
        content: FileContent::Gone,
    }
}

pub(super) fn files(text: &str) -> Vec<FileChange> {
    text.split(';').map(|t| file(task(t.trim()))).collect()
}

pub(super) fn list(text: &str) -> List {
    List::from_files(Dialect::Omo, files(text))
}

pub(super) fn names<'a>(tasks: impl IntoIterator<Item = &'a Arc<Task>>) -> String {
    let names: Vec<&str> = tasks.into_iter().map(|t| &t.id.as_str()[2..]).collect();
    names.join(" ")
}
