//! How OmO team mode lets a member move a task (its `team_task_update`). A person may cross that.

use super::claim;
use super::draft::Draft;
use super::update::text_of;
use crate::list::{Refusal, RefusalCode};
use crate::task::{Dialect, Edit, Field, Patch, Status, Task};

/// Whether a member may give a task the status that a patch sets: only the way forward, a task
/// that starts is claimed first, and only its owner moves it, except to `deleted`. The member is
/// the owner that the patch names; without one, whoever has the task moves it.
pub(super) fn check(draft: &mut Draft, task: &Task, patch: &Patch) -> Result<(), Refusal> {
    use Status::{Claimed, Completed, Deleted, InProgress, Pending};
    let status = |word: String| Status::parse(&word, Dialect::OmoTeam);
    let Some(to) = wished(patch, Field::Status).map(status) else {
        return Ok(());
    };
    let from = stands(draft, task, Field::Status).map_or(task.status.clone(), status);
    let member = wished(patch, Field::Owner);
    match (&from, &to) {
        (from, to) if from == to => Ok(()),
        (_, Deleted) | (Status::Other(_), _) => Ok(()),
        (Pending, Claimed | InProgress) => may_start(draft, task, member),
        (Claimed, InProgress) | (InProgress, Completed) => may_move_on(draft, task, member),
        (_, Status::Other(_)) => Ok(()), // no status of this list, which has its own answer
        (from, to) => {
            let what = format!(
                "{} is {}, and OmO team mode does not go from there to {}",
                draft.list.name(&task.id),
                from.as_str(),
                to.as_str()
            );
            Err(Refusal::new(RefusalCode::BadTransition, what)
                .hint("a person may do it with --force"))
        }
    }
}

fn wished(patch: &Patch, field: Field) -> Option<String> {
    patch.edits.iter().find_map(|edit| match edit {
        Edit::Set(of, Some(value)) if *of == field => text_of(value),
        _ => None,
    })
}

/// What a field holds after the plan so far: the same plan may have claimed the task.
fn stands(draft: &mut Draft, task: &Task, field: Field) -> Option<String> {
    let stored = draft.stored(&task.id, &Edit::Set(field, None))?;
    text_of(&stored)
}

fn may_start(draft: &mut Draft, task: &Task, member: Option<String>) -> Result<(), Refusal> {
    let Some(member) = member.or_else(|| task.owner.as_deref().map(str::to_owned)) else {
        let what = format!(
            "{} has no owner, and in OmO team mode a task that starts belongs to one",
            draft.list.name(&task.id)
        );
        return Err(Refusal::new(RefusalCode::ValidationError, what)
            .hint("claim it in a name; a person may start it without one, with --force"));
    };
    claim::may_take(draft, &task.id, &member)
}

fn may_move_on(draft: &mut Draft, task: &Task, member: Option<String>) -> Result<(), Refusal> {
    let owner = stands(draft, task, Field::Owner);
    match (owner, member) {
        (Some(owner), Some(member)) if owner != member => {
            let what = format!("{} is taken by {owner}", draft.list.name(&task.id));
            Err(Refusal::new(RefusalCode::AlreadyClaimed, what)
                .hint("only its owner moves it; a person may do it with --force"))
        }
        _ => Ok(()),
    }
}
