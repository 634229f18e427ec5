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
