//! The figures of the README, each beside what the disk and the terminal cost by themselves in the
//! same run: `cargo bench --bench figures [-- PART…]`. Machines are noisy, so a verdict compares with
//! the reference, not with a number of milliseconds; each figure is the median of five.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a measuring program: what fails here ends it, with its place"
)]

mod board;
mod compare;
mod graph;
mod lists;
mod programs;
mod reference;
mod table;
mod terminal;
mod yardstick;

use table::Table;

/// Measures some figures.
type Part = fn(&mut Table);

/// The parts, in the order in which they run.
const PARTS: [(&str, Part); 6] = [
    ("programs", programs::measure),
    ("graph", graph::measure),
    ("board", board::measure),
    ("terminal", terminal::measure),
    ("yardstick", compare::measure),
    ("creating", programs::measure_creating),
];

/// Makes this program the yardstick board on the list in a folder.
const YARDSTICK: &str = "--yardstick";

fn main() {
    let mut given = std::env::args_os().skip(1);
    if given.next().is_some_and(|first| first == YARDSTICK) {
        return yardstick::run(given.next().unwrap().as_ref());
    }
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let mut table = Table::begin();
    for (name, part) in PARTS {
        if asked.is_empty() || asked.iter().any(|a| a == name) {
            part(&mut table);
        }
    }
    table.end();
}
