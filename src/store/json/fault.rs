use std::fmt;

use super::scan::Stop;
use crate::task::Position;

/// Why a file is not one JSON object, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
    /// What is wrong, in words for people.
    pub message: String,
}

impl Fault {
    /// The place, when it is about one.
    pub fn at(&self) -> Option<Position> {
        let Fault { line, column, .. } = *self;
        (line > 0).then_some(Position { line, column })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return f.write_str(&self.message);
        }
        let Fault {
            line,
            column,
            message,
        } = self;
        write!(f, "line {line}, column {column}: {message}")
    }
}

/// Puts a stop into words: the whole file is looked at first, because what people need to know is
/// seldom the byte at which a reader gave up.
pub(super) fn explain(bytes: &[u8], stop: &Stop) -> Fault {
    if let Some(whole) = whole_file(bytes) {
        return Fault {
            line: 0,
            column: 0,
            message: whole.to_owned(),
        };
    }
    if let Some(at) = conflict_marker(bytes) {
        return place(bytes, at, "conflict markers of a merge (<<<<<<<) are in it");
    }
    place(bytes, stop.at, stop.why)
}

fn whole_file(bytes: &[u8]) -> Option<&'static str> {
    if bytes.is_empty() {
        Some("the file is empty")
    } else if bytes.iter().all(|byte| *byte == 0) {
        Some("the file holds only NUL bytes, as a crash during a write leaves it")
    } else if bytes.iter().all(u8::is_ascii_whitespace) {
        Some("the file holds only white space")
    } else if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        Some("the file is UTF-16, agents read UTF-8 only")
    } else {
        None
    }
}

/// The first line that a version control system's failed merge starts with.
fn conflict_marker(bytes: &[u8]) -> Option<usize> {
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii_end();
        let marks = [&b"<<<<<<<"[..], b">>>>>>>"];
        let marked = |mark: &&[u8]| text == *mark || text.strip_prefix(*mark).is_some_and(spaced);
        if marks.iter().any(marked) {
            return Some(start);
        }
        start += line.len();
    }
    None
}

fn spaced(rest: &[u8]) -> bool {
    rest.starts_with(b" ")
}

fn place(bytes: &[u8], at: usize, message: &str) -> Fault {
    let Position { line, column } = position(bytes, at);
    let message = message.to_owned();
    Fault {
        line,
        column,
        message,
    }
}

/// A byte's place for people.
pub(super) fn position(bytes: &[u8], at: usize) -> Position {
    let before = &bytes[..at.min(bytes.len())];
    let line_start = before
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |p| p + 1);
    Position {
        line: before.iter().filter(|b| **b == b'\n').count() + 1,
        column: String::from_utf8_lossy(&before[line_start..])
            .chars()
            .count()
            + 1,
    }
}
