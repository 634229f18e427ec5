use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Hits, Theme, card, lane, list, pen, tree};
use crate::board::{Column, Lane, Model, Pane, View};
use crate::task::State;
use crate::text;

/// Below so many columns of the screen, one board column is shown, with the others as tabs.
const NARROW: u16 = 60;

/// The columns side by side.
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer, hits: &mut Hits) {
    if area.height == 0 || model.columns.is_empty() {
        return;
    }
    if model.list.is_empty() && model.vanished.is_empty() && !model.loading {
        empty(model, theme, area, buf);
        return;
    }
    match model.view {
        View::List(sorting) => return list::draw(model, sorting, theme, area, buf, hits),
        View::Tree => return tree::draw(model, theme, area, buf, hits),
        View::State | View::Status | View::Owner => {}
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

/// The names of the columns in one row, from the one on where the one with the focus fits.
fn draw_tabs(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer, hits: &mut Hits) {
    let room = usize::from(area.width.saturating_sub(1));
    let mut used = 0;
    let mut first = model.column;
    while let Some(column) = model.columns.get(first) {
        used += text::width(&tab(column, theme, first == model.column)) + 3;
        if used > room || first == 0 {
            break;
        }
        first -= 1;
    }
    let first = if used > room { first + 1 } else { first }.min(model.column);
    if first > 0 {
        pen::put(buf, area, 0, &[Span::styled("◀", theme.accent)]);
    }
    let mut x = area.x + 1;
    for (place, column) in model.columns.iter().enumerate().skip(first) {
        let tabs = Rect { x, ..area }.intersection(area);
        if tabs.is_empty() {
            return;
        }
        let here = place == model.column;
        let style = if here {
            lane::head(column, theme).style.patch(theme.selected)
        } else {
            theme.muted
        };
        let title = format!(" {} ", tab(column, theme, here));
        let used = pen::put(buf, tabs, 0, &[Span::styled(title, style)]);
        hits.columns.push((
            Rect {
                width: used,
                ..tabs
            },
            place,
        ));
        x += used + 1;
    }
}

/// A tab: the name with the focus, without it the symbol of a state or the beginning of an owner.
fn tab(column: &Column, theme: &Theme, here: bool) -> String {
    let head = lane::head(column, theme);
    let count = column.ids.len();
    match (&column.lane, here) {
        (Lane::Owner(Some(_)), false) => format!("@{} {count}", text::truncate(&head.title, 6)),
        (_, true) => format!("{} {count}", head.title),
        (_, false) => format!("{} {count}", head.mark),
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
        title(column, focused, under_mouse, theme, area, buf);
        cards = pen::below(area, 2);
    }
    if let Some(doing) = &column.doing {
        let used = lane::draw(model, theme, doing, &column.lane, cards, buf);
        cards = pen::below(cards, used);
    }
    let rows = card::rows(area.height);
    let visible = usize::from(cards.height / rows);
    let first = first_visible(model, place, visible);
    hits.scrolls.push((place, first));
    for (line, id) in (0_u16..).zip(column.ids.iter().skip(first).take(visible)) {
        let Some(task) = model.task(id) else {
            continue;
        };
        let at = Rect {
            y: cards.y + line * rows,
            height: rows,
            ..cards
        };
        card::draw(model, theme, task, at, buf);
        hits.cards.push((at, id.clone(), place));
    }
    if titled {
        let line = pen::row(area, 1);
        more(theme, line, first, column.ids.len(), visible, buf);
    }
    hits.columns.push((area, place));
}

/// How many tasks stand above and below what is visible, at the right of a row.
pub(super) fn more(
    theme: &Theme,
    line: Rect,
    first: usize,
    all: usize,
    visible: usize,
    buf: &mut Buffer,
) {
    let below = all.saturating_sub(first + visible);
    let text = match (first, below) {
        (0, 0) => return,
        (above, 0) => format!(" ▲ {above}"),
        (0, below) => format!(" ▼ {below}"),
        (above, below) => format!(" ▲ {above} ▼ {below}"),
    };
    pen::put_right(buf, line, 0, &[Span::styled(text, theme.muted)]);
}

fn title(column: &Column, focused: bool, drop: bool, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let head = lane::head(column, theme);
    let style = head.style;
    let space = if head.mark == "@" { "" } else { " " };
    let name = format!("{}{space}{}", head.mark, head.title);
    let mut spans = vec![
        Span::styled(name, style.patch(theme.title).patch(style)),
        Span::styled(format!(" {}", column.ids.len()), theme.muted),
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
pub(super) fn first_visible(model: &Model, place: usize, visible: usize) -> usize {
    let column = &model.columns[place];
    let last = column.ids.len().saturating_sub(visible.max(1));
    let before = model.scrolls.get(&place).copied().unwrap_or(0).min(last);
    let selected = model.selected.as_ref().and_then(|id| model.place_of(id));
    match selected.filter(|(column, _)| *column == place) {
        Some((_, row)) if row < before => row,
        Some((_, row)) if row >= before + visible => row + 1 - visible.max(1),
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
        if line.len() == 1 && text::width(&text) > usize::from(area.width) {
            let style = line[0].style;
            for part in text::wrap(&text, usize::from(area.width)) {
                pen::put(buf, area, y, &[Span::styled(part.to_owned(), style)]);
                y += 1;
            }
            continue;
        }
        pen::put(buf, area, y, &line);
        y += 1;
    }
}
