//! A drawn buffer as text, ANSI, SVG or PNG; several as a moving picture.
//!
//! Pictures are made from the same cells that a terminal would get. Lines, blocks and braille are
//! drawn as vector shapes, so that they join without gaps whatever font the viewer has.

mod ansi;
mod film;
mod look;
#[cfg(feature = "pictures")]
mod png;
mod shapes;
mod svg;
#[cfg(test)]
mod tests;
mod text;

pub use ansi::ansi;
pub use film::{Frame, film};
pub use look::{Look, Rgb};
#[cfg(feature = "pictures")]
pub use png::{PictureError, png};
pub use svg::{Fonts, svg};
pub use text::text;
