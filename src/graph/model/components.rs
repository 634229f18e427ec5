use super::{DependencyGraph, Node};

const UNSEEN: u32 = u32::MAX;

/// Tarjan's algorithm (SIAM J. Comput. 1, 1972) with its stack on the heap.
struct Tarjan<'a> {
    graph: &'a DependencyGraph,
    found_at: Vec<u32>,
    lowest: Vec<u32>,
    waiting: Vec<Node>,
    is_waiting: Vec<bool>,
    components: Vec<Vec<Node>>,
}

/// A node under visit, and how many of its dependants have been looked at.
struct Visit {
    node: Node,
    looked_at: usize,
}

impl DependencyGraph {
    /// The strongly connected components of the open tasks, dependants before blockers (reverse
    /// topological order). Most have one member.
    pub fn components(&self) -> Vec<Vec<Node>> {
        let nodes = self.len();
        let mut tarjan = Tarjan {
            graph: self,
            found_at: vec![UNSEEN; nodes],
            lowest: vec![0; nodes],
            waiting: Vec::new(),
            is_waiting: vec![false; nodes],
            components: Vec::new(),
        };
        let mut found = 0;
        for node in 0..nodes as Node {
            if self.state(node).is_open() && tarjan.found_at[node as usize] == UNSEEN {
                tarjan.visit(node, &mut found);
            }
        }
        tarjan.components
    }

    /// The rings among open tasks: components of several members and tasks that wait for
    /// themselves. Members in index order, rings in the order of their first member.
    pub fn cycles(&self) -> Vec<Vec<Node>> {
        let waits_for_itself = |n: Node| self.outgoing(n).any(|e| e.dependant == n);
        let mut rings = self.components();
        rings.retain(|ring| ring.len() > 1 || waits_for_itself(ring[0]));
        for ring in &mut rings {
            ring.sort_unstable();
        }
        rings.sort_unstable();
        rings
    }
}

impl Tarjan<'_> {
    fn visit(&mut self, root: Node, found: &mut u32) {
        let mut visits = vec![self.enter(root, found)];
        while let Some(visit) = visits.last_mut() {
            let node = visit.node;
            match self.graph.outgoing.of(node).get(visit.looked_at) {
                Some(edge) => {
                    visit.looked_at += 1;
                    let next = self.graph.edges[*edge as usize].dependant;
                    if !self.graph.state(next).is_open() {
                        continue;
                    }
                    if self.found_at[next as usize] == UNSEEN {
                        let entered = self.enter(next, found);
                        visits.push(entered);
                    } else if self.is_waiting[next as usize] {
                        self.lower(node, self.found_at[next as usize]);
                    }
                }
                None => {
                    visits.pop();
                    self.leave(node);
                    if let Some(parent) = visits.last() {
                        self.lower(parent.node, self.lowest[node as usize]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: Node, found: &mut u32) -> Visit {
        self.found_at[node as usize] = *found;
        self.lowest[node as usize] = *found;
        *found += 1;
        self.waiting.push(node);
        self.is_waiting[node as usize] = true;
        Visit { node, looked_at: 0 }
    }

    fn lower(&mut self, node: Node, to: u32) {
        let lowest = &mut self.lowest[node as usize];
        *lowest = (*lowest).min(to);
    }

    fn leave(&mut self, node: Node) {
        if self.lowest[node as usize] != self.found_at[node as usize] {
            return;
        }
        let start = self.waiting.iter().rposition(|n| *n == node).unwrap_or(0);
        let component = self.waiting.split_off(start);
        for member in &component {
            self.is_waiting[*member as usize] = false;
        }
        self.components.push(component);
    }
}
