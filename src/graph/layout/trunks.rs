//! Phase 8: the vertical parts of the nets of a gap get columns.
//!
//! On a row, the trunks of the line that comes from the left stand left of those of the line that goes on to the
//! right. Where these demands form a ring, a net is split into two trunks joined by a row of its own, which frees it.

use std::collections::{BTreeMap, BTreeSet};

use super::nets::{Kind, Net, RowBook};
use super::splits::untie;

/// A vertical line: where lines join it from the left and leave it to the right.
#[derive(Debug, Clone)]
pub(super) struct Trunk {
    pub net: u32,
    /// Whether this is the part that targets leave from, of a net with two.
    pub second: bool,
    /// Rows of arms to the left and to the right, ascending.
    pub left: Vec<i64>,
    pub right: Vec<i64>,
}

impl Trunk {
    /// The first and the last row.
    pub fn span(&self) -> (i64, i64) {
        let rows = || self.left.iter().chain(&self.right).copied();
        (rows().min().unwrap_or(0), rows().max().unwrap_or(0))
    }

    fn arms_within(rows: &[i64], (low, high): (i64, i64)) -> usize {
        rows.partition_point(|&r| r <= high) - rows.partition_point(|&r| r < low)
    }
}

/// A horizontal line in the gap and the trunks it touches, from left to right.
#[derive(Debug, Clone)]
pub(super) struct Wire {
    pub row: i64,
    /// The vertex it comes from and the vertex it goes to, if it reaches the gap's edges.
    pub from: Option<u32>,
    pub to: Option<u32>,
    pub trunks: Vec<u32>,
    /// The net to name as its owner.
    pub net: u32,
}

/// The finished plan of a gap.
pub(super) struct Plan {
    pub trunks: Vec<Trunk>,
    pub wires: Vec<Wire>,
    /// The column of each trunk.
    pub column: Vec<i32>,
    /// How many columns there are.
    pub columns: i32,
}

/// Places the trunks of `nets`; splits nets where needed and writes their columns back.
pub(super) fn place(nets: &mut [Net], row: &[i64], book: &mut RowBook<'_>) -> Plan {
    untie(nets, row, book);
    let Demands {
        trunks,
        wires,
        after,
    } = Demands::of(nets, row);
    let (order, _) = topological(&after);
    let order = improve(&trunks, &after, order);
    let column = pack(&trunks, &after, &spaced(&wires), &order, book.all);
    for (trunk, &c) in trunks.iter().zip(&column) {
        let net = &mut nets[trunk.net as usize];
        net.trunk[1] = c;
        if !trunk.second {
            net.trunk[0] = c;
        }
    }
    let columns = column.iter().max().map_or(0, |c| c + 1);
    Plan {
        trunks,
        wires,
        column,
        columns,
    }
}

/// The lines of a gap and the order that they demand.
pub(super) struct Demands {
    pub trunks: Vec<Trunk>,
    wires: Vec<Wire>,
    /// For each trunk those that must stand right of it.
    after: Vec<Vec<u32>>,
}

impl Demands {
    pub(super) fn of(nets: &[Net], row: &[i64]) -> Demands {
        let trunks = trunks(nets, row);
        let wires = wires(nets, &trunks, row);
        let after = demands(&trunks, &wires);
        Demands {
            trunks,
            wires,
            after,
        }
    }

    /// Trunks on (or between) rings of demands.
    pub(super) fn ring(&self) -> Vec<u32> {
        topological(&self.after).1
    }
}

fn trunks(nets: &[Net], row: &[i64]) -> Vec<Trunk> {
    let mut out: Vec<Trunk> = Vec::new();
    let mut first = vec![u32::MAX; nets.len()];
    for (id, net) in nets.iter().enumerate() {
        if net.kind == Kind::Straight {
            continue;
        }
        first[id] = out.len() as u32;
        let direct = net
            .sources
            .iter()
            .filter(|s| s.bridge.is_none())
            .map(|s| row[s.vertex as usize]);
        let bridged = net
            .sources
            .iter()
            .filter_map(|s| s.bridge.map(|(_, row)| row));
        let targets = net.targets.iter().map(|&t| row[t as usize]);
        let trunk = |second, left, right| Trunk {
            net: id as u32,
            second,
            left,
            right,
        };
        let away = |kind| net.away.filter(|_| net.kind == kind);
        match net.split {
            None => out.push(trunk(
                false,
                direct.chain(bridged).chain(away(Kind::BackOut)).collect(),
                targets.chain(away(Kind::BackIn)).collect(),
            )),
            Some(joint) => {
                out.push(trunk(false, direct.collect(), vec![joint]));
                out.push(trunk(
                    true,
                    bridged.chain([joint]).collect(),
                    targets.collect(),
                ));
            }
        }
    }
    for net in nets {
        for (fork, row) in net.sources.iter().filter_map(|s| s.bridge) {
            out[first[fork as usize] as usize].right.push(row);
        }
    }
    for trunk in &mut out {
        trunk.left.sort_unstable();
        trunk.right.sort_unstable();
    }
    out
}

/// What lies on one row: trunks of the line from the left, trunks of the line to the right.
#[derive(Default)]
struct Track {
    from: Option<u32>,
    to: Option<u32>,
    left: Vec<(Kind, u32)>,
    right: Vec<(Kind, u32)>,
    straight: Option<u32>,
}

fn wires(nets: &[Net], trunks: &[Trunk], row: &[i64]) -> Vec<Wire> {
    let mut tracks: BTreeMap<i64, Track> = BTreeMap::new();
    for (id, net) in nets.iter().enumerate() {
        for source in net.sources.iter().filter(|s| s.bridge.is_none()) {
            let track = tracks.entry(row[source.vertex as usize]).or_default();
            track.from = Some(source.vertex);
            if net.kind == Kind::Straight {
                track.straight = Some(id as u32);
            }
        }
        for &target in &net.targets {
            tracks.entry(row[target as usize]).or_default().to = Some(target);
        }
    }
    for (id, trunk) in trunks.iter().enumerate() {
        let kind = nets[trunk.net as usize].kind;
        for &r in &trunk.left {
            tracks.entry(r).or_default().left.push((kind, id as u32));
        }
        for &r in &trunk.right {
            tracks.entry(r).or_default().right.push((kind, id as u32));
        }
    }
    let mut out = Vec::with_capacity(tracks.len());
    for (row, mut track) in tracks {
        track.left.sort_unstable();
        track.right.sort_unstable();
        lay(row, &track, trunks, &mut out);
    }
    out
}

/// The one or two lines of a row.
fn lay(row: i64, track: &Track, trunks: &[Trunk], out: &mut Vec<Wire>) {
    let ids = |list: &[(Kind, u32)]| list.iter().map(|&(_, id)| id).collect::<Vec<u32>>();
    let (left, right) = (ids(&track.left), ids(&track.right));
    let owner = |list: &[u32]| list.first().map_or(0, |&t| trunks[t as usize].net);
    let bridge =
        track.from.is_none() && track.to.is_none() && !left.is_empty() && !right.is_empty();
    if bridge {
        // The trunk with the arm to the right comes first.
        let net = owner(&right);
        out.push(Wire {
            row,
            from: None,
            to: None,
            trunks: [right, left].concat(),
            net,
        });
    } else if track.straight.is_some() || left.iter().any(|t| right.contains(t)) {
        let net = track.straight.unwrap_or_else(|| owner(&left));
        let mut all = left;
        all.extend(
            right
                .into_iter()
                .filter(|t| !all.contains(t))
                .collect::<Vec<_>>(),
        );
        out.push(Wire {
            row,
            from: track.from,
            to: track.to,
            trunks: all,
            net,
        });
    } else {
        if !left.is_empty() {
            out.push(Wire {
                row,
                from: track.from,
                to: None,
                net: owner(&left),
                trunks: left,
            });
        }
        if !right.is_empty() {
            out.push(Wire {
                row,
                from: None,
                to: track.to,
                net: owner(&right),
                trunks: right,
            });
        }
    }
}

/// For each trunk those that must stand right of it.
fn demands(trunks: &[Trunk], wires: &[Wire]) -> Vec<Vec<u32>> {
    let mut after = vec![Vec::new(); trunks.len()];
    for wire in wires {
        for pair in wire.trunks.windows(2) {
            after[pair[0] as usize].push(pair[1]);
        }
    }
    for pair in wires.windows(2) {
        if pair[0].row == pair[1].row
            && let (Some(&a), Some(&b)) = (pair[0].trunks.last(), pair[1].trunks.first())
        {
            after[a as usize].push(b);
        }
    }
    for list in &mut after {
        list.sort_unstable();
        list.dedup();
    }
    after
}

/// Pairs of trunks between which a column stays free: where one line of a row ends and another
/// begins, bends side by side would look like one line that goes on (`╮╰`), and the bends of a
/// bridge like a turn back (`╰╯`).
fn spaced(wires: &[Wire]) -> Vec<(u32, u32)> {
    let same_row = wires.windows(2).filter(|pair| pair[0].row == pair[1].row);
    let strangers = |pair: &[Wire]| Some((*pair[0].trunks.last()?, *pair[1].trunks.first()?));
    let bridges = wires.iter().filter(|w| w.from.is_none() && w.to.is_none());
    let ends = |wire: &Wire| Some((*wire.trunks.first()?, *wire.trunks.last()?));
    let mut pairs: Vec<(u32, u32)> = same_row.filter_map(strangers).collect();
    pairs.extend(
        bridges
            .filter_map(ends)
            .filter(|(first, last)| first != last),
    );
    pairs.sort_unstable();
    pairs
}

/// The trunks in an order that meets the demands, and those on (or between) rings.
fn topological(after: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
    let mut waits = vec![0u32; after.len()];
    for &t in after.iter().flatten() {
        waits[t as usize] += 1;
    }
    let mut order: Vec<u32> = (0..after.len() as u32)
        .filter(|&t| waits[t as usize] == 0)
        .collect();
    let mut at = 0;
    while at < order.len() {
        for &next in &after[order[at] as usize] {
            waits[next as usize] -= 1;
            if waits[next as usize] == 0 {
                order.push(next);
            }
        }
        at += 1;
    }
    // Peel from the other end as well: what only follows a ring is not on it.
    let mut ring: Vec<u32> = (0..after.len() as u32)
        .filter(|&t| waits[t as usize] > 0)
        .collect();
    loop {
        let on = |t: u32| ring.binary_search(&t).is_ok();
        let kept: Vec<u32> = ring
            .iter()
            .copied()
            .filter(|&t| after[t as usize].iter().any(|&n| on(n)))
            .collect();
        if kept.len() == ring.len() {
            return (order, ring);
        }
        ring = kept;
    }
}

/// Swaps neighbours in the order while that saves crossings and meets the demands.
fn improve(trunks: &[Trunk], after: &[Vec<u32>], mut order: Vec<u32>) -> Vec<u32> {
    let spans: Vec<(i64, i64)> = trunks.iter().map(Trunk::span).collect();
    // Crossings of `a` and `b` when `a` stands left: a's right arms pass b, b's left arms pass a.
    let cost = |a: u32, b: u32| {
        let (a, b) = (a as usize, b as usize);
        Trunk::arms_within(&trunks[a].right, spans[b])
            + Trunk::arms_within(&trunks[b].left, spans[a])
    };
    let passes = if order.len() > 200 { 2 } else { order.len() };
    for _ in 0..passes {
        let mut gained = false;
        for i in 1..order.len() {
            let (a, b) = (order[i - 1], order[i]);
            if !after[a as usize].contains(&b) && cost(b, a) < cost(a, b) {
                order.swap(i - 1, i);
                gained = true;
            }
        }
        if !gained {
            break;
        }
    }
    order
}

/// So many rows lie between trunks that share a column; nearer ones would look like one.
const APART: usize = 2;

/// Columns from left to right; trunks share one if rows enough keep them apart.
fn pack(
    trunks: &[Trunk],
    after: &[Vec<u32>],
    spaced: &[(u32, u32)],
    order: &[u32],
    rows: &BTreeSet<i64>,
) -> Vec<i32> {
    let rows: Vec<i64> = rows.iter().copied().collect();
    let place = |row: i64| rows.partition_point(|&other| other < row);
    let span = |trunk: &Trunk| (place(trunk.span().0), place(trunk.span().1));
    let spans: Vec<(usize, usize)> = trunks.iter().map(span).collect();
    let apart = |above: usize, below: usize| above + APART < below;
    let mut column = vec![0; trunks.len()];
    for (i, &t) in order.iter().enumerate() {
        let (low, high) = spans[t as usize];
        let mut at = 0;
        for &p in &order[..i] {
            let (other_low, other_high) = spans[p as usize];
            if spaced.binary_search(&(p, t)).is_ok() {
                at = at.max(column[p as usize] + 2);
            } else if after[p as usize].contains(&t)
                || !(apart(high, other_low) || apart(other_high, low))
            {
                at = at.max(column[p as usize] + 1);
            }
        }
        column[t as usize] = at;
    }
    column
}
