//! What a dialect's own reader demands of a file, as a table.

use std::fmt;

use super::json::{Object, decode};

/// The type that a reader demands of a key's value.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Any string.
    Text,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// An array of strings.
    TextList,
    /// Any object.
    Object,
    /// The number 1.
    One,
    /// An integer above zero.
    Positive,
}

/// One key of a schema.
pub(super) struct Key {
    /// The key in the file.
    pub(super) name: &'static str,
    /// What its value must be.
    pub(super) kind: Kind,
    /// Whether it may be left out.
    pub(super) required: bool,
}

/// A key that must be there.
pub(super) const fn required(name: &'static str, kind: Kind) -> Key {
    Key {
        name,
        kind,
        required: true,
    }
}

/// A key that may be left out (but not be null).
pub(super) const fn optional(name: &'static str, kind: Kind) -> Key {
    Key {
        name,
        kind,
        required: false,
    }
}

/// The keys of a schema, in its order.
pub(super) const fn names<const N: usize>(keys: &[Key; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = keys[at].name;
        at += 1;
    }
    names
}

/// What a schema does not allow about one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyFault {
    pub(super) key: String,
    pub(super) kind: FaultKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FaultKind {
    /// A key that must be there is not.
    Missing,
    Null,
    /// A value of another kind; what it is not, in words.
    Wrong(String),
    /// A strict schema does not know the key.
    Unknown,
}

impl fmt::Display for KeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        match &self.kind {
            FaultKind::Missing => write!(f, "{key} is missing"),
            FaultKind::Null => write!(f, "{key} is null"),
            FaultKind::Wrong(what) => write!(f, "{key} {what}"),
            FaultKind::Unknown => write!(f, "the key {key:?} is unknown to its strict reader"),
        }
    }
}

/// Everything about the object that the schema does not allow; empty when it passes. `strict`
/// schemas reject keys that they do not know.
pub(super) fn faults(object: &Object<'_>, keys: &[Key], strict: bool) -> Vec<KeyFault> {
    let fault = |key: &str, kind| {
        let key = key.to_owned();
        KeyFault { key, kind }
    };
    let mut faults = Vec::new();
    for key in keys {
        let kind = match object.get(key.name) {
            None => key.required.then_some(FaultKind::Missing),
            Some("null") => Some(FaultKind::Null),
            Some(value) => mismatch(value, key).map(FaultKind::Wrong),
        };
        faults.extend(kind.map(|kind| fault(key.name, kind)));
    }
    if strict {
        let known = |name: &str| keys.iter().any(|key| key.name == name);
        let unknown = object.members.iter().filter(|(name, _)| !known(name));
        faults.extend(unknown.map(|(name, _)| fault(name, FaultKind::Unknown)));
    }
    faults
}

fn mismatch(value: &str, key: &Key) -> Option<String> {
    let is_text = value.starts_with('"');
    match key.kind {
        Kind::Text if is_text => None,
        Kind::Text => Some("is not a string".to_owned()),
        Kind::OneOf(words) if is_text && words.contains(&&*decode(value).0) => None,
        Kind::OneOf(words) => Some(format!("is none of {}", words.join(", "))),
        Kind::TextList if is_text_list(value) => None,
        Kind::TextList => Some("is not a list of strings".to_owned()),
        Kind::Object if value.starts_with('{') => None,
        Kind::Object => Some("is not an object".to_owned()),
        Kind::One if value.parse() == Ok(1.0) => None,
        Kind::One => Some("is not 1".to_owned()),
        Kind::Positive
            if value
                .parse()
                .is_ok_and(|n: f64| n > 0.0 && n.fract() == 0.0) =>
        {
            None
        }
        Kind::Positive => Some("is not a whole number above 0".to_owned()),
    }
}

fn is_text_list(value: &str) -> bool {
    serde_json::from_str::<Vec<&serde_json::value::RawValue>>(value)
        .is_ok_and(|items| items.iter().all(|item| item.get().starts_with('"')))
}
