//! What the fuzzer holds against the drawing of graphs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::trace::trace;
use super::{Glyphs, Layout, Node, Options, layout};

type Edges = BTreeSet<(u32, u32)>;

/// The first byte chooses how to draw, the second how many tasks there are, each further pair of
/// bytes is an edge. Read back from its characters, the drawing shows those edges and no others;
/// also when it grows out of an earlier drawing, of the first half of the edges.
pub fn graph(data: &[u8]) {
    let [how, count, pairs @ ..] = data else {
        return;
    };
    let count = u32::from(count % 24) + 1;
    let options = Options {
        reduce: how & 1 != 0,
        roomy: how & 2 != 0,
        wrap: 80,
    };
    let width = u16::from(how >> 4) + 4;
    let node = |key| Node { key, width };
    let nodes: Vec<Node> = (0..u64::from(count)).map(node).collect();
    let edges = pairs.chunks_exact(2).take(48);
    let edges: Vec<(u32, u32)> = edges
        .map(|pair| (u32::from(pair[0]) % count, u32::from(pair[1]) % count))
        .collect();
    let half = layout(&nodes, &edges[..edges.len() / 2], &options, None);
    let fresh = layout(&nodes, &edges, &options, None);
    let grown = layout(&nodes, &edges, &options, Some(&half));
    for drawn in [&fresh, &grown] {
        check(drawn, &edges.iter().copied().collect(), options.reduce);
    }
    let again = layout(&nodes, &edges, &options, None);
    assert_eq!(
        text(&again),
        text(&fresh),
        "the same input gives the same picture"
    );
}

fn text(drawn: &Layout) -> String {
    drawn.to_text(Glyphs::Unicode, &|n| Cow::Owned(format!("t{n}")))
}

fn check(drawn: &Layout, edges: &Edges, reduced: bool) {
    assert_eq!(drawn.undrawn(), 0, "so few edges always have room");
    let picture = text(drawn);
    let number = |name: &str| -> u32 {
        let digits = name.trim().strip_prefix('t').and_then(|n| n.parse().ok());
        digits.unwrap_or_else(|| panic!("a box named {name:?} in\n{picture}"))
    };
    let seen = trace(&picture);
    let seen: Edges = seen
        .iter()
        .map(|(from, to)| (number(from), number(to)))
        .collect();
    let wrong: Vec<_> = seen.difference(edges).collect();
    assert!(wrong.is_empty(), "{wrong:?} can be read in\n{picture}");
    let missed: Vec<_> = edges.difference(&seen).collect();
    if reduced {
        assert_eq!(missed.len(), drawn.hidden(), "{missed:?} in\n{picture}");
        let implied = |(from, to): &(u32, u32)| reaches(&seen, *from, *to);
        assert!(missed.into_iter().all(implied), "not implied in\n{picture}");
    } else {
        assert!(missed.is_empty(), "{missed:?} cannot be read in\n{picture}");
    }
}

fn reaches(edges: &Edges, from: u32, to: u32) -> bool {
    let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    edges
        .iter()
        .for_each(|(u, v)| next.entry(*u).or_default().push(*v));
    let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
    while let Some(at) = todo.pop() {
        for &after in next.get(&at).into_iter().flatten() {
            if seen.insert(after) {
                todo.push(after);
            }
        }
    }
    seen.contains(&to)
}
