//! The torture suite in its long form: `cargo run --release --example torture -- --seconds 60`.
//! Ends with 1 when an acknowledged write was lost, a file is torn or a lock outlived its time.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a harness: whatever fails here has found something, and says so"
)]

#[path = "../tests/it/torture/crowd.rs"]
mod crowd;
#[path = "../tests/it/torture/mirror.rs"]
mod mirror;
#[path = "../tests/it/torture/rival.rs"]
mod rival;
#[path = "../tests/it/torture/trials.rs"]
mod trials;
#[path = "../tests/it/torture/worker.rs"]
mod worker;

use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    if worker::work_if_told() {
        return ExitCode::SUCCESS;
    }
    let words: Vec<String> = std::env::args().collect();
    let after = |name: &str| {
        let place = words.iter().position(|word| word == name)?;
        words.get(place + 1)?.parse().ok()
    };
    let mut faults = 0;
    for trial in trials::TRIALS {
        let said = match (trial.run)(&[]) {
            Ok(trials::Done::Held) => "held".to_owned(),
            Ok(trials::Done::Skipped(why)) => format!("SKIPPED: {why}"),
            Err(fault) => {
                faults += 1;
                format!("FAULT: {fault}")
            }
        };
        println!("{}: {said}", trial.name);
    }
    let rounds = after("--rounds").unwrap_or(40);
    let contest = rival::contest(&[], u32::try_from(rounds).unwrap());
    println!("4 with OmO's rules and 4 of ours on one task: {contest}");
    let company = rival::company(&[], u32::try_from(rounds / 8).unwrap());
    println!("8 that never try again: {company}");
    faults += usize::from(!contest.held()) + usize::from(company.because_of_us > 0);
    let seconds = after("--seconds").unwrap_or(60);
    let crowd = crowd::Crowd {
        tools: 8,
        omo: 2,
        renamers: 2,
        in_place: 2,
        deleters: 2,
        until: crowd::Until::Time(Duration::from_secs(seconds)),
        per_kill: 25,
        seed: after("--seed").unwrap_or(20_260_101),
    };
    let report = crowd.run(&[]);
    println!("a crowd for {seconds} s: {report}");
    faults += report.faults.len();
    ExitCode::from(u8::from(faults > 0))
}
