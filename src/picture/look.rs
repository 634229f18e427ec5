use ratatui::style::Color;

/// A colour as red, green and blue.
pub type Rgb = (u8, u8, u8);

/// What a terminal decides and a picture has to decide for itself: the colours behind the names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// The default background.
    pub background: Rgb,
    /// The default text colour.
    pub foreground: Rgb,
    /// The sixteen named colours.
    pub palette: [Rgb; 16],
}

/// Sixteen calm colours for a dark background.
const DARK: [Rgb; 16] = [
    (0x1b, 0x1e, 0x26),
    (0xe0, 0x6c, 0x75),
    (0x8c, 0xc2, 0x7a),
    (0xe0, 0xb6, 0x6a),
    (0x6a, 0xa5, 0xf0),
    (0xc0, 0x8a, 0xe0),
    (0x5f, 0xbf, 0xc4),
    (0xc3, 0xc8, 0xd2),
    (0x6b, 0x73, 0x85),
    (0xff, 0x8f, 0x95),
    (0xa9, 0xdc, 0x97),
    (0xf6, 0xd0, 0x88),
    (0x8f, 0xc0, 0xff),
    (0xd9, 0xae, 0xf5),
    (0x86, 0xdb, 0xdf),
    (0xf2, 0xf4, 0xf8),
];

/// The same for a light background.
const LIGHT: [Rgb; 16] = [
    (0x24, 0x29, 0x2f),
    (0xb8, 0x2a, 0x35),
    (0x2e, 0x7d, 0x32),
    (0x8a, 0x61, 0x00),
    (0x1f, 0x5f, 0xbf),
    (0x84, 0x3f, 0xa8),
    (0x0b, 0x75, 0x7c),
    (0x6a, 0x71, 0x7d),
    (0x57, 0x60, 0x6a),
    (0xcf, 0x3b, 0x46),
    (0x3b, 0x8f, 0x40),
    (0x9c, 0x70, 0x06),
    (0x2f, 0x74, 0xd9),
    (0x9a, 0x55, 0xbf),
    (0x1a, 0x87, 0x8f),
    (0x1b, 0x1f, 0x24),
];

impl Look {
    /// A dark terminal.
    pub fn dark() -> Look {
        Look {
            background: (0x14, 0x17, 0x1e),
            foreground: (0xd5, 0xd9, 0xe2),
            palette: DARK,
        }
    }

    /// A light terminal.
    pub fn light() -> Look {
        Look {
            background: (0xfb, 0xfa, 0xf7),
            foreground: (0x2b, 0x30, 0x3a),
            palette: LIGHT,
        }
    }

    /// The colour that a terminal with this look shows, `default` where it was not set.
    pub(super) fn resolve(&self, color: Color, default: Rgb) -> Rgb {
        match color {
            Color::Reset => default,
            Color::Rgb(r, g, b) => (r, g, b),
            Color::Indexed(index) => self.indexed(index),
            named => named_index(named).map_or(default, |index| self.indexed(index)),
        }
    }

    /// The 256-colour palette: sixteen names, a 6×6×6 cube, 24 greys (as xterm has them).
    fn indexed(&self, index: u8) -> Rgb {
        let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
        match index {
            0..=15 => self.palette[usize::from(index)],
            16..=231 => {
                let cube = index - 16;
                (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
            }
            grey => {
                let value = 8 + 10 * (grey - 232);
                (value, value, value)
            }
        }
    }
}

/// The place of a named colour among the sixteen.
pub(super) fn named_index(color: Color) -> Option<u8> {
    Some(match color {
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
        _ => return None,
    })
}
