use super::List;
use crate::graph::Node;
use crate::task::TaskId;

/// A ring of open tasks that wait for one another, and the edge to take away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ring {
    /// Its members, in id order.
    pub members: Vec<TaskId>,
    /// The tasks of one way round it, each waiting for the one before it and the first for the last.
    /// The cut lies between the last and the first.
    pub way: Vec<TaskId>,
    /// Whether the cut opens all of it; else there are more rings in it.
    pub opens: bool,
}

impl Ring {
    /// The blocker of the edge to take away.
    pub fn blocker(&self) -> Option<&TaskId> {
        self.way.last()
    }

    /// The task that no longer waits then.
    pub fn dependant(&self) -> Option<&TaskId> {
        self.way.first()
    }
}

impl List {
    /// The rings of open tasks, each with the cut that does most.
    pub fn rings_to_cut(&self) -> &[Ring] {
        self.derived.rings.get_or_init(|| {
            let rings = self.rings().iter();
            let mut rings: Vec<Ring> = rings.map(|ring| self.ring(ring)).collect();
            rings.sort_by(|a, b| a.members.cmp(&b.members));
            rings
        })
    }

    fn ring(&self, nodes: &[Node]) -> Ring {
        let members = self.named(nodes.iter().copied());
        let age = |node: &Node| self.task(*node).map(|t| t.created_at.or(t.first_seen));
        let mut oldest_first: Vec<Node> = members.iter().filter_map(|id| self.node(id)).collect();
        oldest_first.sort_by_key(age);
        let cut = self.graph.cut_of(&oldest_first);
        let way = cut.and_then(|cut| self.graph.path(cut.dependant, cut.blocker));
        let way = way.unwrap_or_default();
        Ring {
            members,
            way: way.iter().map(|node| self.id_of(*node).clone()).collect(),
            opens: cut.is_some_and(|cut| cut.opens),
        }
    }
}
