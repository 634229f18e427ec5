//! How long the dependency graph takes: `cargo bench --bench graph`. Medians of repeated runs, next to the target
//! on an idle machine. Not a test: nothing fails when a machine is slow.
#![allow(clippy::print_stdout, reason = "the table is what this program is for")]

use std::borrow::Cow;
use std::hint::black_box;
use std::time::{Duration, Instant};

use taskdeck::graph::layout::{Glyphs, Layout, Node, Options, Rect, layout};
use taskdeck::graph::{BlockerRules, DependencyGraph, Edge, NodeState};

#[allow(dead_code, reason = "shared with the tests, which draw more kinds")]
#[path = "../src/graph/layout/tests/generate.rs"]
mod generate;

use generate::{Edges, epics, window};

fn nodes(count: usize) -> Vec<Node> {
    let node = |key| Node { key, width: 16 };
    (0..count as u64).map(node).collect()
}

fn draw(count: usize, edges: &Edges) -> Layout {
    layout(&nodes(count), edges, &Options::default(), None)
}

fn model(count: usize, edges: &Edges) -> DependencyGraph {
    let rules = BlockerRules {
        missing_blocks: true,
        deleted_blocks: true,
    };
    let edge = |(blocker, dependant): &(u32, u32)| Edge {
        blocker: *blocker,
        dependant: *dependant,
        in_blocks: true,
        in_blocked_by: true,
    };
    let states = vec![NodeState::Pending; count];
    DependencyGraph::build(rules, states, edges.iter().map(edge).collect())
}

/// The median of some runs; each run gets its number, so that inputs can differ.
fn median(runs: u64, work: impl Fn(u64)) -> Duration {
    let time = |run: u64| {
        let begun = Instant::now();
        work(run);
        begun.elapsed()
    };
    let mut times: Vec<Duration> = (0..runs).map(time).collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn row(name: &str, took: Duration, target: &str) {
    println!("{name:<44} {:>9.3} ms   {target}", took.as_secs_f64() * 1e3);
}

fn layouts() {
    for (count, runs, target) in [
        (8, 400, "≤ 0.1"),
        (40, 200, "≤ 0.5"),
        (200, 40, "≤ 8"),
        (1_000, 10, "≤ 15"),
        (10_000, 3, "≤ 150"),
    ] {
        let inputs: Vec<Edges> = (0..runs.min(20)).map(|seed| epics(count, seed)).collect();
        let took = median(runs, |run| {
            black_box(draw(count, &inputs[run as usize % inputs.len()]));
        });
        row(&format!("layout, epics of {count}"), took, target);
    }
    for (count, runs) in [(40, 200), (200, 20)] {
        let inputs: Vec<Edges> = (0..20).map(|seed| window(count, seed)).collect();
        let took = median(runs, |run| {
            black_box(draw(count, &inputs[run as usize % inputs.len()]));
        });
        row(&format!("layout, window of {count}"), took, "");
    }
}

fn neighbourhoods() {
    let count = 100_000;
    let graph = model(count, &epics(count, 1));
    let took = median(400, |run| {
        let start = (run * 7_919 % count as u64) as u32;
        let near = graph.near(start, 3, 40, |_| true);
        black_box(draw(near.len(), &graph.edges_among(&near)));
    });
    row(
        "neighbourhood in 100,000, found and laid out",
        took,
        "≤ 0.5",
    );
}

fn painting() {
    for (name, count) in [("40", 40), ("10,000", 10_000)] {
        let picture = draw(count, &epics(count, 1));
        let rows = picture.height().max(1) as u64;
        let took = median(400, |run| {
            let view = Rect {
                x: (run % 3) as i32 * 20,
                y: (run * 997 % rows) as i32,
                width: 120,
                height: 40,
            };
            let label = |_: u32| Cow::Borrowed("Write the parser");
            picture.paint(view, Glyphs::Unicode, &label, &mut |x, y, cell| {
                black_box((x, y, cell));
            });
        });
        row(&format!("painting 120×40 of {name}"), took, "≤ 0.2");
    }
}

fn questions() {
    let count = 10_000;
    let edges = window(count, 1);
    let graph = model(count, &edges);
    let all: Vec<u32> = (0..count as u32).collect();
    let schedule = graph.schedule();
    row(
        "levels and critical path, window of 10,000",
        median(20, |_| {
            black_box(graph.schedule());
        }),
        "",
    );
    row(
        "waves, window of 10,000",
        median(20, |_| {
            black_box(graph.waves(&all, &schedule));
        }),
        "",
    );
    row(
        "outline, window of 10,000",
        median(20, |_| {
            black_box(graph.outline(&all));
        }),
        "",
    );
}

fn main() {
    println!(
        "{:<44} {:>12}   target on an idle machine",
        "what", "median"
    );
    layouts();
    neighbourhoods();
    painting();
    questions();
}
