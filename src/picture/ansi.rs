use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

use super::look::named_index;
use super::text::row;

/// The attributes that a terminal knows, with their SGR numbers.
const ATTRIBUTES: [(Modifier, u8); 6] = [
    (Modifier::BOLD, 1),
    (Modifier::DIM, 2),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::REVERSED, 7),
    (Modifier::CROSSED_OUT, 9),
];

/// The buffer as lines with SGR sequences; each line ends in the default style.
pub fn ansi(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut current = Style::reset();
        for (_, _, cell) in row(buffer, y) {
            let style = Style::reset()
                .fg(cell.fg)
                .bg(cell.bg)
                .add_modifier(cell.modifier);
            if style != current {
                push_style(&mut out, style);
                current = style;
            }
            out.push_str(cell.symbol());
        }
        if current != Style::reset() {
            out.push_str("\x1b[0m");
        }
        out.push('\n');
    }
    out
}

fn push_style(out: &mut String, style: Style) {
    out.push_str("\x1b[0");
    for (attribute, number) in ATTRIBUTES {
        if style.add_modifier.contains(attribute) {
            let _ = write!(out, ";{number}");
        }
    }
    push_color(out, style.fg.unwrap_or_default(), 30);
    push_color(out, style.bg.unwrap_or_default(), 40);
    out.push('m');
}

/// `base` is 30 for the text and 40 for the background.
fn push_color(out: &mut String, color: Color, base: u8) {
    let _ = match color {
        Color::Rgb(r, g, b) => write!(out, ";{};2;{r};{g};{b}", base + 8),
        Color::Indexed(index) => write!(out, ";{};5;{index}", base + 8),
        named => match named_index(named) {
            Some(index @ 0..=7) => write!(out, ";{}", base + index),
            Some(index) => write!(out, ";{}", base + 60 + index - 8),
            None => Ok(()),
        },
    };
}
