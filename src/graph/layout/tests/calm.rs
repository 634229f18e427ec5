//! The picture holds still while the list grows.

use super::generate::{Random, epics};
use super::*;

/// How many of the old nodes moved more than two rows relative to most of them.
fn moved(before: &Layout, after: &Layout, count: u32) -> usize {
    let shift = |n: u32| after.node_rect(n).y - before.node_rect(n).y;
    let mut shifts: Vec<i32> = (0..count).map(shift).collect();
    shifts.sort_unstable();
    let middle = shifts[shifts.len() / 2];
    shifts.iter().filter(|s| (**s - middle).abs() > 2).count()
}

#[test]
fn an_added_task_moves_few_others() {
    let (mut count, mut all) = (0, 0);
    for seed in 0..40 {
        let edges = epics(40, seed);
        let before = layout(&nodes(40, 4), &edges, &ALL, None);
        let mut more = edges.clone();
        more.push((Random::new(seed + 1000).range(0, 39) as u32, 40));
        let after = layout(&nodes(41, 4), &more, &ALL, Some(&before));
        count += moved(&before, &after, 40);
        all += 40;
        let seen = trace(&numbered(&after));
        assert_eq!(
            seen,
            names(&more),
            "a kept picture is as true as a fresh one"
        );
    }
    assert!(count * 50 <= all, "at most 2 %: {count} of {all} moved");
}

#[test]
fn an_added_edge_moves_few_others() {
    let (mut count, mut all) = (0, 0);
    for seed in 0..40 {
        let edges = epics(40, seed);
        let before = layout(&nodes(40, 4), &edges, &ALL, None);
        let mut random = Random::new(seed + 2000);
        let added = loop {
            let (u, v) = (random.range(0, 39) as u32, random.range(0, 39) as u32);
            if u < v && !edges.contains(&(u, v)) {
                break (u, v);
            }
        };
        let mut more = edges.clone();
        more.push(added);
        let after = layout(&nodes(40, 4), &more, &ALL, Some(&before));
        count += moved(&before, &after, 40);
        all += 40;
        assert_eq!(
            trace(&numbered(&after)),
            names(&more),
            "as true as a fresh one"
        );
    }
    assert!(count * 20 <= all, "at most 5 %: {count} of {all} moved");
}
