//! The event loop: terminal guard, input thread, effects and their worker. The screen thread never
//! waits for a lock or a disk, and nothing ticks when nothing happens.

mod ask;
mod clock;
mod desk;
mod editor;
mod feel;
mod inbox;
mod input;
mod layouts;
mod lists;
mod pointer;
mod run;
mod signals;
mod terminal;
mod worker;
mod workers;

pub use desk::Opened;
pub use feel::{Feel, Look};
pub use lists::Shelf;
pub use run::{BoardOptions, Jobs, run};
pub use terminal::check as check_terminal;
