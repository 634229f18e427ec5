//! Phase 6: the row of every vertex.
//!
//! A chain is one block: all its vertices share a row, so a long line is straight. Blocks first move freely towards the
//! middle of their neighbours (weighted isotonic regression per column), then are set on whole rows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::chains::Layered;

/// One row in the fixed-point numbers of the regression.
const ONE: i64 = 256;
const SWEEPS: usize = 14;
const POLISH: usize = 8;
/// Weight of a node's wish, of a chain's, of a chain that an earlier column has placed, of a row held from before.
const NODE: i64 = 1;
const CHAIN: i64 = 4;
const PLACED: i64 = 64;
const HELD: i64 = 50;

/// The row of every vertex. `held` are rows from an earlier picture that should be kept.
pub(super) fn rows(graph: &Layered, order: &[Vec<u32>], held: Option<&[Option<i64>]>) -> Vec<i64> {
    let blocks = Blocks::new(graph, order);
    let hold: Vec<Option<i64>> = (0..blocks.members.len())
        .map(|b| held.and_then(|held| held[blocks.members[b][0] as usize]))
        .collect();
    let ideal = relax(graph, order, &blocks, &hold);
    let mut row = settle(&blocks, &ideal);
    polish(graph, &blocks, &hold, &mut row);
    blocks.of.iter().map(|&b| row[b as usize]).collect()
}

/// Vertices that share a row, and which block must be above which.
struct Blocks {
    of: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// Per block the blocks directly above and below it in any column.
    above: Vec<Vec<u32>>,
    below: Vec<Vec<u32>>,
    /// The blocks from top to bottom.
    topological: Vec<u32>,
}

impl Blocks {
    fn new(graph: &Layered, order: &[Vec<u32>]) -> Blocks {
        let mut members: Vec<Vec<u32>> = (0..graph.nodes as u32).map(|v| vec![v]).collect();
        let mut last = None;
        for v in graph.nodes as u32..graph.len() as u32 {
            match members.last_mut() {
                Some(block) if graph.chain_of(v) == last => block.push(v),
                _ => members.push(vec![v]),
            }
            last = graph.chain_of(v);
        }
        loop {
            let mut blocks = Blocks::related(graph.len(), order, members);
            let stuck = blocks.sort();
            if stuck.is_empty() {
                return blocks;
            }
            // Two chains change sides, or a node sits between: somebody has to bend. Cut in halves.
            members = blocks.members;
            for &b in &stuck {
                let half = members[b as usize].len().div_ceil(2);
                let rest = members[b as usize].split_off(half);
                if !rest.is_empty() {
                    members.push(rest);
                }
            }
        }
    }

    fn related(vertices: usize, order: &[Vec<u32>], members: Vec<Vec<u32>>) -> Blocks {
        let mut of = vec![0; vertices];
        for (b, block) in members.iter().enumerate() {
            for &v in block {
                of[v as usize] = b as u32;
            }
        }
        let (mut above, mut below) = (
            vec![Vec::new(); members.len()],
            vec![Vec::new(); members.len()],
        );
        for column in order {
            for pair in column.windows(2) {
                let (a, b) = (of[pair[0] as usize], of[pair[1] as usize]);
                below[a as usize].push(b);
                above[b as usize].push(a);
            }
        }
        Blocks {
            of,
            members,
            above,
            below,
            topological: Vec::new(),
        }
    }

    /// Fills `topological`; returns the longest blocks among those that lie on a ring.
    fn sort(&mut self) -> Vec<u32> {
        let mut waits: Vec<usize> = self.above.iter().map(Vec::len).collect();
        self.topological = (0..waits.len() as u32)
            .filter(|&b| waits[b as usize] == 0)
            .collect();
        let mut at = 0;
        while at < self.topological.len() {
            let b = self.topological[at];
            at += 1;
            for &next in &self.below[b as usize] {
                waits[next as usize] -= 1;
                if waits[next as usize] == 0 {
                    self.topological.push(next);
                }
            }
        }
        let stuck = |b: &u32| waits[*b as usize] > 0 && self.members[*b as usize].len() > 1;
        let longest = (0..waits.len() as u32)
            .filter(stuck)
            .map(|b| self.members[b as usize].len())
            .max();
        let longest = longest.unwrap_or(0);
        (0..waits.len() as u32)
            .filter(stuck)
            .filter(|&b| self.members[b as usize].len() == longest)
            .collect()
    }
}

/// Where each block would like to be, in units of `ONE`.
fn relax(graph: &Layered, order: &[Vec<u32>], blocks: &Blocks, hold: &[Option<i64>]) -> Vec<i64> {
    let tallest = order.iter().map(Vec::len).max().unwrap_or(0) as i64;
    let mut y = vec![0i64; blocks.members.len()];
    for column in order {
        let top = (tallest - column.len() as i64) * ONE / 2;
        for (i, &v) in column.iter().enumerate() {
            y[blocks.of[v as usize] as usize] = top + i as i64 * ONE;
        }
    }
    let mut places = Vec::new();
    let mut wishes = Vec::new();
    for sweep in 0..SWEEPS {
        let rightwards = sweep % 2 == 0;
        let one_sided = sweep < SWEEPS / 2;
        for i in 0..order.len() {
            let column = &order[if rightwards { i } else { order.len() - 1 - i }];
            wishes.clear();
            for &v in column {
                let b = blocks.of[v as usize];
                let block = &blocks.members[b as usize];
                let lead = if rightwards {
                    block[0]
                } else {
                    block[block.len() - 1]
                };
                wishes.push(if let Some(row) = hold[b as usize] {
                    (row * ONE, HELD)
                } else if lead != v {
                    (y[b as usize], PLACED)
                } else {
                    places.clear();
                    for &m in block {
                        if !one_sided || rightwards {
                            places.extend(graph.prev.of(m).iter().map(|&u| blocks.of[u as usize]));
                        }
                        if !one_sided || !rightwards {
                            places.extend(graph.next.of(m).iter().map(|&u| blocks.of[u as usize]));
                        }
                    }
                    places.retain(|&other| other != b);
                    let mut at: Vec<i64> = places.iter().map(|&other| y[other as usize]).collect();
                    let weight = if (v as usize) < graph.nodes {
                        NODE
                    } else {
                        CHAIN
                    };
                    (median(&mut at).unwrap_or(y[b as usize]), weight)
                });
            }
            for (&v, place) in column.iter().zip(isotonic(&wishes)) {
                let b = blocks.of[v as usize] as usize;
                let block = &blocks.members[b];
                let lead = if rightwards {
                    block[0]
                } else {
                    block[block.len() - 1]
                };
                if lead == v {
                    y[b] = place;
                }
            }
        }
    }
    y
}

fn median(values: &mut [i64]) -> Option<i64> {
    values.sort_unstable();
    let half = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[half]),
        _ => Some((values[half - 1] + values[half]).div_euclid(2)),
    }
}

/// Pool adjacent violators: places at least one row apart, as near to the weighted wishes as can be.
fn isotonic(wishes: &[(i64, i64)]) -> Vec<i64> {
    let mut pools: Vec<(i64, i64, usize)> = Vec::with_capacity(wishes.len()); // weighted sum, weight, members
    for (i, &(wish, weight)) in wishes.iter().enumerate() {
        let mut pool = ((wish - i as i64 * ONE) * weight, weight, 1);
        while let Some(&(sum, total, count)) = pools.last() {
            if sum.div_euclid(total) <= pool.0.div_euclid(pool.1) {
                break;
            }
            pools.pop();
            pool = (pool.0 + sum, pool.1 + total, pool.2 + count);
        }
        pools.push(pool);
    }
    let levels = pools
        .iter()
        .flat_map(|&(sum, total, count)| std::iter::repeat_n(sum.div_euclid(total), count));
    levels
        .enumerate()
        .map(|(i, level)| level + i as i64 * ONE)
        .collect()
}

/// Whole rows: every block at its wish or below, never at or above the one above it.
fn settle(blocks: &Blocks, ideal: &[i64]) -> Vec<i64> {
    let rounded = |b: u32| (ideal[b as usize] + ONE / 2 - 1).div_euclid(ONE);
    let mut waits: Vec<usize> = blocks.above.iter().map(Vec::len).collect();
    let mut ready: BinaryHeap<Reverse<(i64, u32)>> = blocks
        .topological
        .iter()
        .filter(|&&b| waits[b as usize] == 0)
        .map(|&b| Reverse((ideal[b as usize], b)))
        .collect();
    let mut row = vec![i64::MIN; ideal.len()];
    while let Some(Reverse((_, b))) = ready.pop() {
        let floor = blocks.above[b as usize]
            .iter()
            .map(|&a| row[a as usize] + 1)
            .max()
            .unwrap_or(i64::MIN);
        row[b as usize] = rounded(b).max(floor);
        for &next in &blocks.below[b as usize] {
            waits[next as usize] -= 1;
            if waits[next as usize] == 0 {
                ready.push(Reverse((ideal[next as usize], next)));
            }
        }
    }
    row
}

/// Moves each block in its free space to where most of its lines become straight or short.
fn polish(graph: &Layered, blocks: &Blocks, hold: &[Option<i64>], row: &mut [i64]) {
    for pass in 0..POLISH {
        for i in 0..blocks.topological.len() {
            let at = if pass % 2 == 0 {
                blocks.topological.len() - 1 - i
            } else {
                i
            };
            let b = blocks.topological[at];
            let low = blocks.above[b as usize]
                .iter()
                .map(|&a| row[a as usize] + 1)
                .max()
                .unwrap_or(i64::MIN);
            let high = blocks.below[b as usize]
                .iter()
                .map(|&a| row[a as usize] - 1)
                .min()
                .unwrap_or(i64::MAX);
            if low >= high {
                continue;
            }
            let mut around: Vec<i64> = blocks.members[b as usize]
                .iter()
                .flat_map(|&m| graph.around(m))
                .map(|u| blocks.of[u as usize])
                .filter(|&other| other != b)
                .map(|other| row[other as usize])
                .collect();
            around.sort_unstable();
            let wish = match (hold[b as usize], around.len()) {
                (Some(row), _) => row,
                (None, 0) => continue,
                // Every row between the two middle ones is equally short.
                (None, n) => row[b as usize].clamp(around[(n - 1) / 2], around[n / 2]),
            };
            row[b as usize] = wish.clamp(low, high);
        }
    }
}
