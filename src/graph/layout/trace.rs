//! Reads a finished drawing back from its characters, as an eye would follow the lines.
//!
//! From each `]` to the right; at a T-piece any branch but back to the left; at `┼` straight on; at `╋` any turn. A
//! line that closes a ring is dashed and runs down, to the left and up again, never down and to the right (that would
//! be its wrong way). An arrowhead before `[` ends the walk.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::graphemes;

const N: u8 = 1;
const E: u8 = 2;
const S: u8 = 4;
const W: u8 = 8;

/// The edges (label, label) that the drawing shows.
pub(crate) fn trace(drawing: &str) -> BTreeSet<(String, String)> {
    let page = Page::new(drawing);
    let mut edges = BTreeSet::new();
    for (label, (x, y)) in &page.exits {
        let mut seen = BTreeSet::new();
        let mut todo = vec![(*x, *y, E)];
        while let Some((x, y, going)) = todo.pop() {
            let (x, y) = step(x, y, going);
            let Some(&glyph) = page.cells.get(&(x, y)) else {
                continue;
            };
            if !seen.insert((x, y, going)) {
                continue;
            }
            if glyph == '→' || (glyph == '>' && page.entries.contains_key(&(x + 1, y))) {
                if let Some(target) = page.entries.get(&(x + 1, y)) {
                    edges.insert((label.clone(), target.clone()));
                }
                continue;
            }
            let sides = page.sides(x, y, glyph);
            if sides & opposite(going) == 0 {
                continue;
            }
            let straight_only = glyph == '┼' || (glyph == '+' && sides == N | E | S | W);
            for out in [N, E, S, W] {
                let back = out == opposite(going);
                let left = out == W && going != W && !page.is_dashed(x, y, W);
                let wrong_way = going == S && out == E && page.is_dashed(x, y, E);
                let turns = !straight_only || out == going;
                if sides & out != 0 && !back && !left && !wrong_way && turns {
                    todo.push((x, y, out));
                }
            }
        }
    }
    edges
}

struct Page {
    cells: BTreeMap<(i32, i32), char>,
    exits: Vec<(String, (i32, i32))>,
    entries: BTreeMap<(i32, i32), String>,
}

impl Page {
    fn new(drawing: &str) -> Page {
        let mut page = Page {
            cells: BTreeMap::new(),
            exits: Vec::new(),
            entries: BTreeMap::new(),
        };
        for (y, line) in drawing.lines().enumerate() {
            let (mut x, y) = (0, y as i32);
            let mut label: Option<(String, i32)> = None;
            for (grapheme, width) in graphemes(line) {
                match (grapheme, &mut label) {
                    ("[", _) => label = Some((String::new(), x)),
                    ("]", Some((text, start))) => {
                        page.entries.insert((*start, y), text.clone());
                        page.exits.push((text.clone(), (x, y)));
                        label = None;
                    }
                    (_, Some((text, _))) => text.push_str(grapheme),
                    (" ", None) => {}
                    (_, None) => {
                        page.cells
                            .extend(grapheme.chars().next().map(|c| ((x, y), c)));
                    }
                }
                x += width as i32;
            }
        }
        page
    }

    /// The sides a line leaves a cell by; those of an ASCII corner are where its neighbours meet it.
    fn sides(&self, x: i32, y: i32, glyph: char) -> u8 {
        if glyph != '+' {
            return sides(glyph);
        }
        let meets = |side: u8, along: &[char]| {
            let (x, y) = step(x, y, side);
            let there = self.cells.get(&(x, y)).is_some_and(|c| along.contains(c));
            let leaves_box = side == W && self.exits.iter().any(|(_, at)| *at == (x, y));
            if there || leaves_box { side } else { 0 }
        };
        let lines = ['-', '+', '*', '>', '~'];
        let columns = ['|', '+', '*', ':'];
        meets(N, &columns) | meets(E, &lines) | meets(S, &columns) | meets(W, &lines)
    }

    /// Whether the line beside a cell is dashed, behind what it crosses there.
    fn is_dashed(&self, x: i32, y: i32, side: u8) -> bool {
        let (mut x, mut y) = step(x, y, side);
        while self.cells.get(&(x, y)) == Some(&'┼') {
            (x, y) = step(x, y, side);
        }
        self.cells.get(&(x, y)) == Some(&'╌')
    }
}

fn step(x: i32, y: i32, going: u8) -> (i32, i32) {
    match going {
        N => (x, y - 1),
        E => (x + 1, y),
        S => (x, y + 1),
        _ => (x - 1, y),
    }
}

fn opposite(going: u8) -> u8 {
    if going == N || going == E {
        going << 2
    } else {
        going >> 2
    }
}

fn sides(glyph: char) -> u8 {
    match glyph {
        '─' | '━' | '╌' | '-' | '~' => E | W,
        '│' | '┃' | '╎' | '|' | ':' => N | S,
        '╭' | '┏' => E | S,
        '╮' | '┓' => S | W,
        '╰' | '┗' => N | E,
        '╯' | '┛' => N | W,
        '├' | '┣' => N | E | S,
        '┤' | '┫' => N | S | W,
        '┬' | '┳' => E | S | W,
        '┴' | '┻' => N | E | W,
        '┼' | '╋' | '*' => N | E | S | W,
        _ => 0,
    }
}
