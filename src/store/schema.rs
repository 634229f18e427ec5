//! What a dialect's own reader demands of a file, as a table.

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

/// Everything about the object that the schema does not allow, in words; empty when it passes.
/// `strict` schemas reject keys that they do not know.
pub(super) fn faults(object: &Object<'_>, keys: &[Key], strict: bool) -> Vec<String> {
    let mut faults = Vec::new();
    for key in keys {
        match object.get(key.name) {
            None if key.required => faults.push(format!("{} is missing", key.name)),
            None => {}
            Some("null") => faults.push(format!("{} is null", key.name)),
            Some(value) => faults.extend(mismatch(value, key).map(|m| format!("{} {m}", key.name))),
        }
    }
    if strict {
        let known = |name: &str| keys.iter().any(|key| key.name == name);
        for (name, _) in object.members.iter().filter(|(name, _)| !known(name)) {
            faults.push(format!("the key {name:?} is unknown to its strict reader"));
        }
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
