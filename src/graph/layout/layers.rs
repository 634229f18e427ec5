//! Phases 2 and 3: hide implied edges, and give every task a column.

use super::csr::Csr;

/// At most this many steps are spent on finding implied edges; what is left then stays drawn.
const REDUCTION_STEPS: usize = 2_000_000;

/// Topological order and earliest column of every node of an acyclic graph (Kahn).
pub(super) fn levels(nodes: usize, edges: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let next = Csr::new(nodes, edges.iter().copied());
    let mut waits = vec![0u32; nodes];
    for &(_, to) in edges {
        waits[to as usize] += 1;
    }
    let mut order: Vec<u32> = (0..nodes as u32)
        .filter(|&v| waits[v as usize] == 0)
        .collect();
    let mut level = vec![0u32; nodes];
    let mut at = 0;
    while at < order.len() {
        let v = order[at];
        at += 1;
        for &to in next.of(v) {
            level[to as usize] = level[to as usize].max(level[v as usize] + 1);
            waits[to as usize] -= 1;
            if waits[to as usize] == 0 {
                order.push(to);
            }
        }
    }
    (order, level)
}

/// Removes the edges that a longer path implies. Returns how many went.
///
/// From every node a walk over its indirect dependants, no deeper than its deepest direct one.
pub(super) fn reduce(nodes: usize, edges: &mut Vec<(u32, u32)>) -> usize {
    let next = Csr::new(nodes, edges.iter().copied());
    let (_, level) = levels(nodes, edges);
    let mut seen = vec![u32::MAX; nodes];
    let mut implied: Vec<(u32, u32)> = Vec::new();
    let mut steps = 0;
    let mut walk = Vec::new();
    for v in 0..nodes as u32 {
        let direct = next.of(v);
        if direct.len() < 2 || steps > REDUCTION_STEPS {
            continue;
        }
        let deepest = direct.iter().map(|&t| level[t as usize]).max().unwrap_or(0);
        walk.extend(
            direct
                .iter()
                .copied()
                .filter(|&t| level[t as usize] < deepest),
        );
        while let Some(u) = walk.pop() {
            for &to in next.of(u) {
                steps += 1;
                if level[to as usize] <= deepest && seen[to as usize] != v {
                    seen[to as usize] = v;
                    if level[to as usize] < deepest {
                        walk.push(to);
                    }
                }
            }
        }
        implied.extend(
            direct
                .iter()
                .filter(|&&t| seen[t as usize] == v)
                .map(|&t| (v, t)),
        );
    }
    implied.sort_unstable();
    edges.retain(|edge| implied.binary_search(edge).is_err());
    implied.len()
}

/// The column of every node: as early as possible, then nodes with more dependants than blockers move right until
/// just before their nearest dependant, because that shortens more lines than it lengthens.
pub(super) fn columns(nodes: usize, edges: &[(u32, u32)]) -> Vec<u32> {
    let (order, mut column) = levels(nodes, edges);
    let next = Csr::new(nodes, edges.iter().copied());
    let mut blockers = vec![0usize; nodes];
    for &(_, to) in edges {
        blockers[to as usize] += 1;
    }
    for &v in order.iter().rev() {
        let dependants = next.of(v);
        if dependants.len() > blockers[v as usize]
            && let Some(nearest) = dependants.iter().map(|&t| column[t as usize]).min()
        {
            column[v as usize] = nearest - 1;
        }
    }
    column
}
