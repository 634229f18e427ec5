use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::{Hits, Theme, age, card, columns, glyphs, pen};
use crate::board::{Model, Pane, Sort, Sorting};
use crate::task::{State, Task};
use crate::text::clean_line;

/// One column of the table: how wide it is, and from which width of the pane on it is shown.
/// The subject takes what is left.
struct Field {
    by: Sort,
    width: u16,
    from: u16,
}

const fn field(by: Sort, width: u16, from: u16) -> Field {
    Field { by, width, from }
}

const FIELDS: [Field; 8] = [
    field(Sort::State, 13, 56),
    field(Sort::Subject, 0, 0),
    field(Sort::Owner, 12, 48),
    field(Sort::Priority, 9, 76),
    field(Sort::Since, 7, 40),
    field(Sort::Waits, 6, 68),
    field(Sort::Frees, 6, 68),
    field(Sort::Id, 12, 96),
];

/// The symbol of the state stands there where its word has no room.
const SYMBOL: u16 = 2;

/// Every task as one row, with headings that say what it is sorted by.
pub(super) fn draw(
    model: &Model,
    sorting: Sorting,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
    hits: &mut Hits,
) {
    let shown: Vec<&Field> = FIELDS
        .iter()
        .filter(|f| area.width >= f.from || f.by == sorting.by)
        .collect();
    let inside = pen::inset(area, 2, 1);
    let fixed: u16 = shown
        .iter()
        .map(|f| if f.width > 0 { f.width + 1 } else { 0 })
        .sum();
    let symbol = if shown.iter().any(|f| f.by == Sort::State) {
        0
    } else {
        SYMBOL
    };
    let subject = inside.width.saturating_sub(fixed + symbol).max(8);
    let mut x = inside.x + symbol;
    let mut at = Vec::new();
    for field in shown {
        let width = if field.width > 0 {
            field.width
        } else {
            subject
        };
        at.push((field.by, Rect { x, width, ..inside }.intersection(inside)));
        x = x.saturating_add(width + 1);
    }
    headings(sorting, theme, &at, buf, hits);
    let focused = model.pane == Pane::Board;
    let style = if focused { theme.focus } else { theme.faint };
    pen::rule(buf, area, 1, if focused { "━" } else { "─" }, style);
    rows(model, theme, area, &at, buf, hits);
}

fn headings(
    sorting: Sorting,
    theme: &Theme,
    at: &[(Sort, Rect)],
    buf: &mut Buffer,
    hits: &mut Hits,
) {
    for (by, area) in at {
        let sorted = *by == sorting.by;
        let arrow = match (sorted, sorting.reversed) {
            (false, _) => "",
            (true, false) => " ▼",
            (true, true) => " ▲",
        };
        let style = if sorted { theme.accent } else { theme.muted };
        let text = format!("{}{arrow}", by.title());
        pen::put(buf, *area, 0, &[Span::styled(text, style)]);
        hits.headings.push((pen::row(*area, 0), *by));
    }
}

fn rows(
    model: &Model,
    theme: &Theme,
    area: Rect,
    at: &[(Sort, Rect)],
    buf: &mut Buffer,
    hits: &mut Hits,
) {
    let body = pen::below(area, 2);
    let visible = usize::from(body.height);
    let first = columns::first_visible(model, 0, visible);
    let ids = &model.columns[0].ids;
    hits.scrolls.push((0, first));
    for (y, id) in (0_u16..).zip(ids.iter().skip(first).take(visible)) {
        let Some(task) = model.list.get(id) else {
            continue;
        };
        let line = pen::row(body, y);
        card::ground(model, theme, task, line, buf);
        let state = model.list.state(id).unwrap_or(State::Other);
        let symbol = [Span::styled(glyphs::state(state), theme.state(state))];
        pen::put(buf, pen::inset(line, 2, 0), 0, &symbol);
        for (by, field) in at {
            let cell = Rect {
                y: line.y,
                height: 1,
                ..*field
            };
            match by {
                Sort::Subject => {
                    let marks = card::marks(model, theme, task);
                    pen::put_both(
                        buf,
                        cell,
                        0,
                        &card::title_spans(model, theme, task, state),
                        &marks,
                    );
                }
                _ => {
                    let (text, style) = value(model, theme, task, state, *by);
                    pen::put(buf, cell, 0, &[Span::styled(text, style)]);
                }
            }
        }
        card::settle(model, theme, task, line, buf);
        hits.cards.push((line, id.clone(), 0));
    }
    columns::more(theme, pen::row(area, 1), first, ids.len(), visible, buf);
    hits.columns.push((area, 0));
}

fn value(model: &Model, theme: &Theme, task: &Task, state: State, by: Sort) -> (String, Style) {
    let counted = |count: usize, style| match count {
        0 => (String::new(), style),
        count => (count.to_string(), style),
    };
    match by {
        Sort::State => {
            let symbol = glyphs::state(state);
            (format!("{symbol} {}", state.title()), theme.state(state))
        }
        Sort::Owner => {
            let owner = task.owner.as_deref().map(|o| format!("@{}", clean_line(o)));
            (owner.unwrap_or_default(), theme.owner)
        }
        Sort::Priority => {
            let word = task
                .priority
                .as_str()
                .map(|word| clean_line(word).into_owned());
            (
                word.unwrap_or_default(),
                theme.priority(task.priority.rank()),
            )
        }
        Sort::Since => {
            let since = model.since(&task.id).map(|s| age::since(model.now_ms, s));
            (since.unwrap_or_default(), theme.muted)
        }
        Sort::Waits => counted(model.list.open_blockers(&task.id).len(), theme.blocked),
        Sort::Frees => counted(model.list.opens_now(&task.id).len(), theme.dependant),
        Sort::Id => (clean_line(task.id.short()).into_owned(), theme.muted),
        Sort::Subject => (String::new(), theme.text),
    }
}
