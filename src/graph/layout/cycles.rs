//! Phase 1: take out the edges that close a ring.

use super::csr::Csr;

/// Edges by role: those that point forward, and those that close a ring.
pub(super) struct Split {
    pub forward: Vec<(u32, u32)>,
    pub back: Vec<(u32, u32)>,
}

/// Splits the edges by a depth-first walk: an edge to a task that is still open on the walk closes a ring.
///
/// The walk begins at the tasks without blockers, then takes the rest, each in input order, so the same list always
/// has the same "culprit". Its stack is on the heap: a chain of any length is fine.
pub(super) fn split(nodes: usize, edges: &[(u32, u32)]) -> Split {
    let next = Csr::new(nodes, edges.iter().copied());
    let mut blocked = vec![false; nodes];
    for &(from, to) in edges {
        blocked[to as usize] |= from != to;
    }
    let roots = (0..nodes as u32).filter(|&v| !blocked[v as usize]);
    let rest = (0..nodes as u32).filter(|&v| blocked[v as usize]);

    let mut out = Split {
        forward: Vec::with_capacity(edges.len()),
        back: Vec::new(),
    };
    let mut mark = vec![Mark::New; nodes];
    let mut walk: Vec<(u32, usize)> = Vec::new();
    for root in roots.chain(rest) {
        if mark[root as usize] != Mark::New {
            continue;
        }
        mark[root as usize] = Mark::Open;
        walk.push((root, 0));
        while let Some((v, at)) = walk.last_mut() {
            let (v, i) = (*v, *at);
            *at += 1;
            let Some(&to) = next.of(v).get(i) else {
                mark[v as usize] = Mark::Closed;
                walk.pop();
                continue;
            };
            if mark[to as usize] == Mark::Open {
                out.back.push((v, to));
                continue;
            }
            out.forward.push((v, to));
            if mark[to as usize] == Mark::New {
                mark[to as usize] = Mark::Open;
                walk.push((to, 0));
            }
        }
    }
    out.forward.sort_unstable();
    out.back.sort_unstable();
    out
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Closed,
}
