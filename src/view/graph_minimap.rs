//! The whole picture in a corner, when only a small part of it is shown.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Theme, pen};
use crate::board::Model;
use crate::graph::layout;

/// Columns and rows of the map.
const SIZE: (u16, u16) = (24, 6);

/// The smallest pane that has room for it.
const ROOM: (u16, u16) = (100, 16);

/// Dots of a braille cell across and down.
const DOTS: (usize, usize) = (2, 4);

/// The bits of a braille cell, by column and row of its dots (Unicode 15, chapter 21).
const BITS: [[u8; DOTS.1]; DOTS.0] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// A dot per task; the part that is shown stands out.
pub(super) fn draw(
    model: &Model,
    theme: &Theme,
    view: &layout::Rect,
    inside: Rect,
    buf: &mut Buffer,
) {
    let whole = &model.graph.layout;
    let is_small_part = whole.width() > 2 * view.width || whole.height() > 2 * view.height;
    if !is_small_part || inside.width < ROOM.0 || inside.height < ROOM.1 {
        return;
    }
    let (map, covered) = emptiest_corner(inside, buf);
    let is_tiny_part = whole.width() > 4 * view.width || whole.height() > 4 * view.height;
    if covered > 0 && !is_tiny_part {
        return; // what it would hide says more than the map
    }
    pen::ground(buf, map, theme.overlay);
    let cells = dots(model);
    let share = |value: i32, all: i32, cells: u16| value.max(0) * i32::from(cells) / all.max(1);
    let across = |x: i32| share(x, whole.width(), SIZE.0);
    let down = |y: i32| share(y, whole.height(), SIZE.1);
    let shown = layout::Rect {
        x: across(view.x),
        y: down(view.y),
        width: (across(view.x + view.width) - across(view.x)).max(1),
        height: (down(view.y + view.height) - down(view.y)).max(1),
    };
    for (at, bits) in cells.into_iter().enumerate() {
        let (x, y) = (at as u16 % SIZE.0, at as u16 / SIZE.0);
        let symbol = char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ');
        let style = if shown.contains(i32::from(x), i32::from(y)) {
            theme.selected_elsewhere.patch(theme.accent)
        } else {
            theme.muted
        };
        let cell = &mut buf[(map.x + x, map.y + y)];
        cell.set_char(if bits == 0 { ' ' } else { symbol })
            .set_style(style);
    }
}

/// The corner in which a map covers least, and how many cells with something on them it covers.
fn emptiest_corner(inside: Rect, buf: &Buffer) -> (Rect, usize) {
    let right = inside.right() - SIZE.0;
    let bottom = inside.bottom() - SIZE.1;
    let corners = [
        (right, bottom),
        (inside.x, bottom),
        (right, inside.y),
        (inside.x, inside.y),
    ];
    let covered = |(x, y): (u16, u16)| {
        let map = Rect::new(x, y, SIZE.0, SIZE.1);
        let drawn = map.positions().filter(|at| buf[*at].symbol() != " ");
        (map, drawn.count())
    };
    let first = covered(corners[0]);
    let others = corners[1..].iter().copied().map(covered);
    others.fold(
        first,
        |best, next| if next.1 < best.1 { next } else { best },
    )
}

/// Braille cells, row by row, with a dot where a task is.
fn dots(model: &Model) -> Vec<u8> {
    let whole = &model.graph.layout;
    let mut cells = vec![0; usize::from(SIZE.0) * usize::from(SIZE.1)];
    let (wide, high) = (usize::from(SIZE.0) * DOTS.0, usize::from(SIZE.1) * DOTS.1);
    for node in 0..model.graph.nodes.len() as u32 {
        let area = whole.node_rect(node);
        let share = |value: i32, all: i32, dots: usize| value as usize * dots / all.max(1) as usize;
        let x = share(area.x + area.width / 2, whole.width(), wide).min(wide - 1);
        let y = share(area.y, whole.height(), high).min(high - 1);
        let cell = y / DOTS.1 * usize::from(SIZE.0) + x / DOTS.0;
        cells[cell] |= BITS[x % DOTS.0][y % DOTS.1];
    }
    cells
}
