use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Theme, age, glyphs, markdown, pen, worker};
use crate::board::{Happened, Model, Pane};
use crate::state::Heard;
use crate::task::{Json, State, Task, TaskId};
use crate::text::{clean_block, clean_line, wrap};

/// So much of a worker's output stands before the description.
const LOG_ROWS: usize = 12;

/// Everything about the selected task.
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let focused = model.pane == Pane::Details;
    let edge = if focused { theme.focus } else { theme.faint };
    let beside = area.x > 0;
    let inside = if beside {
        pen::bar(buf, area.x, area, "│", edge);
        pen::inset(area, 2, 1)
    } else {
        pen::rule(buf, area, 0, if focused { "━" } else { "─" }, edge);
        pen::inset(pen::below(area, 1), 1, 1)
    };
    let Some(task) = model.selected_task() else {
        pen::put(
            buf,
            inside,
            0,
            &[Span::styled("no task is selected", theme.muted)],
        );
        return;
    };
    let lines = lines(model, theme, task, usize::from(inside.width));
    let visible = usize::from(inside.height);
    let scroll = model
        .details_scroll
        .min(lines.len().saturating_sub(visible));
    for (y, line) in (0_u16..).zip(lines.iter().skip(scroll).take(visible)) {
        pen::put(buf, inside, y, &line.spans);
    }
    if lines.len() > scroll + visible && inside.height > 0 {
        let more = format!(" ▼ {}", lines.len() - scroll - visible);
        pen::put_right(
            buf,
            inside,
            inside.height - 1,
            &[Span::styled(more, theme.muted)],
        );
    }
}

fn lines(model: &Model, theme: &Theme, task: &Task, columns: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if model.raw {
        let text = String::from_utf8_lossy(&task.raw);
        for line in clean_block(&text).lines() {
            wrapped(&mut lines, line, columns, theme.code);
        }
        return lines;
    }
    let subject = clean_line(&task.subject);
    let subject = if subject.trim().is_empty() {
        "(no subject)".into()
    } else {
        subject
    };
    wrapped(&mut lines, &subject, columns, theme.title);
    let state = model.list.state(&task.id).unwrap_or(State::Other);
    if let Some(vanished) = model.vanished_task(&task.id) {
        let ago = age::ago(model.now_ms, vanished.at_ms);
        let text = format!("gone {ago}: its file was removed. R makes it again, under a fresh id");
        wrapped(&mut lines, &text, columns, theme.warning);
    }
    let word = match model.vanished_task(&task.id) {
        Some(_) => format!("was {}", clean_line(task.status.as_str())),
        None => state.title().to_owned(),
    };
    let mut first = vec![
        Span::styled(glyphs::state(state), theme.state(state)),
        Span::styled(format!(" {word}"), theme.state(state)),
    ];
    if let Some(since) = model.since(&task.id) {
        first.push(Span::styled(
            format!(" {}", age::since(model.now_ms, since)),
            theme.muted,
        ));
    }
    if let Some(owner) = &task.owner {
        first.push(Span::styled(
            format!("  @{}", clean_line(owner)),
            theme.owner,
        ));
    }
    if let Some(priority) = task.priority.as_str() {
        let style = theme.priority(task.priority.rank());
        first.push(Span::styled(format!("  {}", clean_line(priority)), style));
    }
    lines.push(Line::from(first));
    if let Some(words) = reach(model, task) {
        wrapped(&mut lines, &words, columns, theme.muted);
    }
    lines.push(Line::styled(
        clean_line(task.id.as_str()).into_owned(),
        theme.faint,
    ));
    relations(model, theme, task, columns, &mut lines);
    for warning in model.list.warnings(&task.id) {
        let (mark, style) = match warning.code.needs_a_look() {
            true => ("⚠ ", theme.warning),
            false => ("", theme.faint),
        };
        let text = format!("{mark}{}", clean_line(&warning.message));
        wrapped(&mut lines, &text, columns, style);
    }
    lines.extend(worker::lines(model, theme, task, columns, LOG_ROWS));
    if !task.description.trim().is_empty() {
        lines.push(Line::default());
        lines.extend(markdown::render(&task.description, columns, theme));
    }
    facts(model, theme, task, columns, &mut lines);
    if let Some(metadata) = &task.metadata {
        lines.push(Line::styled("metadata", theme.muted));
        tree(metadata, 1, columns, theme, &mut lines);
    }
    history(model, theme, task, &mut lines);
    lines
}

/// So deep metadata is unfolded; what lies deeper stands in one line.
const DEEPEST: usize = 4;

/// An object or array as a tree: a line per member.
fn tree(value: &Json, depth: usize, columns: usize, theme: &Theme, lines: &mut Vec<Line<'static>>) {
    let members = value.members();
    let items = value.items().filter(|_| members.is_none());
    let items = items.map(|items| {
        let numbered = items.into_iter().enumerate();
        numbered.map(|(n, item)| (n.to_string(), item)).collect()
    });
    let members: Vec<(String, Json)> = members.or(items).unwrap_or_default();
    for (key, value) in members {
        let indent = "  ".repeat(depth);
        let key = clean_line(&key).into_owned();
        let deeper = value.as_str().starts_with(['{', '[']) && value.as_str().len() > 2;
        if deeper && depth < DEEPEST {
            lines.push(Line::styled(format!("{indent}{key}"), theme.muted));
            tree(&value, depth + 1, columns, theme, lines);
        } else {
            let text = value.text().unwrap_or_else(|| value.compact());
            let text = format!("{indent}{key}: {}", clean_line(&text));
            wrapped(lines, &text, columns, theme.text);
        }
    }
}

/// So many of a task's changes are shown, the latest first.
const SHOWN_CHANGES: usize = 8;

/// What happened to the task while the board was open.
fn history(model: &Model, theme: &Theme, task: &Task, lines: &mut Vec<Line<'static>>) {
    let own = model.happened.iter().rev().filter(|h| h.id == task.id);
    let own: Vec<&Happened> = own.take(SHOWN_CHANGES).collect();
    if own.is_empty() {
        return;
    }
    lines.push(Line::default());
    lines.push(Line::styled("seen here", theme.muted));
    for happened in own {
        let ago = age::ago(model.now_ms, happened.at_ms);
        let change = clean_line(&happened.change);
        let text = format!("  {ago:>4}  {}  {change}", happened.kind.as_str());
        lines.push(Line::styled(text, theme.text));
    }
}

/// How far the task's owner has heard of what was done here.
fn reach(model: &Model, task: &Task) -> Option<String> {
    let owner = task.owner.as_ref()?;
    let words = match model.heard.get(owner)? {
        Heard::DoesNotUseTools => {
            "does not use taskdeck's tools: sees edits when it reads the file"
        }
        Heard::Waiting => "has not called yet since your edit",
        Heard::Delivered => "your edit was delivered",
        Heard::Acknowledged => "your edit was acknowledged",
    };
    Some(format!("@{} {words}", clean_line(owner)))
}

/// What it waits for, and what waits for it, by name and state.
fn relations(
    model: &Model,
    theme: &Theme,
    task: &Task,
    columns: usize,
    lines: &mut Vec<Line<'static>>,
) {
    let list = &model.list;
    let (blockers, dependants) = (list.blockers(&task.id), list.dependants(&task.id));
    let opens = list.opens_now(&task.id);
    for (title, ids, style) in [
        ("Waits for", &blockers, theme.blocker),
        ("Frees", &dependants, theme.dependant),
    ] {
        if ids.is_empty() {
            continue;
        }
        lines.push(Line::default());
        lines.push(Line::styled(format!("{title} {}", ids.len()), style));
        lines.extend(
            ids.iter()
                .map(|id| neighbour(model, theme, id, opens.contains(id))),
        );
    }
    for blocker in list.open_blockers(&task.id) {
        let odd = list.get(&blocker.id).is_none_or(|t| t.status.is_closed());
        if odd {
            let text = format!(
                "{}: {}",
                clean_line(&list.name(&blocker.id)),
                clean_line(&blocker.message)
            );
            wrapped(lines, &text, columns, theme.warning);
        }
    }
}

fn neighbour(model: &Model, theme: &Theme, id: &TaskId, opens: bool) -> Line<'static> {
    let state = model.list.state(id);
    let (glyph, style) = match state {
        Some(state) => (glyphs::state(state), theme.state(state)),
        None => ("?", theme.warning),
    };
    let name = model
        .list
        .get(id)
        .map(|t| t.subject.clone())
        .filter(|s| !s.is_empty());
    let name = name.unwrap_or_else(|| id.to_string());
    let mut spans = vec![
        Span::styled(format!("  {glyph} "), style),
        Span::styled(clean_line(&name).into_owned(), theme.text),
    ];
    if opens {
        spans.push(Span::styled("  opens at once", theme.ready));
    }
    Line::from(spans)
}

/// The fields that stand nowhere else.
fn facts(
    model: &Model,
    theme: &Theme,
    task: &Task,
    columns: usize,
    lines: &mut Vec<Line<'static>>,
) {
    let parent = task.parent_id.as_ref().map(|id| model.list.name(id));
    let mut facts: Vec<(&str, String)> = Vec::new();
    for (name, value) in [
        ("doing", task.active_form.clone()),
        ("parent", parent),
        ("repository", task.repo_url.clone()),
        ("thread", task.thread_id.clone()),
    ] {
        facts.extend(value.map(|value| (name, value)));
    }
    lines.push(Line::default());
    for (name, value) in facts {
        wrapped(
            lines,
            &format!("{name}: {}", clean_line(&value)),
            columns,
            theme.muted,
        );
    }
}

fn wrapped(lines: &mut Vec<Line<'static>>, text: &str, columns: usize, style: Style) {
    let parts = wrap(text, columns.max(1)).into_iter();
    lines.extend(parts.map(|part| Line::styled(part.to_owned(), style)));
}
