/// A number with its noun, in the singular where it is one: `1 task`, `2 tasks`. Only for nouns
/// that take an `s`.
pub fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// Several such counts in one phrase, without those that are zero: `1 error, 3 notes`.
pub fn counts<'a>(parts: impl IntoIterator<Item = (usize, &'a str)>) -> String {
    let there = parts.into_iter().filter(|(number, _)| *number > 0);
    let words: Vec<String> = there.map(|(number, noun)| count(number, noun)).collect();
    words.join(", ")
}
