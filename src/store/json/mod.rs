//! JSON as other programs write it: read by their rules, changed by splicing bytes.
//!
//! serde_json reads first. What node reads and serde_json does not falls back to our own scanner,
//! which also finds the places that an edit splices and the words for what is wrong with a file.

mod decode;
mod edit;
mod fault;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod print;
mod read;
mod scan;
#[cfg(test)]
mod tests;

pub(super) use decode::{decode, edge_ids};
pub(super) use edit::apply;
pub use fault::Fault;
pub(super) use print::{Style, print};
pub(super) use read::{Object, place_of, read};
