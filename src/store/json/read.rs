use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::fault::{Fault, explain, position};
use super::{decode, scan};
use crate::task::Position;

/// The members of a JSON object in file order, their values as raw text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::store) struct Object<'a> {
    /// Decoded key and raw value; a key may come twice.
    pub(in crate::store) members: Vec<(Cow<'a, str>, &'a str)>,
}

impl<'a> Object<'a> {
    /// The raw value of a key: of a duplicate key the last, as every reader of these files has it.
    pub(in crate::store) fn get(&self, key: &str) -> Option<&'a str> {
        let found = self.members.iter().rev().find(|(name, _)| name == key);
        found.map(|(_, value)| *value)
    }
}

/// Reads the one object that `text` holds.
///
/// # Errors
/// [`Fault`] when node's `JSON.parse` would not give an object either.
pub(in crate::store) fn read(text: &str) -> Result<Object<'_>, Fault> {
    match by_serde(text) {
        Some(object) => Ok(object),
        None => by_scanner(text),
    }
}

/// The fast path. serde_json refuses half surrogate pairs in keys; then the scanner reads on.
pub(super) fn by_serde(text: &str) -> Option<Object<'_>> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let Members(members) = Members::deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    Some(Object { members })
}

/// The fallback, and the one that knows what is wrong.
pub(super) fn by_scanner(text: &str) -> Result<Object<'_>, Fault> {
    let bytes = text.as_bytes();
    let object = scan::object(bytes).map_err(|stop| explain(bytes, &stop))?;
    let members = object.parts.into_iter();
    let members = members.map(|part| (decode(&text[part.key]).0, &text[part.value]));
    Ok(Object {
        members: members.collect(),
    })
}

/// Where a top-level key stands: of a duplicate key the last.
pub(in crate::store) fn place_of(bytes: &[u8], key: &str) -> Option<Position> {
    let object = scan::object(bytes).ok()?;
    let named = |range| decode(&String::from_utf8_lossy(&bytes[range])).0 == key;
    let mut members = object.parts.into_iter().rev();
    let member = members.find(|member| named(member.key.clone()))?;
    Some(position(bytes, member.key.start))
}

struct Members<'a>(Vec<(Cow<'a, str>, &'a str)>);

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(12); // OmO's keys
                while let Some((Key(key), value)) = map.next_entry::<Key<'de>, &'de RawValue>()? {
                    members.push((key, value.get()));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}
