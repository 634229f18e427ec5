use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::{Theme, age, glyphs, pen};
use crate::board::{Model, Pane};
use crate::list::Query;
use crate::run::Record;
use crate::task::{Priority, State, StoredPriority, Task};
use crate::text::{clean_line, graphemes};

/// From so many rows of a column on a card has a second line.
const TWO_LINES: u16 = 10;

/// The rows of a card in a column of this height.
pub(super) fn rows(column_height: u16) -> u16 {
    if column_height >= TWO_LINES { 2 } else { 1 }
}

/// One card: its symbol, what it is about, what to know of it at the right, and a second line.
pub(super) fn draw(model: &Model, theme: &Theme, task: &Task, area: Rect, buf: &mut Buffer) {
    let dragged = model.dragging.as_ref().is_some_and(|(id, over)| {
        *id == task.id && over.is_some_and(|column| column != model.column)
    });
    ground(model, theme, task, area, buf);
    let inside = pen::inset(area, 2, 0);
    let state = model.list.state(&task.id).unwrap_or(State::Other);
    let text = if dragged {
        theme.faint
    } else {
        title_style(theme, state)
    };
    let mut left = vec![Span::styled(glyphs::state(state), theme.state(state))];
    left.push(Span::styled(" ", text));
    left.extend(marked(&title(task, state), &model.query, text, theme));
    pen::put_both(buf, inside, 0, &left, &marks(model, theme, task));
    if area.height > 1 {
        let second = pen::inset(inside, 2, 0);
        pen::put_both(
            buf,
            second,
            1,
            &about(model, theme, task, state),
            &numbers(model, theme, task, state),
        );
    }
    settle(model, theme, task, area, buf);
}

/// What lies below a card: whether it is selected, and marked.
pub(super) fn ground(model: &Model, theme: &Theme, task: &Task, area: Rect, buf: &mut Buffer) {
    if model.selected.as_ref() == Some(&task.id) {
        let here = model.pane == Pane::Board;
        let style = if here {
            theme.selected
        } else {
            theme.selected_elsewhere
        };
        let edge = if here { theme.focus } else { theme.faint };
        buf.set_style(area.intersection(buf.area), style);
        pen::bar(buf, area.x, area, glyphs::SELECTED, edge);
    }
    if model.marks.contains(&task.id) {
        let mark = [Span::styled(glyphs::MARKED, theme.accent)];
        pen::put(buf, pen::inset(area, 1, 0), 0, &mark);
    }
}

/// What is to be done once everything is written on [`ground`].
pub(super) fn settle(model: &Model, theme: &Theme, task: &Task, area: Rect, buf: &mut Buffer) {
    if model.selected.as_ref() == Some(&task.id) && model.pane == Pane::Board {
        pen::even_out(buf, pen::inset(area, 1, 0), theme.selected);
    }
}

/// What a task is about in the style of its state, with what the filter found marked.
pub(super) fn title_spans<'a>(
    model: &Model,
    theme: &Theme,
    task: &Task,
    state: State,
) -> Vec<Span<'a>> {
    let style = title_style(theme, state);
    marked(&title(task, state), &model.query, style, theme)
}

/// A running task shows what it is doing.
pub(super) fn title(task: &Task, state: State) -> String {
    let doing = task
        .active_form
        .as_deref()
        .filter(|text| !text.trim().is_empty());
    let text = match (state, doing) {
        (State::InProgress, Some(doing)) => doing,
        _ => &task.subject,
    };
    let text = clean_line(text);
    if text.trim().is_empty() {
        task.id.short().to_owned()
    } else {
        text.into_owned()
    }
}

/// A text with what the filter found in it marked, never half a letter.
pub(super) fn marked<'a>(text: &str, query: &Query, style: Style, theme: &Theme) -> Vec<Span<'a>> {
    let found = query.found_in(text);
    let is_found = |at: usize| found.iter().any(|place| place.contains(&at));
    let mut spans: Vec<(bool, String)> = Vec::new();
    let mut at = 0;
    for (grapheme, _) in graphemes(text) {
        let here = (at..at + grapheme.len()).any(is_found);
        match spans.last_mut() {
            Some((found, part)) if *found == here => part.push_str(grapheme),
            _ => spans.push((here, grapheme.to_owned())),
        }
        at += grapheme.len();
    }
    let styled = |(found, part)| {
        let style = if found {
            style.patch(theme.matched)
        } else {
            style
        };
        Span::styled(part, style)
    };
    spans.into_iter().map(styled).collect()
}

pub(super) fn title_style(theme: &Theme, state: State) -> Style {
    match state {
        State::Completed => theme.done,
        State::Deleted => theme.deleted,
        State::Blocked => theme.muted,
        _ => theme.text,
    }
}

/// Priority, something odd, a change: at the right of the first line.
pub(super) fn marks<'a>(model: &Model, theme: &Theme, task: &Task) -> Vec<Span<'a>> {
    let mut spans = Vec::new();
    let odd = model
        .list
        .warnings(&task.id)
        .iter()
        .any(|warning| warning.code.needs_a_look());
    if odd || model.list.is_unreadable(&task.id) {
        spans.push(Span::styled(glyphs::WARNING, theme.warning));
    }
    match &task.priority {
        StoredPriority::Known(Priority::High) => spans.push(Span::styled(glyphs::HIGH, theme.high)),
        StoredPriority::Known(Priority::Low) => spans.push(Span::styled(glyphs::LOW, theme.low)),
        StoredPriority::Unknown(word) => {
            spans.push(Span::styled(format!("#{}", clean_line(word)), theme.low));
        }
        _ => {}
    }
    if model.change_of(&task.id).is_some() {
        spans.push(Span::styled(glyphs::CHANGED, theme.changed));
    }
    spans
}

/// Who works on it, or what it waits for by name.
fn about<'a>(model: &Model, theme: &Theme, task: &Task, state: State) -> Vec<Span<'a>> {
    if state == State::Blocked {
        let blockers = model.list.open_blockers(&task.id);
        let first = blockers.first().map_or_else(String::new, |blocker| {
            let task = model.list.get(&blocker.id);
            let name = task.map(|t| t.subject.clone()).filter(|s| !s.is_empty());
            clean_line(&name.unwrap_or_else(|| blocker.id.to_string())).into_owned()
        });
        let count = blockers.len();
        return vec![Span::styled(
            format!("{}{count} {first}", glyphs::state(State::Blocked)),
            theme.blocked,
        )];
    }
    let owner = task
        .owner
        .as_ref()
        .map(|owner| format!("@{}", clean_line(owner)));
    let owner = owner.map(|owner| Span::styled(owner, theme.owner));
    owner
        .into_iter()
        .chain(attempts(theme, task, state))
        .collect()
}

/// How often a runner has tried the task, where that says something.
fn attempts<'a>(theme: &Theme, task: &Task, state: State) -> Option<Span<'a>> {
    let (text, style) = match Record::of(task)? {
        _ if matches!(state, State::Completed | State::Deleted) => return None,
        Record::Claimed(claimed) if claimed.attempt > 1 => {
            (format!(" try {}", claimed.attempt), theme.running)
        }
        Record::Claimed(_) => return None,
        Record::Attempted(last) if last.failed => {
            (format!(" failed {}×", last.attempt), theme.warning)
        }
        Record::Attempted(last) => (format!(" tried {}×", last.attempt), theme.muted),
    };
    Some(Span::styled(text, style))
}

/// How long it runs, and how many tasks its end frees.
fn numbers<'a>(model: &Model, theme: &Theme, task: &Task, state: State) -> Vec<Span<'a>> {
    let mut spans = Vec::new();
    if matches!(state, State::InProgress | State::Completed)
        && let Some(since) = model.since(&task.id)
    {
        spans.push(Span::styled(age::since(model.now_ms, since), theme.muted));
    }
    let opens = model.list.opens_now(&task.id).len();
    if opens > 0 {
        spans.push(Span::styled(
            format!(" {} {opens}", glyphs::FREES),
            theme.dependant,
        ));
    }
    spans
}
