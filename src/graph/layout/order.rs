//! Phase 5: the order of the vertices within each column, with few crossings.

use super::chains::Layered;

/// Sweeps over the columns at most.
const SWEEPS: usize = 12;
/// Sweeps without a gain after which the search ends.
const PATIENCE: usize = 4;
/// Columns whose neighbouring vertices are also swapped pair by pair, up to this many vertices and edges in the graph.
const TRANSPOSE_LIMIT: usize = 4_000;
/// Edges × sweeps that the search may touch, so that huge graphs get fewer sweeps.
const WORK: usize = 2_000_000;

/// The vertices of each column from top to bottom.
///
/// `rows` are the rows that vertices had in an earlier picture: then that order is kept unless another saves many crossings.
pub(super) fn order(graph: &Layered, rows: Option<&[i64]>) -> Vec<Vec<u32>> {
    let mut now = Order::new(graph, rows);
    let sweeps = SWEEPS
        .min(WORK / (graph.len() + graph.next.edges() * 16).max(1))
        .max(2);
    let start = now.crossings();
    let mut best = (start, now.columns.clone());
    let mut stale = 0;
    for sweep in 0..sweeps {
        if best.0 == 0 || stale >= PATIENCE {
            break;
        }
        now.sweep(sweep % 2 == 0, sweep % 4 < 2);
        if graph.len().max(graph.next.edges()) <= TRANSPOSE_LIMIT {
            now.transpose();
        }
        let crossings = now.crossings();
        stale += 1;
        if crossings < best.0 {
            best = (crossings, now.columns.clone());
            stale = 0;
        }
    }
    let worth_it = |saved: usize| rows.is_none() || saved >= 5.max(start / 2);
    if best.0 < start && !worth_it(start - best.0) {
        return Order::new(graph, rows).columns;
    }
    best.1
}

struct Order<'a> {
    graph: &'a Layered,
    columns: Vec<Vec<u32>>,
    place: Vec<u32>,
}

impl<'a> Order<'a> {
    fn new(graph: &'a Layered, rows: Option<&[i64]>) -> Self {
        let mut columns = depth_first(graph);
        if let Some(rows) = rows {
            for column in &mut columns {
                column.sort_by_key(|&v| rows[v as usize]);
            }
        }
        let mut order = Order {
            graph,
            columns,
            place: vec![0; graph.len()],
        };
        for c in 0..order.columns.len() {
            order.renumber(c);
        }
        order
    }

    fn renumber(&mut self, column: usize) {
        for (i, &v) in self.columns[column].iter().enumerate() {
            self.place[v as usize] = i as u32;
        }
    }

    /// Sorts each column by the mean (or the median) place of its neighbours in the column before it.
    fn sweep(&mut self, rightwards: bool, mean: bool) {
        let count = self.columns.len();
        for i in 1..count {
            let c = if rightwards { i } else { count - 1 - i };
            let neighbours = if rightwards {
                &self.graph.prev
            } else {
                &self.graph.next
            };
            let column = std::mem::take(&mut self.columns[c]);
            let mut keyed: Vec<(u64, u32)> = Vec::with_capacity(column.len());
            let mut places = Vec::new();
            for &v in &column {
                places.clear();
                places.extend(
                    neighbours
                        .of(v)
                        .iter()
                        .map(|&u| u64::from(self.place[u as usize])),
                );
                if !places.is_empty() {
                    keyed.push((middle(&mut places, mean), v));
                }
            }
            keyed.sort_by_key(|&(key, _)| key);
            let mut sorted = keyed.into_iter().map(|(_, v)| v);
            // A vertex without neighbours on this side keeps its place.
            self.columns[c] = column
                .iter()
                .map(|&v| {
                    if neighbours.of(v).is_empty() {
                        v
                    } else {
                        sorted.next().unwrap_or(v)
                    }
                })
                .collect();
            self.renumber(c);
        }
    }

    /// Swaps neighbours in a column while that saves crossings.
    fn transpose(&mut self) {
        for _ in 0..4 {
            let mut gained = false;
            for c in 0..self.columns.len() {
                for i in 1..self.columns[c].len() {
                    let (a, b) = (self.columns[c][i - 1], self.columns[c][i]);
                    if self.pair(b, a) < self.pair(a, b) {
                        self.columns[c].swap(i - 1, i);
                        self.place.swap(a as usize, b as usize);
                        gained = true;
                    }
                }
            }
            if !gained {
                break;
            }
        }
    }

    /// Crossings between the edges of `above` and those of `below`.
    fn pair(&self, above: u32, below: u32) -> usize {
        let mut total = 0;
        for side in [&self.graph.prev, &self.graph.next] {
            for &u in side.of(above) {
                let place = self.place[u as usize];
                total += side
                    .of(below)
                    .iter()
                    .filter(|&&w| self.place[w as usize] < place)
                    .count();
            }
        }
        total
    }

    /// All crossings: inversions between neighbouring columns, counted with a Fenwick tree.
    fn crossings(&self) -> usize {
        let mut total = 0;
        let mut tree: Vec<u32> = Vec::new();
        let mut ends = Vec::new();
        for (c, column) in self
            .columns
            .iter()
            .enumerate()
            .take(self.columns.len().saturating_sub(1))
        {
            let width = self.columns[c + 1].len();
            tree.clear();
            tree.resize(width + 1, 0);
            let mut seen = 0usize;
            for &v in column {
                ends.clear();
                ends.extend(
                    self.graph
                        .next
                        .of(v)
                        .iter()
                        .map(|&t| self.place[t as usize] as usize),
                );
                for &end in &ends {
                    let (mut not_beyond, mut i) = (0usize, end + 1);
                    while i > 0 {
                        not_beyond += tree[i] as usize;
                        i &= i - 1;
                    }
                    total += seen - not_beyond;
                }
                for &end in &ends {
                    let mut i = end + 1;
                    while i <= width {
                        tree[i] += 1;
                        i += i & i.wrapping_neg();
                    }
                }
                seen += ends.len();
            }
        }
        total
    }
}

/// Mean or median of the places, scaled so that fractions stay integers.
fn middle(places: &mut [u64], mean: bool) -> u64 {
    const SCALE: u64 = 1 << 16;
    if mean {
        return places.iter().sum::<u64>() * SCALE / places.len() as u64;
    }
    places.sort_unstable();
    let half = places.len() / 2;
    if places.len() % 2 == 1 {
        places[half] * SCALE
    } else {
        (places[half - 1] + places[half]) * SCALE / 2
    }
}

/// The first order: as a depth-first walk in input order meets the vertices.
fn depth_first(graph: &Layered) -> Vec<Vec<u32>> {
    let mut columns = vec![Vec::new(); graph.columns];
    let mut seen = vec![false; graph.len()];
    let mut walk = Vec::new();
    for root in (0..graph.len() as u32).filter(|&v| graph.prev.of(v).is_empty()) {
        walk.push(root);
        while let Some(v) = walk.pop() {
            if std::mem::replace(&mut seen[v as usize], true) {
                continue;
            }
            columns[graph.column[v as usize] as usize].push(v);
            walk.extend(graph.next.of(v).iter().rev());
        }
    }
    columns
}
