//! The event loop: terminal guard, input thread, effects and their worker. The screen thread never
//! waits for a lock or a disk, and nothing ticks when nothing happens.

mod clock;
mod editor;
mod input;
mod run;
mod signals;
mod terminal;
mod worker;

pub use run::{BoardOptions, run};
pub use terminal::check as check_terminal;
