use super::Node;

/// Edge numbers grouped by one of their ends: two flat arrays (compressed sparse rows).
#[derive(Debug, Clone)]
pub(super) struct Adjacency {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Adjacency {
    /// Groups edges `0, 1, 2, …` by their ends with a counting sort; order within a group is the
    /// order of the edges.
    pub(super) fn build(nodes: usize, ends: impl Iterator<Item = Node> + Clone) -> Adjacency {
        let mut starts = vec![0_u32; nodes + 1];
        for end in ends.clone() {
            starts[end as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; starts[nodes] as usize];
        for (edge, end) in (0..).zip(ends) {
            let place = &mut next[end as usize];
            edges[*place as usize] = edge;
            *place += 1;
        }
        Adjacency { starts, edges }
    }

    pub(super) fn of(&self, node: Node) -> &[u32] {
        let node = node as usize;
        &self.edges[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}
