use super::{DependencyGraph, Node};

/// Rings of more edges than this are opened at their first edge: trying all takes the square.
const MOST_TRIED: usize = 400;

/// Which edge of a ring to take away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The edge's blocker.
    pub blocker: Node,
    /// The task that no longer waits for it.
    pub dependant: Node,
    /// Whether nothing of the ring is left then; else there are more rings in it.
    pub opens: bool,
    /// Whether its dependant is the older task: plans mostly grow forwards, so that such an edge is
    /// the likelier mistake.
    pub backwards: bool,
    /// Whether the dependant can start at once then.
    pub frees: bool,
}

impl DependencyGraph {
    /// The edge between members of a ring, given oldest first, whose removal does most: one that
    /// opens the ring with one cut, of these one that leads backwards in time, and of these one whose
    /// dependant waits for nothing else. The first of equals. `None` when its members have no edges
    /// among themselves.
    pub fn cut_of(&self, ring: &[Node]) -> Option<Cut> {
        let edges = self.edges_among(ring);
        let tried = edges.len().min(MOST_TRIED);
        let cut = |at: usize| {
            let (blocker, dependant) = edges[at];
            let backwards = blocker > dependant;
            let (blocker, dependant) = (ring[blocker as usize], ring[dependant as usize]);
            let mut left = edges.clone();
            left.remove(at);
            Cut {
                blocker,
                dependant,
                opens: edges.len() <= MOST_TRIED && is_acyclic(ring.len(), &left),
                backwards,
                frees: self.open_blockers(dependant).all(|b| b == blocker),
            }
        };
        // `max_by_key` takes the last of equals.
        (0..tried)
            .rev()
            .map(cut)
            .max_by_key(|cut| (cut.opens, cut.backwards, cut.frees))
    }
}

/// Kahn's algorithm (1962): whether every node can be taken away once nothing leads to it. The
/// edges are sorted by where they begin.
fn is_acyclic(nodes: usize, edges: &[(u32, u32)]) -> bool {
    let mut waits_for = vec![0_usize; nodes];
    for (_, to) in edges {
        waits_for[*to as usize] += 1;
    }
    let mut free: Vec<usize> = (0..nodes).filter(|node| waits_for[*node] == 0).collect();
    let mut taken = 0;
    while let Some(node) = free.pop() {
        taken += 1;
        let first = edges.partition_point(|(from, _)| (*from as usize) < node);
        for (_, to) in edges[first..]
            .iter()
            .take_while(|(from, _)| *from as usize == node)
        {
            waits_for[*to as usize] -= 1;
            if waits_for[*to as usize] == 0 {
                free.push(*to as usize);
            }
        }
    }
    taken == nodes
}
