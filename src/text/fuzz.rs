//! What the fuzzer holds against the cleaning of texts.

use super::{clean_block, clean_line, graphemes, split_at_width, truncate, width, wrap};

/// Nothing that steers a terminal or hides text gets through, cleaning twice is cleaning once, and
/// measuring agrees with itself.
pub fn clean(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let line = clean_line(&text);
    assert!(line.chars().all(may_be_shown), "{line:?}");
    assert_eq!(clean_line(&line), line, "cleaning twice is cleaning once");
    let block = clean_block(&text);
    assert!(
        block.chars().all(|c| c == '\n' || may_be_shown(c)),
        "{block:?}"
    );
    assert_eq!(clean_block(&block), block);
    measure(&line);
    for columns in [1, 7, 80] {
        let room = |part: &&str| width(part) <= columns || graphemes(part).count() == 1;
        assert!(
            wrap(&block, columns).iter().all(room),
            "{block:?} in {columns}"
        );
    }
}

fn measure(line: &str) {
    let columns = width(line);
    for room in [0, 1, 5, columns] {
        let (start, rest) = split_at_width(line, room);
        assert!(width(start) <= room && start.len() + rest.len() == line.len());
        assert!(width(&truncate(line, room)) <= room, "{line:?} in {room}");
    }
    assert_eq!(truncate(line, columns), line, "what fits stays whole");
}

fn may_be_shown(c: char) -> bool {
    let steers = c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let hides = matches!(
        c,
        '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    );
    !steers && !hides
}
