use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

use super::{List, id_order};
use crate::graph::Node;
use crate::task::{Dialect, Priority, State, Task, TaskId};

/// What decides before the id does (DESIGN decision 9).
#[derive(Debug, PartialEq)]
struct Rank {
    failed: bool,
    priority: Priority,
    manual: Option<f64>,
    opens: Reverse<usize>,
    seen: Option<i64>,
}

impl Rank {
    fn cmp(&self, other: &Rank) -> Ordering {
        let keys = |rank: &Rank| (rank.failed, rank.priority);
        keys(self)
            .cmp(&keys(other))
            .then_with(|| by_manual_order(self.manual, other.manual))
            .then_with(|| self.opens.cmp(&other.opens))
            .then_with(|| (self.seen.is_none(), self.seen).cmp(&(other.seen.is_none(), other.seen)))
    }
}

/// Ranked tasks before unranked ones.
fn by_manual_order(a: Option<f64>, b: Option<f64>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

impl List {
    /// All tasks: the state columns from left to right, each in the ready order.
    pub fn ordered(&self) -> Vec<&Arc<Task>> {
        self.ordered_nodes()
            .iter()
            .filter_map(|node| self.task(*node))
            .collect()
    }

    /// All tasks like [`List::ordered`], each with its state.
    pub fn ordered_by_state(&self) -> Vec<(State, &Arc<Task>)> {
        let nodes = self.ordered_nodes().iter();
        nodes
            .filter_map(|node| Some((self.state_of(*node), self.task(*node)?)))
            .collect()
    }

    /// How many tasks are in each state.
    pub fn counts(&self) -> [usize; State::ALL.len()] {
        let mut counts = [0; State::ALL.len()];
        for node in self.nodes() {
            counts[self.state_of(*node) as usize] += 1;
        }
        counts
    }

    /// One column in the ready order.
    pub fn column(&self, state: State) -> Vec<&Arc<Task>> {
        let nodes = self
            .ordered_nodes()
            .iter()
            .filter(|n| self.state_of(**n) == state);
        nodes.filter_map(|node| self.task(*node)).collect()
    }

    /// What can run now, best first: by priority, manual order, how many tasks it opens at once,
    /// then number (numbered lists), `createdAt` (team), or when it was first seen, then id. Tasks
    /// that the runner gave up on come last.
    pub fn ready(&self) -> Vec<&Arc<Task>> {
        self.column(State::Ready)
    }

    /// How two tasks of one column stand to each other.
    pub fn compare(&self, a: &TaskId, b: &TaskId) -> Ordering {
        match (self.node(a), self.node(b)) {
            (Some(a), Some(b)) => self
                .rank(a)
                .cmp(&self.rank(b))
                .then_with(|| self.by_place(a, b)),
            _ => id_order(a, b),
        }
    }

    fn ordered_nodes(&self) -> &[Node] {
        self.derived.ordered.get_or_init(|| {
            let keyed = self
                .by_id()
                .iter()
                .map(|n| (self.state_of(*n), self.rank(*n), *n));
            let mut keyed: Vec<(State, Rank, Node)> = keyed.collect();
            // Stable, and the nodes come in id order: equal ranks stay in it.
            keyed.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
            keyed.into_iter().map(|(_, _, node)| node).collect()
        })
    }

    /// How two nodes stand in [`List::ordered`].
    pub(super) fn order_of(&self, a: Node, b: Node) -> Ordering {
        let state = |node| self.state_of(node);
        state(a)
            .cmp(&state(b))
            .then_with(|| self.rank(a).cmp(&self.rank(b)))
            .then_with(|| self.by_place(a, b))
    }

    fn by_place(&self, a: Node, b: Node) -> Ordering {
        id_order(self.id_of(a), self.id_of(b))
    }

    fn rank(&self, node: Node) -> Rank {
        let task = self.task(node);
        let seen = task.and_then(|task| match self.dialect {
            Dialect::Omo => task.first_seen,
            // Numbered lists go by number, which is the id order.
            Dialect::OmoTeam | Dialect::Claude => None,
        });
        Rank {
            failed: task.is_some_and(|task| super::warn::has_failed_run(task)),
            priority: task.map_or(Priority::Medium, |task| task.priority.rank()),
            manual: task.and_then(|task| task.order),
            opens: Reverse(self.graph.opens_now(node).count()),
            seen,
        }
    }
}
