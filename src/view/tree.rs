use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Hits, Theme, card, columns, glyphs, pen};
use crate::board::{Branch, Model, Pane};
use crate::task::{State, Task};
use crate::text::clean_line;

/// Columns per step of depth, and the depth at which rows are not moved further in.
const STEP: usize = 2;
const DEEPEST: usize = 12;

/// Every task as one row under its parent.
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer, hits: &mut Hits) {
    let column = &model.columns[0];
    let title = [
        Span::styled("Tasks by parent", theme.title),
        Span::styled(format!(" {}", column.ids.len()), theme.muted),
    ];
    pen::put(buf, pen::inset(area, 2, 1), 0, &title);
    let focused = model.pane == Pane::Board;
    let style = if focused { theme.focus } else { theme.faint };
    pen::rule(buf, area, 1, if focused { "━" } else { "─" }, style);
    let body = pen::below(area, 2);
    let visible = usize::from(body.height);
    let first = columns::first_visible(model, 0, visible);
    hits.scrolls.push((0, first));
    let rows = column.ids.iter().zip(&column.branches);
    for (y, (id, branch)) in (0_u16..).zip(rows.skip(first).take(visible)) {
        let Some(task) = model.list.get(id) else {
            continue;
        };
        let line = pen::row(body, y);
        row(model, theme, task, *branch, line, buf);
        hits.cards.push((line, id.clone(), 0));
    }
    columns::more(
        theme,
        pen::row(area, 1),
        first,
        column.ids.len(),
        visible,
        buf,
    );
    hits.columns.push((area, 0));
}

fn row(model: &Model, theme: &Theme, task: &Task, branch: Branch, line: Rect, buf: &mut Buffer) {
    card::ground(model, theme, task, line, buf);
    let state = model.list.state(&task.id).unwrap_or(State::Other);
    let mut left = Vec::new();
    if branch.depth > 0 {
        let depth = branch.depth.min(DEEPEST);
        let lines = format!("{}└ ", " ".repeat((depth - 1) * STEP));
        left.push(Span::styled(lines, theme.faint));
    }
    left.push(Span::styled(glyphs::state(state), theme.state(state)));
    left.push(Span::styled(" ", theme.text));
    left.extend(card::title_spans(model, theme, task, state));
    if branch.children > 0 {
        let count = format!("  {}/{}", branch.done, branch.children);
        left.push(Span::styled(count, theme.muted));
    }
    if branch.orphan {
        left.push(Span::styled("  its parent has no file", theme.warning));
    }
    let mut right = Vec::new();
    if let Some(owner) = &task.owner {
        right.push(Span::styled(
            format!("@{} ", clean_line(owner)),
            theme.owner,
        ));
    }
    right.extend(card::marks(model, theme, task));
    pen::put_both(buf, pen::inset(line, 2, 1), 0, &left, &right);
    card::settle(model, theme, task, line, buf);
}
