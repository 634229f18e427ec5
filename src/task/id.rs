use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// A task's identity: its file name without `.json`. Cheap to clone, ordered as text.
///
/// Ids that come from inside a file (edges, `parentID`) may be any text; only ids that pass
/// [`crate::task::Dialect::check_id`] ever become part of a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(Arc<str>);

/// Why a text is no task id in a dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{id:?} is not a task id: {rule}")]
pub struct InvalidId {
    /// The text as given.
    pub id: String,
    /// The dialect's rule, in words.
    pub rule: &'static str,
}

impl TaskId {
    /// Wraps a text without checking it against any dialect.
    pub fn new(text: impl AsRef<str>) -> TaskId {
        TaskId(Arc::from(text.as_ref()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number of a numbered list's id (`7` for `"7"`), for ordering.
    pub fn number(&self) -> Option<u64> {
        let digits = !self.0.is_empty() && self.0.bytes().all(|b| b.is_ascii_digit());
        if digits { self.0.parse().ok() } else { None }
    }

    /// A short form for people: `T-` and the first eight characters after it of an OmO id,
    /// otherwise the whole id.
    pub fn short(&self) -> &str {
        match self.0.strip_prefix("T-") {
            Some(rest) => match rest.char_indices().nth(8) {
                Some((cut, _)) => &self.0[..2 + cut],
                None => &self.0,
            },
            None => &self.0,
        }
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &self.0)
    }
}

impl Borrow<str> for TaskId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for TaskId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for TaskId {
    fn from(text: &str) -> TaskId {
        TaskId::new(text)
    }
}
