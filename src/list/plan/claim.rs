use super::draft::Draft;
use crate::list::warn::has_failed_run;
use crate::list::{Refusal, RefusalCode};
use crate::task::{Dialect, Edit, Field, State, Status, Task, TaskId};

/// Takes one task for an owner (DESIGN decision 12): the named one or a refusal that says by
/// whom or what it is held, else the first in ready order that nobody else owns.
pub(super) fn claim(draft: &mut Draft, id: Option<&TaskId>, owner: &str) -> Result<(), Refusal> {
    if owner.trim().is_empty() {
        return Err(Refusal::new(
            RefusalCode::ValidationError,
            "a claim needs an owner",
        ));
    }
    let task = match id {
        Some(id) => named(draft, id, owner)?,
        None => first_ready(draft, owner)?,
    };
    relies_on(draft, &task)?;
    let taken = match draft.list.dialect() {
        Dialect::OmoTeam => Status::Claimed,
        Dialect::Omo | Dialect::Claude => Status::InProgress,
    };
    if task.status == Status::Pending {
        draft.edit(&task.id, Edit::status(&taken));
    }
    draft.edit(&task.id, Edit::text(Field::Owner, owner));
    Ok(())
}

/// Whether an owner may take a task; the plan then relies on what made it free.
pub(super) fn may_take(draft: &mut Draft, id: &TaskId, owner: &str) -> Result<(), Refusal> {
    let task = named(draft, id, owner)?;
    relies_on(draft, &task)
}

fn relies_on(draft: &mut Draft, task: &Task) -> Result<(), Refusal> {
    draft.subject(&task.id)?;
    for blocker in draft.list.blockers(&task.id) {
        draft.look_at(&blocker);
    }
    Ok(())
}

/// Gives a task back: pending, without an owner. With an owner given, only what is that owner's.
pub(super) fn release(draft: &mut Draft, id: &TaskId, owner: Option<&str>) -> Result<(), Refusal> {
    let task = draft.subject(id)?.clone();
    let name = draft.list.name(id);
    if let Some(other) = owner.and_then(|owner| owned_by_other(&task, owner)) {
        let what = format!("{name} is taken by {other}; only {other} gives it back");
        return Err(Refusal::new(RefusalCode::AlreadyClaimed, what));
    }
    if !task.status.is_active() && task.status != Status::Pending {
        let what = format!("{name} is {}, nobody has it", task.status.as_str());
        return Err(Refusal::new(RefusalCode::ValidationError, what));
    }
    if draft.list.dialect() == Dialect::OmoTeam && task.status.is_active() {
        let what = format!("{name} is taken, and OmO team mode does not go back to pending");
        return Err(Refusal::new(RefusalCode::BadTransition, what));
    }
    if task.status.is_active() {
        draft.edit(id, Edit::status(&Status::Pending));
    }
    draft.edit(id, Edit::Set(Field::Owner, None));
    Ok(())
}

fn owned_by_other<'t>(task: &'t Task, owner: &str) -> Option<&'t str> {
    task.owner.as_deref().filter(|other| *other != owner)
}

fn first_ready(draft: &Draft, owner: &str) -> Result<Task, Refusal> {
    let ready = draft.list.ready();
    let free = |task: &&&std::sync::Arc<Task>| {
        owned_by_other(task, owner).is_none()
            && !has_failed_run(task)
            && !draft.list.is_unreadable(&task.id)
    };
    match ready.iter().find(free) {
        Some(task) => Ok(Task::clone(task)),
        None => {
            let what = match ready.len() {
                0 => "no task is ready".to_owned(),
                n => format!("{n} ready, but each is owned by another or was given up on"),
            };
            Err(Refusal::new(RefusalCode::NothingReady, what)
                .hint("`taskdeck why ID` says what a task waits for"))
        }
    }
}

fn named(draft: &Draft, id: &TaskId, owner: &str) -> Result<Task, Refusal> {
    let task = draft.readable(id)?;
    let name = draft.list.name(id);
    let state = draft.list.state(id).unwrap_or(State::Other);
    let taken = |by: &str| {
        Refusal::new(
            RefusalCode::AlreadyClaimed,
            format!("{name} is taken by {by}"),
        )
    };
    match (state, owned_by_other(task, owner)) {
        (State::Ready | State::InProgress, Some(other)) => Err(taken(other)),
        (State::Ready, None) => Ok(Task::clone(task)),
        (State::InProgress, None) if task.owner.is_some() => Ok(Task::clone(task)),
        (State::InProgress, None) => Err(taken("someone who left no name")),
        (State::Blocked, _) => {
            let blockers = draft.list.open_blockers(id);
            let words: Vec<String> = blockers
                .iter()
                .map(|b| format!("{} ({})", draft.list.name(&b.id), b.message))
                .collect();
            let path = blockers.into_iter().map(|b| b.id).collect();
            let what = format!("{name} waits for {}", words.join(", "));
            Err(Refusal::new(RefusalCode::Blocked, what).path(path))
        }
        (State::Completed | State::Deleted | State::Other, _) => {
            let what = format!("{name} is {}, not pending", task.status.as_str());
            Err(Refusal::new(RefusalCode::ValidationError, what))
        }
    }
}
