use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Hits, Theme, card, lane, pen, table};
use crate::board::{Column, Lane, Model, Pane};
use crate::task::State;

/// Below so many columns of the screen, one board column is shown, with the others as tabs.
const NARROW: u16 = 60;

/// The columns side by side.
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer, hits: &mut Hits) {
    if area.height == 0 || model.columns.is_empty() {
        return;
    }
    if model.list.is_empty() && !model.loading {
        empty(model, theme, area, buf);
        return;
    }
    if area.width < NARROW {
        let tabs = pen::row(area, 0);
        draw_tabs(model, theme, tabs, buf, hits);
        draw_column(
            model,
            theme,
            model.column,
            pen::below(area, 1),
            false,
            buf,
            hits,
        );
        return;
    }
    let mut x = area.x + 1;
    let shown = in_sight(model, area.width);
    let widths = widths(&model.columns[shown.clone()], area.width);
    for (place, width) in shown.clone().zip(widths) {
        let column = Rect { x, width, ..area }.intersection(area);
        draw_column(model, theme, place, column, true, buf, hits);
        x += width + GAP;
    }
    for (more, right) in [
        (shown.start, false),
        (model.columns.len() - shown.end, true),
    ] {
        if more > 0 {
            let text = if right {
                format!("{more}▶")
            } else {
                format!("◀{more}")
            };
            let at = pen::row(area, 1);
            let text = [Span::styled(text, theme.accent)];
            if right {
                pen::put_right(buf, at, 0, &text);
            } else {
                pen::put(buf, at, 0, &text);
            }
        }
    }
}

/// A board column is not narrower than this, so of many only some are in sight.
const NARROWEST: u16 = 14;

/// The columns that there is room for: the one with the focus is among them.
fn in_sight(model: &Model, room: u16) -> std::ops::Range<usize> {
    let all = model.columns.len();
    let fit = usize::from((room / (NARROWEST + GAP)).max(1)).min(all);
    let start = (model.column + 1).saturating_sub(fit);
    start..start + fit
}

/// Blank columns between two board columns.
const GAP: u16 = 2;

/// The usual columns share the room; those for deleted tasks and odd statuses take less of it.
fn widths(columns: &[Column], room: u16) -> Vec<u16> {
    let weight = |column: &Column| match column.state() {
        Some(State::Deleted | State::Other) => 3,
        _ => 5,
    };
    let count = u16::try_from(columns.len()).unwrap_or(1);
    let room = room.saturating_sub(GAP * count.saturating_sub(1) + 2);
    let all: u16 = columns.iter().map(weight).sum();
    columns
        .iter()
        .map(|column| room * weight(column) / all.max(1))
        .collect()
}

fn draw_tabs(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer, hits: &mut Hits) {
    let mut x = area.x + 1;
    for (place, column) in model.columns.iter().enumerate() {
        let head = lane::head(model, column, theme);
        let here = place == model.column;
        let name = if here { &head.title } else { &head.mark };
        let title = format!("{name} {}", column.ids.len());
        let style = if here {
            head.style.patch(theme.selected)
        } else {
            theme.muted
        };
        let tab = Rect { x, ..area }.intersection(area);
        let used = pen::put(buf, tab, 0, &[Span::styled(format!(" {title} "), style)]);
        hits.columns.push((Rect { width: used, ..tab }, place));
        x += used + 1;
    }
}

fn draw_column(
    model: &Model,
    theme: &Theme,
    place: usize,
    area: Rect,
    titled: bool,
    buf: &mut Buffer,
    hits: &mut Hits,
) {
    let column = &model.columns[place];
    let focused = place == model.column && model.pane == Pane::Board;
    let under_mouse = matches!(&model.dragging, Some((_, Some(over))) if *over == place);
    let mut cards = area;
    if titled {
        title(model, column, focused, under_mouse, theme, area, buf);
        cards = pen::below(area, 2);
    }
    let table = column.lane == Lane::All;
    let rows = if table { 1 } else { card::rows(area.height) };
    let visible = usize::from(cards.height / rows);
    let first = first_visible(model, place, visible);
    hits.scrolls.push((place, first));
    let in_sight = column.ids.iter().enumerate().skip(first).take(visible);
    for (line, (row, id)) in (0_u16..).zip(in_sight) {
        let Some(task) = model.task(id) else {
            continue;
        };
        let at = Rect {
            y: cards.y + line * rows,
            height: rows,
            ..cards
        };
        if table {
            table::draw_row(model, theme, column, row, task, at, buf);
        } else {
            card::draw(model, theme, task, at, buf);
        }
        hits.cards.push((at, id.clone(), place));
    }
    let below = column.ids.len().saturating_sub(first + visible);
    let more = match (first, below) {
        (0, 0) => String::new(),
        (above, 0) => format!("▲ {above}"),
        (0, below) => format!("▼ {below}"),
        (above, below) => format!("▲ {above} ▼ {below}"),
    };
    if titled && !more.is_empty() {
        pen::put_right(
            buf,
            pen::row(area, 1),
            0,
            &[Span::styled(format!(" {more}"), theme.muted)],
        );
    }
    hits.columns.push((area, place));
}

fn title(
    model: &Model,
    column: &Column,
    focused: bool,
    drop: bool,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let head = lane::head(model, column, theme);
    let style = head.style;
    let space = if head.mark == "@" { "" } else { " " };
    let name = format!("{}{space}{}", head.mark, head.title);
    let mut spans = vec![
        Span::styled(name, style.patch(theme.title).patch(style)),
        Span::styled(format!(" {}", column.ids.len()), theme.muted),
        Span::styled(format!("  {}", head.about), theme.muted),
    ];
    if column.hidden > 0 {
        spans.push(Span::styled(
            format!(" (+{} hidden)", column.hidden),
            theme.faint,
        ));
    }
    pen::put(buf, area, 0, &spans);
    let (line, style) = match (focused, drop) {
        (_, true) => ("┅", theme.changed),
        (true, false) => ("━", style),
        (false, false) => ("─", theme.faint),
    };
    pen::rule(buf, area, 1, line, style);
}

/// The first card to show: as before, unless the selected one would be out of sight.
fn first_visible(model: &Model, place: usize, visible: usize) -> usize {
    let column = &model.columns[place];
    let last = column.ids.len().saturating_sub(visible.max(1));
    let before = model.scrolls.get(&place).copied().unwrap_or(0).min(last);
    let selected = column
        .ids
        .iter()
        .position(|id| Some(id) == model.selected.as_ref());
    match selected {
        Some(row) if row < before => row,
        Some(row) if row >= before + visible => row + 1 - visible.max(1),
        _ => before,
    }
}

/// What a newcomer sees on an empty list.
fn empty(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let area = pen::inset(area, 3, 2);
    let mut lines = vec![
        vec![Span::styled("No tasks yet", theme.title)],
        vec![Span::styled(
            format!("watching {}", model.place.path),
            theme.muted,
        )],
        vec![Span::styled(model.place.reason.clone(), theme.muted)],
        Vec::new(),
    ];
    lines.extend(
        model
            .place
            .notes
            .iter()
            .map(|note| vec![Span::styled(note.clone(), theme.text)]),
    );
    lines.push(Vec::new());
    for (key, what) in [
        ("n", "make the first task"),
        ("?", "every key, searchable"),
        ("q", "leave; `taskdeck demo` shows a board at work"),
    ] {
        lines.push(vec![
            Span::styled(format!("{key}  "), theme.key),
            Span::styled(what, theme.muted),
        ]);
    }
    let mut y = 1;
    for line in lines {
        let text: String = line.iter().map(|span| span.content.as_ref()).collect();
        if line.len() == 1 && crate::text::width(&text) > usize::from(area.width) {
            let style = line[0].style;
            for part in crate::text::wrap(&text, usize::from(area.width)) {
                pen::put(buf, area, y, &[Span::styled(part.to_owned(), style)]);
                y += 1;
            }
            continue;
        }
        pen::put(buf, area, y, &line);
        y += 1;
    }
}
