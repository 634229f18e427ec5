use std::collections::BTreeSet;

use super::{Change, List, Plan, id_order};
use crate::graph::{DependencyGraph, Edge, Node, NodeState};
use crate::task::{EdgeField, Edit, Field, Json, Status, TaskId};

/// What a plan would do to the rest of the list, to be shown before it happens. Tasks that the
/// plan itself names are left out of `ready` and `blocked`: the person knows of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Foresight {
    /// Tasks that can run then and cannot now, in id order.
    pub ready: Vec<TaskId>,
    /// Tasks that can run now and then have to wait, in id order.
    pub blocked: Vec<TaskId>,
    /// Rings of open tasks that are none now, members in id order.
    pub rings: Vec<Vec<TaskId>>,
}

impl Foresight {
    /// Whether the rest of the list stays as it is.
    pub fn is_empty(&self) -> bool {
        self.ready.is_empty() && self.blocked.is_empty() && self.rings.is_empty()
    }
}

impl List {
    /// Looks ahead: the graph as it will be, compared with the one that is. Costs as much as
    /// building the graph, so it is for questions, not for every frame.
    pub fn foresee(&self, plan: &Plan) -> Foresight {
        let mut after = After::new(self);
        for change in &plan.changes {
            after.carry_out(change);
        }
        let (graph, ids) = after.graph();
        let named: BTreeSet<&TaskId> = plan.subjects.iter().collect();
        let mut foresight = Foresight::default();
        for node in 0..self.graph.len() as Node {
            let id = self.id_of(node);
            if named.contains(id) {
                continue;
            }
            match (is_ready(&self.graph, node), is_ready(&graph, node)) {
                (false, true) => foresight.ready.push(id.clone()),
                (true, false) => foresight.blocked.push(id.clone()),
                _ => {}
            }
        }
        foresight.ready.sort_by(id_order);
        foresight.blocked.sort_by(id_order);
        let known: BTreeSet<Vec<TaskId>> = self.cycles().into_iter().collect();
        let ring = |ring: Vec<Node>| {
            let mut members: Vec<TaskId> = ring
                .into_iter()
                .map(|node| ids[node as usize].clone())
                .collect();
            members.sort_by(id_order);
            members
        };
        foresight.rings = graph.cycles().into_iter().map(ring).collect();
        foresight.rings.retain(|ring| !known.contains(ring));
        foresight
    }
}

fn is_ready(graph: &DependencyGraph, node: Node) -> bool {
    graph.state(node) == NodeState::Pending && !graph.is_blocked(node)
}

/// The graph in the making.
struct After<'a> {
    list: &'a List,
    ids: Vec<TaskId>,
    states: Vec<NodeState>,
    edges: Vec<Edge>,
}

impl<'a> After<'a> {
    fn new(list: &'a List) -> After<'a> {
        let nodes = 0..list.graph.len() as Node;
        After {
            list,
            ids: list.ids.clone(),
            states: nodes.map(|node| list.graph.state(node)).collect(),
            edges: list.graph.edges().to_vec(),
        }
    }

    fn node(&mut self, id: &TaskId) -> Node {
        let known = self.list.graph.len();
        let new = || self.ids[known..].iter().position(|other| other == id);
        let found = self
            .list
            .node(id)
            .or_else(|| new().map(|at| (known + at) as Node));
        found.unwrap_or_else(|| {
            self.ids.push(id.clone());
            self.states.push(NodeState::Missing);
            (self.ids.len() - 1) as Node
        })
    }

    fn carry_out(&mut self, change: &Change) {
        match change {
            Change::Create(task) => {
                let Some(id) = &task.id else { return };
                let node = self.node(id);
                self.states[node as usize] = node_state(&task.status);
                for blocker in &task.blocked_by {
                    self.add(node, EdgeField::BlockedBy, blocker);
                }
                for dependant in &task.blocks {
                    self.add(node, EdgeField::Blocks, dependant);
                }
            }
            Change::Patch { id, patch, .. } => {
                let node = self.node(id);
                for edit in &patch.edits {
                    self.edit(node, edit);
                }
            }
            Change::Remove { id } => {
                let node = self.node(id);
                self.states[node as usize] = NodeState::Missing;
                for edge in &mut self.edges {
                    edge.in_blocks &= edge.blocker != node;
                    edge.in_blocked_by &= edge.dependant != node;
                }
            }
        }
    }

    fn edit(&mut self, node: Node, edit: &Edit) {
        match edit {
            Edit::Set(Field::Status, value) => {
                let word = value.as_ref().and_then(Json::text).unwrap_or_default();
                let status = Status::parse(&word, self.list.dialect);
                self.states[node as usize] = node_state(&status);
            }
            Edit::AddEdge(field, other) => self.add(node, *field, other),
            Edit::RemoveEdge(field, other) => {
                let other = self.node(other);
                let (blocker, dependant) = ends(node, *field, other);
                let fits = |e: &&mut Edge| e.blocker == blocker && e.dependant == dependant;
                for edge in self.edges.iter_mut().filter(fits) {
                    match field {
                        EdgeField::Blocks => edge.in_blocks = false,
                        EdgeField::BlockedBy => edge.in_blocked_by = false,
                    }
                }
            }
            Edit::Set(..) | Edit::SetKey(..) | Edit::SetMetadata(..) | Edit::ByteOrderMark(_) => {}
        }
    }

    fn add(&mut self, node: Node, field: EdgeField, other: &TaskId) {
        let other = self.node(other);
        let (blocker, dependant) = ends(node, field, other);
        self.edges.push(Edge {
            blocker,
            dependant,
            in_blocks: field == EdgeField::Blocks,
            in_blocked_by: field == EdgeField::BlockedBy,
        });
    }

    fn graph(mut self) -> (DependencyGraph, Vec<TaskId>) {
        self.edges
            .retain(|edge| edge.in_blocks || edge.in_blocked_by);
        let rules = self.list.graph.rules();
        let graph = DependencyGraph::build(rules, self.states, self.edges);
        (graph, self.ids)
    }
}

/// Blocker and dependant of an edge that the file of `node` names.
fn ends(node: Node, field: EdgeField, other: Node) -> (Node, Node) {
    match field {
        EdgeField::Blocks => (node, other),
        EdgeField::BlockedBy => (other, node),
    }
}

/// What the graph needs to know of a status.
pub(super) fn node_state(status: &Status) -> NodeState {
    match status {
        Status::Pending => NodeState::Pending,
        Status::Claimed | Status::InProgress => NodeState::Active,
        Status::Completed => NodeState::Completed,
        Status::Deleted => NodeState::Deleted,
        Status::Other(_) => NodeState::Other,
    }
}
