//! The parts of the graph under each other, those that did not change reused as they are.

use std::collections::HashMap;
use std::sync::Arc;

use super::component::{self, Component, Key};
use super::{Layout, Node, Options, Part, Rect};

/// Lays out the graph of `nodes` and `edges` (blocker, blocked; unknown nodes and repeats are ignored).
///
/// With a `previous` layout, parts that did not change are reused and others keep their rows as far as they can.
pub fn layout(
    nodes: &[Node],
    edges: &[(u32, u32)],
    options: &Options,
    previous: Option<&Layout>,
) -> Layout {
    let count = nodes.len() as u32;
    let mut edges: Vec<(u32, u32)> = edges
        .iter()
        .copied()
        .filter(|&(u, v)| u < count && v < count)
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let (groups, inner) = groups(nodes.len(), &edges);
    let known = Known::new(previous);

    let mut out = Layout {
        boxes: vec![Rect::default(); nodes.len()],
        home: vec![None; nodes.len()],
        ..Layout::default()
    };
    let mut lone = Vec::new();
    let mut first_net = 0;
    for (members, inner) in groups.into_iter().zip(inner) {
        if inner.is_empty() {
            lone.extend(members);
            continue;
        }
        let edge_count = inner.len();
        let key = Key {
            nodes: members
                .iter()
                .map(|&n| (nodes[n as usize].key, nodes[n as usize].width))
                .collect(),
            edges: inner,
            options: *options,
        };
        let Some(shape) = known.shape(key) else {
            out.undrawn += edge_count;
            out.dense.extend(&members);
            lone.extend(members);
            continue;
        };
        let y = if out.parts.is_empty() {
            0
        } else {
            out.height + 1
        };
        out.height = y + shape.height;
        out.width = out.width.max(shape.width);
        out.hidden += shape.hidden;
        out.backs.extend(
            shape
                .backs
                .iter()
                .map(|b| (members[b.from as usize], members[b.to as usize])),
        );
        for (local, &n) in members.iter().enumerate() {
            let area = shape.boxes[local];
            out.boxes[n as usize] = Rect {
                y: y + area.y,
                ..area
            };
            out.home[n as usize] = Some((out.parts.len() as u32, local as u32));
        }
        let nets = shape.nets.len() as u32;
        out.parts.push(Part {
            shape,
            nodes: members,
            y,
            first_net,
        });
        first_net += nets;
    }
    lone.sort_unstable();
    pack(&mut out, nodes, &lone, i32::from(options.wrap));
    out
}

/// Tasks without lines: as many on a line as fit.
fn pack(out: &mut Layout, nodes: &[Node], lone: &[u32], wrap: i32) {
    const BETWEEN: i32 = 2;
    if lone.is_empty() {
        return;
    }
    let limit = wrap.max(out.width);
    let mut y = if out.parts.is_empty() {
        0
    } else {
        out.height + 1
    };
    let mut x = 0;
    out.lone.push((y, Vec::new()));
    for &n in lone {
        let width = i32::from(nodes[n as usize].width) + 2;
        if x > 0 && x + width > limit {
            x = 0;
            y += 1;
            out.lone.push((y, Vec::new()));
        }
        out.boxes[n as usize] = Rect {
            x,
            y,
            width,
            height: 1,
        };
        out.width = out.width.max(x + width);
        if let Some((_, row)) = out.lone.last_mut() {
            row.push(n);
        }
        x += width + BETWEEN;
    }
    out.height = y + 1;
}

/// Connected parts in the order of their first node: members, and edges between places among the members.
#[allow(clippy::type_complexity)]
fn groups(count: usize, edges: &[(u32, u32)]) -> (Vec<Vec<u32>>, Vec<Vec<(u32, u32)>>) {
    let mut parent: Vec<u32> = (0..count as u32).collect();
    fn root(parent: &mut [u32], mut v: u32) -> u32 {
        while parent[v as usize] != v {
            parent[v as usize] = parent[parent[v as usize] as usize];
            v = parent[v as usize];
        }
        v
    }
    for &(u, v) in edges {
        let (a, b) = (root(&mut parent, u), root(&mut parent, v));
        parent[a.max(b) as usize] = a.min(b);
    }
    let mut group = vec![u32::MAX; count];
    let mut place = vec![0u32; count];
    let mut members: Vec<Vec<u32>> = Vec::new();
    for v in 0..count as u32 {
        let r = root(&mut parent, v) as usize;
        if group[r] == u32::MAX {
            group[r] = members.len() as u32;
            members.push(Vec::new());
        }
        group[v as usize] = group[r];
        place[v as usize] = members[group[r] as usize].len() as u32;
        members[group[r] as usize].push(v);
    }
    let mut inner = vec![Vec::new(); members.len()];
    for &(u, v) in edges {
        inner[group[u as usize] as usize].push((place[u as usize], place[v as usize]));
    }
    (members, inner)
}

/// What an earlier layout knows about nodes, by key. Looked up, never walked.
struct Known<'a> {
    /// The part, the node's place in it, and the row of the whole picture at which the part begins.
    shapes: HashMap<u64, (&'a Arc<Component>, u32, i32)>,
}

impl<'a> Known<'a> {
    fn new(previous: Option<&'a Layout>) -> Known<'a> {
        let mut shapes = HashMap::new();
        for part in previous.iter().flat_map(|layout| &layout.parts) {
            for (local, &(key, _)) in part.shape.key.nodes.iter().enumerate() {
                shapes.insert(key, (&part.shape, local as u32, part.y));
            }
        }
        Known { shapes }
    }

    fn shape(&self, key: Key) -> Option<Arc<Component>> {
        let before = |&(key, _): &(u64, u16)| self.shapes.get(&key);
        if let Some((shape, 0, _)) = key.nodes.first().and_then(before)
            && shape.key == key
        {
            return Some(Arc::clone(shape));
        }
        let pitch = if key.options.roomy { 2 } else { 1 };
        // Rows of the whole picture: parts that an edge joins stay below one another as they were.
        let row = |(shape, local, y): &(&Arc<Component>, u32, i32)| {
            i64::from((y + shape.boxes[*local as usize].y) / pitch)
        };
        let held: Vec<Option<i64>> = key.nodes.iter().map(|n| before(n).map(row)).collect();
        let any = held.iter().any(Option::is_some);
        component::build(key, any.then_some(&held)).map(Arc::new)
    }
}
