use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Theme, age, card, glyphs, pen};
use crate::board::{Column, Model};
use crate::task::{State, Task};
use crate::text::clean_line;

/// One row of the table: state, subject, priority, owner, time in the state, what it frees.
pub(super) fn draw_row(
    model: &Model,
    theme: &Theme,
    column: &Column,
    place: usize,
    task: &Task,
    area: Rect,
    buf: &mut Buffer,
) {
    card::ground(model, theme, task, area, buf);
    let state = model.list.state(&task.id).unwrap_or(State::Other);
    let depth = column.depths.get(place).copied().unwrap_or(0);
    let inside = pen::inset(area, 2 + (depth * 2).min(area.width / 2), 1);
    let mut left = vec![Span::styled(
        format!("{} ", glyphs::state(state)),
        theme.state(state),
    )];
    left.extend(card::marked(
        &card::title(task, state),
        &model.query,
        card::title_style(theme, state),
        theme,
    ));
    let mut right = card::marks(model, theme, task);
    for (text, columns, style) in cells(model, theme, task, state, area.width) {
        let text = crate::text::pad(&text, columns);
        right.push(Span::styled(format!("  {text}"), style));
    }
    pen::put_both(buf, inside, 0, &left, &right);
}

/// The cells behind the subject, as far as there is room for them.
fn cells(
    model: &Model,
    theme: &Theme,
    task: &Task,
    state: State,
    room: u16,
) -> Vec<(String, usize, ratatui::style::Style)> {
    let owner = task
        .owner
        .as_deref()
        .map_or_else(String::new, |owner| format!("@{}", clean_line(owner)));
    let since = model.since(&task.id);
    let since = since.map_or_else(String::new, |s| age::since(model.now_ms, s));
    let frees = match model.list.opens_now(&task.id).len() {
        0 => String::new(),
        n => format!("{} {n}", glyphs::FREES),
    };
    let waits = match model.list.open_blockers(&task.id).len() {
        0 => String::new(),
        n => format!("{}{n}", glyphs::state(State::Blocked)),
    };
    let mut cells = vec![
        (waits, 4, theme.blocked),
        (frees, 4, theme.dependant),
        (owner, 12, theme.owner),
        (since, 5, theme.muted),
    ];
    if room >= 110 {
        cells.push((state.title().to_owned(), 11, theme.state(state)));
        cells.push((clean_line(task.id.short()).into_owned(), 10, theme.faint));
    }
    if room < 60 {
        cells.truncate(2);
    }
    cells
}
