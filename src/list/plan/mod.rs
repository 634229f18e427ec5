//! From a wish to a plan: what each file gets, what that relies on, and what takes it back.

mod claim;
mod create;
mod draft;
mod moves;
mod split;
mod stored;
mod undo;
mod update;

use super::{List, Op, Plan, Refusal};
use draft::Draft;

/// Plans a wish on a list: the only way in which a task changes, for board, command line and
/// tools alike. Planning the same wish on the list that the plan leads to changes nothing.
///
/// # Errors
/// A [`Refusal`] with what, why and what to do instead; nothing is written then.
pub fn plan(list: &List, op: Op) -> Result<Plan, Refusal> {
    let mut draft = Draft::new(list);
    match &op {
        Op::Create(tasks) => create::create(&mut draft, tasks)?,
        Op::Update { ids, patch, force } => {
            update::update(&mut draft, ids, patch, *force)?;
        }
        Op::Claim { id, owner } => claim::claim(&mut draft, id.as_ref(), owner)?,
        Op::Release { id, owner } => claim::release(&mut draft, id, owner.as_deref())?,
        Op::Split { id, into } => split::split(&mut draft, id, into)?,
        Op::Delete(ids) => update::delete(&mut draft, ids)?,
        Op::Move { id, before } => moves::move_task(&mut draft, id, before.as_ref())?,
        Op::Undo(plan) => undo::undo(&mut draft, plan, undo::Conflicts::Refuse)?,
        Op::UndoRest(plan) => undo::undo(&mut draft, plan, undo::Conflicts::Keep)?,
    }
    draft.finish(op)
}
