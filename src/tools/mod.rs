//! The agents' tools as plain functions: JSON arguments in, JSON result out. [`TOOLS`] is the one
//! table behind the command line's `tool`, the MCP server and the documents. No disk, no clock:
//! what a call needs from outside comes in its [`Context`].

mod args;
#[cfg(test)]
mod args_tests;
mod context;
mod schema;
mod table;

pub use args::{Args, Mistake};
pub use context::{Context, World};
pub use table::{Answer, Effect, Kind, Param, Tool};

/// Every tool, in the order in which clients list them.
pub const TOOLS: &[Tool] = &[];
