use std::collections::BTreeSet;

use super::draft::Draft;
use crate::list::{Change, Plan, Refusal, RefusalCode};
use crate::task::{Dialect, EdgeField, Edit, Field, Json, NewTask, Patch, Status, TaskId};

/// What to do with a value that somebody changed since.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Conflicts {
    /// Take nothing back, and say what changed.
    Refuse,
    /// Leave those values, take the others back.
    Keep,
}

/// Takes a committed plan back by compare-and-set (DESIGN decision 15).
pub(super) fn undo(draft: &mut Draft, plan: &Plan, conflicts: Conflicts) -> Result<(), Refusal> {
    let mut changed = Vec::new();
    for change in plan.changes.iter().rev() {
        match change {
            Change::Create(task) => undo_create(draft, task, &mut changed)?,
            Change::Patch { id, patch, inverse } => {
                undo_patch(draft, id, patch, inverse, &mut changed)?;
            }
            Change::Remove { id } => {
                let what =
                    format!("{id} was removed with its file and cannot be brought back by undo");
                return Err(Refusal::new(RefusalCode::Conflict, what));
            }
        }
    }
    let ids: BTreeSet<TaskId> = plan.subjects.iter().cloned().collect();
    draft.subjects.retain(|id| ids.contains(id));
    if changed.is_empty() || conflicts == Conflicts::Keep {
        return Ok(());
    }
    let what = format!("changed since, so not undone: {}", changed.join("; "));
    Err(Refusal::new(RefusalCode::Conflict, what).hint("undo the rest only, or keep everything"))
}

fn undo_create(
    draft: &mut Draft,
    task: &NewTask,
    changed: &mut Vec<String>,
) -> Result<(), Refusal> {
    let Some(id) = &task.id else { return Ok(()) };
    let now = draft.subject(id)?;
    if now.status != task.status {
        let (name, status) = (draft.list.name(id), now.status.as_str());
        changed.push(format!("{name} is {status} now"));
    } else if draft.list.dialect() == Dialect::Claude {
        draft.remove(id);
    } else {
        // A deleted task goes on blocking what its own file names.
        for other in &task.blocks {
            draft.edit(id, Edit::RemoveEdge(EdgeField::Blocks, other.clone()));
        }
        draft.edit(id, Edit::status(&Status::Deleted));
    }
    Ok(())
}

fn undo_patch(
    draft: &mut Draft,
    id: &TaskId,
    patch: &Patch,
    inverse: &Patch,
    changed: &mut Vec<String>,
) -> Result<(), Refusal> {
    draft.subject(id)?;
    for (done, back) in patch.edits.iter().rev().zip(&inverse.edits) {
        if stands(draft, id, done) {
            draft.edit(id, back.clone());
        } else if !stands(draft, id, back) {
            changed.push(conflict(draft, id, done));
        }
    }
    Ok(())
}

/// Whether a task's file can be read and holds what all these edits would make of it.
pub(super) fn holds(draft: &mut Draft, id: &TaskId, edits: &[Edit]) -> bool {
    draft.look_at(id);
    draft.editable(id) && edits.iter().all(|edit| stands(draft, id, edit))
}

/// Whether a file holds what an edit made of it.
fn stands(draft: &mut Draft, id: &TaskId, edit: &Edit) -> bool {
    match edit {
        Edit::Set(_, value) | Edit::SetMetadata(_, value) | Edit::SetKey(_, value) => {
            match (draft.stored(id, edit), value) {
                (Some(now), Some(then)) => now.same_value(then),
                (None, None) => true,
                _ => false,
            }
        }
        Edit::AddEdge(field, other) => draft.names(id, *field, other),
        Edit::RemoveEdge(field, other) => !draft.names(id, *field, other),
        Edit::ByteOrderMark(there) => draft.has_mark(id) == *there,
    }
}

fn conflict(draft: &mut Draft, id: &TaskId, done: &Edit) -> String {
    let now = draft.stored(id, done);
    let now = now.as_ref().map_or("nothing", Json::as_str).to_owned();
    let name = draft.list.name(id);
    match done {
        Edit::Set(Field::Status, _) => format!("{name}: status is {now} now"),
        Edit::Set(field, _) => format!("{name}: {} is {now} now", field.key()),
        Edit::SetKey(key, _) => format!("{name}: {key} is {now} now"),
        Edit::SetMetadata(key, _) => format!("{name}: metadata.{key} is {now} now"),
        Edit::AddEdge(EdgeField::Blocks, _) | Edit::RemoveEdge(EdgeField::Blocks, _) => {
            format!("{name}: blocks changed")
        }
        Edit::AddEdge(..) | Edit::RemoveEdge(..) => format!("{name}: blockedBy changed"),
        Edit::ByteOrderMark(_) => format!("{name}: the byte order mark changed"),
    }
}
