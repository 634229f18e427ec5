//! The frame of everything that lies over the board: forms, pickers, help, questions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Span;

use super::{Theme, pen};
use crate::text;

/// A rectangle of at most `width` × `height` in the middle of `area`, a little above it.
pub(super) fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let width = width.min(area.width);
    let height = height.min(area.height);
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 3,
        width,
        height,
    }
}

/// Dims what lies below, draws the frame with its title and a hint at the lower edge, and gives
/// the room inside.
pub(super) fn open(buf: &mut Buffer, area: Rect, title: &str, hint: &str, theme: &Theme) -> Rect {
    let area = area.intersection(buf.area);
    let all = buf.area;
    for y in all.top()..all.bottom() {
        for x in all.left()..all.right() {
            buf[(x, y)].modifier.remove(Modifier::BOLD);
            buf[(x, y)].modifier.insert(Modifier::DIM);
        }
    }
    pen::ground(buf, area, theme.overlay);
    if area.width < 4 || area.height < 3 {
        return area;
    }
    let edge = theme.overlay_border;
    let (last_x, last_y) = (area.right() - 1, area.bottom() - 1);
    pen::rule(buf, pen::row(area, 0), 0, "─", edge);
    pen::rule(buf, pen::row(area, area.height - 1), 0, "─", edge);
    pen::bar(buf, area.x, area, "│", edge);
    pen::bar(buf, last_x, area, "│", edge);
    for (x, y, corner) in [
        (area.x, area.y, "╭"),
        (last_x, area.y, "╮"),
        (area.x, last_y, "╰"),
        (last_x, last_y, "╯"),
    ] {
        buf[(x, y)].set_symbol(corner).set_style(edge);
    }
    let rim = pen::inset(area, 2, 2);
    if !title.is_empty() {
        let title = format!(" {} ", text::clean_line(title));
        pen::put(
            buf,
            rim,
            0,
            &[Span::styled(title, theme.overlay.patch(theme.title))],
        );
    }
    if !hint.is_empty() {
        let hint = format!(" {hint} ");
        let style = theme.overlay.patch(theme.muted);
        pen::put_right(buf, rim, area.height - 1, &[Span::styled(hint, style)]);
    }
    Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: area.width.saturating_sub(4),
        height: area.height - 2,
    }
}
