//! Writing on the screen: every text is cut to the room it has, every rectangle to the frame.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use crate::text;

/// Spans side by side from the left edge of `area`'s row `y` (counted within the area), cut with
/// `…` where the room ends. Gives the columns used.
pub(super) fn put(buf: &mut Buffer, area: Rect, y: u16, spans: &[Span<'_>]) -> u16 {
    let area = area.intersection(buf.area);
    if y >= area.height {
        return 0;
    }
    let mut used: u16 = 0;
    for span in spans {
        let room = area.width - used;
        if room == 0 {
            break;
        }
        let cut = text::truncate(&span.content, usize::from(room));
        let end = buf.set_stringn(
            area.x + used,
            area.y + y,
            &cut,
            usize::from(room),
            span.style,
        );
        used = end.0 - area.x;
        if cut.len() < span.content.len() {
            break;
        }
    }
    used
}

/// Spans at the right edge of a row; nothing when they do not fit. Gives the columns used.
pub(super) fn put_right(buf: &mut Buffer, area: Rect, y: u16, spans: &[Span<'_>]) -> u16 {
    let wide = columns(spans);
    if wide > usize::from(area.width) {
        return 0;
    }
    let wide = wide as u16;
    put(buf, right_part(area, wide), y, spans);
    wide
}

/// One row with a left and a right part. The right part stays whole, the left is cut.
pub(super) fn put_both(
    buf: &mut Buffer,
    area: Rect,
    y: u16,
    left: &[Span<'_>],
    right: &[Span<'_>],
) {
    let taken = put_right(buf, area, y, right);
    let gap = u16::from(taken > 0);
    let room = area.width.saturating_sub(taken + gap);
    put(
        buf,
        Rect {
            width: room,
            ..area
        },
        y,
        left,
    );
}

/// Where a selection is shown by swapped colours, or has a text colour of its own, it is one plain
/// bar: its parts' own colours would be patches, or not to be read on it.
pub(super) fn even_out(buf: &mut Buffer, area: Rect, selected: Style) {
    if !selected.add_modifier.contains(Modifier::REVERSED) && selected.fg.is_none() {
        return;
    }
    let colour = |colour: Option<Color>| colour.unwrap_or(Color::Reset);
    for place in area.intersection(buf.area).positions() {
        let cell = &mut buf[place];
        (cell.fg, cell.bg) = (colour(selected.fg), colour(selected.bg));
    }
}

/// The first of `all` lines to show in `rows`, so that line `here` stands in the middle where it can.
pub(super) fn first_visible(here: usize, all: usize, rows: usize) -> usize {
    here.saturating_sub(rows / 2).min(all.saturating_sub(rows))
}

/// The columns of spans side by side.
pub(super) fn columns(spans: &[Span<'_>]) -> usize {
    spans.iter().map(|span| text::width(&span.content)).sum()
}

/// The last `wide` columns of an area.
pub(super) fn right_part(area: Rect, wide: u16) -> Rect {
    let wide = wide.min(area.width);
    Rect {
        x: area.right() - wide,
        width: wide,
        ..area
    }
}

/// One row of an area, empty when it is not there.
pub(super) fn row(area: Rect, y: u16) -> Rect {
    Rect {
        y: area.y.saturating_add(y),
        height: 1,
        ..area
    }
    .intersection(area)
}

/// The area without its first `rows` rows.
pub(super) fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    }
}

/// The area without `left` and `right` columns at its sides.
pub(super) fn inset(area: Rect, left: u16, right: u16) -> Rect {
    let left = left.min(area.width);
    Rect {
        x: area.x + left,
        width: (area.width - left).saturating_sub(right),
        ..area
    }
}

/// A horizontal line over a whole row.
pub(super) fn rule(buf: &mut Buffer, area: Rect, y: u16, symbol: &str, style: Style) {
    let line = row(area, y).intersection(buf.area);
    for x in line.left()..line.right() {
        buf[(x, line.y)].set_symbol(symbol).set_style(style);
    }
}

/// A vertical line over a whole column.
pub(super) fn bar(buf: &mut Buffer, x: u16, area: Rect, symbol: &str, style: Style) {
    let line = Rect {
        x,
        width: 1,
        ..area
    }
    .intersection(buf.area);
    for y in line.top()..line.bottom() {
        for x in line.left()..line.right() {
            buf[(x, y)].set_symbol(symbol).set_style(style);
        }
    }
}

/// Empties an area and lays a ground.
pub(super) fn ground(buf: &mut Buffer, area: Rect, style: Style) {
    let area = area.intersection(buf.area);
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            buf[(x, y)].reset();
        }
    }
    buf.set_style(area, style);
}
