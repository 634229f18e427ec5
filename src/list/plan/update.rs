use super::draft::Draft;
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
        for edit in &patch.edits {
            match edit {
                Edit::Set(Field::Status, value) => {
                    set_status(draft, &task, value.as_ref(), force)?;
                }
                Edit::Set(field, value) => {
                    check_field(*field, value.as_ref())?;
                    draft.edit(id, edit.clone());
                }
                Edit::SetKey(..) | Edit::SetMetadata(..) => draft.edit(id, edit.clone()),
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
            set_status(draft, &task, Some(&Json::string("deleted")), true)?;
        }
    }
    Ok(())
}

fn check_field(field: Field, value: Option<&Json>) -> Result<(), Refusal> {
    let text = value.and_then(Json::parse);
    let text = text.as_ref().and_then(|v| v.as_str());
    let empty = text.is_some_and(|t| t.trim().is_empty());
    if field == Field::Subject && (empty || value.is_none()) {
        return Err(Refusal::new(
            RefusalCode::ValidationError,
            "a task needs a subject",
        ));
    }
    Ok(())
}

fn set_status(
    draft: &mut Draft,
    task: &Task,
    value: Option<&Json>,
    force: bool,
) -> Result<(), Refusal> {
    let dialect = draft.list.dialect();
    let word = value
        .and_then(Json::parse)
        .and_then(|v| v.as_str().map(str::to_owned));
    let status = Status::parse(&word.unwrap_or_default(), dialect);
    if !dialect.knows_status(&status) {
        let what = format!("{:?} is no status of this list", status.as_str());
        let hint = "use pending, in_progress, completed or deleted";
        return Err(Refusal::new(RefusalCode::ValidationError, what).hint(hint));
    }
    if task.status == status {
        return Ok(());
    }
    check_transition(draft, task, &status, force)?;
    warn_of_blockers(draft, task, &status);
    if status == Status::Deleted {
        warn_of_dependants(draft, task);
    }
    draft.edit(&task.id, Edit::status(&status));
    Ok(())
}

/// OmO team mode knows only the way forward (facts of its `team_task_update`); people may cross.
fn check_transition(draft: &Draft, task: &Task, to: &Status, force: bool) -> Result<(), Refusal> {
    use Status::{Claimed, Completed, Deleted, InProgress, Pending};
    let forward = matches!(
        (&task.status, to),
        (Pending, Claimed | InProgress | Deleted)
            | (Claimed, InProgress | Deleted)
            | (InProgress, Completed | Deleted)
            | (Completed, Deleted)
            | (Status::Other(_), _)
    );
    if draft.list.dialect() != Dialect::OmoTeam || forward || force {
        return Ok(());
    }
    let name = draft.list.name(&task.id);
    let what = format!(
        "{name} is {}, and OmO team mode does not go from there to {}",
        task.status.as_str(),
        to.as_str()
    );
    Err(Refusal::new(RefusalCode::BadTransition, what).hint("a person may do it with --force"))
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
