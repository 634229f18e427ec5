//! The drawing is judged by reading it back.

mod calm;
mod generate;
mod glance;
mod many;

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::*;
use generate::{Edges, Random, epics, sparse, window};
use trace::trace;

const ALL: Options = Options {
    reduce: false,
    roomy: false,
    wrap: 80,
};

/// Makes a graph of so many tasks from a seed.
type Make = fn(usize, u64) -> Edges;

const CLASSES_OF_GRAPHS: [(&str, Make); 3] =
    [("epics", epics), ("window", window), ("sparse", sparse)];

fn nodes(count: usize, width: u16) -> Vec<Node> {
    (0..count as u64).map(|key| Node { key, width }).collect()
}

fn numbered(layout: &Layout) -> String {
    layout.to_text(Glyphs::Unicode, &|n| Cow::Owned(format!("t{n}")))
}

fn draw(labels: &[&str], edges: &[(u32, u32)], options: Options) -> String {
    let nodes: Vec<Node> = labels
        .iter()
        .enumerate()
        .map(|(key, label)| Node {
            key: key as u64,
            width: crate::text::width(label) as u16,
        })
        .collect();
    let drawn = layout(&nodes, edges, &options, None);
    drawn.to_text(Glyphs::Unicode, &|n| Cow::Borrowed(labels[n as usize]))
}

fn names(edges: &[(u32, u32)]) -> BTreeSet<(String, String)> {
    edges
        .iter()
        .map(|(u, v)| (format!("t{u}"), format!("t{v}")))
        .collect()
}

/// Edges missed, edges read but not there, edges, rows.
#[derive(Debug, Default)]
struct Reading {
    missed: usize,
    wrong: usize,
    edges: usize,
    rows: i32,
    nodes: usize,
}

fn read(count: usize, edges: &Edges, options: Options, sum: &mut Reading) {
    let drawn = layout(&nodes(count, 4), edges, &options, None);
    let seen = trace(&numbered(&drawn));
    let truth = names(edges);
    sum.missed += truth.difference(&seen).count();
    sum.wrong += seen.difference(&truth).count();
    sum.edges += truth.len();
    sum.rows += drawn.height();
    sum.nodes += count;
}

#[test]
fn every_edge_can_be_followed() {
    for (name, make) in CLASSES_OF_GRAPHS {
        for count in [8, 20, 40, 60] {
            let mut sum = Reading::default();
            for seed in 0..20 {
                read(count, &make(count, seed), ALL, &mut sum);
            }
            println!(
                "{name} {count}: {sum:?} rows/task {}",
                f64::from(sum.rows) / sum.nodes as f64
            );
            assert_eq!((sum.missed, sum.wrong), (0, 0), "{name} {count}: {sum:?}");
        }
    }
}

/// Some tasks wait for one that waits for them, and some for themselves.
#[test]
fn rings_can_be_followed() {
    for (name, make) in CLASSES_OF_GRAPHS {
        for count in [8, 20, 40] {
            let mut sum = Reading::default();
            for seed in 0..20 {
                let mut random = Random::new(seed);
                let mut edges = make(count, seed);
                for _ in 0..random.range(1, 4) {
                    let later = random.range(0, count - 1);
                    edges.push((later as u32, random.range(0, later) as u32));
                }
                edges.sort_unstable();
                edges.dedup();
                read(count, &edges, ALL, &mut sum);
            }
            assert_eq!((sum.missed, sum.wrong), (0, 0), "{name} {count}: {sum:?}");
        }
    }
}

/// As the board draws it, without what longer ways imply.
#[test]
fn forty_tasks_take_few_rows() {
    for (name, make) in CLASSES_OF_GRAPHS {
        let rows = (0..20).map(|seed| {
            let edges = make(40, seed);
            layout(&nodes(40, 4), &edges, &Options::default(), None).height()
        });
        let rows: i32 = rows.sum();
        assert!(rows * 10 <= 20 * 40 * 6, "{name}: {rows} rows of 800 tasks");
    }
}

#[test]
#[ignore = "prints drawings to look at"]
fn look() {
    for (labels, edges) in examples() {
        println!("{}", draw(&labels, &edges, Options::default()));
    }
    println!(
        "{}",
        numbered(&layout(&nodes(40, 3), &epics(40, 1), &ALL, None))
    );
    println!(
        "{}",
        numbered(&layout(&nodes(40, 3), &epics(40, 2), &ALL, None))
    );
    println!(
        "{}",
        numbered(&layout(&nodes(40, 3), &window(40, 1), &ALL, None))
    );
}

type Example = (Vec<&'static str>, Edges);

fn examples() -> Vec<Example> {
    vec![
        (
            vec![
                "✔ Build Frontend",
                "▶ Build Backend",
                "· Integration Tests",
                "· Deploy",
            ],
            vec![(0, 2), (1, 2), (2, 3)],
        ),
        (
            vec![
                "Plan",
                "Agent A: parser",
                "Agent B: 語言サーバ",
                "Agent C: ✅ tests",
                "Agent D: docs",
                "Agent E: bench",
                "Merge results",
                "Release",
            ],
            vec![
                (0, 1),
                (0, 2),
                (0, 3),
                (0, 4),
                (0, 5),
                (1, 6),
                (2, 6),
                (3, 6),
                (4, 6),
                (5, 6),
                (6, 7),
            ],
        ),
        (
            vec![
                "✔ Spec",
                "✔ API contract",
                "▶ 后端 service",
                "▶ Web client 🦀",
                "○ CLI client",
                "· Docs",
                "· Contract tests",
                "· E2E tests",
                "· Release",
                "· Announce",
            ],
            vec![
                (0, 1),
                (0, 5),
                (1, 2),
                (1, 3),
                (1, 4),
                (2, 6),
                (2, 7),
                (3, 7),
                (4, 7),
                (5, 8),
                (6, 8),
                (7, 8),
                (4, 8),
                (8, 9),
                (0, 2),
            ],
        ),
        (
            vec!["Spec", "Implement", "Review", "Fix review", "Ship", "Docs"],
            vec![
                (0, 1),
                (0, 5),
                (1, 2),
                (2, 3),
                (3, 1),
                (3, 4),
                (2, 4),
                (5, 4),
            ],
        ),
        (vec!["A", "B", "C"], vec![(0, 1), (1, 2), (2, 0), (1, 1)]),
        (
            vec![
                "d0", "d1", "d2", "d3", "b0", "b1", "b2", "b3", "t0", "t1", "t2", "t3",
            ],
            (0..4)
                .flat_map(|i| (4..8).flat_map(move |j| [(i, j), (j, i + 8)]))
                .collect(),
        ),
        (
            (0..30)
                .map(|i| {
                    [
                        "design-00",
                        "design-01",
                        "design-02",
                        "design-03",
                        "design-04",
                        "design-05",
                        "design-06",
                        "design-07",
                        "design-08",
                        "design-09",
                        "build-00",
                        "build-01",
                        "build-02",
                        "build-03",
                        "build-04",
                        "build-05",
                        "build-06",
                        "build-07",
                        "build-08",
                        "build-09",
                        "test-00",
                        "test-01",
                        "test-02",
                        "test-03",
                        "test-04",
                        "test-05",
                        "test-06",
                        "test-07",
                        "test-08",
                        "test-09",
                    ][i]
                })
                .collect(),
            vec![
                (1, 10),
                (1, 16),
                (5, 12),
                (4, 12),
                (4, 15),
                (4, 19),
                (8, 18),
                (5, 18),
                (9, 18),
                (9, 14),
                (8, 19),
                (10, 25),
                (16, 27),
                (12, 27),
                (12, 21),
                (15, 25),
                (15, 22),
                (19, 25),
                (19, 28),
                (15, 29),
                (18, 29),
                (18, 23),
                (14, 24),
                (2, 11),
                (7, 11),
                (6, 13),
                (6, 17),
                (11, 20),
                (11, 26),
                (13, 20),
                (17, 26),
            ],
        ),
    ]
}

/// Inputs that break what recurses or counts paths.
fn hostile() -> Vec<(&'static str, usize, Edges)> {
    let ladder = |rungs: u32| {
        (0..rungs).flat_map(|i| {
            [
                (3 * i, 3 * i + 1),
                (3 * i, 3 * i + 2),
                (3 * i + 1, 3 * i + 3),
                (3 * i + 2, 3 * i + 3),
            ]
        })
    };
    vec![
        ("nothing", 0, vec![]),
        ("one task, blocked by itself", 1, vec![(0, 0)]),
        (
            "a chain of 50,000",
            50_000,
            (1..50_000).map(|i| (i - 1, i)).collect(),
        ),
        (
            "a ring of 2,000",
            2_000,
            (0..2_000).map(|i| (i, (i + 1) % 2_000)).collect(),
        ),
        ("2^30 paths", 91, ladder(30).collect()),
        (
            "everyone blocks everyone",
            40,
            (0..40).flat_map(|i| (0..40).map(move |j| (i, j))).collect(),
        ),
        (
            "a barrier of 300 by 300",
            600,
            (0..300)
                .flat_map(|i| (300..600).map(move |j| (i, j)))
                .collect(),
        ),
        (
            "a comb: a chain with an edge from its start to every link",
            2_000,
            (1..2_000).flat_map(|i| [(i - 1, i), (0, i)]).collect(),
        ),
        (
            "random and dense",
            200,
            (0..200)
                .flat_map(|i| {
                    (i + 1..200)
                        .filter(move |j| (i * 7919 + j * 104_729) % 5 < 2)
                        .map(move |j| (i, j))
                })
                .collect(),
        ),
        ("unknown tasks", 2, vec![(0, 9), (9, 1), (0, 1), (0, 1)]),
    ]
}

#[test]
fn hostile_input_is_drawn_or_listed_on_a_small_stack() {
    let work = || {
        for (name, count, edges) in hostile() {
            for options in [ALL, Options::default()] {
                let drawn = layout(&nodes(count, 5), &edges, &options, None);
                let corner = Rect {
                    x: 0,
                    y: 0,
                    width: 120,
                    height: 40,
                };
                drawn.paint(
                    corner,
                    Glyphs::Unicode,
                    &|n| Cow::Owned(n.to_string()),
                    &mut |_, _, _| {},
                );
                assert!(
                    drawn.undrawn() == 0 || edges.len() > 1_000,
                    "{name} is small enough to draw"
                );
            }
        }
    };
    let small = std::thread::Builder::new().stack_size(1 << 20);
    small
        .spawn(work)
        .expect("a thread starts")
        .join()
        .expect("no panic");
}

#[test]
fn the_drawings_of_the_study() {
    let drawn: Vec<String> = examples()
        .iter()
        .map(|(labels, edges)| draw(labels, edges, Options::default()))
        .collect();
    insta::assert_snapshot!(drawn.join("\n"));
}
