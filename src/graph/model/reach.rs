use std::collections::{BTreeSet, HashMap, VecDeque};

use super::{DependencyGraph, Node};

impl DependencyGraph {
    /// How many open tasks wait for `node`, directly or through others; itself not counted.
    pub fn frees_in_all(&self, node: Node) -> usize {
        let mut seen = vec![false; self.len()];
        seen[node as usize] = true;
        let mut waiting = vec![node];
        let mut count = 0;
        while let Some(node) = waiting.pop() {
            for next in self.open_dependants(node) {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    count += 1;
                    waiting.push(next);
                }
            }
        }
        count
    }

    /// Every task on some way from `blocker` down to `dependant`, both included, finished ones too;
    /// in index order, and empty when there is no way.
    pub fn between(&self, blocker: Node, dependant: Node) -> Vec<Node> {
        let after = self.reached(blocker, |node, to| {
            to.extend(self.outgoing(node).map(|e| e.dependant));
        });
        let before = self.reached(dependant, |node, to| {
            to.extend(self.incoming(node).map(|e| e.blocker));
        });
        if !after[dependant as usize] {
            return Vec::new();
        }
        let both = |node: &Node| after[*node as usize] && before[*node as usize];
        (0..self.len() as Node).filter(both).collect()
    }

    /// What stands within some edges of `start`, in either direction, nearest first until there are
    /// `most`; only tasks that are `allowed`. In index order.
    pub fn near(
        &self,
        start: Node,
        hops: usize,
        most: usize,
        allowed: impl Fn(Node) -> bool,
    ) -> Vec<Node> {
        let mut found = BTreeSet::from([start]);
        let mut waiting = VecDeque::from([(start, 0)]);
        while let Some((node, far)) = waiting.pop_front() {
            if far == hops {
                continue;
            }
            let before = self.incoming(node).map(|e| e.blocker);
            let after = self.outgoing(node).map(|e| e.dependant);
            for near in before.chain(after) {
                if found.len() < most && allowed(near) && found.insert(near) {
                    waiting.push_back((near, far + 1));
                }
            }
        }
        found.into_iter().collect()
    }

    /// The edges between some nodes, by their places among them; the cost follows these nodes.
    pub fn edges_among(&self, nodes: &[Node]) -> Vec<(u32, u32)> {
        let places: HashMap<Node, u32> = nodes.iter().copied().zip(0..).collect();
        let mut edges = Vec::new();
        for (node, place) in nodes.iter().zip(0..) {
            let after = self.outgoing(*node).map(|e| e.dependant);
            edges.extend(after.filter_map(|d| Some((place, *places.get(&d)?))));
        }
        edges.sort_unstable();
        edges
    }

    fn reached(&self, start: Node, next: impl Fn(Node, &mut Vec<Node>)) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut waiting = vec![start];
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                next(node, &mut waiting);
            }
        }
        seen
    }

    /// The shortest chain of open tasks from `blocker` down to `dependant`, both included. An edge
    /// from `dependant` to `blocker` would close it into a ring.
    pub fn path(&self, blocker: Node, dependant: Node) -> Option<Vec<Node>> {
        self.search(blocker, dependant).path
    }

    /// Like [`DependencyGraph::path`], and says which tasks the answer relies on.
    pub fn search(&self, blocker: Node, dependant: Node) -> Search {
        if blocker == dependant {
            return Search {
                path: Some(vec![blocker]),
                looked_at: vec![blocker],
            };
        }
        let mut came_from: Vec<Option<Node>> = vec![None; self.len()];
        let mut looked_at = vec![blocker];
        let mut place = 0;
        while let Some(node) = looked_at.get(place).copied() {
            place += 1;
            for next in self.open_dependants(node) {
                if next == blocker || came_from[next as usize].is_some() {
                    continue;
                }
                came_from[next as usize] = Some(node);
                looked_at.push(next);
                if next == dependant {
                    let path = Some(walk_back(&came_from, dependant));
                    return Search { path, looked_at };
                }
            }
        }
        Search {
            path: None,
            looked_at,
        }
    }
}

/// The outcome of looking for a chain between two tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// The chain, when there is one.
    pub path: Option<Vec<Node>>,
    /// The tasks that were visited, in order.
    pub looked_at: Vec<Node>,
}

fn walk_back(came_from: &[Option<Node>], end: Node) -> Vec<Node> {
    let mut path = vec![end];
    let mut node = end;
    while let Some(before) = came_from[node as usize] {
        path.push(before);
        node = before;
    }
    path.reverse();
    path
}
