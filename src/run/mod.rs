//! Works a list off: takes ready tasks in the board's order and runs a command for each, several
//! at a time. What is taken, what an ending means and why nothing moves is decided by pure
//! functions; processes, logs and signals are at the edge.
//!
//! The file has the last word: what a worker, an agent or a person writes into a task while it
//! runs stands.

mod claiming;
mod control;
mod gate;
mod identity;
mod log;
mod outcome;
mod prompt;
mod queue;
mod record;
mod recover;
mod runner;
mod settling;
mod stopping;
mod summary;
#[cfg(test)]
mod tests;
mod worker;

pub use control::Control;
pub use gate::gate;
pub use outcome::{Done, Ended, Ending, Rules, Verdict, settle};
pub use prompt::{Feed, fill_in, prompt};
pub use queue::{Scope, Standing, standing, takeable, waves};
pub use record::{Attempted, Claimed, Process, Record, last_attempt};
pub use recover::{give_back, stop};
pub use runner::{RunError, RunEvent, RunOptions, run};
pub use summary::{Spent, Summary};
