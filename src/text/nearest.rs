/// The known word that a mistyped one was most likely meant to be; `None` when none is near: more
/// than a third of the letters would be wrong.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().collect();
    let at_most = (letters.len() / 3).max(1);
    let far = |known: &str| distance(&letters, &known.chars().collect::<Vec<_>>());
    known
        .into_iter()
        .map(|known| (far(known), known))
        .filter(|(far, _)| *far <= at_most)
        .min_by_key(|(far, _)| *far)
        .map(|(_, known)| known)
}

/// How many letters must be typed, left out, changed or swapped with their neighbour (the optimal
/// string alignment distance).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let changed = last[j] + usize::from(x != y);
            let mut least = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_the_word_and_another_word_finds_none() {
        let known = ["theme", "ascii", "mouse", "reduced-motion"];
        for (typed, meant) in [
            ("theem", Some("theme")),
            ("them", Some("theme")),
            ("mose", Some("mouse")),
            ("reduced_motion", Some("reduced-motion")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, known), meant, "{typed}");
        }
    }

    #[test]
    fn the_distance_counts_slips() {
        for (a, b, slips) in [
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("abc", "acb", 1),
            ("kitten", "sitting", 3),
        ] {
            let letters = |word: &str| word.chars().collect::<Vec<_>>();
            assert_eq!(distance(&letters(a), &letters(b)), slips, "{a} {b}");
            assert_eq!(distance(&letters(b), &letters(a)), slips, "{b} {a}");
        }
    }
}
