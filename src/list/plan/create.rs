use std::collections::BTreeSet;

use super::draft::Draft;
use super::update::mirror_added;
use crate::list::{Refusal, RefusalCode};
use crate::task::{EdgeField, NewTask, TaskId};

/// New files, with their edges stored on both ends. Tasks of one wish may name each other.
pub(super) fn create(draft: &mut Draft, tasks: &[NewTask]) -> Result<(), Refusal> {
    let mut next = draft.list.next_number();
    let mut created = Vec::new();
    for task in tasks {
        check(draft, task)?;
        let id = match &task.id {
            Some(id) => id.clone(),
            None => numbered(draft, &mut next)?,
        };
        draft.create(unique_edges(task), id.clone());
        created.push(id);
    }
    for (id, task) in created.iter().zip(tasks) {
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
