//! Drawing: model and theme in, cells and mouse rectangles out. One file per pane.
#![allow(dead_code, reason = "the panes that draw with these come next")]

mod glyphs;
mod markdown;
mod pen;
mod popup;
#[cfg(test)]
mod tests;
mod theme;

pub use theme::{ColorDepth, Theme, ThemeError};
