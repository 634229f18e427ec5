//! The agents' tools as plain functions: JSON arguments in, JSON result out. [`TOOLS`] is the one
//! table behind the command line's `tool`, the MCP server and the documents. No disk, no clock:
//! what a call needs from outside comes in its [`Context`].

mod args;
#[cfg(test)]
mod args_tests;
mod context;
mod edges;
mod listing;
mod mermaid;
mod omo;
mod person;
mod planning;
mod schema;
mod show;
mod table;
#[cfg(test)]
mod tests;
mod wait;
mod why;
mod work;

pub use args::{Args, Mistake};
pub use context::{Context, World};
pub use mermaid::mermaid;
pub use person::notices;
pub use table::{Answer, Effect, Kind, Param, Tool};

/// Every tool, in the order in which clients list them.
pub const TOOLS: &[Tool] = &[
    omo::TASK_CREATE,
    omo::TASK_GET,
    listing::TASK_LIST,
    omo::TASK_UPDATE,
    work::TASK_READY,
    work::TASK_CLAIM,
    work::TASK_RELEASE,
    wait::TASK_WAIT,
    why::TASK_WHY,
    edges::TASK_LINK,
    edges::TASK_UNLINK,
    planning::TASK_BULK_CREATE,
    planning::TASK_SPLIT,
    edges::TASK_DELETE,
];
