//! The torture suite in its short form: ended by counts, never by clocks. The long form is
//! `cargo run --release --example torture -- --seconds 60`, which shares these modules.

pub mod crowd;
pub mod mirror;
pub mod rival;
pub mod trials;
pub mod worker;

use crowd::{Crowd, Until};

/// How a worker process is started: this very test binary, with one test to run.
const WORKER: [&str; 3] = ["--exact", "torture::a_worker", "--nocapture"];

/// What the processes of the suite run; nothing when the environment names no role.
#[test]
fn a_worker() {
    worker::work_if_told();
}

#[test]
fn a_crowd_of_writers_that_are_killed_loses_no_acknowledged_write() {
    let crowd = Crowd {
        tools: 3,
        omo: 1,
        renamers: 1,
        in_place: 1,
        deleters: 1,
        until: Until::Acknowledged(300),
        per_kill: 40,
        seed: 7,
    };
    let report = crowd.run(&WORKER);
    assert!(report.kills >= 5, "{report}");
    assert!(report.faults.is_empty(), "{report}");
}

#[test]
fn the_world_may_end_in_any_way_and_no_file_is_torn() {
    for trial in trials::TRIALS {
        match (trial.run)(&WORKER) {
            Ok(trials::Done::Held) => {}
            Ok(trials::Done::Skipped(why)) => {
                worker::say(&format!("skipped: {}: {why}", trial.name));
            }
            Err(fault) => panic!("{}: {fault}", trial.name),
        }
    }
}

#[test]
fn writers_with_omo_s_rules_cost_ours_at_most_one_write_in_a_hundred() {
    let contest = rival::contest(&WORKER, 3);
    assert!(contest.ours > 0 || contest.destroyed == 3, "{contest}");
    assert!(contest.held(), "{contest}");
}

#[test]
fn an_idle_board_is_never_the_reason_that_a_writer_fails() {
    let company = rival::company(&WORKER, 1);
    assert_eq!(company.because_of_us, 0, "{company}");
}
