//! The person's configuration: `config.toml` and the theme files beside it. Only what was written
//! is read and placed; which commands there are is known further down the house.

mod place;
mod read;
mod settings;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;

pub use place::{config_path, theme_names, theme_text};
pub use read::read;
pub use settings::{Flags, SETTINGS, Setting, Settings, Source, Value};

/// What a `config.toml` says, with the lines that say it. What could not be understood is left out
/// and named in `faults`; the rest counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// The file; `None` without a home. It need not exist.
    pub path: Option<PathBuf>,
    /// Whether there is such a file.
    pub exists: bool,
    /// The theme's name.
    pub theme: Option<Placed<String>>,
    /// The switches that are set, by name.
    pub switches: Vec<(&'static str, Placed<bool>)>,
    /// The keys of commands.
    pub keys: Vec<KeyEntry>,
    /// What is wrong with the file.
    pub faults: Vec<Fault>,
}

/// A value and the line that it stands in, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Its line.
    pub line: usize,
}

/// A line of `[keys]`: all keys of one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEntry {
    /// The command as it is written; it may not exist.
    pub command: String,
    /// The sequences as they are written, such as `g x`; none leaves the command without a key.
    pub keys: Vec<String>,
    /// Where.
    pub line: usize,
}

/// Something wrong in a file that a person wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, counted from 1; `None` for the whole file.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Fault {
    /// A fault in a line, with nothing to suggest.
    pub fn at(line: usize, message: impl Into<String>) -> Fault {
        Fault {
            line: Some(line),
            message: message.into(),
            hint: None,
        }
    }

    /// A name that does not exist, with the one that was likely meant, else all that exist.
    pub fn unknown(line: usize, kind: &str, name: &str, known: &[&str]) -> Fault {
        let near = crate::text::nearest(name, known.iter().copied());
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.len() <= 12 => format!("there are {}", known.join(", ")),
            None => format!("`taskdeck config` lists every {kind}"),
        };
        Fault {
            hint: Some(hint),
            ..Fault::at(line, format!("there is no {kind} `{name}`"))
        }
    }

    /// Adds what to do.
    pub fn hint(self, hint: impl Into<String>) -> Fault {
        Fault {
            hint: Some(hint.into()),
            ..self
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

/// The line of a byte, counted from 1.
pub fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().get(..byte).unwrap_or(text.as_bytes());
    1 + before.iter().filter(|b| **b == b'\n').count()
}
