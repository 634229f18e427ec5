//! Texts from files, made safe for people: cleaned once, measured and cut by grapheme.
//!
//! Task files are written by programs and may hold anything: terminal escape sequences, characters
//! that reorder or hide text, wide and combining characters (DESIGN decision 14). What goes to a
//! terminal goes through [`clean_line`] or [`clean_block`] first; columns are counted with
//! [`width`] only, so that every row of the screen agrees about its length.

mod clean;
mod count;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod measure;
mod nearest;
mod span;
#[cfg(test)]
mod tests;

pub use clean::{clean_block, clean_line};
pub use count::{count, counts};
pub use measure::{graphemes, pad, split_at_width, truncate, width, wrap};
pub use nearest::nearest;
pub use span::span;
