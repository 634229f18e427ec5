use super::draft::Draft;
use super::team;
use crate::list::{Refusal, RefusalCode};
use crate::task::{
    Dialect, EdgeField, Edit, Field, Json, Patch, Status, Task, TaskId, WarningCode,
};

/// The same edits on several tasks; edges are mirrored onto their other end.
pub(super) fn update(
    draft: &mut Draft,
    ids: &[TaskId],
    patch: &Patch,
    force: bool,
) -> Result<(), Refusal> {
    for id in ids {
        let task = draft.subject(id)?.clone();
        if draft.list.dialect() == Dialect::OmoTeam && !force {
            team::check(draft, &task, patch)?;
        }
        for edit in &patch.edits {
            match edit {
                Edit::Set(Field::Status, value) => {
                    let status = status_of(draft, value.as_ref())?;
                    set_status(draft, &task, &status);
                }
                Edit::Set(field, value) => {
                    check_field(*field, value.as_ref())?;
                    draft.edit(id, edit.clone());
                }
                Edit::SetKey(..) | Edit::SetMetadata(..) | Edit::ByteOrderMark(_) => {
                    draft.edit(id, edit.clone());
                }
                Edit::AddEdge(field, other) => add_edge(draft, id, *field, other)?,
                Edit::RemoveEdge(field, other) => remove_edge(draft, id, *field, other),
            }
        }
    }
    Ok(())
}

/// Deletes in the dialect's own way: soft, or by removing the file and every mention of it.
pub(super) fn delete(draft: &mut Draft, ids: &[TaskId]) -> Result<(), Refusal> {
    for id in ids {
        let task = draft.subject(id)?.clone();
        if draft.list.dialect() == Dialect::Claude {
            for other in draft.list.dependants(id) {
                draft.edit(&other, Edit::RemoveEdge(EdgeField::BlockedBy, id.clone()));
            }
            for other in draft.list.blockers(id) {
                draft.edit(&other, Edit::RemoveEdge(EdgeField::Blocks, id.clone()));
            }
            draft.remove(id);
        } else {
            set_status(draft, &task, &Status::Deleted);
        }
    }
    Ok(())
}

/// What a value says, when it is text.
pub(super) fn text_of(value: &Json) -> Option<String> {
    value.parse()?.as_str().map(str::to_owned)
}

fn check_field(field: Field, value: Option<&Json>) -> Result<(), Refusal> {
    let empty = value.and_then(text_of).is_some_and(|t| t.trim().is_empty());
    if field == Field::Subject && (empty || value.is_none()) {
        return Err(Refusal::new(
            RefusalCode::ValidationError,
            "a task needs a subject",
        ));
    }
    Ok(())
}

fn status_of(draft: &Draft, value: Option<&Json>) -> Result<Status, Refusal> {
    let dialect = draft.list.dialect();
    let word = value.and_then(text_of).unwrap_or_default();
    let status = Status::parse(&word, dialect);
    if dialect.knows_status(&status) {
        return Ok(status);
    }
    let what = format!("{:?} is no status of this list", status.as_str());
    let hint = "use pending, in_progress, completed or deleted";
    Err(Refusal::new(RefusalCode::ValidationError, what).hint(hint))
}

fn set_status(draft: &mut Draft, task: &Task, status: &Status) {
    if task.status == *status {
        return;
    }
    warn_of_blockers(draft, task, status);
    if *status == Status::Deleted {
        warn_of_dependants(draft, task);
    }
    draft.edit(&task.id, Edit::status(status));
}

fn warn_of_blockers(draft: &mut Draft, task: &Task, to: &Status) {
    if !to.is_active() && *to != Status::Completed {
        return;
    }
    let blockers = draft.list.open_blockers(&task.id);
    for blocker in &blockers {
        draft.look_at(&blocker.id);
    }
    if !blockers.is_empty() {
        let names: Vec<String> = blockers
            .iter()
            .map(|b| format!("{} ({})", draft.list.name(&b.id), b.message))
            .collect();
        let verb = if to.is_active() {
            "started"
        } else {
            "completed"
        };
        let message = format!("{verb} although it waits for {}", names.join(", "));
        draft.warn(&task.id, WarningCode::StartedWhileBlocked, message);
    }
}

fn warn_of_dependants(draft: &mut Draft, task: &Task) {
    if !draft.list.dialect().deleted_blocks() {
        return;
    }
    let open = |id: &TaskId| draft.list.get(id).is_some_and(|t| !t.status.is_closed());
    let waiting: Vec<TaskId> = draft
        .list
        .dependants(&task.id)
        .into_iter()
        .filter(open)
        .collect();
    for id in waiting {
        let message = format!(
            "waits for {}, which is deleted now and goes on blocking: remove the edge to free it",
            draft.list.name(&task.id)
        );
        draft.warn(&id, WarningCode::DeletedBlocker, message);
    }
}

/// The other side of an edge field.
fn mirror(field: EdgeField) -> EdgeField {
    match field {
        EdgeField::Blocks => EdgeField::BlockedBy,
        EdgeField::BlockedBy => EdgeField::Blocks,
    }
}

pub(super) fn add_edge(
    draft: &mut Draft,
    id: &TaskId,
    field: EdgeField,
    other: &TaskId,
) -> Result<(), Refusal> {
    let checked = draft.list.dialect().check_id(other.as_str());
    checked.map_err(|e| Refusal::new(RefusalCode::InvalidTaskId, e.to_string()))?;
    if id == other {
        let what = format!("{} cannot wait for itself", draft.list.name(id));
        let path = vec![id.clone(), id.clone()];
        return Err(Refusal::new(RefusalCode::ValidationError, what).path(path));
    }
    draft.edit(id, Edit::AddEdge(field, other.clone()));
    mirror_added(draft, id, field, other);
    Ok(())
}

/// Stores the other end of an edge, where there is a file for it, and says so where there is not.
pub(super) fn mirror_added(draft: &mut Draft, id: &TaskId, field: EdgeField, other: &TaskId) {
    if draft.is_created(other) {
        return;
    }
    if draft.editable(other) {
        draft.edit(other, Edit::AddEdge(mirror(field), id.clone()));
        return;
    }
    draft.look_at(other);
    let unreadable = draft.list.is_unreadable(other);
    let (code, message) = match (field, unreadable) {
        (EdgeField::BlockedBy, true) => (
            WarningCode::UnreadableBlocker,
            format!("its blocker {other} cannot be read"),
        ),
        (EdgeField::BlockedBy, false) => (
            WarningCode::MissingBlocker,
            format!("its blocker {other} has no file"),
        ),
        (EdgeField::Blocks, _) => (
            WarningCode::MissingDependent,
            format!("it blocks {other}, which has no readable file"),
        ),
    };
    draft.warn(id, code, message);
}

fn remove_edge(draft: &mut Draft, id: &TaskId, field: EdgeField, other: &TaskId) {
    draft.edit(id, Edit::RemoveEdge(field, other.clone()));
    if draft.editable(other) {
        draft.edit(other, Edit::RemoveEdge(mirror(field), id.clone()));
    }
}
