//! Draws a dependency graph from left to right, one row per task, so that the eye can follow every line.
//!
//! Pure and in whole numbers: the same input gives the same picture, byte for byte. Plain data goes in ([`Node`]s and
//! blocker → blocked pairs), a [`Layout`] comes out, which paints any part of itself. Labels are given when it is
//! painted, so a new title or status never moves anything.
//!
//! The phases follow Sugiyama's method, one file each: `cycles`, `layers`, `chains`, `order`, `rows`, then
//! `nets`, `splits` and `trunks` route the lines of each gap between two columns, and `raster` turns them into cells.
//! The law of the glyphs: `┼` is only ever a crossing, a four-way join is `╋`, every T-piece is a join, an arrowhead
//! stands only before the task it points to.

mod chains;
mod component;
mod csr;
mod cycles;
mod layers;
mod lines;
mod nets;
mod order;
mod paint;
mod raster;
mod rows;
mod splits;
mod stack;
mod trunks;

#[cfg(any(test, fuzzing))]
pub mod fuzz;
#[cfg(test)]
mod tests;
#[cfg(any(test, fuzzing))]
mod trace;

pub use lines::{Lines, Stroke};
pub use paint::{Cell, Glyphs, Owner, safe_label};
pub use stack::layout;

use std::sync::Arc;

/// A task to be drawn. The order of the nodes in the input is the order in which ties are decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Who it is, across layouts; unique within one input.
    pub key: u64,
    /// Columns reserved for its label, without the brackets.
    pub width: u16,
}

/// How to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Leave out edges that a longer path implies.
    pub reduce: bool,
    /// A blank row and column between lines.
    pub roomy: bool,
    /// Columns after which unconnected tasks continue on the next line (if the graph is not wider anyway).
    pub wrap: u16,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            reduce: true,
            roomy: false,
            wrap: 80,
        }
    }
}

/// Cells on the canvas: columns from the left, rows from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Columns.
    pub width: i32,
    /// Rows.
    pub height: i32,
}

impl Rect {
    /// Whether the cell lies inside.
    pub fn contains(&self, x: i32, y: i32) -> bool {
        x >= self.x && x < self.x + self.width && y >= self.y && y < self.y + self.height
    }
}

/// Width classes of labels: a changed title moves nothing as long as it stays in its class.
const CLASSES: [u16; 4] = [10, 16, 24, 32];

/// The columns to reserve for a label that is `columns` wide: the smallest class that holds it, or the largest.
pub fn width_class(columns: usize) -> u16 {
    let fits = |class: &&u16| usize::from(**class) >= columns;
    *CLASSES
        .iter()
        .find(fits)
        .unwrap_or(&CLASSES[CLASSES.len() - 1])
}

/// A finished picture: where everything is.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    width: i32,
    height: i32,
    boxes: Vec<Rect>,
    parts: Vec<Part>,
    /// Tasks without lines (or in a part too large to draw), by row.
    lone: Vec<(i32, Vec<u32>)>,
    /// Per node its part and its place in it.
    home: Vec<Option<(u32, u32)>>,
    backs: Vec<(u32, u32)>,
    hidden: usize,
    undrawn: usize,
    /// The tasks of the parts that are too large to draw.
    dense: Vec<u32>,
}

/// A connected part at its place on the canvas.
#[derive(Debug, Clone)]
struct Part {
    shape: Arc<component::Component>,
    /// The input's index of each of its nodes.
    nodes: Vec<u32>,
    y: i32,
    /// The number of its first net.
    first_net: u32,
}

impl Layout {
    /// Columns of the whole picture.
    pub fn width(&self) -> i32 {
        self.width
    }

    /// Rows of the whole picture.
    pub fn height(&self) -> i32 {
        self.height
    }

    /// The box of a node: its bracketed label, as wide as reserved.
    pub fn node_rect(&self, node: u32) -> Rect {
        self.boxes[node as usize]
    }

    /// The column (counted from the left of its part) of a node; `None` for one without lines.
    pub fn node_column(&self, node: u32) -> Option<u32> {
        self.home[node as usize]
            .map(|(part, local)| self.parts[part as usize].shape.columns[local as usize])
    }

    /// The connected parts: the area of each and its nodes, from top to bottom.
    pub fn parts(&self) -> impl Iterator<Item = (Rect, &[u32])> {
        self.parts.iter().map(|part| {
            let area = Rect {
                x: 0,
                y: part.y,
                width: part.shape.width,
                height: part.shape.height,
            };
            (area, part.nodes.as_slice())
        })
    }

    /// The edges that close a ring (blocker, blocked); an edge from a task to itself is one.
    pub fn back_edges(&self) -> &[(u32, u32)] {
        &self.backs
    }

    /// How many implied edges are left out.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// How many edges are not drawn because their part of the graph is too large for a picture; its tasks stand
    /// among those without lines.
    pub fn undrawn(&self) -> usize {
        self.undrawn
    }

    /// The tasks of those edges, part by part.
    pub fn undrawn_nodes(&self) -> &[u32] {
        &self.dense
    }

    /// The node whose box holds the cell.
    pub fn node_at(&self, x: i32, y: i32) -> Option<u32> {
        let in_row = |nodes: &[u32]| {
            let after = nodes.partition_point(|&n| self.boxes[n as usize].x <= x);
            nodes[..after]
                .last()
                .copied()
                .filter(|&n| self.boxes[n as usize].contains(x, y))
        };
        if let Some(part) = self.part_at(y) {
            let row = &part.shape.rows[(y - part.y) as usize];
            let nodes: Vec<u32> = row
                .nodes
                .iter()
                .map(|&local| part.nodes[local as usize])
                .collect();
            return in_row(&nodes);
        }
        let row = self.lone.binary_search_by_key(&y, |&(row, _)| row).ok()?;
        in_row(&self.lone[row].1)
    }

    fn part_at(&self, y: i32) -> Option<&Part> {
        let after = self.parts.partition_point(|part| part.y <= y);
        self.parts[..after]
            .last()
            .filter(|part| y < part.y + part.shape.height)
    }
}
