//! Seeded random graphs of the kinds that task lists have.

/// A small generator of its own (splitmix64): the same seed gives the same graph on every machine, for ever.
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `low..=high`.
    pub fn range(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() % (high - low + 1) as u64) as usize
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}

pub(crate) type Edges = Vec<(u32, u32)>;

/// Epics of 5 to 60 tasks in 3 to 8 phases; a task waits for 1 to 3 of the phase before, a few for other epics.
pub(crate) fn epics(count: usize, seed: u64) -> Edges {
    let mut random = Random::new(seed);
    let mut edges = Vec::new();
    let mut first = 0;
    while first < count {
        let size = random.range(5, 60).min(count - first);
        let phases = random.range(3, 8).min(size);
        let phase = |i: usize| i * phases / size;
        for i in 0..size {
            if phase(i) == 0 {
                continue;
            }
            let before: Vec<usize> = (0..i).filter(|&j| phase(j) + 1 == phase(i)).collect();
            for _ in 0..random.range(1, 3) {
                edges.push((
                    (first + before[random.range(0, before.len() - 1)]) as u32,
                    (first + i) as u32,
                ));
            }
            if first > 0 && random.chance(1) {
                edges.push((
                    random.range(first.saturating_sub(60), first - 1) as u32,
                    (first + i) as u32,
                ));
            }
        }
        first += size;
    }
    tidy(edges)
}

/// One deep graph: each task waits for 0 to 3 of the 30 before it, 3 % for one far back.
pub(crate) fn window(count: usize, seed: u64) -> Edges {
    let mut random = Random::new(seed);
    let mut edges = Vec::new();
    for i in 1..count {
        for _ in 0..random.range(0, 3) {
            edges.push((random.range(i.saturating_sub(30), i - 1) as u32, i as u32));
        }
        if random.chance(3) {
            edges.push((random.range(0, i - 1) as u32, i as u32));
        }
    }
    tidy(edges)
}

/// Few edges: each task waits for at most two earlier ones.
pub(crate) fn sparse(count: usize, seed: u64) -> Edges {
    let mut random = Random::new(seed);
    let mut edges = Vec::new();
    for i in 1..count {
        for _ in 0..[0, 1, 1, 2][random.range(0, 3)] {
            edges.push((random.range(0, i - 1) as u32, i as u32));
        }
    }
    tidy(edges)
}

fn tidy(mut edges: Edges) -> Edges {
    edges.sort_unstable();
    edges.dedup();
    edges
}
