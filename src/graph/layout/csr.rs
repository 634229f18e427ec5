//! Adjacency in two flat arrays.

/// For every vertex the list of its neighbours, in the order in which the pairs came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Csr {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Csr {
    /// Groups `pairs` by their first member (counting sort, so the order within a group is kept).
    pub fn new(vertices: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Csr {
        let mut start = vec![0u32; vertices + 1];
        for (from, _) in pairs.clone() {
            start[from as usize + 1] += 1;
        }
        for i in 0..vertices {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut items = vec![0; start[vertices] as usize];
        for (from, to) in pairs {
            let slot = &mut next[from as usize];
            items[*slot as usize] = to;
            *slot += 1;
        }
        Csr { start, items }
    }

    /// The neighbours of one vertex.
    pub fn of(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.items[self.start[v] as usize..self.start[v + 1] as usize]
    }

    /// How many pairs there are.
    pub fn edges(&self) -> usize {
        self.items.len()
    }
}
