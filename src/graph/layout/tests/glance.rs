//! What the eye takes for one line at a glance is one.

use super::generate::{epics, window};
use super::*;

/// Two bends side by side: one line that ends and another that begins, or a turn back.
const TOUCHING: [&str; 6] = ["╮╰", "╮╭", "╯╰", "╯╭", "╰╯", "╭╮"];

/// So many rows lie between a line that ends and one that begins below it in the same column.
const APART: usize = 3;

#[test]
fn bends_of_different_lines_keep_their_distance() {
    for (name, make) in CLASSES_OF_GRAPHS {
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

/// A picture of which only the boxes and the lines of one task are left shows just its edges:
/// nothing of a lit line is missing, from the end of a label (which is shorter than its box) to the
/// arrow.
#[test]
fn lit_lines_lead_from_box_to_box() {
    for (make, seed) in [epics as Make, window]
        .into_iter()
        .flat_map(|make| (0..10).map(move |seed| (make, seed)))
    {
        let mut edges = make(30, seed);
        edges.push((29, 0)); // and one that closes a ring, if there is a way from 0 to 29
        let drawn = layout(&nodes(30, 8), &edges, &ALL, None);
        for node in 0..30 {
            let lines = drawn.lines(node);
            let of_node = |ends: &(u32, u32), dependants: bool| match dependants {
                true => ends.0 == node,
                false => ends.1 == node,
            };
            for (strokes, dependants) in [(&lines.dependants, true), (&lines.blockers, false)] {
                let shown = trace(&only(&drawn, strokes));
                let own = edges.iter().filter(|ends| of_node(ends, dependants));
                let wanted = names(&own.copied().collect::<Edges>());
                let missing: Vec<_> = wanted.difference(&shown).collect();
                assert!(
                    missing.is_empty(),
                    "{seed} t{node}: {missing:?}\n{}",
                    numbered(&drawn)
                );
            }
        }
    }
}

/// The picture without the lines that do not lie on these strokes.
fn only(drawn: &Layout, strokes: &[Stroke]) -> String {
    let (width, height) = (drawn.width(), drawn.height());
    let mut page = vec![vec![' '; width as usize]; height as usize];
    let all = Rect {
        x: 0,
        y: 0,
        width,
        height,
    };
    let label = |n: u32| Cow::Owned(format!("t{n}"));
    drawn.paint(all, Glyphs::Unicode, &label, &mut |x, y, cell| {
        let lit = strokes.iter().any(|stroke| stroke.contains(x, y));
        if lit || matches!(cell.owner, Owner::Node(_)) {
            page[y as usize][x as usize] = cell.symbol.chars().next().unwrap_or(' ');
        }
    });
    let rows = page
        .into_iter()
        .map(|row| row.into_iter().collect::<String>() + "\n");
    rows.collect()
}
