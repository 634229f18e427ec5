use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What stands for the part of a text that had no room.
const ELLIPSIS: &str = "…";

/// The user-perceived characters of a text, each with its columns.
pub fn graphemes(text: &str) -> impl DoubleEndedIterator<Item = (&str, usize)> {
    text.graphemes(true)
        .map(|grapheme| (grapheme, columns_of(grapheme)))
}

/// The columns of one grapheme. Terminals give the half-width sound marks of Japanese a column of
/// their own although they extend the letter before them; the screen counts them so too.
fn columns_of(grapheme: &str) -> usize {
    let sound_marks = grapheme.chars().filter(|c| matches!(c, 'ﾞ' | 'ﾟ'));
    grapheme.width() + sound_marks.count()
}

/// The columns that a cleaned text takes on a terminal, counted by grapheme as the screen does.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    graphemes(text).map(|(_, columns)| columns).sum()
}

/// Splits a text where at most `columns` fit before the cut; no grapheme is split.
pub fn split_at_width(text: &str, columns: usize) -> (&str, &str) {
    let mut used = 0;
    let mut end = 0;
    for (grapheme, wide) in graphemes(text) {
        if used + wide > columns {
            break;
        }
        used += wide;
        end += grapheme.len();
    }
    text.split_at(end)
}

/// The text if it fits in `columns`, otherwise its start and `…`.
pub fn truncate(text: &str, columns: usize) -> Cow<'_, str> {
    if text.len() <= columns || width(text) <= columns {
        return Cow::Borrowed(text);
    }
    match columns {
        0 => Cow::Borrowed(""),
        _ => Cow::Owned(split_at_width(text, columns - 1).0.to_owned() + ELLIPSIS),
    }
}

/// The text cut or filled with spaces to exactly `columns`.
pub fn pad(text: &str, columns: usize) -> String {
    let mut padded = truncate(text, columns).into_owned();
    let missing = columns.saturating_sub(width(&padded));
    padded.extend(std::iter::repeat_n(' ', missing));
    padded
}

/// The lines of a text at most `columns` wide: broken at spaces, inside a word only where the
/// word alone is too long. Existing line ends stay; a width of 0 counts as 1. A grapheme wider
/// than the line stands alone on its own.
pub fn wrap(text: &str, columns: usize) -> Vec<&str> {
    let columns = columns.max(1);
    text.split('\n')
        .flat_map(|line| wrap_line(line, columns))
        .collect()
}

fn wrap_line(line: &str, columns: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = line;
    loop {
        let (start, after) = split_at_width(rest, columns);
        if after.is_empty() {
            break;
        }
        // A space right behind the cut means that the last word just fits.
        let fits = if after.starts_with(' ') {
            Some(start.len())
        } else {
            start.rfind(' ')
        };
        let cut = match fits {
            Some(at) if !start[..at].trim().is_empty() => at,
            _ if start.is_empty() => first_len(rest),
            _ => start.len(),
        };
        lines.push(rest[..cut].trim_end());
        rest = rest[cut..].trim_start_matches(' ');
    }
    if lines.is_empty() || !rest.is_empty() {
        lines.push(rest);
    }
    lines
}

fn first_len(text: &str) -> usize {
    graphemes(text)
        .next()
        .map_or(0, |(grapheme, _)| grapheme.len())
}
