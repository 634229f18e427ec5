use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use super::{Theme, glyphs, pen};
use crate::board::{Layer, Model, Pane, Tone};
use crate::command::{Command, CommandId, command};
use crate::task::Status;
use crate::text::{clean_line, count, width};

/// The hints that stand in the last row, by pane, as long as there is room.
const ON_BOARD: [CommandId; 12] = [
    CommandId::Help,
    CommandId::StatusOn,
    CommandId::New,
    CommandId::EditTask,
    CommandId::AddBlocker,
    CommandId::Unblock,
    CommandId::Undo,
    CommandId::Filter,
    CommandId::Quit,
    CommandId::Palette,
    CommandId::OwnerOf,
    CommandId::Raise,
];
const ON_GRAPH: [CommandId; 9] = [
    CommandId::Help,
    CommandId::Left,
    CommandId::Right,
    CommandId::NextCritical,
    CommandId::NextReady,
    CommandId::AddBlocker,
    CommandId::Unblock,
    CommandId::Zoom,
    CommandId::Filter,
];
const ON_DETAILS: [CommandId; 6] = [
    CommandId::Help,
    CommandId::Down,
    CommandId::EditTask,
    CommandId::Description,
    CommandId::Zoom,
    CommandId::Details,
];

/// The last row: what is typed, said, or can be done. Gives the place of the text cursor.
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let area = pen::inset(area, 1, 1);
    if let Some(input) = &model.typing_filter {
        return Some(filter(
            model,
            input.text(),
            input.cursor(),
            theme,
            area,
            buf,
        ));
    }
    if !model.keys.is_empty() {
        unfinished(model, theme, area, buf);
        return None;
    }
    let right = right(model, theme);
    let left = match (&model.waiting_for, &model.notice) {
        (Some(holder), _) => {
            vec![Span::styled(
                format!("waiting for {}", clean_line(holder)),
                theme.warning,
            )]
        }
        (None, Some(notice)) => {
            let (mark, style) = match notice.tone {
                Tone::Done => ("✓ ", theme.live),
                Tone::Warning => ("⚠ ", theme.warning),
                Tone::Error => ("✕ ", theme.error),
            };
            vec![Span::styled(
                format!("{mark}{}", clean_line(&notice.text)),
                style,
            )]
        }
        (None, None) => hints(model, theme, area.width, pen::columns(&right)),
    };
    pen::put_both(buf, area, 0, &left, &right);
    None
}

fn filter(
    model: &Model,
    text: &str,
    cursor: usize,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Position {
    let shown: usize = model.columns.iter().map(|c| c.ids.len()).sum();
    let hidden: usize = model.columns.iter().map(|c| c.hidden).sum();
    let count = match model.query.unknown_state() {
        Some(word) => {
            let word = clean_line(word).into_owned();
            let known = "ready blocked in_progress completed deleted other open";
            [Span::styled(
                format!("no state is {word}: {known}"),
                theme.warning,
            )]
        }
        None => [Span::styled(
            format!("{shown} of {}  enter keeps, esc clears", shown + hidden),
            theme.muted,
        )],
    };
    let typed = clean_line(text).into_owned();
    let left = [
        Span::styled("/ ", theme.key),
        Span::styled(typed, theme.text),
    ];
    pen::put_both(buf, area, 0, &left, &count);
    let before = width(&clean_line(text.get(..cursor).unwrap_or(text))) + 2;
    let x = area
        .x
        .saturating_add(u16::try_from(before).unwrap_or(u16::MAX));
    Position {
        x: x.min(area.right().saturating_sub(1)),
        y: area.y,
    }
}

/// The keys that were pressed, while what may follow stands above.
fn unfinished(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let pressed: Vec<String> = model.keys.iter().map(ToString::to_string).collect();
    let spans = [
        Span::styled(format!("{} … ", pressed.join(" ")), theme.accent),
        Span::styled(" esc", theme.key),
        Span::styled(" takes it back", theme.muted),
    ];
    pen::put(buf, area, 0, &spans);
}

fn right<'a>(model: &Model, theme: &Theme) -> Vec<Span<'a>> {
    let mut spans = Vec::new();
    if !model.query.is_empty() {
        spans.push(Span::styled(
            format!("/ {}", clean_line(&model.query.to_string())),
            theme.changed,
        ));
    }
    if !model.marks.is_empty() {
        spans.push(Span::styled(
            format!("  {} {} marked", glyphs::MARKED, model.marks.len()),
            theme.accent,
        ));
    }
    if model.pending > 0 {
        spans.push(Span::styled(
            format!("  saving {}", model.pending),
            theme.muted,
        ));
    }
    let problems = model.list.problems().len();
    if problems > 0 {
        let problems = count(problems, "problem");
        spans.push(Span::styled(format!("  ⚠ {problems}"), theme.warning));
    }
    spans
}

fn hints<'a>(model: &Model, theme: &Theme, columns: u16, taken: usize) -> Vec<Span<'a>> {
    if matches!(model.top(), Some(Layer::Form(_))) {
        return Vec::new();
    }
    let ids: &[CommandId] = match model.pane {
        Pane::Board => &ON_BOARD,
        Pane::Graph => &ON_GRAPH,
        Pane::Details => &ON_DETAILS,
    };
    let now = model.situation();
    let room = usize::from(columns).saturating_sub(taken + 2);
    let mut spans = Vec::new();
    let mut used = 0;
    let mut reason = None;
    for id in ids {
        let command = command(*id);
        let (key, title) = (model.keymap.key_of(*id), title(model, command));
        let wide = width(&key) + width(&title) + 3;
        if used + wide > room {
            break;
        }
        used += wide;
        let why = (command.available)(&now).err();
        let off = why.is_some();
        reason = reason.or(why.map(|why| format!("({key}: {why})")));
        spans.push(Span::styled(key, if off { theme.faint } else { theme.key }));
        spans.push(Span::styled(
            format!(" {title}  "),
            if off { theme.faint } else { theme.muted },
        ));
    }
    // Where there is room, why the first of those that are off is off.
    if let Some(reason) = reason.filter(|reason| used + width(reason) <= room) {
        spans.push(Span::styled(reason, theme.faint));
    }
    spans
}

/// What a key does, said of the selected task where that is known.
fn title(model: &Model, command: &Command) -> String {
    let Some(task) = model.selected_task() else {
        return command.title.to_owned();
    };
    match (command.id, &task.status) {
        _ if !model.marks.is_empty() => command.title.to_owned(),
        (CommandId::StatusOn, Status::Pending) => "start".to_owned(),
        (CommandId::StatusOn, Status::InProgress) => match model.list.opens_now(&task.id).len() {
            0 => "complete".to_owned(),
            opens => format!("complete, frees {opens}"),
        },
        _ => command.title.to_owned(),
    }
}
