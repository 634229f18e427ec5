use std::borrow::Cow;
use std::collections::HashSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::{Hits, Theme, glyphs, pen};
use crate::board::{Lens, Model, Pane};
use crate::graph::layout::{self, Cell, Glyphs, Lines, Owner, safe_label};
use crate::task::{State, TaskId};
use crate::text::clean_line;

/// The dependency graph around the selected task.
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer, hits: &mut Hits) {
    let focused = model.pane == Pane::Graph;
    let edge = if focused { theme.focus } else { theme.faint };
    pen::rule(buf, area, 0, if focused { "━" } else { "─" }, edge);
    let title = [Span::styled(
        format!(" {} ", title(model)),
        if focused { theme.title } else { theme.muted },
    )];
    pen::put(buf, pen::inset(area, 2, 2), 0, &title);
    let inside = pen::inset(pen::below(area, 1), 1, 1).intersection(buf.area);
    if model.graph.is_empty() || inside.height == 0 {
        pen::put(
            buf,
            inside,
            0,
            &[Span::styled("nothing to draw", theme.muted)],
        );
        return;
    }
    match model.graph.drawn_as {
        Lens::Waves => super::graph_waves::draw(model, theme, inside, buf, hits),
        Lens::Outline => super::graph_outline::draw(model, theme, inside, buf, hits),
        _ => picture(model, theme, area, inside, buf, hits),
    }
}

/// Boxes and lines.
fn picture(
    model: &Model,
    theme: &Theme,
    area: Rect,
    inside: Rect,
    buf: &mut Buffer,
    hits: &mut Hits,
) {
    let (view, pan) = viewport(model, inside);
    hits.pan = Some(pan);
    let light = Light::of(model);
    let label = |node: u32| label(model, &light, node);
    let mut put = |x: i32, y: i32, cell: Cell<'_>| {
        let (Ok(dx), Ok(dy)) = (u16::try_from(x - view.x), u16::try_from(y - view.y)) else {
            return;
        };
        if dx < inside.width && dy < inside.height {
            let at = &mut buf[(inside.x + dx, inside.y + dy)];
            at.set_symbol(match cell.owner {
                Owner::Node(node) => cut(model, &view, node, x, cell.symbol),
                Owner::Net { back, .. } if !back => light.passing(x, y, cell.symbol),
                Owner::Net { .. } => cell.symbol,
            });
            at.set_style(style(model, theme, &light, x, y, &cell));
        }
    };
    // ASCII is made of the finished screen, like everywhere else.
    model
        .graph
        .layout
        .paint(view, Glyphs::Unicode, &label, &mut put);
    outside(model, theme, &view, area, buf);
    note_nodes(model, &view, inside, hits);
    super::graph_minimap::draw(model, theme, &view, inside, buf);
}

fn title(model: &Model) -> String {
    let graph = &model.graph;
    let mut parts = vec!["graph".to_owned()];
    match graph.drawn_as {
        Lens::Ego => parts.push(format!("neighbourhood, {} hops", graph.hops)),
        Lens::Waves => parts.push("waves".to_owned()),
        Lens::Outline => parts.push("outline".to_owned()),
        _ if graph.lens == Lens::Flow => parts.push("whole".to_owned()),
        _ => {}
    }
    let is_picture = matches!(graph.drawn_as, Lens::Flow | Lens::Ego);
    if is_picture && graph.is_behind() {
        parts.push("drawing…".to_owned());
    }
    if let Some((from, to)) = &graph.path {
        parts.push(format!("path {} → {}", name(model, from), name(model, to)));
    }
    if graph.folded {
        parts.push("folded".to_owned());
    }
    if graph.hide_done {
        parts.push("open only".to_owned());
    }
    if graph.critical_only {
        parts.push("critical path".to_owned());
    }
    if is_picture && graph.layout.undrawn() > 0 {
        parts.push(format!("⚠ {} edges too dense", graph.layout.undrawn()));
    }
    if is_picture && graph.layout.hidden() > 0 {
        parts.push(format!("{} implied hidden", graph.layout.hidden()));
    }
    if let Some(ring) = model.list.rings_to_cut().first() {
        let mut names: Vec<String> = ring.way.iter().take(4).map(|id| name(model, id)).collect();
        if ring.way.len() > names.len() {
            names.push("…".to_owned());
        }
        names.extend(ring.way.first().map(|id| name(model, id)));
        parts.push(format!("⚠ cycle: {}", names.join(" → ")));
    }
    parts.join(" · ")
}

pub(super) fn name(model: &Model, id: &TaskId) -> String {
    let subject = model
        .list
        .get(id)
        .map(|t| t.subject.as_str())
        .filter(|s| !s.is_empty());
    clean_line(subject.unwrap_or(id.as_str())).into_owned()
}

/// The part of the picture that is shown: all of it where it fits, else around the selected task
/// and as far beside it as the mouse has pulled; and how far that is at most.
fn viewport(model: &Model, inside: Rect) -> (layout::Rect, (i32, i32)) {
    let layout = &model.graph.layout;
    let (width, height) = (i32::from(inside.width), i32::from(inside.height));
    let selected = model
        .selected
        .as_ref()
        .and_then(|id| model.graph.node_of(id));
    let around = selected.map_or_else(layout::Rect::default, |node| layout.node_rect(node));
    let start = |size: i32, room: i32, middle: i32| {
        if size <= room {
            0
        } else {
            (middle - room / 2).clamp(0, size - room)
        }
    };
    let anchor = (
        start(layout.width(), width, around.x + around.width / 2),
        start(layout.height(), height, around.y),
    );
    let (right, down) = model.graph.pan;
    let view = layout::Rect {
        x: (anchor.0 + right).clamp(0, (layout.width() - width).max(0)),
        y: (anchor.1 + down).clamp(0, (layout.height() - height).max(0)),
        width,
        height,
    };
    (view, (view.x - anchor.0, view.y - anchor.1))
}

/// What the selection lights up.
struct Light {
    lines: Lines,
    selected: Option<u32>,
    blockers: HashSet<u32>,
    dependants: HashSet<u32>,
    critical: HashSet<TaskId>,
    /// What the filter hides on the board.
    hidden: HashSet<u32>,
}

impl Light {
    fn of(model: &Model) -> Light {
        let graph = &model.graph;
        let selected = model.selected.as_ref().and_then(|id| graph.node_of(id));
        let nodes = |ids: Vec<TaskId>| ids.iter().filter_map(|id| graph.node_of(id)).collect();
        let id = model.selected.as_ref();
        let hidden = (0..)
            .zip(&graph.nodes)
            .filter(|(_, id)| model.is_hidden(id));
        Light {
            hidden: hidden.map(|(node, _)| node).collect(),
            lines: selected.map_or_else(Lines::default, |node| graph.layout.lines(node)),
            selected,
            blockers: id.map_or_else(HashSet::new, |id| nodes(model.list.blockers(id))),
            dependants: id.map_or_else(HashSet::new, |id| nodes(model.list.dependants(id))),
            critical: model.list.critical_path().into_iter().collect(),
        }
    }

    /// The symbol of a line at a place: where a lit line crosses one that is not, it passes over.
    fn passing<'a>(&self, x: i32, y: i32, symbol: &'a str) -> &'a str {
        if symbol != "┼" {
            return symbol;
        }
        let mut strokes = self.lines.blockers.iter().chain(&self.lines.dependants);
        let across = strokes.clone().any(|s| s.contains(x, y) && s.x0 < s.x1);
        let down = strokes.any(|s| s.contains(x, y) && s.y0 < s.y1);
        match (across, down) {
            (true, false) => "─",
            (false, true) => "│",
            _ => symbol,
        }
    }
}

/// What is shown of a label at a place: an ellipsis where the view's edge cuts it.
fn cut<'a>(model: &Model, view: &layout::Rect, node: u32, x: i32, symbol: &'a str) -> &'a str {
    let area = model.graph.layout.node_rect(node);
    let left = x == view.x && area.x < x;
    let right = x == view.x + view.width - 1 && area.x + area.width > view.x + view.width;
    match symbol {
        "[" | "]" => symbol,
        _ if left || right => "…",
        _ => symbol,
    }
}

/// The symbol of the state and the title; the critical path has a mark of its own.
fn label<'a>(model: &Model, light: &Light, node: u32) -> Cow<'a, str> {
    let Some(id) = model.graph.task_of(node) else {
        return Cow::Borrowed("");
    };
    let state = model.list.state(id).unwrap_or(State::Other);
    let mark = if light.critical.contains(id) {
        "◆"
    } else {
        " "
    };
    let subject = name(model, id);
    let (before, after) = model
        .graph
        .stubs
        .get(node as usize)
        .copied()
        .unwrap_or_default();
    let before = if before > 0 {
        format!("{before}‹")
    } else {
        String::new()
    };
    let after = if after > 0 {
        format!("›{after}")
    } else {
        String::new()
    };
    let safe = safe_label(&subject).into_owned();
    let more = match model.graph.more.get(node as usize) {
        Some(more @ 1..) => format!("{}× ", more + 1),
        _ => String::new(),
    };
    Cow::Owned(format!(
        "{before}{}{mark}{more}{safe}{after}",
        glyphs::state(state)
    ))
}

fn style(model: &Model, theme: &Theme, light: &Light, x: i32, y: i32, cell: &Cell<'_>) -> Style {
    match cell.owner {
        Owner::Node(node) => node_style(model, theme, light, node, cell.symbol),
        Owner::Net { back: true, .. } => theme.error,
        Owner::Net { heavy, .. } => {
            let lit = |strokes: &[layout::Stroke]| strokes.iter().any(|s| s.contains(x, y));
            let (style, strong) = if lit(&light.lines.blockers) {
                (theme.blocker, true)
            } else if lit(&light.lines.dependants) {
                (theme.dependant, true)
            } else {
                (theme.edge, heavy)
            };
            // An underlined line would be two.
            let style = style.remove_modifier(Modifier::UNDERLINED);
            if strong {
                style.add_modifier(Modifier::BOLD)
            } else {
                style
            }
        }
    }
}

/// A task looks like its state also where it is lit up: its brackets have the hue of the lines.
fn node_style(model: &Model, theme: &Theme, light: &Light, node: u32, symbol: &str) -> Style {
    let Some(id) = model.graph.task_of(node) else {
        return theme.text;
    };
    let state = model.list.state(id).unwrap_or(State::Other);
    let own = theme.state(state);
    if light.selected == Some(node) {
        let here = if model.pane == Pane::Graph {
            theme.selected
        } else {
            theme.selected_elsewhere
        };
        return own
            .patch(here)
            .add_modifier(Modifier::BOLD | Modifier::REVERSED);
    }
    let changed = if model.change_of(id).is_some() {
        Modifier::UNDERLINED
    } else {
        Modifier::empty()
    };
    if light.hidden.contains(&node) {
        return theme.faint.add_modifier(changed);
    }
    let hue = if light.blockers.contains(&node) {
        theme.blocker
    } else if light.dependants.contains(&node) {
        theme.dependant
    } else {
        return own.add_modifier(changed);
    };
    let lit = match symbol {
        "[" | "]" => hue,
        _ => own.add_modifier(hue.add_modifier),
    };
    lit.add_modifier(Modifier::BOLD | changed)
}

/// How much lies outside each edge.
fn outside(model: &Model, theme: &Theme, view: &layout::Rect, area: Rect, buf: &mut Buffer) {
    let layout = &model.graph.layout;
    let rects = (0..model.graph.nodes.len() as u32).map(|node| layout.node_rect(node));
    let (mut left, mut right, mut above, mut below) = (0, 0, 0, 0);
    for r in rects {
        left += usize::from(r.x + r.width <= view.x);
        right += usize::from(r.x >= view.x + view.width);
        above += usize::from(r.y < view.y);
        below += usize::from(r.y >= view.y + view.height);
    }
    let counts = [("‹", left), ("▲", above), ("▼", below), ("›", right)];
    let parts: Vec<String> = counts
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(mark, n)| format!("{mark}{n}"))
        .collect();
    if !parts.is_empty() {
        let text = format!(" {} ", parts.join(" "));
        pen::put_right(
            buf,
            pen::inset(area, 2, 2),
            0,
            &[Span::styled(text, theme.muted)],
        );
    }
}

fn note_nodes(model: &Model, view: &layout::Rect, inside: Rect, hits: &mut Hits) {
    for (node, id) in (0..).zip(&model.graph.nodes) {
        let r = model.graph.layout.node_rect(node);
        let (left, right) = (r.x.max(view.x), (r.x + r.width).min(view.x + view.width));
        if left >= right || r.y < view.y || r.y >= view.y + view.height {
            continue;
        }
        let cell = |value: i32| u16::try_from(value).unwrap_or(0);
        let at = Rect {
            x: inside.x + cell(left - view.x),
            y: inside.y + cell(r.y - view.y),
            width: cell(right - left),
            height: 1,
        };
        hits.nodes.push((at, id.clone()));
    }
}
