use ratatui::crossterm::event::KeyCode;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::command::Key;

/// Text that is being typed, one line or several. The cursor steps over whole graphemes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextInput {
    text: String,
    cursor: usize,
    several_lines: bool,
}

impl TextInput {
    /// One line, the cursor at its end.
    pub fn line(text: &str) -> TextInput {
        let text: String = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        TextInput {
            cursor: text.len(),
            text,
            several_lines: false,
        }
    }

    /// Several lines, the cursor at their end.
    pub fn lines(text: &str) -> TextInput {
        let text = text.replace("\r\n", "\n");
        TextInput {
            cursor: text.len(),
            text,
            several_lines: true,
        }
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The cursor, in bytes from the start; always between two graphemes.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Whether `enter` makes a new line.
    pub fn has_several_lines(&self) -> bool {
        self.several_lines
    }

    /// Puts text in at the cursor: a paste. Line breaks become spaces where there is one line.
    pub fn insert(&mut self, text: &str) {
        let keep = |c: char| match c {
            '\r' => None,
            '\n' if self.several_lines => Some('\n'),
            c if c.is_control() => Some(' '),
            c => Some(c),
        };
        let text: String = text
            .replace("\r\n", "\n")
            .replace('\r', "\n")
            .chars()
            .filter_map(keep)
            .collect();
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
        // What was put in may have joined a grapheme with what stands after it.
        self.cursor = self.boundary_at_or_after(self.cursor);
    }

    /// Puts a text in the place of a part of what was typed, the cursor behind it.
    pub fn replace(&mut self, at: std::ops::Range<usize>, text: &str) {
        self.delete(at.start, at.end);
        self.insert(text);
    }

    /// Takes a key; `false` when it means nothing here.
    pub fn press(&mut self, key: Key) -> bool {
        match (key.code, key.ctrl) {
            (KeyCode::Backspace, false) => self.delete(self.before(self.cursor), self.cursor),
            (KeyCode::Delete, _) => self.delete(self.cursor, self.after(self.cursor)),
            (KeyCode::Left, false) => self.cursor = self.before(self.cursor),
            (KeyCode::Right, false) => self.cursor = self.after(self.cursor),
            (KeyCode::Left, true) => self.cursor = self.word_before(),
            (KeyCode::Right, true) => self.cursor = self.word_after(),
            (KeyCode::Home, _) | (KeyCode::Char('a'), true) => self.cursor = self.line_start(),
            (KeyCode::End, _) | (KeyCode::Char('e'), true) => self.cursor = self.line_end(),
            (KeyCode::Char('w'), true) | (KeyCode::Backspace, true) => {
                self.delete(self.word_before(), self.cursor);
            }
            (KeyCode::Char('u'), true) => self.delete(self.line_start(), self.cursor),
            (KeyCode::Char('k'), true) => self.delete(self.cursor, self.line_end()),
            (KeyCode::Up, _) if self.several_lines => self.go_to_line(-1),
            (KeyCode::Down, _) if self.several_lines => self.go_to_line(1),
            (KeyCode::Enter, _) if self.several_lines => self.insert("\n"),
            _ => match key.typed() {
                Some(c) => self.insert(c.encode_utf8(&mut [0; 4])),
                None => return false,
            },
        }
        true
    }

    fn delete(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.cursor = self.boundary_at_or_after(from);
    }

    fn boundaries(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.text.grapheme_indices(true).map(|(at, _)| at)
    }

    fn before(&self, at: usize) -> usize {
        self.boundaries().rev().find(|b| *b < at).unwrap_or(0)
    }

    fn after(&self, at: usize) -> usize {
        self.boundaries()
            .find(|b| *b > at)
            .unwrap_or(self.text.len())
    }

    fn boundary_at_or_after(&self, at: usize) -> usize {
        self.boundaries()
            .find(|b| *b >= at)
            .unwrap_or(self.text.len())
    }

    fn word_before(&self) -> usize {
        let words = self.text.unicode_word_indices().map(|(at, _)| at);
        words.rev().find(|at| *at < self.cursor).unwrap_or(0)
    }

    fn word_after(&self) -> usize {
        let mut ends = self
            .text
            .unicode_word_indices()
            .map(|(at, word)| at + word.len());
        ends.find(|end| *end > self.cursor)
            .unwrap_or(self.text.len())
    }

    fn line_start(&self) -> usize {
        self.text[..self.cursor].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.cursor..]
            .find('\n')
            .map_or(self.text.len(), |at| self.cursor + at)
    }

    fn go_to_line(&mut self, step: i8) {
        let column = self.text[self.line_start()..self.cursor]
            .graphemes(true)
            .count();
        let start = match step {
            -1 => match self.line_start() {
                0 => 0,
                start => self.text[..start - 1].rfind('\n').map_or(0, |at| at + 1),
            },
            _ => (self.line_end() + 1).min(self.text.len()),
        };
        let line = self.text[start..].split('\n').next().unwrap_or_default();
        let along = line
            .grapheme_indices(true)
            .nth(column)
            .map_or(line.len(), |(at, _)| at);
        self.cursor = start + along;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn typed(input: &mut TextInput, keys: &[&str]) -> String {
        for key in keys {
            assert!(input.press(key.parse().unwrap()), "{key}");
        }
        let (before, after) = input.text.split_at(input.cursor);
        format!("{before}|{after}")
    }

    #[test]
    fn the_cursor_never_splits_what_is_seen_as_one() {
        let mut input = TextInput::line("日本e\u{301}👩‍👩‍👧");
        assert_eq!(typed(&mut input, &["backspace"]), "日本e\u{301}|");
        assert_eq!(
            typed(&mut input, &["backspace", "left", "backspace"]),
            "|本"
        );
        assert_eq!(typed(&mut input, &["delete"]), "|");
    }

    #[test]
    fn a_paste_is_text() {
        let mut input = TextInput::line("");
        input.insert("d\r\nq\x1b[31m");
        assert_eq!(input.text(), "d q [31m");
        let mut input = TextInput::lines("");
        input.insert("a\r\nb\rc");
        assert_eq!(input.text(), "a\nb\nc");
    }

    #[test]
    fn lines_are_walked_by_column() {
        let mut input = TextInput::lines("abc\nd\nefg");
        assert_eq!(typed(&mut input, &["up"]), "abc\nd|\nefg");
        assert_eq!(
            typed(&mut input, &["up", "home", "down", "down"]),
            "abc\nd\n|efg"
        );
        assert_eq!(
            typed(&mut input, &["end", "ctrl-w", "enter", "x"]),
            "abc\nd\n\nx|"
        );
    }

    proptest! {
        #[test]
        fn no_key_breaks_the_text(
            start in "\\PC{0,12}",
            keys in proptest::collection::vec(0_usize..14, 0..40),
        ) {
            let names = [
                "left", "right", "ctrl-left", "ctrl-right", "home", "end", "backspace", "delete",
                "ctrl-w", "ctrl-u", "up", "down", "enter", "é",
            ];
            let mut input = TextInput::lines(&start);
            for key in keys {
                input.press(names[key].parse().unwrap());
                prop_assert!(input.text.is_char_boundary(input.cursor));
                let ends = input.cursor == input.text.len();
                prop_assert!(ends || input.boundaries().any(|b| b == input.cursor));
            }
        }
    }
}
