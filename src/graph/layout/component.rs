//! One connected part of the graph, laid out: all phases in a row.

use std::collections::BTreeSet;

use super::chains::{self, Layered};
use super::csr::Csr;
use super::nets::{self, Backs, Kind, Net, RowBook, STEP};
use super::raster::{self, Row};
use super::trunks::{self, Plan};
use super::{Options, Rect, cycles, layers, order, rows};

/// Beyond this many bends of long edges a picture helps nobody; the part is listed instead of drawn.
const CHAIN_LIMIT: usize = 6_000;
/// Likewise beyond this many edges.
const EDGE_LIMIT: usize = 100_000;

/// What a component is made from; equal keys have equal pictures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// Identity and width of every node.
    pub nodes: Vec<(u64, u16)>,
    /// Edges between places in `nodes`.
    pub edges: Vec<(u32, u32)>,
    pub options: Options,
}

/// A finished picture in its own coordinates.
#[derive(Debug)]
pub(super) struct Component {
    pub key: Key,
    pub width: i32,
    pub height: i32,
    /// The boxes of the nodes.
    pub boxes: Vec<Rect>,
    /// The column of every node.
    pub columns: Vec<u32>,
    /// What to paint, per row.
    pub rows: Vec<Row>,
    /// Lines of all gaps.
    pub nets: Vec<Net>,
    /// Rows that bridges, joints and returning lines use, in grid rows instead of row numbers of the router.
    pub vertices: Vec<Vertex>,
    /// Per vertex the nets that it feeds, and those that feed it.
    pub feeds: Csr,
    pub fed_by: Csr,
    /// Edges that close a ring, with their two nets.
    pub backs: Vec<Back>,
    /// Implied edges that are not drawn.
    pub hidden: usize,
}

/// Where a vertex is: its row, the first cell and the cell after its last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    pub row: i32,
    pub enter: i32,
    pub leave: i32,
}

/// An edge that closes a ring.
#[derive(Debug, Clone, Copy)]
pub(super) struct Back {
    pub from: u32,
    pub to: u32,
    pub out: u32,
    pub into: u32,
}

/// Lays one component out, or `None` if it is too large to be drawn. `held` are rows from an earlier picture.
pub(super) fn build(key: Key, held: Option<&[Option<i64>]>) -> Option<Component> {
    if key.edges.len() > EDGE_LIMIT {
        return None;
    }
    let count = key.nodes.len();
    let split = cycles::split(count, &key.edges);
    let mut edges = split.forward;
    let hidden = if key.options.reduce {
        layers::reduce(count, &mut edges)
    } else {
        0
    };
    let graph = chains::build(&edges, layers::columns(count, &edges), CHAIN_LIMIT)?;

    let held = held.map(|held| spread(&graph, held));
    let known = held
        .as_ref()
        .map(|held| held.iter().map(|row| row.unwrap_or(0)).collect::<Vec<_>>());
    let order = order::order(&graph, known.as_deref());
    let fixed: Option<Vec<Option<i64>>> = held.map(|held| {
        held.iter()
            .enumerate()
            .map(|(v, row)| row.filter(|_| v < count))
            .collect()
    });
    let (row, mut all) = on_grid(
        rows::rows(&graph, &order, fixed.as_deref()),
        fixed.is_some(),
    );

    let bottom = all.last().map_or(0, |last| last.div_euclid(STEP) + 1);
    let away = |i: usize| (bottom + i as i64) * STEP;
    let mut drawn: Vec<Net> = Vec::new();
    let mut gaps: Vec<(usize, Plan)> = Vec::new();
    let mut backs: Vec<Back> = split
        .back
        .iter()
        .map(|&(from, to)| Back {
            from,
            to,
            out: 0,
            into: 0,
        })
        .collect();
    let none = Vec::new();
    for gap in 0..=graph.columns {
        let left = if gap > 0 { &order[gap - 1] } else { &none };
        let right = order.get(gap).unwrap_or(&none);
        let leaving = |b: &Back| graph.column[b.from as usize] as usize + 1 == gap;
        let arriving = |b: &Back| graph.column[b.to as usize] as usize == gap;
        let ends = |here: &dyn Fn(&Back) -> bool, end: &dyn Fn(&Back) -> u32| -> Vec<(u32, i64)> {
            backs
                .iter()
                .enumerate()
                .filter(|(_, b)| here(b))
                .map(|(i, b)| (end(b), away(i)))
                .collect()
        };
        let out = ends(&leaving, &|b| b.from);
        let into = ends(&arriving, &|b| b.to);
        let taken: BTreeSet<i64> = left.iter().chain(right).map(|&v| row[v as usize]).collect();
        let mut book = RowBook {
            all: &mut all,
            taken,
        };
        let mut nets = nets::nets(
            &graph,
            left,
            right,
            &row,
            &Backs {
                out: &out,
                into: &into,
            },
            &mut book,
        );
        let plan = trunks::place(&mut nets, &row, &mut book);
        let base = drawn.len();
        for (id, net) in nets
            .iter()
            .enumerate()
            .filter(|(_, net)| net.away.is_some())
        {
            let which = ((net.away.unwrap_or(0)) / STEP - bottom) as usize;
            let side = if net.kind == Kind::BackOut {
                &mut backs[which].out
            } else {
                &mut backs[which].into
            };
            *side = (base + id) as u32;
        }
        drawn.extend(nets);
        gaps.push((base, plan));
    }
    all.extend((0..backs.len()).map(away));
    Some(assemble(
        key, &graph, &row, &all, drawn, &gaps, backs, hidden,
    ))
}

/// Rows of the earlier picture for all vertices: chains and new nodes get the mean of what they join.
fn spread(graph: &Layered, held: &[Option<i64>]) -> Vec<Option<i64>> {
    let mut out: Vec<Option<i64>> = held
        .iter()
        .copied()
        .chain(std::iter::repeat(None))
        .take(graph.len())
        .collect();
    for _ in 0..3 {
        for v in 0..graph.len() {
            if out[v].is_none() {
                let (sum, count) = graph
                    .around(v as u32)
                    .filter_map(|u| out[u as usize])
                    .fold((0, 0), |(sum, count), row| (sum + row, count + 1));
                out[v] = (count > 0).then(|| sum / count);
            }
        }
    }
    out
}

/// So many blank rows in a row are kept where tasks keep their rows.
const MOST_BLANK: usize = 3;

/// Rows as multiples of [`STEP`] from zero, and the set of all rows. Blank rows go, unless `keep`.
fn on_grid(mut row: Vec<i64>, keep: bool) -> (Vec<i64>, BTreeSet<i64>) {
    let mut used: Vec<i64> = row.clone();
    used.sort_unstable();
    used.dedup();
    if keep {
        let blank = |pair: &[i64]| (pair[0] + 1..pair[1]).take(MOST_BLANK);
        let blank: Vec<i64> = used.windows(2).flat_map(blank).collect();
        used.extend(blank);
        used.sort_unstable();
    }
    for r in &mut row {
        *r = used.binary_search(r).unwrap_or_else(|place| place) as i64 * STEP;
    }
    let all = (0..used.len() as i64).map(|i| i * STEP).collect();
    (row, all)
}

#[allow(clippy::too_many_arguments)]
fn assemble(
    key: Key,
    graph: &Layered,
    row: &[i64],
    all: &BTreeSet<i64>,
    mut nets: Vec<Net>,
    gaps: &[(usize, Plan)],
    backs: Vec<Back>,
    hidden: usize,
) -> Component {
    let pitch = if key.options.roomy { 2 } else { 1 };
    let lines: Vec<i64> = all.iter().copied().collect();
    let grid = |r: i64| lines.binary_search(&r).unwrap_or_else(|place| place) as i32 * pitch;

    // Widths of columns and gaps, from left to right.
    let mut widest = vec![0i32; graph.columns];
    for (v, &(_, width)) in key.nodes.iter().enumerate() {
        let column = &mut widest[graph.column[v] as usize];
        *column = (*column).max(i32::from(width) + 2);
    }
    let mut gap_at = Vec::with_capacity(gaps.len());
    let mut column_at = Vec::with_capacity(graph.columns);
    let mut x = 0;
    for (g, (_, plan)) in gaps.iter().enumerate() {
        gap_at.push(x);
        let outer = g == 0 || g == graph.columns;
        x += match (plan.columns, outer) {
            (0, true) => 0,
            (0, false) => 3,
            (n, _) => 1 + (n - 1) * pitch + 1 + if g == graph.columns { 0 } else { 2 },
        };
        if g < graph.columns {
            column_at.push(x);
            x += widest[g];
        }
    }
    gap_at.push(x);

    let vertices: Vec<Vertex> = (0..graph.len())
        .map(|v| {
            let column = graph.column[v] as usize;
            let enter = column_at[column];
            let leave = if v < graph.nodes {
                enter + i32::from(key.nodes[v].1) + 2
            } else {
                enter
            };
            Vertex {
                row: grid(row[v]),
                enter,
                leave,
            }
        })
        .collect();

    for (g, (base, _)) in gaps.iter().enumerate() {
        let end = gaps.get(g + 1).map_or(nets.len(), |next| next.0);
        for net in &mut nets[*base..end] {
            for source in &mut net.sources {
                source.bridge = source
                    .bridge
                    .map(|(fork, r)| (fork + *base as u32, i64::from(grid(r))));
            }
            net.split = net.split.map(|r| i64::from(grid(r)));
            net.away = net.away.map(|r| i64::from(grid(r)));
            net.trunk = net.trunk.map(|c| gap_at[g] + 1 + c * pitch);
        }
    }

    let height = (lines.len() as i32 - 1) * pitch + 1;
    let mut canvas = raster::Canvas::new(height, x);
    for (g, (base, plan)) in gaps.iter().enumerate() {
        canvas.gap(
            plan,
            &nets,
            *base,
            &vertices,
            graph.nodes,
            &grid,
            gap_at[g],
            pitch,
            column_at.get(g).copied(),
        );
    }
    for back in &backs {
        let (out, into) = (&nets[back.out as usize], &nets[back.into as usize]);
        canvas.return_line(
            out.away.unwrap_or(0) as i32,
            into.trunk[0],
            out.trunk[0],
            back.out,
        );
    }
    let boxes: Vec<Rect> = vertices[..graph.nodes]
        .iter()
        .map(|v| Rect {
            x: v.enter,
            y: v.row,
            width: v.leave - v.enter,
            height: 1,
        })
        .collect();
    let vertex_count = vertices.len();
    let sources: Vec<(u32, u32)> =
        pairs(&nets, |net| net.sources.iter().map(|s| s.vertex).collect());
    let targets: Vec<(u32, u32)> = pairs(&nets, |net| net.targets.clone());
    Component {
        width: x,
        height,
        rows: canvas.finish(&boxes),
        boxes,
        columns: graph.column[..graph.nodes].to_vec(),
        feeds: Csr::new(vertex_count, sources.iter().copied()),
        fed_by: Csr::new(vertex_count, targets.iter().copied()),
        vertices,
        nets,
        backs,
        hidden,
        key,
    }
}

fn pairs(nets: &[Net], ends: impl Fn(&Net) -> Vec<u32>) -> Vec<(u32, u32)> {
    let forward = nets
        .iter()
        .enumerate()
        .filter(|(_, net)| net.away.is_none());
    forward
        .flat_map(|(id, net)| ends(net).into_iter().map(move |v| (v, id as u32)))
        .collect()
}
