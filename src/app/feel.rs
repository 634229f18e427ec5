use crate::command::Keymap;
use crate::view::Theme;

/// How a board looks and feels to its person.
#[derive(Debug, Clone)]
pub struct Feel {
    /// How it looks.
    pub look: Look,
    /// Which keys do what.
    pub keymap: Keymap,
    /// Whether it begins with the mouse in its hands.
    pub mouse: bool,
    /// Whether changes from outside are drawn seldom (reduced motion).
    pub calm: bool,
    /// What is wrong with the configuration, in one line.
    pub fault: Option<String>,
}

/// The theme, or the two between which the terminal's background decides.
#[derive(Debug, Clone)]
pub enum Look {
    /// This one.
    Fixed(Box<Theme>),
    /// One of two.
    ByTerminal {
        /// For dark backgrounds, and where the terminal does not say.
        dark: Box<Theme>,
        /// For light ones.
        light: Box<Theme>,
    },
}

impl Look {
    /// Whether the terminal has to be asked.
    pub(super) fn asks(&self) -> bool {
        matches!(self, Look::ByTerminal { .. })
    }

    /// The theme on a background that is light, dark, or not known.
    pub fn on(self, light_background: Option<bool>) -> Theme {
        match self {
            Look::Fixed(theme) => *theme,
            Look::ByTerminal { light, .. } if light_background == Some(true) => *light,
            Look::ByTerminal { dark, .. } => *dark,
        }
    }
}
