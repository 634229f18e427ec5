//! The picture as cells: any part of it, at a cost of what is visible.

use std::borrow::Cow;

use crate::text::{graphemes, width as text_width};

use super::raster::{ARROW, DASHED, EAST, HEAVY, JOIN, Run, WEST};
use super::{Layout, Rect};

/// The set of line glyphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Glyphs {
    /// Box drawing.
    #[default]
    Unicode,
    /// `- | + >`, with `*` for a four-way join and `~ :` for an edge that closes a ring.
    Ascii,
}

/// What a cell belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The box of a node.
    Node(u32),
    /// A line; [`Layout::net_edges`] names its edges.
    Net {
        /// The number of the net.
        net: u32,
        /// Part of an edge that closes a ring.
        back: bool,
        /// The trunk of a barrier.
        heavy: bool,
    },
}

/// A painted cell; a wide grapheme takes two columns and is given once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell<'a> {
    /// The grapheme.
    pub symbol: &'a str,
    /// What it belongs to.
    pub owner: Owner,
}

impl Layout {
    /// Paints the cells inside `view`, row by row from left to right. `label` gives the text of a node; what does not fit
    /// in its box is cut.
    pub fn paint<'l>(
        &self,
        view: Rect,
        glyphs: Glyphs,
        label: &dyn Fn(u32) -> Cow<'l, str>,
        put: &mut dyn FnMut(i32, i32, Cell<'_>),
    ) {
        for y in view.y.max(0)..(view.y + view.height).min(self.height) {
            if let Some(part) = self.part_at(y) {
                let row = &part.shape.rows[(y - part.y) as usize];
                let mut node_at = row
                    .nodes
                    .partition_point(|&n| right(&part.shape.boxes[n as usize]) <= view.x);
                let first = row.runs.partition_point(|run| run.x + run.len <= view.x);
                let visible = |x: i32| x < view.x + view.width;
                let mut nodes = |before: i32, put: &mut dyn FnMut(i32, i32, Cell<'_>)| {
                    while let Some(&local) = row
                        .nodes
                        .get(node_at)
                        .filter(|&&n| part.shape.boxes[n as usize].x < before)
                    {
                        let node = part.nodes[local as usize];
                        let tail =
                            row.runs.iter().skip(row.runs.partition_point(|r| {
                                r.x < right(&part.shape.boxes[local as usize])
                            }));
                        let tail = tail.map(|run| (run, part.first_net)).next();
                        self.node(node, tail, view, glyphs, label, put);
                        node_at += 1;
                    }
                };
                for run in row.runs[first..].iter().take_while(|run| visible(run.x)) {
                    nodes(run.x, put);
                    let (symbol, owner) = (symbol(run, glyphs), owner(run, part.first_net));
                    for x in run.x.max(view.x)..(run.x + run.len).min(view.x + view.width) {
                        put(x, y, Cell { symbol, owner });
                    }
                }
                nodes(view.x + view.width, put);
            } else if let Ok(row) = self.lone.binary_search_by_key(&y, |&(row, _)| row) {
                for &node in &self.lone[row].1 {
                    self.node(node, None, view, glyphs, label, put);
                }
            }
        }
    }

    /// A box: `[label]`, and the line that leaves it up to the reserved width.
    fn node<'l>(
        &self,
        node: u32,
        next: Option<(&Run, u32)>,
        view: Rect,
        glyphs: Glyphs,
        label: &dyn Fn(u32) -> Cow<'l, str>,
        put: &mut dyn FnMut(i32, i32, Cell<'_>),
    ) {
        let area = self.boxes[node as usize];
        if area.x >= view.x + view.width || right(&area) <= view.x {
            return;
        }
        let inside = |x: i32, width: i32| x >= view.x && x + width <= view.x + view.width;
        let mut x = area.x;
        let mut write = |symbol: &str, width: i32, owner: Owner| {
            if inside(x, width) {
                put(x, area.y, Cell { symbol, owner });
            }
            x += width;
        };
        let me = Owner::Node(node);
        write("[", 1, me);
        let text = label(node);
        let room = area.width - 2;
        let cut = columns(&text) > room;
        let mut used = 0;
        for (grapheme, width) in graphemes(&text) {
            let width = width as i32;
            if used + width > room - i32::from(cut) {
                break;
            }
            if width > 0 {
                write(grapheme, width, me);
            }
            used += width;
        }
        if cut && room > 0 {
            write(if glyphs == Glyphs::Ascii { "~" } else { "…" }, 1, me);
            used += 1;
        }
        write("]", 1, me);
        // Only a line that begins at the box's edge is its own; the rest of the box stays blank without one.
        if let Some((run, first_net)) =
            next.filter(|(run, _)| run.x == right(&area) && run.sides & WEST != 0)
        {
            let fill = Run {
                sides: EAST | WEST,
                flags: run.flags & DASHED,
                ..*run
            };
            for _ in used..room {
                write(symbol(&fill, glyphs), 1, owner(&fill, first_net));
            }
        }
    }

    /// The whole picture as text, one line per row, without blanks at the ends.
    ///
    /// Give [`safe_label`]s: then square brackets and arrowheads mean what they mean, and a program can read it back.
    pub fn to_text<'l>(&self, glyphs: Glyphs, label: &dyn Fn(u32) -> Cow<'l, str>) -> String {
        let mut out = String::new();
        for y in 0..self.height {
            let mut at = 0;
            let view = Rect {
                x: 0,
                y,
                width: self.width,
                height: 1,
            };
            self.paint(view, glyphs, label, &mut |x, _, cell| {
                out.extend(std::iter::repeat_n(' ', (x - at).max(0) as usize));
                out.push_str(cell.symbol);
                at = x + columns(cell.symbol);
            });
            out.push('\n');
        }
        out
    }
}

fn right(area: &Rect) -> i32 {
    area.x + area.width
}

fn columns(text: &str) -> i32 {
    text_width(text) as i32
}

fn owner(run: &Run, first_net: u32) -> Owner {
    Owner::Net {
        net: first_net + run.net,
        back: run.flags & DASHED != 0,
        heavy: run.flags & HEAVY != 0,
    }
}

/// The glyph of a cell, by the sides its lines leave by.
fn symbol(run: &Run, glyphs: Glyphs) -> &'static str {
    const LIGHT: [&str; 16] = [
        " ", "╵", "╶", "╰", "╷", "│", "╭", "├", "╴", "╯", "─", "┴", "╮", "┤", "┬", "┼",
    ];
    const HEAVY_SET: [&str; 16] = [
        " ", "╹", "╺", "┗", "╻", "┃", "┏", "┣", "╸", "┛", "━", "┻", "┓", "┫", "┳", "╋",
    ];
    const PLAIN: [&str; 16] = [
        " ", "|", "-", "+", "|", "|", "+", "+", "-", "+", "-", "+", "+", "+", "+", "+",
    ];
    let sides = usize::from(run.sides);
    let is = |flag: u8| run.flags & flag != 0;
    match (glyphs, sides) {
        (Glyphs::Unicode, _) if is(ARROW) => "→",
        (Glyphs::Ascii, _) if is(ARROW) => ">",
        (Glyphs::Unicode, 15) if is(JOIN) => "╋",
        (Glyphs::Ascii, 15) if is(JOIN) => "*",
        (Glyphs::Unicode, 10) if is(DASHED) => "╌",
        (Glyphs::Unicode, 5) if is(DASHED) => "╎",
        (Glyphs::Ascii, 10) if is(DASHED) => "~",
        (Glyphs::Ascii, 5) if is(DASHED) => ":",
        (Glyphs::Unicode, _) if is(HEAVY) => HEAVY_SET[sides],
        (Glyphs::Unicode, _) => LIGHT[sides],
        (Glyphs::Ascii, _) => PLAIN[sides],
    }
}

/// A label that cannot be mistaken for part of the drawing: `[ ]` become `( )`, arrows `>`.
pub fn safe_label(label: &str) -> Cow<'_, str> {
    let safe = |c: char| match c {
        '[' => '(',
        ']' => ')',
        '→' | '▶' | '▸' | '►' | '➜' | '➔' | '⇒' | '⟶' => '>',
        other => other,
    };
    if label.chars().all(|c| safe(c) == c) {
        Cow::Borrowed(label)
    } else {
        Cow::Owned(label.chars().map(safe).collect())
    }
}
