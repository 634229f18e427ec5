use std::sync::{Arc, OnceLock};

use ratatui::buffer::Buffer;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use super::{Fonts, Look, svg};

const REGULAR: &[u8] = include_bytes!("../../assets/font/JetBrainsMono-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../../assets/font/JetBrainsMono-Bold.ttf");

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The drawing could not be read back.
    #[error("the drawing is not valid: {0}")]
    Drawing(#[from] resvg::usvg::Error),
    /// More pixels than fit in memory.
    #[error("a picture of {0} × {1} pixels is too large")]
    TooLarge(u32, u32),
    /// The pixels could not be written as PNG.
    #[error("the picture could not be encoded: {0}")]
    Encoding(String),
}

/// The buffer as a PNG file, `scale` pixels for each pixel of the SVG (2 is sharp on every
/// screen).
pub fn png(buffer: &Buffer, look: &Look, scale: f32) -> Result<Vec<u8>, PictureError> {
    let options = Options {
        fontdb: fonts(),
        font_family: "JetBrains Mono".to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(&svg(buffer, look, Fonts::Shipped), &options)?;
    let size = tree.size();
    let (w, h) = (
        (size.width() * scale).ceil() as u32,
        (size.height() * scale).ceil() as u32,
    );
    let mut pixels = Pixmap::new(w, h).ok_or(PictureError::TooLarge(w, h))?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    pixels
        .encode_png()
        .map_err(|error| PictureError::Encoding(error.to_string()))
}

/// The fonts of `assets/font`, read once: what the machine has installed must not show.
fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(REGULAR.to_vec());
        fonts.load_font_data(BOLD.to_vec());
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(load))
}
