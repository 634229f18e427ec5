//! The dependency graph as data: adjacency in flat arrays over dense indices, and the questions
//! that people ask of it. Iterative throughout: a chain of 100,000 tasks does not touch the stack.

mod adjacency;
mod components;
mod cut;
mod fold;
mod outline;
mod reach;
mod schedule;
#[cfg(test)]
mod tests;
mod waves;

use adjacency::Adjacency;

pub use cut::Cut;
pub use fold::Folded;
pub use outline::{OutlineLine, guides};
pub use reach::Search;
pub use schedule::Schedule;
pub use waves::Wave;

/// A node's place in the graph's arrays. The list maps task ids to indices.
pub type Node = u32;

/// What a node's file says, as far as dependencies care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeState {
    /// Waiting or ready.
    Pending,
    /// Claimed or in progress.
    Active,
    /// Completed: the only state that releases its dependants in every dialect.
    Completed,
    /// Soft-deleted.
    Deleted,
    /// A status that the dialect does not know: not completed, so it blocks.
    Other,
    /// Named by an edge, but without a file.
    Missing,
    /// A file that cannot be read, and was never read before.
    Unreadable,
}

impl NodeState {
    /// Whether the task is still to be done, so that its edges bind (DESIGN decision 11).
    pub fn is_open(self) -> bool {
        use NodeState::{Active, Other, Pending, Unreadable};
        matches!(self, Pending | Active | Other | Unreadable)
    }
}

/// Which blockers count besides those that are plainly open (DESIGN decision 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockerRules {
    /// Whether a blocker without a file blocks.
    pub missing_blocks: bool,
    /// Whether a deleted blocker blocks.
    pub deleted_blocks: bool,
}

/// One dependency, the union of what both files store (DESIGN decision 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Must be completed first.
    pub blocker: Node,
    /// Waits.
    pub dependant: Node,
    /// The blocker's file names the dependant in `blocks`.
    pub in_blocks: bool,
    /// The dependant's file names the blocker in `blockedBy`.
    pub in_blocked_by: bool,
}

/// The graph of one list.
#[derive(Debug, Clone)]
pub struct DependencyGraph {
    rules: BlockerRules,
    states: Vec<NodeState>,
    edges: Vec<Edge>,
    incoming: Adjacency,
    outgoing: Adjacency,
}

impl DependencyGraph {
    /// Builds the graph; edges that name the same pair are merged.
    pub fn build(rules: BlockerRules, states: Vec<NodeState>, edges: Vec<Edge>) -> DependencyGraph {
        let edges = merged(edges);
        let incoming = Adjacency::build(states.len(), edges.iter().map(|e| e.dependant));
        let outgoing = Adjacency::build(states.len(), edges.iter().map(|e| e.blocker));
        DependencyGraph {
            rules,
            states,
            edges,
            incoming,
            outgoing,
        }
    }

    /// Which blockers count.
    pub fn rules(&self) -> BlockerRules {
        self.rules
    }

    /// The number of nodes, missing ones included.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// All edges, by blocker and then dependant.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// What a node's file says.
    pub fn state(&self, node: Node) -> NodeState {
        self.states[node as usize]
    }

    /// Changes what a node's file says; edges stay as they are.
    pub fn set_state(&mut self, node: Node, state: NodeState) {
        self.states[node as usize] = state;
    }

    /// Edges from the tasks that `node` waits for.
    pub fn incoming(&self, node: Node) -> impl Iterator<Item = &Edge> {
        self.incoming
            .of(node)
            .iter()
            .map(|e| &self.edges[*e as usize])
    }

    /// Edges to the tasks that wait for `node`.
    pub fn outgoing(&self, node: Node) -> impl Iterator<Item = &Edge> {
        self.outgoing
            .of(node)
            .iter()
            .map(|e| &self.edges[*e as usize])
    }

    /// Whether a node still holds its dependants back, by the dialect's rules.
    pub fn holds_back(&self, node: Node) -> bool {
        match self.state(node) {
            NodeState::Completed => false,
            NodeState::Missing => self.rules.missing_blocks,
            NodeState::Deleted => self.rules.deleted_blocks,
            _ => true,
        }
    }

    /// The blockers of `node` that hold it back, in index order.
    pub fn open_blockers(&self, node: Node) -> impl Iterator<Item = Node> {
        self.incoming(node)
            .map(|e| e.blocker)
            .filter(|b| self.holds_back(*b))
    }

    /// Whether anything holds `node` back.
    pub fn is_blocked(&self, node: Node) -> bool {
        self.open_blockers(node).next().is_some()
    }

    /// Pending dependants that only `node` holds back: they become ready when it is completed.
    pub fn opens_now(&self, node: Node) -> impl Iterator<Item = Node> {
        let waits_only_for_it = move |dependant: &Node| {
            self.state(*dependant) == NodeState::Pending
                && self.open_blockers(*dependant).all(|b| b == node)
        };
        let dependants = self.outgoing(node).map(|e| e.dependant);
        dependants.filter(move |d| self.holds_back(node) && *d != node && waits_only_for_it(d))
    }

    /// Edges between open tasks: the ones that can form rings and chains.
    fn open_dependants(&self, node: Node) -> impl Iterator<Item = Node> {
        self.outgoing(node)
            .map(|e| e.dependant)
            .filter(|d| self.state(*d).is_open())
    }
}

fn merged(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.sort_unstable_by_key(|e| (e.blocker, e.dependant));
    edges.dedup_by(|next, kept| {
        let same = (next.blocker, next.dependant) == (kept.blocker, kept.dependant);
        if same {
            kept.in_blocks |= next.in_blocks;
            kept.in_blocked_by |= next.in_blocked_by;
        }
        same
    });
    edges
}
