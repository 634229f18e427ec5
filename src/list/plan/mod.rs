//! From a wish to a plan: what each file gets, what that relies on, and what takes it back.

mod claim;
mod create;
mod draft;
mod moves;
mod split;
mod stored;
mod team;
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
    carry_out(&mut draft, &op)?;
    draft.finish(op)
}

fn carry_out(draft: &mut Draft, op: &Op) -> Result<(), Refusal> {
    match op {
        Op::Create(tasks) => create::create(draft, tasks),
        Op::Update { ids, patch, force } => update::update(draft, ids, patch, *force),
        Op::Claim { id, owner } => claim::claim(draft, id.as_ref(), owner),
        Op::Release { id, owner } => claim::release(draft, id, owner.as_deref()),
        Op::Split { id, into } => split::split(draft, id, into),
        Op::Delete(ids) => update::delete(draft, ids),
        Op::Move { id, before } => moves::move_task(draft, id, before.as_ref()),
        Op::IfHolds { id, holds, then } => {
            if undo::holds(draft, id, holds) {
                carry_out(draft, then)
            } else {
                Ok(())
            }
        }
        Op::All(ops) => ops.iter().try_for_each(|op| carry_out(draft, op)),
        Op::Undo(plan) => undo::undo(draft, plan, undo::Conflicts::Refuse),
        Op::UndoRest(plan) => undo::undo(draft, plan, undo::Conflicts::Keep),
    }
}
