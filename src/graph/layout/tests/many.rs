//! A thousand random graphs, each read back from its characters, and what else must hold of every drawing.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::*;

/// Graphs of 5 to 60 tasks, the size by the seed.
fn read_back(make: fn(usize, u64) -> Edges, seeds: std::ops::Range<u64>) -> Reading {
    let mut sum = Reading::default();
    for seed in seeds {
        let count = 5 + (seed * 37 % 56) as usize;
        read(count, &make(count, seed), ALL, &mut sum);
    }
    sum
}

#[track_caller]
fn assert_readable(sum: &Reading) {
    assert_eq!(sum.missed, 0, "every edge is read back: {sum:?}");
    assert!(sum.wrong * 25 <= sum.edges, "at most 4 % false: {sum:?}");
}

#[test]
fn epics_can_be_read_back() {
    assert_readable(&read_back(epics, 1_000..1_250));
}

#[test]
fn more_epics_can_be_read_back() {
    assert_readable(&read_back(epics, 1_250..1_500));
}

#[test]
fn windows_can_be_read_back() {
    assert_readable(&read_back(window, 1_000..1_250));
}

#[test]
fn more_windows_can_be_read_back() {
    assert_readable(&read_back(window, 1_250..1_500));
}

#[test]
fn ascii_can_be_read_back() {
    // Corners, joins and crossings are all `+`: only with room between the lines can they be told apart.
    let options = Options { roomy: true, ..ALL };
    let mut sum = Reading::default();
    for seed in 0..100 {
        let count = 5 + (seed * 37 % 36) as usize;
        let edges = sparse(count, seed);
        let drawn = layout(&nodes(count, 4), &edges, &options, None);
        let text = drawn.to_text(Glyphs::Ascii, &|n| Cow::Owned(format!("t{n}")));
        assert!(text.is_ascii());
        let seen = trace(&text);
        let truth = names(&edges);
        sum.missed += truth.difference(&seen).count();
        sum.wrong += seen.difference(&truth).count();
        sum.edges += truth.len();
    }
    assert_readable(&sum);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for seed in 0..20 {
        let edges = epics(40, seed);
        let draw = || numbered(&layout(&nodes(40, 4), &edges, &ALL, None));
        let elsewhere = std::thread::scope(|scope| scope.spawn(draw).join());
        assert_eq!(draw(), elsewhere.expect("it draws there too"));
    }
}

#[test]
fn a_new_title_in_its_class_moves_nothing() {
    let edges = epics(40, 3);
    let before = layout(&nodes(40, 16), &edges, &ALL, None);
    let after = layout(&nodes(40, 16), &edges, &ALL, Some(&before));
    for n in 0..40 {
        assert_eq!(before.node_rect(n), after.node_rect(n));
    }
    assert_eq!(numbered(&before), numbered(&after));
}

#[test]
fn any_part_is_painted_as_it_is_in_the_whole() {
    for seed in 0..10 {
        let edges = window(30, seed);
        let drawn = layout(&nodes(33, 6), &edges, &ALL, None);
        let cells = |view: Rect| {
            let mut cells = BTreeMap::new();
            let label = |n: u32| Cow::Owned(format!("日本{n}"));
            drawn.paint(view, Glyphs::Unicode, &label, &mut |x, y, cell| {
                assert!(view.contains(x, y), "({x}, {y}) lies in {view:?}");
                cells.insert((y, x), cell.symbol.to_owned());
            });
            cells
        };
        let all = cells(Rect {
            x: 0,
            y: 0,
            width: drawn.width(),
            height: drawn.height(),
        });
        let view = Rect {
            x: 5 + seed as i32,
            y: 2,
            width: 31,
            height: 7,
        };
        let wide = |symbol: &str| crate::text::width(symbol) as i32;
        let inside = |(y, x): &(i32, i32), symbol: &str| {
            view.contains(*x, *y) && x + wide(symbol) <= view.x + view.width
        };
        let right: BTreeMap<_, _> = all.into_iter().filter(|(at, s)| inside(at, s)).collect();
        assert_eq!(cells(view), right);
    }
}

#[test]
fn a_cell_knows_its_node() {
    let edges = epics(40, 5);
    let drawn = layout(&nodes(43, 6), &edges, &ALL, None);
    for n in 0..43 {
        let r = drawn.node_rect(n);
        assert_eq!(drawn.node_at(r.x, r.y), Some(n));
        assert_eq!(drawn.node_at(r.x + r.width - 1, r.y), Some(n));
        assert_ne!(drawn.node_at(r.x + r.width, r.y), Some(n));
    }
    assert_eq!(drawn.node_at(-1, 0), None);
    assert_eq!(drawn.node_at(0, drawn.height()), None);
}
