use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Theme, pen};
use crate::board::{Freshness, Model};
use crate::task::State;
use crate::text::clean_line;

/// The first row: which list, how fresh, how far, who works on it.
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let area = pen::inset(area, 1, 1);
    let right = right(model, theme, area.width);
    pen::put_both(buf, area, 0, &left(model, theme, area.width), &right);
}

fn left<'a>(model: &Model, theme: &Theme, columns: u16) -> Vec<Span<'a>> {
    let mut spans = Vec::new();
    if columns >= 60 {
        spans.push(Span::styled("taskdeck ", theme.accent));
    }
    spans.push(Span::styled(
        clean_line(&model.place.name).into_owned(),
        theme.title,
    ));
    if columns >= 70 && !model.place.path.is_empty() {
        let path = clean_line(&model.place.path);
        spans.push(Span::styled(format!(" {path}"), theme.muted));
    }
    if model.place.others > 0 {
        let lists = if model.place.others == 1 {
            "list"
        } else {
            "lists"
        };
        spans.push(Span::styled(
            format!(" +{} {lists}", model.place.others),
            theme.faint,
        ));
    }
    spans
}

fn right<'a>(model: &Model, theme: &Theme, columns: u16) -> Vec<Span<'a>> {
    let mut spans = vec![freshness(model, theme)];
    if model.read_only {
        spans.push(Span::styled("  read-only", theme.warning));
    }
    if model.loading {
        return spans;
    }
    let (done, all) = model.progress();
    spans.push(Span::styled(format!("  {done}/{all} "), theme.text));
    spans.extend(bar(model, theme, if columns >= 100 { 14 } else { 8 }));
    if columns >= 70 && all > 0 {
        spans.push(Span::styled(format!(" {}%", done * 100 / all), theme.muted));
    }
    let agents = model.agents().len();
    let (word, idle) = (if agents == 1 { "agent" } else { "agents" }, idle(model));
    if columns >= 76 {
        spans.push(Span::styled(format!("  {agents} {word}"), theme.owner));
    }
    if columns >= 104 && idle > 0 {
        spans.push(Span::styled(
            format!(" · {idle} ready and nobody on them"),
            theme.ready,
        ));
    }
    spans
}

fn freshness<'a>(model: &Model, theme: &Theme) -> Span<'a> {
    if model.loading {
        return Span::styled("◌ reading", theme.muted);
    }
    match &model.freshness {
        Freshness::Live => Span::styled("● live", theme.live),
        Freshness::Polling(_) => Span::styled("◐ polling", theme.warning),
        Freshness::Stale(_) => Span::styled("○ stale", theme.error),
        Freshness::Unknown => Span::styled("◌ snapshot", theme.muted),
    }
}

/// Done, running and the rest, in proportion.
fn bar<'a>(model: &Model, theme: &Theme, columns: usize) -> Vec<Span<'a>> {
    let (done, all) = model.progress();
    let running = model.list.column(State::InProgress).len();
    let part = |count: usize| (count * columns).checked_div(all).unwrap_or(0);
    let (done, running) = (part(done), part(running));
    let rest = columns.saturating_sub(done + running);
    vec![
        Span::styled("━".repeat(done), theme.done),
        Span::styled("━".repeat(running.min(columns - done)), theme.running),
        Span::styled("─".repeat(rest), theme.faint),
    ]
}

/// Ready tasks that nobody owns.
fn idle(model: &Model) -> usize {
    model
        .list
        .ready()
        .iter()
        .filter(|task| task.owner.is_none())
        .count()
}
