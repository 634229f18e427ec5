use std::sync::Arc;

use super::draft::Draft;
use crate::list::{List, Refusal, RefusalCode};
use crate::task::{Edit, Json, Task, TaskId};

impl List {
    /// The tasks that a manual move can pass: same column, same priority, in order, the task
    /// itself among them (DESIGN decision 10).
    pub fn peers(&self, id: &TaskId) -> Vec<TaskId> {
        let (Some(task), Some(state)) = (self.get(id), self.state(id)) else {
            return Vec::new();
        };
        let rank = task.priority.rank();
        let column = self
            .column(state)
            .into_iter()
            .filter(|t| t.priority.rank() == rank);
        column.map(|t| t.id.clone()).collect()
    }
}

/// Puts a task before another of the same column and priority, or at that priority's end. Writes
/// `metadata.order` of the task and of the unranked ones above its place.
pub(super) fn move_task(
    draft: &mut Draft,
    id: &TaskId,
    before: Option<&TaskId>,
) -> Result<(), Refusal> {
    draft.subject(id)?;
    if before == Some(id) {
        return Ok(());
    }
    let mut peers = draft.list.peers(id);
    peers.retain(|peer| peer != id);
    let place = match before {
        None => peers.len(),
        Some(other) => peers.iter().position(|peer| peer == other).ok_or_else(|| {
            let what = format!(
                "{} stands in another column or priority",
                draft.list.name(other)
            );
            Refusal::new(RefusalCode::ValidationError, what)
                .hint("use + / - to change the priority")
        })?,
    };
    let orders: Vec<Option<f64>> = peers.iter().map(|p| order_of(draft.list.get(p))).collect();
    let (above, below) = orders.split_at(place);
    let ranked = rank_above(above);
    let own = match between(ranked.last().copied(), below.first().copied().flatten()) {
        Some(own) => own,
        None => return renumber(draft, id, &peers, place),
    };
    for ((peer, order), stored) in peers.iter().zip(&ranked).zip(above) {
        if stored.is_none() {
            set_order(draft, peer, *order);
        }
    }
    set_order(draft, id, own);
    Ok(())
}

fn order_of(task: Option<&Arc<Task>>) -> Option<f64> {
    task.and_then(|task| task.order)
}

/// The ranks above the landing place; unranked ones get the next whole steps.
fn rank_above(above: &[Option<f64>]) -> Vec<f64> {
    let mut last = 0.0;
    above
        .iter()
        .map(|order| {
            last = order.unwrap_or(last + 1.0);
            last
        })
        .collect()
}

/// A number between two ranks; `None` when floating point has none left.
fn between(above: Option<f64>, below: Option<f64>) -> Option<f64> {
    let own = match (above, below) {
        (None, None) => 1.0,
        (Some(above), None) => above + 1.0,
        (None, Some(below)) => below - 1.0,
        (Some(above), Some(below)) => above + (below - above) / 2.0,
    };
    let fits = above.is_none_or(|a| a < own) && below.is_none_or(|b| own < b);
    (fits && own.is_finite()).then_some(own)
}

/// Gives everyone down to the last ranked one a whole number: the gaps are used up.
fn renumber(draft: &mut Draft, id: &TaskId, peers: &[TaskId], place: usize) -> Result<(), Refusal> {
    let ranked = |p: &TaskId| order_of(draft.list.get(p)).is_some();
    let last = peers
        .iter()
        .rposition(ranked)
        .map_or(0, |last| last + 1)
        .max(place);
    let mut line: Vec<&TaskId> = peers[..last].iter().collect();
    line.insert(place, id);
    for (number, peer) in (1_u32..).zip(line) {
        if draft.editable(peer) {
            set_order(draft, peer, f64::from(number));
        }
    }
    Ok(())
}

fn set_order(draft: &mut Draft, id: &TaskId, order: f64) {
    draft.edit(
        id,
        Edit::SetMetadata("order".to_owned(), Some(number(order))),
    );
}

/// The number as JavaScript writes it: whole ones without a fraction.
fn number(value: f64) -> Json {
    Json::raw(format!("{value}"))
}
