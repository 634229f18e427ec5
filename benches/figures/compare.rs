//! The board beside the yardstick board, both in a pseudo terminal on the same list.

use std::time::Duration;

use super::lists::Tasks;
use super::table::{Table, Target, median, quantile, time};
use super::terminal::{Board, Program, put_in_sight};

/// What a board takes.
struct Taken {
    first: Duration,
    p50: Duration,
    p95: Duration,
    key: Duration,
    memory: Option<f64>,
    /// After a thousand changed files.
    later: Option<f64>,
}

const NONE: Duration = Duration::ZERO;

pub fn measure(table: &mut Table) {
    let counts = [(1_000, 3.0), (10_000, 2.5)];
    let taken = counts.map(|(count, _)| {
        let tasks = Tasks::make(count);
        (
            take(&tasks, Program::Ours),
            take(&tasks, Program::Yardstick),
        )
    });
    for ((count, memory), (ours, bare)) in counts.into_iter().zip(&taken) {
        let beside = |bare, factor| Target::Times("yardstick", bare, factor, NONE);
        let name = |what: &str| format!("{what}, {count} tasks, beside the yardstick");
        table.row(&name("first frame"), ours.first, beside(bare.first, 1.5));
        table.row(&name("changed cell, p95"), ours.p95, beside(bare.p95, 2.0));
        table.row(&name("key to output"), ours.key, beside(bare.key, 2.0));
        match (ours.memory, bare.memory, ours.later) {
            (Some(mb), Some(bare), Some(later)) => {
                table.amount(&name("memory"), mb, memory * bare, "MB");
                table.amount(&name("memory after 1000 changes"), later, 1.2 * mb, "MB");
            }
            _ => table.skip("memory", "no /proc here"),
        }
    }
    let [(small, _), (large, _)] = &taken;
    let limit = Target::Times("the same at 1000", small.p50, 2.0, NONE);
    table.row("changed cell, p50, 10000 tasks", large.p50, limit);
}

fn take(tasks: &Tasks, program: Program) -> Taken {
    put_in_sight(tasks, "Seen0");
    let first = median(|| {
        let mut board = Board::open_as(tasks, program);
        let took = board.see("Seen0") - board.started();
        board.quit();
        took
    });
    let mut board = Board::open_as(tasks, program);
    board.see("Seen0");
    std::thread::sleep(Duration::from_millis(500)); // the start is not what is measured
    let memory = board.memory_mb();
    let mut changes: Vec<Duration> = (1..=40)
        .map(|turn| {
            std::thread::sleep(Duration::from_millis(20)); // agents are not a burst
            let word = format!("Seen{turn}x");
            time(|| {
                put_in_sight(tasks, &word);
                board.see(&word)
            })
        })
        .collect();
    let mut keys: Vec<Duration> = (0..40)
        .map(|_| {
            std::thread::sleep(Duration::from_millis(20));
            board.key_to_output("j")
        })
        .collect();
    for turn in 0..1_000 {
        put_in_sight(tasks, &format!("Again{turn}x"));
    }
    board.see("Again999x");
    let later = board.memory_mb();
    board.quit();
    Taken {
        first,
        p50: quantile(&mut changes, 0.5),
        p95: quantile(&mut changes, 0.95),
        key: quantile(&mut keys, 0.5),
        memory,
        later,
    }
}
