use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Theme, pen};
use crate::board::Model;
use crate::command::{Found, command};
use crate::text::width;

/// What may follow the keys that were pressed, above the last row; at once and for as long as it
/// takes: there is no time limit.
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if model.keys.is_empty() {
        return;
    }
    let Found::Prefix(next) = model.keymap.find(&model.keys) else {
        return;
    };
    let now = model.situation();
    let entries: Vec<(String, &str, bool)> = next
        .iter()
        .map(|(key, id)| {
            let command = command(*id);
            let off = (command.available)(&now).is_err();
            (key.to_string(), command.title, off)
        })
        .collect();
    let keys = entries.iter().map(|(key, ..)| width(key)).max();
    let titles = entries.iter().map(|(_, title, _)| width(title)).max();
    let (keys, titles) = (keys.unwrap_or(0), titles.unwrap_or(0));
    let wide = keys + titles + 4;
    let room = usize::from(area.width.saturating_sub(2));
    let columns = (room / wide).clamp(1, entries.len().max(1));
    let rows = entries.len().div_ceil(columns);
    // The header stays in sight, whatever the size of the screen.
    let height = u16::try_from(rows + 1).unwrap_or(u16::MAX);
    let height = height.min(area.height.saturating_sub(2));
    let frame = Rect {
        y: area.bottom().saturating_sub(height + 1),
        height,
        ..area
    }
    .intersection(buf.area);
    pen::ground(buf, frame, theme.text.patch(theme.overlay));
    pen::rule(
        buf,
        frame,
        0,
        "─",
        theme.overlay.patch(theme.overlay_border),
    );
    let pressed: Vec<String> = model.keys.iter().map(ToString::to_string).collect();
    let title = format!(" {} … ", pressed.join(" "));
    let style = theme.overlay.patch(theme.accent);
    pen::put(
        buf,
        pen::inset(frame, 1, 1),
        0,
        &[Span::styled(title, style)],
    );
    let inside = pen::inset(pen::below(frame, 1), 1, 1);
    for (place, (key, title, off)) in entries.iter().enumerate() {
        let (column, row) = (place / rows, place % rows);
        let at = pen::inset(inside, u16::try_from(column * wide).unwrap_or(u16::MAX), 0);
        let pad = " ".repeat(keys - width(key));
        let (of_key, of_title) = match off {
            true => (theme.faint, theme.faint),
            false => (theme.key, theme.text),
        };
        let spans = [
            Span::styled(format!("{pad}{key}"), theme.overlay.patch(of_key)),
            Span::styled(format!("  {title}"), theme.overlay.patch(of_title)),
        ];
        pen::put(buf, at, u16::try_from(row).unwrap_or(u16::MAX), &spans);
    }
}
