//! Phase 7: the edges of one gap between two columns become nets, such that no join can be misread.
//!
//! A net joins all its sources with all its targets. On its own row a vertex may take part in one *fork* (it is the only
//! source) and one *merge* (it is the only target) for free; besides, a source may enter one foreign net and a target may leave
//! one, else the eye could turn from one net into the other. An edge that finds both places taken goes over a
//! *bridge*: a row of its own in this gap, from its source's fork to its target's net.

use std::collections::BTreeSet;

use super::chains::Layered;

/// Rows of vertices are multiples of this, so that rows can be inserted between them.
pub(super) const STEP: i64 = 1 << 32;

/// What a net is, in the order in which trunks stand along a row: what only its vertex uses comes
/// before what it shares with others, so that those cannot turn into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// The beginning of an edge that closes a ring: from its blocker down to a row of its own.
    BackOut,
    /// One source, lines to several targets.
    Fork,
    /// Every source blocks every target.
    Barrier,
    /// Lines from several sources to one target.
    Merge,
    /// One source and one target on the same row.
    Straight,
    /// The end of an edge that closes a ring: from its own row up to the task it blocks.
    BackIn,
}

/// A source of a net.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source {
    pub vertex: u32,
    /// The fork and the row over which the source reaches the net; `None` if on its own row.
    pub bridge: Option<(u32, i64)>,
}

/// Lines in one gap that belong together.
#[derive(Debug, Clone)]
pub(super) struct Net {
    pub kind: Kind,
    pub sources: Vec<Source>,
    pub targets: Vec<u32>,
    /// If the net has two trunks: the row that joins them.
    pub split: Option<i64>,
    /// The own row of an edge that closes a ring.
    pub away: Option<i64>,
    /// The column of the trunk that sources enter and of the one that targets leave (the same without a split).
    pub trunk: [i32; 2],
}

impl Net {
    fn new(kind: Kind) -> Net {
        Net {
            kind,
            sources: Vec::new(),
            targets: Vec::new(),
            split: None,
            away: None,
            trunk: [0; 2],
        }
    }
}

/// All rows of a component in use, and those taken in the gap at hand.
pub(super) struct RowBook<'a> {
    pub all: &'a mut BTreeSet<i64>,
    pub taken: BTreeSet<i64>,
}

impl RowBook<'_> {
    /// A row that is free in this gap, near `wish` and between `low` and `high`; a new one if there is none.
    pub fn bridge(&mut self, wish: i64, low: i64, high: i64) -> i64 {
        let free = |row: &&i64| !self.taken.contains(*row);
        let down = self.all.range(wish..=high.max(wish)).find(free);
        let up = self.all.range(low.min(wish)..wish).rev().find(free);
        let nearest = [down, up]
            .into_iter()
            .flatten()
            .min_by_key(|&&row| (row - wish).abs());
        let row = nearest.copied().unwrap_or_else(|| {
            let base = wish.div_euclid(STEP) * STEP;
            self.all
                .range(base..base + STEP)
                .next_back()
                .map_or(base, |last| last + 1)
        });
        self.all.insert(row);
        self.taken.insert(row);
        row
    }
}

/// Edges that close a ring and end in this gap: (vertex, its own row).
pub(super) struct Backs<'a> {
    pub out: &'a [(u32, i64)],
    pub into: &'a [(u32, i64)],
}

/// The nets of the gap between the vertices `left` and `right` (both from top to bottom).
pub(super) fn nets(
    graph: &Layered,
    left: &[u32],
    right: &[u32],
    row: &[i64],
    backs: &Backs<'_>,
    book: &mut RowBook<'_>,
) -> Vec<Net> {
    let mut gap = Gap {
        row,
        nets: Vec::new(),
        fork: vec![None; left.len()],
        merge: vec![None; right.len()],
    };
    let mut source_free = vec![true; left.len()];
    let mut target_free = vec![true; right.len()];
    let index = |list: &[u32], v: u32| {
        list.binary_search_by_key(&row[v as usize], |&u| row[u as usize])
            .unwrap_or(0)
    };

    let mut bridged: Vec<(usize, Goal)> = Vec::new();
    let mut in_barrier = vec![false; right.len()];
    for group in barriers(graph, right) {
        let id = gap.nets.len();
        let mut net = Net::new(Kind::Barrier);
        for &t in &group {
            in_barrier[t] = true;
            target_free[t] = false;
            net.targets.push(right[t]);
        }
        for &vertex in graph.prev.of(right[group[0]]) {
            let s = index(left, vertex);
            if std::mem::replace(&mut source_free[s], false) {
                net.sources.push(Source {
                    vertex,
                    bridge: None,
                });
            } else {
                bridged.push((s, Goal::Net(id)));
            }
        }
        gap.nets.push(net);
    }

    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (s, &u) in left.iter().enumerate() {
        for &v in graph.next.of(u) {
            let t = index(right, v);
            if in_barrier[t] {
                continue;
            }
            if row[u as usize] != row[v as usize] {
                edges.push((s, t));
            } else if source_free[s] {
                source_free[s] = false;
                target_free[t] = false;
                let mut net = Net::new(Kind::Straight);
                net.sources.push(Source {
                    vertex: u,
                    bridge: None,
                });
                net.targets.push(v);
                gap.nets.push(net);
            } else {
                bridged.push((s, Goal::Target(t)));
            }
        }
    }

    for (&(s, t), payer) in edges.iter().zip(payers(&edges, source_free, target_free)) {
        match payer {
            Payer::Target => {
                let net = gap.fork_of(s, left);
                gap.nets[net].targets.push(right[t]);
            }
            Payer::Source => {
                let net = gap.merge_of(t, right);
                gap.nets[net].sources.push(Source {
                    vertex: left[s],
                    bridge: None,
                });
            }
            Payer::Nobody => bridged.push((s, Goal::Target(t))),
        }
    }

    for (s, goal) in bridged {
        let fork = gap.fork_of(s, left);
        let net = match goal {
            Goal::Net(id) => id,
            Goal::Target(t) => gap.merge_of(t, right),
        };
        let from = row[left[s] as usize];
        let to = row[gap.nets[net].targets[0] as usize];
        let at = book.bridge(to, from.min(to), from.max(to));
        gap.nets[net].sources.push(Source {
            vertex: left[s],
            bridge: Some((fork as u32, at)),
        });
    }
    for (kind, ends) in [(Kind::BackOut, backs.out), (Kind::BackIn, backs.into)] {
        for &(vertex, away) in ends {
            let mut net = Net {
                away: Some(away),
                ..Net::new(kind)
            };
            if kind == Kind::BackOut {
                net.sources.push(Source {
                    vertex,
                    bridge: None,
                });
            } else {
                net.targets.push(vertex);
            }
            gap.nets.push(net);
        }
    }
    gap.nets
}

#[derive(Clone, Copy)]
enum Goal {
    Net(usize),
    Target(usize),
}

struct Gap<'a> {
    row: &'a [i64],
    nets: Vec<Net>,
    fork: Vec<Option<usize>>,
    merge: Vec<Option<usize>>,
}

impl Gap<'_> {
    fn fork_of(&mut self, s: usize, left: &[u32]) -> usize {
        *self.fork[s].get_or_insert_with(|| {
            let mut net = Net::new(Kind::Fork);
            net.sources.push(Source {
                vertex: left[s],
                bridge: None,
            });
            self.nets.push(net);
            self.nets.len() - 1
        })
    }

    fn merge_of(&mut self, t: usize, right: &[u32]) -> usize {
        *self.merge[t].get_or_insert_with(|| {
            debug_assert!(self.row.len() > right[t] as usize);
            let mut net = Net::new(Kind::Merge);
            net.targets.push(right[t]);
            self.nets.push(net);
            self.nets.len() - 1
        })
    }
}

/// Groups of at least two targets (as places in `right`) that have the same two or more blockers in this gap.
fn barriers(graph: &Layered, right: &[u32]) -> Vec<Vec<usize>> {
    let mut many: Vec<usize> = (0..right.len())
        .filter(|&t| graph.prev.of(right[t]).len() >= 2)
        .collect();
    many.sort_by(|&a, &b| {
        graph
            .prev
            .of(right[a])
            .cmp(graph.prev.of(right[b]))
            .then(a.cmp(&b))
    });
    let same = |a: &usize, b: &usize| graph.prev.of(right[*a]) == graph.prev.of(right[*b]);
    let mut groups: Vec<Vec<usize>> = many
        .chunk_by(same)
        .filter(|g| g.len() >= 2)
        .map(<[usize]>::to_vec)
        .collect();
    groups.sort();
    groups
}

#[derive(Clone, Copy, PartialEq)]
enum Payer {
    Source,
    Target,
    Nobody,
}

/// Who gives its one free place for each edge: peel off the vertices with a single edge left, targets first; where only
/// rings are left any choice is as good.
fn payers(edges: &[(usize, usize)], source_free: Vec<bool>, target_free: Vec<bool>) -> Vec<Payer> {
    let sources = source_free.len();
    let vertices = sources + target_free.len();
    let mut free: Vec<bool> = source_free.into_iter().chain(target_free).collect();
    let mut of: Vec<Vec<usize>> = vec![Vec::new(); vertices];
    for (e, &(s, t)) in edges.iter().enumerate() {
        of[s].push(e);
        of[sources + t].push(e);
    }
    let mut left: Vec<usize> = of.iter().map(Vec::len).collect();
    let mut payer: Vec<Option<Payer>> = vec![None; edges.len()];
    let mut leaves: Vec<usize> = (0..vertices).filter(|&v| free[v] && left[v] == 1).collect();
    let mut fallback = 0..vertices;
    // Where no leaf is left, every vertex lies on a ring: the first that can pay breaks it.
    while let Some(v) = leaves
        .pop()
        .or_else(|| fallback.find(|&v| free[v] && left[v] > 0))
    {
        if !free[v] || left[v] == 0 {
            continue;
        }
        let Some(&e) = of[v].iter().find(|&&e| payer[e].is_none()) else {
            continue;
        };
        free[v] = false;
        payer[e] = Some(if v < sources {
            Payer::Source
        } else {
            Payer::Target
        });
        for end in [edges[e].0, sources + edges[e].1] {
            left[end] -= 1;
            if free[end] && left[end] == 1 {
                leaves.push(end);
            }
        }
    }
    payer
        .into_iter()
        .map(|p| p.unwrap_or(Payer::Nobody))
        .collect()
}
