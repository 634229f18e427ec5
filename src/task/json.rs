use std::fmt;
use std::sync::Arc;

/// One JSON value as its exact text: numbers keep their digits, strings their escapes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Json(Arc<str>);

impl Json {
    /// Wraps a text that is known to be one JSON value.
    pub fn raw(text: impl AsRef<str>) -> Json {
        Json(Arc::from(text.as_ref()))
    }

    /// A JSON string in the way `JSON.stringify` writes it: only `"`, `\` and control characters
    /// are escaped.
    pub fn string(text: &str) -> Json {
        Json::raw(serde_json::Value::from(text).to_string())
    }

    /// Any value.
    pub fn value(value: &serde_json::Value) -> Json {
        Json::raw(value.to_string())
    }

    /// The exact text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value, when serde_json can read it (it cannot read what only node can: half surrogate
    /// pairs, `1e400`).
    pub fn parse(&self) -> Option<serde_json::Value> {
        serde_json::from_str(&self.0).ok()
    }

    /// Whether both texts mean the same value, however they are written.
    pub fn same_value(&self, other: &Json) -> bool {
        self.0 == other.0 || matches!((self.parse(), other.parse()), (Some(a), Some(b)) if a == b)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
