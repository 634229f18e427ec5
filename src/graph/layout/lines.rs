//! The lines that lead to a task's blockers and dependants, by the same way as they are drawn.

use super::component::{Component, Vertex};
use super::nets::{Kind, Net, Source};
use super::{Layout, Part};

/// A straight piece of a line, both ends included; either `x0 == x1` or `y0 == y1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stroke {
    /// Left end.
    pub x0: i32,
    /// Upper end.
    pub y0: i32,
    /// Right end.
    pub x1: i32,
    /// Lower end.
    pub y1: i32,
}

impl Stroke {
    /// Whether the cell lies on it.
    pub fn contains(&self, x: i32, y: i32) -> bool {
        x >= self.x0 && x <= self.x1 && y >= self.y0 && y <= self.y1
    }
}

/// The lines of one task, sorted, each piece once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    /// Lines to the tasks that block it.
    pub blockers: Vec<Stroke>,
    /// Lines to the tasks that it blocks.
    pub dependants: Vec<Stroke>,
}

impl Layout {
    /// The lines that lead from a node to its direct blockers and dependants.
    pub fn lines(&self, node: u32) -> Lines {
        let Some((part, local)) = self.home.get(node as usize).copied().flatten() else {
            return Lines::default();
        };
        let part = &self.parts[part as usize];
        let walk = |forward: bool| {
            let mut pen = Pen {
                part,
                strokes: Vec::new(),
            };
            pen.walk(local, forward);
            pen.back_edges(local, forward);
            pen.strokes.sort_unstable();
            pen.strokes.dedup();
            pen.strokes
        };
        Lines {
            blockers: walk(false),
            dependants: walk(true),
        }
    }

    /// The edges (blocker, blocked) that a net of a painted cell carries.
    pub fn net_edges(&self, net: u32) -> Vec<(u32, u32)> {
        let after = self.parts.partition_point(|part| part.first_net <= net);
        let Some(part) = self.parts[..after].last() else {
            return Vec::new();
        };
        let shape = &part.shape;
        let local = net - part.first_net;
        let node = |v: u32| part.nodes[v as usize];
        if let Some(back) = shape
            .backs
            .iter()
            .find(|b| b.out == local || b.into == local)
        {
            return vec![(node(back.from), node(back.to))];
        }
        let Some(found) = shape.nets.get(local as usize) else {
            return Vec::new();
        };
        let ends = |start: Vec<u32>, forward: bool| {
            let mut ends = Vec::new();
            let mut todo = start;
            while let Some(v) = todo.pop() {
                if (v as usize) < shape.boxes.len() {
                    ends.push(v);
                } else if forward {
                    todo.extend(
                        shape
                            .feeds
                            .of(v)
                            .iter()
                            .flat_map(|&n| shape.nets[n as usize].targets.iter()),
                    );
                } else {
                    let sources =
                        |&n: &u32| shape.nets[n as usize].sources.iter().map(|s| s.vertex);
                    todo.extend(shape.fed_by.of(v).iter().flat_map(sources));
                }
            }
            ends.sort_unstable();
            ends.dedup();
            ends
        };
        let from = ends(found.sources.iter().map(|s| s.vertex).collect(), false);
        let to = ends(found.targets.clone(), true);
        let known = |&(u, v): &(u32, u32)| shape.key.edges.binary_search(&(u, v)).is_ok();
        let pairs = from
            .iter()
            .flat_map(|&u| to.iter().map(move |&v| (u, v)))
            .filter(known);
        pairs.map(|(u, v)| (node(u), node(v))).collect()
    }
}

struct Pen<'a> {
    part: &'a Part,
    strokes: Vec<Stroke>,
}

impl<'a> Pen<'a> {
    fn shape(&self) -> &'a Component {
        &self.part.shape
    }

    /// Follows chains until real nodes are reached.
    fn walk(&mut self, start: u32, forward: bool) {
        let shape = self.shape();
        let mut todo = vec![start];
        while let Some(v) = todo.pop() {
            let nets = if forward {
                shape.feeds.of(v)
            } else {
                shape.fed_by.of(v)
            };
            for &id in nets {
                let net = &shape.nets[id as usize];
                let others: Vec<(Source, u32)> = if forward {
                    let from = net.sources.iter().filter(|s| s.vertex == v);
                    from.flat_map(|&s| net.targets.iter().map(move |&t| (s, t)))
                        .collect()
                } else {
                    net.sources.iter().map(|&s| (s, v)).collect()
                };
                for (source, target) in others {
                    self.draw(net, source, target);
                    let other = if forward { target } else { source.vertex };
                    if other as usize >= shape.boxes.len() {
                        todo.push(other);
                    }
                }
            }
        }
    }

    /// The way through one gap: from the source over its bridge or straight to the trunk, then to the target.
    fn draw(&mut self, net: &Net, source: Source, target: u32) {
        let shape = self.shape();
        let to = shape.vertices[target as usize];
        let mut at = self.begin(source.vertex);
        if let Some((fork, row)) = source.bridge {
            self.turn(&mut at, shape.nets[fork as usize].trunk[0], row as i32);
        } else if let Some(row) = net.split {
            self.turn(&mut at, net.trunk[0], row as i32);
        }
        if net.kind != Kind::Straight {
            self.turn(&mut at, net.trunk[1], to.row);
        }
        self.stroke(at.0, at.1, to.enter - 1, to.row);
    }

    /// Where the lines of a vertex begin: for a task in its box, since a label that is shorter than
    /// its box is followed by line.
    fn begin(&self, vertex: u32) -> (i32, i32) {
        let Vertex { leave, row, .. } = self.shape().vertices[vertex as usize];
        let area = self.shape().boxes.get(vertex as usize);
        (area.map_or(leave, |area| area.x), row)
    }

    fn back_edges(&mut self, node: u32, forward: bool) {
        let shape = self.shape();
        for back in shape
            .backs
            .iter()
            .filter(|b| node == if forward { b.from } else { b.to })
        {
            let vertex = |v: u32| -> Vertex { shape.vertices[v as usize] };
            let (out, into) = (
                &shape.nets[back.out as usize],
                &shape.nets[back.into as usize],
            );
            let away = out.away.unwrap_or(0) as i32;
            let mut at = self.begin(back.from);
            self.turn(&mut at, out.trunk[0], away);
            self.turn(&mut at, into.trunk[0], vertex(back.to).row);
            self.stroke(at.0, at.1, vertex(back.to).enter - 1, at.1);
        }
    }

    /// Along the row to column `x`, then along it to `row`.
    fn turn(&mut self, at: &mut (i32, i32), x: i32, row: i32) {
        self.stroke(at.0, at.1, x, at.1);
        self.stroke(x, at.1, x, row);
        *at = (x, row);
    }

    fn stroke(&mut self, x0: i32, y0: i32, x1: i32, y1: i32) {
        let y = self.part.y;
        self.strokes.push(Stroke {
            x0: x0.min(x1),
            y0: y + y0.min(y1),
            x1: x0.max(x1),
            y1: y + y0.max(y1),
        });
    }
}
