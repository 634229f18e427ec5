//! Phase 9: lines become cells. Each cell knows which of its four sides a line leaves by; runs of equal cells are kept as one.

use super::Rect;
use super::component::Vertex;
use super::nets::{Kind, Net};
use super::trunks::Plan;

/// The sides of a cell.
pub(super) const NORTH: u8 = 1;
pub(super) const EAST: u8 = 2;
pub(super) const SOUTH: u8 = 4;
pub(super) const WEST: u8 = 8;

/// Lines that meet here are one net; without it a four-way cell is a crossing.
pub(super) const JOIN: u8 = 1;
/// The trunk of a barrier.
pub(super) const HEAVY: u8 = 2;
/// Part of an edge that closes a ring.
pub(super) const DASHED: u8 = 4;
/// The cell before a task that the line blocks.
pub(super) const ARROW: u8 = 8;

/// Equal cells side by side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub x: i32,
    pub len: i32,
    pub sides: u8,
    pub flags: u8,
    pub net: u32,
}

/// A row of the picture, everything from left to right.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub runs: Vec<Run>,
    pub nodes: Vec<u32>,
}

struct Horizontal {
    from: i32,
    to: i32,
    open_west: bool,
    open_east: bool,
    arrow: bool,
    dashed: bool,
    net: u32,
}

#[derive(Default)]
struct Lines {
    across: Vec<Horizontal>,
    down: Vec<Run>,
}

/// Collects lines, then turns them into rows.
pub(super) struct Canvas {
    rows: Vec<Lines>,
    width: i32,
}

impl Canvas {
    pub fn new(height: i32, width: i32) -> Canvas {
        Canvas {
            rows: (0..height).map(|_| Lines::default()).collect(),
            width,
        }
    }

    /// Draws one gap. `next_column` is where the column right of it begins.
    #[allow(clippy::too_many_arguments)]
    pub fn gap(
        &mut self,
        plan: &Plan,
        nets: &[Net],
        base: usize,
        vertices: &[Vertex],
        nodes: usize,
        grid: &dyn Fn(i64) -> i32,
        at: i32,
        pitch: i32,
        next_column: Option<i32>,
    ) {
        let x = |trunk: u32| at + 1 + plan.column[trunk as usize] * pitch;
        let kind = |net: u32| nets[base + net as usize].kind;
        let back = |net: u32| matches!(kind(net), Kind::BackOut | Kind::BackIn);
        for (id, trunk) in plan.trunks.iter().enumerate() {
            let (low, high) = trunk.span();
            let (low, high) = (grid(low), grid(high));
            let flags = match kind(trunk.net) {
                Kind::Barrier => HEAVY,
                Kind::BackOut | Kind::BackIn => DASHED,
                _ => 0,
            };
            for row in low..=high {
                let sides = if row > low { NORTH } else { 0 } | if row < high { SOUTH } else { 0 };
                let cell = Run {
                    x: x(id as u32),
                    len: 1,
                    sides,
                    flags,
                    net: base as u32 + trunk.net,
                };
                self.rows[row as usize].down.push(cell);
            }
            for &arm in trunk.left.iter().chain(&trunk.right) {
                if let Some(cell) = self.rows[grid(arm) as usize]
                    .down
                    .iter_mut()
                    .rev()
                    .find(|c| c.x == x(id as u32))
                {
                    cell.flags |= JOIN;
                }
            }
        }
        for wire in &plan.wires {
            let (first, last) = (wire.trunks.first(), wire.trunks.last());
            let from = match (wire.from, first) {
                (Some(v), _) => vertices[v as usize].leave,
                (None, Some(&t)) => x(t),
                (None, None) => continue,
            };
            let to = match (wire.to, last) {
                (Some(_), _) => next_column.unwrap_or(self.width) - 1,
                (None, Some(&t)) => x(t),
                (None, None) => continue,
            };
            if from == to && wire.from.is_none() && wire.to.is_none() {
                continue; // the own row of an edge that closes a ring is drawn as a whole
            }
            self.rows[grid(wire.row) as usize].across.push(Horizontal {
                from,
                to,
                open_west: wire.from.is_some(),
                open_east: wire.to.is_some(),
                arrow: wire.to.is_some_and(|v| (v as usize) < nodes),
                // A whole way through the gap is an ordinary edge, even if a returning one joins it.
                dashed: !(wire.from.is_some() && wire.to.is_some())
                    && wire
                        .trunks
                        .iter()
                        .all(|&t| back(plan.trunks[t as usize].net)),
                net: base as u32 + wire.net,
            });
        }
    }

    /// The own row of an edge that closes a ring.
    pub fn return_line(&mut self, row: i32, from: i32, to: i32, net: u32) {
        let line = Horizontal {
            from,
            to,
            open_west: false,
            open_east: false,
            arrow: false,
            dashed: true,
            net,
        };
        self.rows[row as usize].across.push(line);
    }

    /// The rows, with the boxes among the lines.
    pub fn finish(self, boxes: &[Rect]) -> Vec<Row> {
        let mut rows: Vec<Row> = self
            .rows
            .into_iter()
            .map(|lines| Row {
                runs: merge(lines),
                nodes: Vec::new(),
            })
            .collect();
        for (node, area) in boxes.iter().enumerate() {
            rows[area.y as usize].nodes.push(node as u32);
        }
        for row in &mut rows {
            row.nodes.sort_by_key(|&node| boxes[node as usize].x);
        }
        rows
    }
}

/// Lays the cells of trunks over the horizontal lines of a row.
fn merge(mut lines: Lines) -> Vec<Run> {
    lines.across.sort_by_key(|line| line.from);
    lines.down.sort_by_key(|cell| cell.x);
    let mut down = lines.down.into_iter().peekable();
    let mut out: Vec<Run> = Vec::new();
    for line in &lines.across {
        while let Some(cell) = down.next_if(|cell| cell.x < line.from) {
            out.push(cell);
        }
        let style = if line.dashed { DASHED } else { 0 };
        let end = line.to + 1;
        let mut x = line.from;
        while x < end {
            let cell = down.next_if(|cell| cell.x == x);
            let stop = match cell {
                Some(_) => x + 1,
                None => down.peek().map_or(end, |next| next.x.min(end)),
            };
            let mut run = Run {
                x,
                len: stop - x,
                sides: EAST | WEST,
                flags: style,
                net: line.net,
            };
            if let Some(cell) = cell {
                if x == line.from && !line.open_west {
                    run.sides &= !WEST;
                }
                if x == line.to && !line.open_east {
                    run.sides &= !EAST;
                }
                run.sides |= cell.sides;
                run.flags = if cell.flags & JOIN != 0 {
                    cell.flags
                } else {
                    0
                };
                run.net = cell.net;
            }
            out.push(run);
            x = stop;
        }
        if line.arrow {
            arrow(&mut out, line.to);
        }
    }
    out.extend(down);
    out
}

/// Makes the last cell of the last run an arrowhead.
fn arrow(out: &mut Vec<Run>, x: i32) {
    if let Some(last) = out.last_mut() {
        let head = Run {
            x,
            len: 1,
            flags: last.flags | ARROW,
            ..*last
        };
        last.len -= 1;
        if last.len == 0 {
            out.pop();
        }
        out.push(head);
    }
}
