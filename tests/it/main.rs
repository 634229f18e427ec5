//! The integration tests: one binary, a module per subject.
#![allow(
    clippy::unwrap_used,
    reason = "a test that panics has failed, as it should"
)]

mod board_days;
mod board_life;
mod board_lists;
mod board_pty;
mod board_walk;
mod cases;
mod client;
mod config;
mod doctor;
mod graph;
mod hearing;
mod hostile;
mod limits;
mod looking;
mod made_cases;
mod mcp;
mod numbered;
mod pty;
mod readme;
mod run;
mod run_board;
mod scripts;
mod shapes;
mod store;
mod surfaces;
mod tidy;
mod torture;
mod undo;
