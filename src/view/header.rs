use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Theme, pen};
use crate::board::{Freshness, Model};
use crate::text::{clean_line, count};

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
        let lists = count(model.place.others, "list");
        spans.push(Span::styled(format!(" +{lists}"), theme.faint));
    }
    spans.extend(modes(model, theme));
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
    let glance = &model.glance;
    let (done, all) = (glance.done, glance.all);
    spans.push(Span::styled(format!("  {done}/{all} "), theme.text));
    spans.extend(bar(model, theme, if columns >= 100 { 14 } else { 8 }));
    if columns >= 70 && all > 0 {
        spans.push(Span::styled(format!(" {}%", done * 100 / all), theme.muted));
    }
    if columns >= 120 && glance.path > 0 {
        let text = format!("  {} left on the critical path", glance.path);
        spans.push(Span::styled(text, theme.critical));
    }
    let agents = count(glance.agents.len(), "agent");
    if columns >= 76 {
        spans.push(Span::styled(format!("  {agents}"), theme.owner));
    }
    if glance.workers > 0 || model.jobs.is_some() {
        let of = model
            .jobs
            .map_or_else(String::new, |jobs| format!("/{jobs}"));
        let word = if glance.workers == 1 && of.is_empty() {
            "worker"
        } else {
            "workers"
        };
        let text = format!("  ▶ {}{of} {word}", glance.workers);
        spans.push(Span::styled(text, theme.running));
    }
    if columns >= 104 && glance.idle > 0 {
        spans.push(Span::styled(
            match glance.idle {
                1 => " · 1 ready and nobody on it".to_owned(),
                idle => format!(" · {idle} ready and nobody on them"),
            },
            theme.ready,
        ));
    }
    if let Some(count) = glance.attention.filter(|count| *count > 0) {
        spans.push(Span::styled(format!("  ! {count}"), theme.warning));
    }
    spans
}

/// What the person has switched on or missed: at the left, beside the list's name.
fn modes<'a>(model: &Model, theme: &Theme) -> Vec<Span<'a>> {
    let mut spans = Vec::new();
    if let Some(held) = &model.frozen {
        let text = format!("  frozen, {} held back", held.len());
        spans.push(Span::styled(text, theme.changed));
    }
    if model.follow {
        spans.push(Span::styled("  following", theme.changed));
    }
    let missed = model.away.changed.len() - model.away.seen.min(model.away.changed.len());
    if missed > 0 && !model.away.away {
        let text = format!("  {missed} changed while you looked away (')");
        spans.push(Span::styled(text, theme.changed));
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
    let glance = &model.glance;
    let (done, all, running) = (glance.done, glance.all, glance.running);
    let part = |count: usize| (count * columns).checked_div(all).unwrap_or(0);
    let (done, running) = (part(done), part(running));
    let rest = columns.saturating_sub(done + running);
    vec![
        Span::styled("━".repeat(done), theme.done),
        Span::styled("━".repeat(running.min(columns - done)), theme.running),
        Span::styled("─".repeat(rest), theme.faint),
    ]
}
