//! What the eye takes for one line at a glance is one.

use super::generate::{epics, sparse, window};
use super::*;

/// Two bends side by side: one line that ends and another that begins, or a turn back.
const TOUCHING: [&str; 6] = ["╮╰", "╮╭", "╯╰", "╯╭", "╰╯", "╭╮"];

/// So many rows lie between a line that ends and one that begins below it in the same column.
const APART: usize = 3;

#[test]
fn bends_of_different_lines_keep_their_distance() {
    for (name, make) in [
        ("epics", epics as fn(usize, u64) -> Edges),
        ("window", window),
        ("sparse", sparse),
    ] {
        for (count, seed) in [8, 20, 40, 60]
            .into_iter()
            .flat_map(|n| (0..20).map(move |s| (n, s)))
        {
            let drawn = numbered(&layout(&nodes(count, 4), &make(count, seed), &ALL, None));
            for row in drawn.lines() {
                let touching = TOUCHING.iter().find(|pair| row.contains(*pair));
                assert_eq!(touching, None, "{name} {count} {seed}: {row}\n{drawn}");
            }
            let below = nearest_below(&drawn);
            assert!(below >= APART, "{name} {count} {seed}: {below}\n{drawn}");
        }
    }
}

/// The fewest rows from an end (`╰╯`) down to a beginning (`╭╮`) in one column of one part of the
/// picture; parts are kept apart by a blank row.
fn nearest_below(drawn: &str) -> usize {
    let rows: Vec<Vec<char>> = drawn.lines().map(|row| row.chars().collect()).collect();
    let mut nearest = usize::MAX;
    for (y, row) in rows.iter().enumerate() {
        let part = rows[y + 1..]
            .iter()
            .take_while(|row| row.iter().any(|c| *c != ' '));
        let part: Vec<&Vec<char>> = part.collect();
        for (x, _) in row.iter().enumerate().filter(|(_, c)| "╰╯".contains(**c)) {
            let passed = |c: char| " ─━".contains(c);
            let mut under = part.iter().map(|row| row.get(x).copied().unwrap_or(' '));
            let met = under.position(|c| !passed(c));
            if let Some(down) = met.filter(|down| "╭╮".contains(part[*down][x])) {
                nearest = nearest.min(down + 1);
            }
        }
    }
    nearest
}
