//! The list in memory: tasks, the diagnostics of files that could not be read, and what follows
//! from both. Wishes ([`Op`]) become plans ([`Plan`]) or refusals ([`Refusal`]) here, for every
//! surface alike. Pure.

mod apply;
mod blockers;
mod change;
mod derived;
mod event;
mod foresee;
mod op;
mod order;
mod plan;
mod query;
mod quick_add;
mod reset;
mod resolve;
mod rings;
mod warn;
mod why;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use crate::graph::{BlockerRules, DependencyGraph, Edge, Node, NodeState, Schedule};
use crate::task::{Dialect, Problem, State, Task, TaskId};

pub use apply::Delta;
pub use blockers::{BlockReason, OpenBlocker};
pub use change::{FileChange, FileContent};
use derived::Derived;
pub use event::{Event, EventKind, FieldChange};
pub use foresee::Foresight;
use op::local_index;
pub use op::{Change, Needs, Op, Plan, Refusal, RefusalCode, Snapshot, local_id};
pub use plan::plan;
pub use query::Query;
#[cfg(any(test, fuzzing))]
pub use query::fuzz;
pub use resolve::Resolve;
pub use rings::Ring;
pub use warn::has_failed_run;
pub use why::{Why, WhyLine};

/// Everything known of one task list. Cheap to ask, cheap to change: a status change touches one
/// slot, only a changed edge rebuilds the flat arrays of the graph.
#[derive(Debug, Clone)]
pub struct List {
    dialect: Dialect,
    /// Every id ever mentioned, by its node in the graph.
    ids: Vec<TaskId>,
    nodes: HashMap<TaskId, Node, foldhash::fast::RandomState>,
    slots: Vec<Slot>,
    /// Problems by file name.
    broken: BTreeMap<String, Problem>,
    graph: DependencyGraph,
    high_water_mark: Option<u64>,
    derived: Derived,
}

/// What stands behind one node.
#[derive(Debug, Clone, Default)]
struct Slot {
    task: Option<Arc<Task>>,
    /// The file is there but cannot be read now; `task` is then its last good content.
    unreadable: bool,
    blocks: Vec<Node>,
    blocked_by: Vec<Node>,
    /// Its file has something odd in it, or the runner gave up on it.
    odd: bool,
}

impl List {
    /// An empty list.
    pub fn new(dialect: Dialect) -> List {
        let rules = BlockerRules {
            missing_blocks: dialect.missing_blocks(),
            deleted_blocks: dialect.deleted_blocks(),
        };
        List {
            dialect,
            ids: Vec::new(),
            nodes: HashMap::default(),
            slots: Vec::new(),
            broken: BTreeMap::new(),
            graph: DependencyGraph::build(rules, Vec::new(), Vec::new()),
            high_water_mark: None,
            derived: Derived::default(),
        }
    }

    /// A list from all files of a folder, in any order.
    pub fn from_files(dialect: Dialect, mut files: Vec<FileChange>) -> List {
        files.sort_by(|a, b| a.name.cmp(&b.name));
        let mut list = List::new(dialect);
        list.fill(files);
        list
    }

    /// Whose files these are.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The task of this id; the last good content when its file cannot be read now.
    pub fn get(&self, id: &TaskId) -> Option<&Arc<Task>> {
        self.slot(id)?.task.as_ref()
    }

    /// The number of tasks.
    pub fn len(&self) -> usize {
        self.by_id().len()
    }

    /// Whether there is no task.
    pub fn is_empty(&self) -> bool {
        self.by_id().is_empty()
    }

    /// All tasks in id order (by number in numbered lists).
    pub fn tasks(&self) -> impl Iterator<Item = &Arc<Task>> {
        self.by_id().iter().filter_map(|node| self.task(*node))
    }

    /// What is wrong with files that are no readable tasks, by file name.
    pub fn problems(&self) -> Vec<&Problem> {
        self.broken.values().collect()
    }

    /// Whether the task's file exists but cannot be read now.
    pub fn is_unreadable(&self, id: &TaskId) -> bool {
        self.slot(id).is_some_and(|slot| slot.unreadable)
    }

    /// The column that the task belongs to.
    pub fn state(&self, id: &TaskId) -> Option<State> {
        let node = self.node(id)?;
        self.task(node).map(|_| self.state_of(node))
    }

    /// The dependency graph; its nodes are this list's, [`List::node`] and [`List::id_of`].
    pub fn graph(&self) -> &DependencyGraph {
        &self.graph
    }

    /// The nodes of all tasks, in id order.
    pub fn nodes(&self) -> &[Node] {
        self.by_id()
    }

    /// The graph's node for an id that a file or an edge has mentioned.
    pub fn node(&self, id: &TaskId) -> Option<Node> {
        self.nodes.get(id).copied()
    }

    /// The id behind a node of [`List::graph`].
    pub fn id_of(&self, node: Node) -> &TaskId {
        &self.ids[node as usize]
    }

    /// The tasks that this one waits for, open or not, in id order.
    pub fn blockers(&self, id: &TaskId) -> Vec<TaskId> {
        let Some(node) = self.node(id) else {
            return Vec::new();
        };
        self.named(self.graph.incoming(node).map(|e| e.blocker))
    }

    /// The tasks that wait for this one, in id order.
    pub fn dependants(&self, id: &TaskId) -> Vec<TaskId> {
        let Some(node) = self.node(id) else {
            return Vec::new();
        };
        self.named(self.graph.outgoing(node).map(|e| e.dependant))
    }

    /// The tasks that become ready when this one is completed, in id order.
    pub fn opens_now(&self, id: &TaskId) -> Vec<TaskId> {
        let Some(node) = self.node(id) else {
            return Vec::new();
        };
        self.named(self.graph.opens_now(node))
    }

    /// How many open tasks wait for this one, directly or through others.
    pub fn frees_in_all(&self, id: &TaskId) -> usize {
        self.node(id)
            .map_or(0, |node| self.graph.frees_in_all(node))
    }

    /// Rings of open tasks, members in id order, rings by their first member.
    pub fn cycles(&self) -> Vec<Vec<TaskId>> {
        let named = |ring: &Vec<Node>| self.named(ring.iter().copied());
        let mut cycles: Vec<_> = self.rings().iter().map(named).collect();
        cycles.sort();
        cycles
    }

    /// One longest chain of open tasks, first task first.
    pub fn critical_path(&self) -> Vec<TaskId> {
        let path = self.schedule().critical_path();
        path.iter().map(|node| self.id_of(*node).clone()).collect()
    }

    /// Levels, slack and chains of the open tasks.
    pub fn schedule(&self) -> &Schedule {
        self.derived.schedule.get_or_init(|| self.graph.schedule())
    }

    /// Remembers a numbered list's `.highwatermark`.
    pub fn set_high_water_mark(&mut self, mark: Option<u64>) {
        self.high_water_mark = mark;
    }

    /// The number that the next task of a numbered list gets: one more than any file's and the
    /// high-water mark. `None` when there is no number left.
    pub fn next_number(&self) -> Option<u64> {
        let files = self.ids.iter().zip(&self.slots);
        let there = files.filter(|(_, slot)| slot.task.is_some() || slot.unreadable);
        let highest = there.filter_map(|(id, _)| id.number()).max().unwrap_or(0);
        highest
            .max(self.high_water_mark.unwrap_or(0))
            .checked_add(1)
    }

    /// Sets when a task was first seen, milliseconds since the epoch; the order follows.
    pub fn set_first_seen(&mut self, id: &TaskId, ms: i64) {
        let Some(node) = self.node(id) else { return };
        if let Some(task) = &mut self.slots[node as usize].task
            && task.first_seen != Some(ms)
        {
            Arc::make_mut(task).first_seen = Some(ms);
            self.derived.ordered = OnceLock::new();
        }
    }

    fn slot(&self, id: &TaskId) -> Option<&Slot> {
        Some(&self.slots[self.node(id)? as usize])
    }

    fn task(&self, node: Node) -> Option<&Arc<Task>> {
        self.slots[node as usize].task.as_ref()
    }

    fn named(&self, nodes: impl Iterator<Item = Node>) -> Vec<TaskId> {
        let mut ids: Vec<TaskId> = nodes.map(|node| self.id_of(node).clone()).collect();
        ids.sort_by(id_order);
        ids
    }

    fn rings(&self) -> &[Vec<Node>] {
        self.derived.cycles.get_or_init(|| self.graph.cycles())
    }

    fn by_id(&self) -> &[Node] {
        self.derived.by_id.get_or_init(|| {
            let all = 0..self.slots.len() as Node;
            let mut nodes: Vec<Node> = all.filter(|n| self.task(*n).is_some()).collect();
            nodes.sort_by(|a, b| id_order(self.id_of(*a), self.id_of(*b)));
            nodes
        })
    }

    fn state_of(&self, node: Node) -> State {
        // The graph's flat states and not the tasks: this is asked of all of them with every change.
        match self.graph.state(node) {
            NodeState::Pending if self.graph.is_blocked(node) => State::Blocked,
            NodeState::Pending => State::Ready,
            NodeState::Active => State::InProgress,
            NodeState::Completed => State::Completed,
            NodeState::Deleted => State::Deleted,
            NodeState::Other | NodeState::Unreadable | NodeState::Missing => State::Other,
        }
    }
}

impl Slot {
    /// What the graph needs to know; an unreadable file is judged by its last good content.
    fn node_state(&self) -> NodeState {
        match (&self.task, self.unreadable) {
            (Some(task), _) => foresee::node_state(&task.status),
            (None, true) => NodeState::Unreadable,
            (None, false) => NodeState::Missing,
        }
    }

    /// The edges that this slot's file stores.
    fn edges(&self, node: Node) -> impl Iterator<Item = Edge> {
        let blocks = self.blocks.iter().map(move |dependant| Edge {
            blocker: node,
            dependant: *dependant,
            in_blocks: true,
            in_blocked_by: false,
        });
        let blocked_by = self.blocked_by.iter().map(move |blocker| Edge {
            blocker: *blocker,
            dependant: node,
            in_blocks: false,
            in_blocked_by: true,
        });
        blocks.chain(blocked_by)
    }
}

/// The order of ids: numbers by value before words, words as text.
pub fn id_order(a: &TaskId, b: &TaskId) -> std::cmp::Ordering {
    let key = |id: &TaskId| (id.number().is_none(), id.number());
    key(a).cmp(&key(b)).then_with(|| a.cmp(b))
}
