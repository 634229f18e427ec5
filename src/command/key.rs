use std::fmt;
use std::str::FromStr;

use ratatui::crossterm::event::KeyCode;

/// One key press. Written as `j`, `J`, `+`, `enter`, `ctrl-d`, `alt-x`, `f1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// The key; letters carry their case.
    pub code: KeyCode,
    /// Control was held.
    pub ctrl: bool,
    /// Alt was held.
    pub alt: bool,
}

/// A text that names no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no key; write j, J, enter, tab, space, ctrl-d, alt-x or f1")]
pub struct BadKey(pub String);

/// The keys with a name.
const NAMED: [(&str, KeyCode); 16] = [
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backtab", KeyCode::BackTab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
];

impl Key {
    /// A key without control and alt.
    pub fn plain(code: KeyCode) -> Key {
        Key {
            code,
            ctrl: false,
            alt: false,
        }
    }

    /// The character that the key types, if it types one.
    pub fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }
}

impl FromStr for Key {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Key, BadKey> {
        let (mut ctrl, mut alt, mut rest) = (false, false, text);
        loop {
            if let Some(after) = rest.strip_prefix("ctrl-") {
                (ctrl, rest) = (true, after);
            } else if let Some(after) = rest.strip_prefix("alt-") {
                (alt, rest) = (true, after);
            } else {
                break;
            }
        }
        let named = NAMED
            .iter()
            .find(|(name, _)| *name == rest)
            .map(|(_, code)| *code);
        let function = rest
            .strip_prefix('f')
            .and_then(|n| n.parse().ok())
            .map(KeyCode::F);
        let mut chars = rest.chars();
        let letter = match (chars.next(), chars.next()) {
            (Some(c), None) => Some(KeyCode::Char(c)),
            _ => None,
        };
        let code = named
            .or(letter)
            .or(function)
            .ok_or_else(|| BadKey(text.to_owned()))?;
        Ok(Key { code, ctrl, alt })
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.ctrl { "ctrl-" } else { "" })?;
        f.write_str(if self.alt { "alt-" } else { "" })?;
        match NAMED.iter().find(|(_, code)| *code == self.code) {
            Some((name, _)) => f.write_str(name),
            None => match self.code {
                KeyCode::Char(c) => write!(f, "{c}"),
                KeyCode::F(n) => write!(f, "f{n}"),
                other => write!(f, "{other:?}"),
            },
        }
    }
}
