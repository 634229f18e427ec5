use std::borrow::Cow;

use super::scan;

/// Decodes a raw JSON string (with its quotes). The flag says that something could not be kept:
/// half a surrogate pair, which node reads and no Rust string can hold, became U+FFFD.
pub(in crate::store) fn decode(raw: &str) -> (Cow<'_, str>, bool) {
    let inner = raw
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(raw);
    if !inner.contains('\\') {
        return (Cow::Borrowed(inner), false);
    }
    let mut text = String::with_capacity(inner.len());
    let mut lossy = false;
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let (character, length) = escape(&rest[at..]);
        lossy |= character.is_none();
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        rest = &rest[at + length..];
    }
    text.push_str(rest);
    (Cow::Owned(text), lossy)
}

/// The character an escape stands for, `None` for half a surrogate pair, and the escape's length.
fn escape(text: &str) -> (Option<char>, usize) {
    let simple = |c| (Some(c), 2);
    match text.as_bytes().get(1) {
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'u') => match (unit(text), text.get(6..).and_then(unit)) {
            (Some(high @ 0xd800..0xdc00), Some(low @ 0xdc00..0xe000)) => {
                let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                (char::from_u32(code), 12)
            }
            (Some(code), _) => (char::from_u32(code), 6),
            (None, _) => (None, text.len()),
        },
        Some(byte) => simple(char::from(*byte)),
        None => (None, 1),
    }
}

/// The code unit of `\uXXXX` at the start of the text.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

/// The ids of an edge field, read with tolerance: a bare string or number counts as one id,
/// numbers among the items count as their digits, everything else as nothing. The flags say
/// whether a text was lossy and whether the field is a clean array of strings.
pub(in crate::store) fn edge_ids(raw: &str) -> EdgeIds {
    let mut found = EdgeIds {
        ids: Vec::new(),
        lossy: false,
        clean: raw.starts_with('['),
    };
    if found.clean {
        let items = scan::array_at(raw.as_bytes(), 0).map(|array| array.parts);
        for item in items.unwrap_or_default() {
            found.take(&raw[item]);
        }
    } else {
        found.take(raw);
    }
    found
}

/// What an edge field names.
pub(in crate::store) struct EdgeIds {
    /// In file order, duplicates included.
    pub(in crate::store) ids: Vec<String>,
    /// An id held half a surrogate pair.
    pub(in crate::store) lossy: bool,
    /// The field is an array of strings, as every dialect's schema wants it.
    pub(in crate::store) clean: bool,
}

impl EdgeIds {
    fn take(&mut self, raw: &str) {
        match raw.as_bytes().first() {
            Some(b'"') => {
                let (id, lossy) = decode(raw);
                self.lossy |= lossy;
                if !id.is_empty() {
                    self.ids.push(id.into_owned());
                }
            }
            Some(b'-' | b'0'..=b'9') => {
                self.clean = false;
                self.ids.push(raw.to_owned());
            }
            _ => self.clean = false,
        }
    }
}
