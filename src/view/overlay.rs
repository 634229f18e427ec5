use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use super::{Hits, Theme, pen, popup};
use crate::board::{Confirm, Form, FormField, Layer, Menu, Model, Prompt, TextInput};
use crate::text::{clean_line, width, wrap};

/// The layer on top. Gives the place of the text cursor.
pub(super) fn draw(
    model: &Model,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
    hits: &mut Hits,
) -> Option<Position> {
    let layer = model.top()?;
    hits.choices.clear();
    match layer {
        Layer::Menu(menu) => draw_menu(menu, theme, area, buf, hits),
        Layer::Form(form) => draw_form(form, theme, area, buf),
        Layer::Confirm(confirm) => {
            draw_confirm(confirm, theme, area, buf);
            None
        }
        Layer::Prompt(prompt) => draw_prompt(prompt, theme, area, buf),
    }
}

fn draw_menu(
    menu: &Menu,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
    hits: &mut Hits,
) -> Option<Position> {
    let more = if menu.more.is_empty() { 0 } else { MORE + 1 };
    let rows = u16::try_from(menu.choices.len())
        .unwrap_or(u16::MAX)
        .saturating_add(4 + more);
    let frame = popup::centred(
        area,
        (area.width * 4 / 5).clamp(38, 92),
        rows.clamp(6, area.height.saturating_sub(2)),
    );
    let inside = popup::open(buf, frame, &menu.title, menu.hint, theme);
    let cursor = draw_line(&menu.input, "> ", theme, pen::row(inside, 0), buf);
    let mut list = pen::below(inside, 1);
    list.height -= draw_more(menu, theme, list, buf);
    let visible = usize::from(list.height);
    let first = (menu.cursor + 1).saturating_sub(visible);
    for (y, (row, place)) in (0_u16..).zip(menu.shown.iter().enumerate().skip(first).take(visible))
    {
        let choice = &menu.choices[*place];
        let at = pen::row(list, y);
        let style = if choice.off.is_some() {
            theme.faint
        } else {
            theme.text
        };
        if row == menu.cursor {
            buf.set_style(at.intersection(buf.area), theme.selected);
        }
        let detail = choice.off.map_or_else(
            || choice.detail.clone(),
            |why| format!("{why}  {}", choice.detail),
        );
        let left = [Span::styled(clean_line(&choice.label).into_owned(), style)];
        let right = [Span::styled(
            clean_line(&detail).into_owned(),
            if choice.off.is_some() {
                theme.faint
            } else {
                theme.key
            },
        )];
        pen::put_both(buf, at, 0, &left, &right);
        if row == menu.cursor {
            pen::even_out(buf, at, theme.selected);
        }
        hits.choices.push((at, row));
    }
    // An empty menu has said so in its title.
    if menu.shown.is_empty() && !menu.choices.is_empty() {
        pen::put(buf, list, 0, &[Span::styled("nothing fits", theme.muted)]);
    }
    cursor
}

/// Lines for what there is to say about the choice with the cursor.
const MORE: u16 = 4;

/// Below the choices, what there is to say about the one with the cursor. Gives the rows it takes.
fn draw_more(menu: &Menu, theme: &Theme, area: Rect, buf: &mut Buffer) -> u16 {
    let rows = MORE + 1;
    let Some(more) = menu.chosen_more().filter(|_| area.height > rows + 1) else {
        return 0;
    };
    let area = pen::below(area, area.height - rows);
    pen::rule(buf, area, 0, "─", theme.overlay_border);
    let text = clean_line(&more.text);
    let lines = wrap(&text, usize::from(area.width));
    for (y, line) in (1..rows).zip(lines) {
        pen::put(buf, area, y, &[Span::styled(line.to_owned(), theme.muted)]);
    }
    rows
}

fn draw_form(form: &Form, theme: &Theme, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let title = if form.task.is_some() {
        "Edit task"
    } else {
        "New task"
    };
    let frame = popup::centred(
        area,
        (area.width * 4 / 5).clamp(38, 84),
        area.height.saturating_sub(2).min(22),
    );
    let inside = popup::open(
        buf,
        frame,
        title,
        "tab next · enter or ctrl-s saves · esc",
        theme,
    );
    let fixed = form.fields.len() * 2 - 1;
    let text_rows = usize::from(inside.height).saturating_sub(fixed).clamp(1, 8);
    let mut y = 0;
    let mut cursor = None;
    for (place, field) in
        form.fields
            .iter()
            .enumerate()
            .skip(first_field(form, text_rows, inside.height))
    {
        let here = place == form.focus;
        let several = field.input.has_several_lines();
        let rows = if several {
            u16::try_from(text_rows).unwrap_or(1)
        } else {
            1
        };
        let changed = if field.is_changed() { " •" } else { "" };
        let style = if here { theme.focus } else { theme.muted };
        let theirs = form.theirs.iter().find(|(what, _)| *what == field.what);
        let mut spans = vec![Span::styled(format!("{}{changed}", field.title), style)];
        if let Some(offer) = form.offer.as_ref().filter(|_| here) {
            let text = format!("  tab: {}", offer.label);
            spans.push(Span::styled(text, theme.key));
        }
        if let Some((_, text)) = theirs {
            let text = clean_line(text).into_owned();
            spans.push(Span::styled(format!("  theirs now: {text}"), theme.warning));
        }
        pen::put(buf, inside, y, &spans);
        let at = Rect {
            y: inside.y.saturating_add(y + 1),
            height: rows,
            ..inside
        }
        .intersection(inside);
        buf.set_style(
            at.intersection(buf.area),
            if here {
                theme.selected
            } else {
                theme.selected_elsewhere
            },
        );
        let found = if several {
            draw_text(&field.input, theme, at, buf)
        } else {
            draw_line(&field.input, "", theme, at, buf)
        };
        if here {
            cursor = found;
        }
        y += rows + 1;
    }
    cursor
}

/// The field to begin with, so that the one with the cursor is in sight.
fn first_field(form: &Form, text_rows: usize, room: u16) -> usize {
    let rows = |field: &FormField| match field.input.has_several_lines() {
        true => text_rows + 1,
        false => 2,
    };
    let mut used = 0;
    let fits = |field: &&FormField| {
        used += rows(field);
        used <= usize::from(room)
    };
    let shown = form.fields[..=form.focus].iter().rev().take_while(fits);
    form.focus + 1 - shown.count().max(1)
}

fn draw_confirm(confirm: &Confirm, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let columns = (area.width * 3 / 4).clamp(36, 72);
    let room = usize::from(columns.saturating_sub(4));
    let lines: Vec<String> = confirm
        .lines
        .iter()
        .flat_map(|line| {
            wrap(&clean_line(line), room)
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    let rows = u16::try_from(lines.len()).unwrap_or(1).saturating_add(4);
    let frame = popup::centred(area, columns, rows);
    let inside = popup::open(buf, frame, &confirm.title, "y yes · n no", theme);
    for (y, line) in (1_u16..).zip(&lines) {
        pen::put(buf, inside, y, &[Span::styled(line.clone(), theme.text)]);
    }
}

fn draw_prompt(prompt: &Prompt, theme: &Theme, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let rows = if prompt.input.has_several_lines() {
        8
    } else {
        1 + u16::try_from(prompt.offers.len()).unwrap_or(0)
    };
    let frame = popup::centred(area, (area.width * 3 / 4).clamp(36, 72), rows + 2);
    let inside = popup::open(buf, frame, &prompt.title, prompt.hint(), theme);
    if prompt.input.has_several_lines() {
        return draw_text(&prompt.input, theme, inside, buf);
    }
    for (y, (row, offer)) in (1_u16..).zip(prompt.offers.iter().enumerate()) {
        let at = pen::row(inside, y);
        if row == prompt.offer {
            buf.set_style(at.intersection(buf.area), theme.selected);
        }
        pen::put(
            buf,
            at,
            0,
            &[Span::styled(format!("  {}", offer.label), theme.muted)],
        );
    }
    draw_line(&prompt.input, "> ", theme, pen::row(inside, 0), buf)
}

/// One line being typed, scrolled so that the cursor is in sight.
fn draw_line(
    input: &TextInput,
    mark: &str,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Option<Position> {
    pen::put(buf, area, 0, &[Span::styled(mark.to_owned(), theme.key)]);
    let room = pen::inset(area, u16::try_from(width(mark)).unwrap_or(0), 0);
    let (text, before) = visible_part(
        input.text(),
        input.cursor(),
        usize::from(room.width).saturating_sub(1),
    );
    pen::put(buf, room, 0, &[Span::styled(text, theme.text)]);
    let x = room.x.saturating_add(u16::try_from(before).unwrap_or(0));
    (area.height > 0).then_some(Position {
        x: x.min(area.right().saturating_sub(1)),
        y: area.y,
    })
}

/// The text from where the cursor is still in sight, and the columns before the cursor.
fn visible_part(text: &str, cursor: usize, room: usize) -> (String, usize) {
    let before = text.get(..cursor).unwrap_or(text);
    let mut start = 0;
    for (at, _) in before.char_indices() {
        if width(&clean_line(&before[at..])) <= room {
            start = at;
            break;
        }
        start = before.len();
    }
    (
        clean_line(&text[start..]).into_owned(),
        width(&clean_line(&before[start..])),
    )
}

/// Several lines being typed.
fn draw_text(input: &TextInput, theme: &Theme, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let before = input.text().get(..input.cursor()).unwrap_or_default();
    let line = before.matches('\n').count();
    let column = before
        .rfind('\n')
        .map_or(before.len(), |at| before.len() - at - 1);
    let visible = usize::from(area.height);
    let first = (line + 1).saturating_sub(visible);
    let mut cursor = None;
    for (y, (number, text)) in (0_u16..).zip(
        input
            .text()
            .split('\n')
            .enumerate()
            .skip(first)
            .take(visible),
    ) {
        let at = if number == line { column } else { 0 };
        let (shown, before) = visible_part(text, at, usize::from(area.width).saturating_sub(1));
        pen::put(buf, area, y, &[Span::styled(shown, theme.text)]);
        if number == line {
            let x = area.x.saturating_add(u16::try_from(before).unwrap_or(0));
            cursor = Some(Position { x, y: area.y + y });
        }
    }
    cursor
}
