use super::decode;
use crate::task::Json;

/// How a file lays out its JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::store) struct Style {
    /// The line end and one step of indentation; `None` for a file on one line.
    pub(in crate::store) lines: Option<(String, String)>,
    /// What stands between a key and its value.
    pub(in crate::store) colon: String,
    /// What stands between two members on one line.
    pub(in crate::store) comma: String,
}

impl Style {
    /// `JSON.stringify(x, null, 2)`, the layout of every program that writes these files.
    pub(in crate::store) fn node() -> Style {
        Style {
            lines: Some(("\n".to_owned(), "  ".to_owned())),
            colon: ": ".to_owned(),
            comma: ", ".to_owned(),
        }
    }

    /// The line break before something at `depth`, nothing on one line.
    pub(in crate::store) fn line(&self, depth: usize) -> String {
        match &self.lines {
            Some((end, step)) => end.clone() + &step.repeat(depth),
            None => String::new(),
        }
    }

    /// What stands between two members at `depth`, the comma included.
    fn between(&self, depth: usize) -> String {
        match self.lines {
            Some(_) => format!(",{}", self.line(depth)),
            None => self.comma.clone(),
        }
    }
}

/// Lays a valid JSON text out anew, as a value that stands at `depth`. Strings are escaped as
/// `JSON.stringify` does it (where nothing is lost by it), numbers keep their digits.
pub(in crate::store) fn print(json: &Json, style: &Style, depth: usize) -> String {
    let text = json.as_str();
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut depth = depth;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'"' => {
                let end = string_end(bytes, at);
                out.push_str(&string(&text[at..end]));
                at = end;
                continue;
            }
            b'{' | b'[' => {
                out.push(char::from(*byte));
                let inside = bytes[at + 1..].trim_ascii_start();
                if !matches!(inside.first(), Some(b'}' | b']')) {
                    depth += 1;
                    out.push_str(&style.line(depth));
                }
            }
            b'}' | b']' => {
                if !matches!(bytes[..at].trim_ascii_end().last(), Some(b'{' | b'[')) {
                    depth = depth.saturating_sub(1);
                    out.push_str(&style.line(depth));
                }
                out.push(char::from(*byte));
            }
            b',' => out.push_str(&style.between(depth)),
            b':' => out.push_str(&style.colon),
            other => out.push(char::from(*other)),
        }
        at += 1;
    }
    out
}

fn string(raw: &str) -> String {
    match decode(raw) {
        (text, false) => Json::string(&text).as_str().to_owned(),
        (_, true) => raw.to_owned(),
    }
}

/// The end of the string that starts at `at`, behind its closing quote.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'"' => return end + 1,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    bytes.len()
}
