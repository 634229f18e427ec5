//! The outline: each task under the blocker that gates it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Span;

use super::graph::name;
use super::{Hits, Theme, glyphs, pen};
use crate::board::{Model, Pane};
use crate::graph::{OutlineLine, guides};
use crate::task::State;

/// So many columns are left for a title, however deep it stands.
const TITLE: usize = 24;

/// As many lines as fit around the selected one.
pub(super) fn draw(model: &Model, theme: &Theme, inside: Rect, buf: &mut Buffer, hits: &mut Hits) {
    let lines = &model.graph.outline;
    let selected = model.line_in_outline();
    let rows = usize::from(inside.height);
    let first = pen::first_visible(selected.unwrap_or(0), lines.len(), rows);
    for (y, at) in (0..).zip(first..lines.len().min(first + rows)) {
        let row = pen::row(inside, y);
        let guides = guides(
            lines,
            at,
            usize::from(inside.width).saturating_sub(TITLE) / 2,
        );
        let spans = spans(model, theme, lines, at, guides, selected == Some(at));
        let used = pen::put(buf, row, 0, &spans);
        let id = model.list.id_of(lines[at].node).clone();
        hits.nodes.push((Rect { width: used, ..row }, id));
    }
}

fn spans<'a>(
    model: &'a Model,
    theme: &Theme,
    lines: &[OutlineLine],
    at: usize,
    guides: String,
    selected: bool,
) -> Vec<Span<'a>> {
    let line = &lines[at];
    let id = model.list.id_of(line.node);
    let state = model.list.state(id).unwrap_or(State::Other);
    let title = name(model, id);
    let mut spans = vec![Span::styled(guides, theme.faint)];
    if line.repeat {
        spans.push(Span::styled(format!("↗ {title}"), theme.muted));
        return spans;
    }
    let mut style = theme.state(state);
    if selected {
        let here = if model.pane == Pane::Graph {
            theme.selected
        } else {
            theme.selected_elsewhere
        };
        style = style
            .patch(here)
            .add_modifier(Modifier::BOLD | Modifier::REVERSED);
    } else if model.change_of(id).is_some() {
        style = style.add_modifier(Modifier::UNDERLINED);
    }
    spans.push(Span::styled(
        format!("{} {title}", glyphs::state(state)),
        style,
    ));
    if line.others > 0 {
        spans.push(Span::styled(format!("  ⇠+{}", line.others), theme.blocker));
    }
    spans
}
