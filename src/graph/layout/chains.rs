//! Phase 4: long edges become chains of invisible vertices, one per column they pass.

use super::csr::Csr;

/// The layered graph: real nodes first (`0..nodes`), then the vertices of chains. Every edge joins neighbouring columns.
pub(super) struct Layered {
    /// How many of the vertices are real nodes.
    pub nodes: usize,
    /// The column of every vertex.
    pub column: Vec<u32>,
    /// The chain of every vertex beyond the nodes.
    pub chain: Vec<u32>,
    /// Forward neighbours.
    pub next: Csr,
    /// Backward neighbours.
    pub prev: Csr,
    /// How many columns there are.
    pub columns: usize,
}

impl Layered {
    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.column.len()
    }

    /// The chain that a vertex belongs to, if it is not a node.
    pub fn chain_of(&self, vertex: u32) -> Option<u32> {
        (vertex as usize)
            .checked_sub(self.nodes)
            .map(|i| self.chain[i])
    }

    /// All neighbours of a vertex on both sides.
    pub fn around(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        self.prev
            .of(vertex)
            .iter()
            .chain(self.next.of(vertex))
            .copied()
    }
}

/// Builds the layered graph, or `None` if the chains would have more than `limit` vertices.
///
/// Long edges share chains: all long edges of a blocker run together until each leaves for its dependant, or all long
/// edges of a dependant gather early, whichever side has more of them.
pub(super) fn build(edges: &[(u32, u32)], column: Vec<u32>, limit: usize) -> Option<Layered> {
    let nodes = column.len();
    let long = |&&(u, v): &&(u32, u32)| column[v as usize] > column[u as usize] + 1;
    let (mut outs, mut ins) = (vec![0u32; nodes], vec![0u32; nodes]);
    for &(u, v) in edges.iter().filter(long) {
        outs[u as usize] += 1;
        ins[v as usize] += 1;
    }
    let by_source = |u: u32, v: u32| outs[u as usize] >= ins[v as usize];

    // How far each shared chain reaches: from a blocker to the right, to a dependant from the left.
    let mut reach: Vec<u32> = column.clone();
    let mut begin: Vec<u32> = column.clone();
    for &(u, v) in edges.iter().filter(long) {
        let (from, to) = (column[u as usize], column[v as usize]);
        if by_source(u, v) {
            reach[u as usize] = reach[u as usize].max(to - 1);
        } else {
            begin[v as usize] = begin[v as usize].min(from + 1);
        }
    }
    let total: usize = (0..nodes)
        .map(|v| (reach[v] - column[v]) as usize + (column[v] - begin[v]) as usize)
        .sum();
    if total > limit {
        return None;
    }

    let columns = column.iter().max().map_or(0, |&c| c as usize + 1);
    let mut all = column.clone();
    let mut chain = Vec::with_capacity(total);
    let mut pairs = Vec::with_capacity(edges.len() + total);
    let (mut first_out, mut first_in) = (vec![0u32; nodes], vec![0u32; nodes]);
    for v in 0..nodes {
        for (first, span, id) in [
            (&mut first_out[v], column[v] + 1..reach[v] + 1, 2 * v as u32),
            (&mut first_in[v], begin[v]..column[v], 2 * v as u32 + 1),
        ] {
            *first = all.len() as u32;
            let joins_node = id % 2 == 0;
            for at in span.clone() {
                let vertex = all.len() as u32;
                if at > span.start {
                    pairs.push((vertex - 1, vertex));
                } else if joins_node {
                    pairs.push((v as u32, vertex));
                }
                if !joins_node && at + 1 == span.end {
                    pairs.push((vertex, v as u32));
                }
                all.push(at);
                chain.push(id);
            }
        }
    }
    for edge in edges {
        let &(u, v) = edge;
        let (from, to) = (column[u as usize], column[v as usize]);
        pairs.push(if !long(&edge) {
            (u, v)
        } else if by_source(u, v) {
            (first_out[u as usize] + (to - 1 - (from + 1)), v)
        } else {
            (u, first_in[v as usize] + (from + 1 - begin[v as usize]))
        });
    }
    pairs.sort_unstable();
    pairs.dedup();
    let vertices = all.len();
    Some(Layered {
        nodes,
        column: all,
        chain,
        next: Csr::new(vertices, pairs.iter().copied()),
        prev: Csr::new(vertices, pairs.iter().map(|&(u, v)| (v, u))),
        columns,
    })
}
