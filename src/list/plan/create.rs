use std::collections::BTreeSet;

use super::draft::Draft;
use super::update::mirror_added;
use crate::list::{Refusal, RefusalCode, local_index};
use crate::task::{EdgeField, NewTask, TaskId};

/// New files, with their edges stored on both ends. Tasks of one wish may name each other.
pub(super) fn create(draft: &mut Draft, tasks: &[NewTask]) -> Result<(), Refusal> {
    let mut next = draft.list.next_number();
    let mut ids = Vec::new();
    for task in tasks {
        ids.push(match &task.id {
            Some(id) => id.clone(),
            None => numbered(draft, &mut next)?,
        });
    }
    let tasks = named(tasks, &ids)?;
    for (id, task) in ids.iter().zip(&tasks) {
        check(draft, task)?;
        draft.create(unique_edges(task), id.clone());
    }
    for (id, task) in ids.iter().zip(&tasks) {
        for (field, others) in [
            (EdgeField::BlockedBy, &task.blocked_by),
            (EdgeField::Blocks, &task.blocks),
        ] {
            for other in others.iter().collect::<BTreeSet<_>>() {
                mirror_added(draft, id, field, other);
            }
        }
    }
    Ok(())
}

/// The tasks with real ids in place of local ones, and with the edges between them on both ends.
fn named(tasks: &[NewTask], ids: &[TaskId]) -> Result<Vec<NewTask>, Refusal> {
    let real = |id: &TaskId| match local_index(id) {
        None => Ok(id.clone()),
        Some(at) => ids.get(at).cloned().ok_or_else(|| {
            let what = format!("{id} names none of the {} new tasks", ids.len());
            Refusal::new(RefusalCode::ValidationError, what)
        }),
    };
    let all = |ids: &[TaskId]| ids.iter().map(real).collect::<Result<Vec<_>, _>>();
    let mut named = Vec::new();
    for task in tasks {
        named.push(NewTask {
            blocks: all(&task.blocks)?,
            blocked_by: all(&task.blocked_by)?,
            parent_id: task.parent_id.as_ref().map(real).transpose()?,
            ..task.clone()
        });
    }
    let place = |id: &TaskId| ids.iter().position(|other| other == id);
    for (at, id) in ids.iter().enumerate() {
        for blocker in named[at].blocked_by.clone().iter().filter_map(place) {
            named[blocker].blocks.push(id.clone());
        }
        for dependant in named[at].blocks.clone().iter().filter_map(place) {
            named[dependant].blocked_by.push(id.clone());
        }
    }
    Ok(named)
}

fn check(draft: &Draft, task: &NewTask) -> Result<(), Refusal> {
    if task.subject.trim().is_empty() {
        return Err(Refusal::new(
            RefusalCode::ValidationError,
            "a task needs a subject",
        ));
    }
    let dialect = draft.list.dialect();
    if !dialect.knows_status(&task.status) {
        let what = format!("{:?} is no status of this list", task.status.as_str());
        return Err(Refusal::new(RefusalCode::ValidationError, what));
    }
    for id in task.id.iter().chain(&task.blocked_by).chain(&task.blocks) {
        let checked = dialect.check_id(id.as_str());
        checked.map_err(|e| Refusal::new(RefusalCode::InvalidTaskId, e.to_string()))?;
    }
    Ok(())
}

fn numbered(draft: &Draft, next: &mut Option<u64>) -> Result<TaskId, Refusal> {
    let dialect = draft.list.dialect();
    match *next {
        Some(number) if dialect.is_numbered() => {
            *next = number.checked_add(1);
            Ok(TaskId::new(number.to_string()))
        }
        Some(_) => Err(Refusal::new(
            RefusalCode::ValidationError,
            "a new task of this list needs an id",
        )),
        None => {
            let what = "the list's high-water mark leaves no number for another task";
            Err(Refusal::new(RefusalCode::ValidationError, what))
        }
    }
}

fn unique_edges(task: &NewTask) -> NewTask {
    let unique = |ids: &[TaskId]| {
        let mut seen = BTreeSet::new();
        ids.iter()
            .filter(|id| seen.insert((*id).clone()))
            .cloned()
            .collect()
    };
    NewTask {
        blocks: unique(&task.blocks),
        blocked_by: unique(&task.blocked_by),
        ..task.clone()
    }
}
