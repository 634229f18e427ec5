use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::{self, Deserializer as _};
use serde_json::value::RawValue;

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

    /// The same on one line, without the white space between its tokens; every number and string
    /// stays as it is written.
    pub fn compact(&self) -> String {
        let (mut inside, mut escaped) = (false, false);
        let kept = |c: &char| {
            let keep = inside || !matches!(c, ' ' | '\t' | '\n' | '\r');
            match c {
                '"' if !escaped => inside = !inside,
                _ => {}
            }
            escaped = inside && *c == '\\' && !escaped;
            keep
        };
        self.as_str().chars().filter(kept).collect()
    }

    /// The value, when serde_json can read it (it cannot read what only node can: half surrogate
    /// pairs, `1e400`).
    pub fn parse(&self) -> Option<serde_json::Value> {
        serde_json::from_str(&self.0).ok()
    }

    /// The decoded text of a JSON string; half a surrogate pair becomes U+FFFD. `None` for other
    /// values.
    pub fn text(&self) -> Option<String> {
        let string = self.0.trim().starts_with('"');
        string
            .then(|| serde_json::from_str(&without_half_pairs(&self.0)).ok())
            .flatten()
    }

    /// The members of an object in their order, each value as its exact text. `None` for other
    /// values and for text that is no JSON.
    pub fn members(&self) -> Option<Vec<(String, Json)>> {
        let mut reader = serde_json::Deserializer::from_str(&self.0);
        let members = reader.deserialize_map(InOrder).ok()?;
        reader.end().ok()?;
        Some(members)
    }

    /// The items of an array, each as its exact text. `None` for other values and for text that
    /// is no JSON.
    pub fn items(&self) -> Option<Vec<Json>> {
        let items: Vec<&RawValue> = serde_json::from_str(&self.0).ok()?;
        Some(items.iter().map(|item| Json::raw(item.get())).collect())
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

/// Reads an object's members without touching their values.
struct InOrder;

impl<'de> de::Visitor<'de> for InOrder {
    type Value = Vec<(String, Json)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            let key = Json::raw(key.get()).text().unwrap_or_default();
            members.push((key, Json::raw(value.get())));
        }
        Ok(members)
    }
}

/// Replaces escapes of half surrogate pairs (`\ud800` alone), which node writes and serde_json
/// cannot read, by the escape of U+FFFD.
pub fn without_half_pairs(text: &str) -> Cow<'_, str> {
    let mut repaired = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        let escape = at + found;
        let next = text.get(escape + 6..).and_then(utf16_unit);
        at = match (utf16_unit(&text[escape..]), next) {
            (None, _) => escape + 2,
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => escape + 12,
            (Some(0xD800..=0xDFFF), _) => {
                repaired.push_str(&text[copied..escape]);
                repaired.push_str("\\ufffd");
                copied = escape + 6;
                copied
            }
            (Some(_), _) => escape + 6,
        };
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    repaired.push_str(&text[copied..]);
    Cow::Owned(repaired)
}

/// The UTF-16 unit of a `\uXXXX` escape at the start of a text.
fn utf16_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::{Json, without_half_pairs};

    #[test]
    fn half_pairs_become_the_replacement_character_and_nothing_else_changes() {
        let cases = [
            (r#""plain \\ud800 \u00e9""#, r#""plain \\ud800 \u00e9""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""a\ud800b\uDC00\ud800""#, r#""a\ufffdb\ufffd\ufffd""#),
            (r#""\ud800\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""cut \ud8"#, r#""cut \ud8"#),
            (r#"\é"#, r#"\é"#),
        ];
        for (text, expected) in cases {
            assert_eq!(without_half_pairs(text), expected);
        }
    }

    #[test]
    fn a_compact_text_keeps_every_number_and_string() {
        let cases = [
            (
                "{\n  \"n\": 12345678901234567890123,\r\n\t\"x\": 1e400\n}",
                r#"{"n":12345678901234567890123,"x":1e400}"#,
            ),
            (r#"[ "a \" b", "\\" , 1.50 ]"#, r#"["a \" b","\\",1.50]"#),
            (r#"" a ""#, r#"" a ""#),
        ];
        for (text, expected) in cases {
            assert_eq!(Json::raw(text).compact(), expected);
        }
    }

    #[test]
    fn members_keep_order_and_the_exact_text_of_values() {
        let json = Json::raw(r#"{"b": 1.50, "a":{"n":12345678901234567890123}, "\ud800": 1e400}"#);
        let members = json.members().unwrap();
        let shown: Vec<(&str, &str)> = members
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                ("b", "1.50"),
                ("a", r#"{"n":12345678901234567890123}"#),
                ("\u{fffd}", "1e400")
            ]
        );
        assert_eq!(Json::raw("[]").members(), None);
        assert_eq!(Json::raw("{} {}").members(), None);
        assert_eq!(Json::raw(r#"["x", 1]"#).items().unwrap().len(), 2);
        assert_eq!(Json::raw(r#""\ud800x""#).text().unwrap(), "\u{fffd}x");
        assert_eq!(Json::raw("1").text(), None);
    }
}
