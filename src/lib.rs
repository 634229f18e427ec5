//! taskdeck: the task system of AI coding agents as a library, and the live board on it.
//!
//! The rooms below import only from rooms above them; `ARCHITECTURE.md` is the map and
//! `tests/it/tidy.rs` holds the walls. A program that only wants the store uses
//! [`store`] (and the pure rooms above it) and nothing else.

pub mod task;

pub mod text;

pub mod graph;

pub mod list;

pub mod store;

pub mod state;

pub mod run;

pub mod tools;

pub mod command;

pub mod board;

pub mod view;

pub mod app;

pub mod picture;

pub mod demo;

pub mod mcp;

pub mod cli;

#[cfg(any(test, fuzzing))]
pub mod fuzz;
