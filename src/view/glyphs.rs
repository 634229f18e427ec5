//! The symbols of the board, and what stands for them in ASCII.

use ratatui::buffer::Buffer;

use crate::task::State;

pub(super) const HIGH: &str = "▲";
pub(super) const LOW: &str = "▼";
pub(super) const FREES: &str = "→";
pub(super) const CHANGED: &str = "•";
pub(super) const WARNING: &str = "⚠";
pub(super) const SELECTED: &str = "▌";
pub(super) const MARKED: &str = "■";

/// The symbol of a state: each has a shape of its own.
pub(super) fn state(state: State) -> &'static str {
    match state {
        State::Ready => "○",
        State::Blocked => "⧗",
        State::InProgress => "▶",
        State::Completed => "✓",
        State::Deleted => "✕",
        State::Other => "◇",
    }
}

/// Replaces lines and symbols by ASCII of the same width, letters of any script stay. One pass
/// over the finished screen, so that no pane has to know about it.
pub(super) fn to_ascii(buf: &mut Buffer) {
    for cell in &mut buf.content {
        let mut chars = cell.symbol().chars();
        if let (Some(c), None) = (chars.next(), chars.next())
            && let Some(plain) = ascii(c)
        {
            cell.set_char(plain);
        }
    }
}

fn ascii(c: char) -> Option<char> {
    Some(match c {
        '○' => 'o',
        '⧗' => '%',
        '▶' | '▸' | '▷' | '►' | '❯' | '›' => '>',
        '◀' | '◂' | '◁' | '◄' | '‹' => '<',
        '✓' => 'v',
        '✕' | '✗' | '×' => 'x',
        '◇' => '?',
        '◆' => '*',
        '■' => '#',
        '≡' => '=',
        '∅' => '0',
        '▲' | '▴' | '↑' => '^',
        '▼' | '▾' | '↓' => 'v',
        '→' => '>',
        '←' | '⇠' => '<',
        '↗' => '^',
        '•' | '●' => '*',
        '◐' => '@',
        '·' | '…' => '.',
        '⚠' => '!',
        '⏎' => '^',
        '▌' | '▐' | '┃' => '|',
        '█' | '━' | '═' => '=',
        '▓' => '#',
        '▒' => ':',
        '░' => '.',
        '≥' => '>',
        '–' | '—' => '-',
        '\u{2500}'..='\u{257f}' => box_line(c),
        '\u{2580}'..='\u{259f}' => '#',
        '\u{2801}'..='\u{28ff}' => '.',
        _ => return None,
    })
}

fn box_line(c: char) -> char {
    match c {
        '─' | '╌' | '┄' | '┈' | '╴' | '╶' | '╸' | '╺' | '╼' | '╾' => '-',
        '│' | '╎' | '┆' | '┊' | '╵' | '╷' | '║' | '╹' | '╻' | '╽' | '╿' => {
            '|'
        }
        '╱' => '/',
        '╲' => '\\',
        '╳' => 'x',
        _ => '+',
    }
}
