//! Where a word of a filter stands in a text, to the letter or loosely.

use std::ops::Range;

/// Shorter words are only found to the letter: loosely they are in almost everything.
const LOOSE_FROM: usize = 3;

/// Whether a text holds a lower-case word, whatever the text's case.
pub(super) fn holds(text: &str, word: &str) -> bool {
    if !text.is_ascii() {
        return text.to_lowercase().contains(word);
    }
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some(first) = word.first() else {
        return true;
    };
    // Most places are ruled out by one byte.
    let starts = text.iter().enumerate();
    let starts = starts.filter(|(_, byte)| byte.to_ascii_lowercase() == *first);
    starts.map(|(at, _)| &text[at..]).any(|rest| {
        rest.get(..word.len())
            .is_some_and(|part| part.eq_ignore_ascii_case(word))
    })
}

/// The letters of a text, lower-case, each with the bytes it stands for.
struct Letters {
    letters: Vec<(char, Range<usize>)>,
}

impl Letters {
    fn of(text: &str) -> Letters {
        let letters = text.char_indices().flat_map(|(at, c)| {
            let bytes = at..at + c.len_utf8();
            c.to_lowercase().map(move |lower| (lower, bytes.clone()))
        });
        Letters {
            letters: letters.collect(),
        }
    }

    /// Whether a word begins at a place.
    fn begins_word(&self, at: usize) -> bool {
        let is_part = |at: usize| self.letters[at].0.is_alphanumeric();
        is_part(at) && (at == 0 || !is_part(at - 1))
    }
}

/// Every place where a lower-case word stands in a text, in bytes of the text.
pub(super) fn places(text: &str, word: &str) -> Vec<Range<usize>> {
    let letters = Letters::of(text).letters;
    let word: Vec<char> = word.chars().collect();
    if word.is_empty() {
        return Vec::new();
    }
    let windows = letters.windows(word.len());
    let fits = windows.filter(|part| part.iter().map(|(c, _)| *c).eq(word.iter().copied()));
    fits.map(|part| part[0].1.start..part[word.len() - 1].1.end)
        .collect()
}

/// The letters of a lower-case word in a text, in order, where every word of the text that they
/// touch is entered at its beginning: `lgn` is in `login`, `bufro` in `Build the frontend`. This
/// is how people shorten names; a plain subsequence is in almost every long text.
pub(super) fn loosely(text: &str, word: &str) -> Option<Vec<Range<usize>>> {
    let word: Vec<char> = word.chars().collect();
    if word.len() < LOOSE_FROM {
        return None;
    }
    let text = Letters::of(text);
    // For each letter of the word, the place before each place of the text where it can stand.
    let mut steps: Vec<Vec<Option<usize>>> = Vec::new();
    for (depth, wanted) in word.iter().enumerate() {
        let before = depth.checked_sub(1).map(|depth| &steps[depth]);
        let step = step(&text, *wanted, before);
        if step.iter().all(Option::is_none) {
            return None;
        }
        steps.push(step);
    }
    let mut at = steps.last()?.iter().position(Option::is_some)?;
    let mut found = Vec::new();
    for step in steps.iter().rev() {
        found.push(text.letters[at].1.clone());
        at = step[at]?;
    }
    found.reverse();
    Some(found)
}

/// Where a letter can stand after the letters before it: at each place the place of the letter
/// before (its own place for the first letter).
fn step(text: &Letters, wanted: char, before: Option<&Vec<Option<usize>>>) -> Vec<Option<usize>> {
    let mut anywhere = None;
    let mut in_this_word = None;
    let mut places = vec![None; text.letters.len()];
    for (at, (letter, _)) in text.letters.iter().enumerate() {
        let begins = text.begins_word(at);
        if begins {
            in_this_word = None;
        }
        if *letter == wanted {
            places[at] = match before {
                None => begins.then_some(at),
                Some(_) if begins => anywhere,
                Some(_) => in_this_word,
            };
        }
        if before.is_some_and(|before| before[at].is_some()) {
            anywhere = Some(at);
            in_this_word = Some(at);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{holds, loosely, places};

    fn marked(text: &str, word: &str) -> Option<String> {
        let found = loosely(text, word)?;
        Some(found.into_iter().map(|place| &text[place]).collect())
    }

    #[test]
    fn shortened_names_are_found_and_noise_is_not() {
        for (text, word, right) in [
            ("login", "lgn", Some("lgn")),
            ("Build the frontend", "bufro", Some("Bufro")),
            ("Build the frontend", "btf", Some("Btf")),
            ("Fix-login page", "filo", Some("Filo")),
            ("Überweisung prüfen", "üprü", Some("Üprü")),
            ("Deploy", "ply", None), // enters a word in its middle
            ("Deploy", "de", None),  // short words are found to the letter
            ("Deploy", "dey x", None),
            ("Deploy", "yed", None),
        ] {
            assert_eq!(marked(text, word).as_deref(), right, "{word} in {text}");
        }
    }

    #[test]
    fn places_are_whole_letters_of_the_text() {
        assert_eq!(places("Login LOGIN", "log"), [0..3, 6..9]);
        let text = "İstanbul straße";
        for place in places(text, "stra") {
            assert_eq!(&text[place], "stra");
        }
        assert!(holds("Straße", "straß") && !holds("abc", "abcd"));
    }
}
