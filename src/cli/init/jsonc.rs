//! Setting and removing one member of a JSON file that people write by hand: comments, trailing
//! commas, indentation and line ends stay as they are.

use std::ops::Range;

/// Why a file cannot be edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The text stops making sense at a line.
    #[error("line {0} is not JSON (with comments)")]
    Syntax(usize),
    /// A member on the way is no object.
    #[error("{0:?} is not an object")]
    NotAnObject(String),
}

/// One member of an object, as places in the text.
struct Member {
    key: String,
    whole: Range<usize>,
    value: Range<usize>,
    /// The place of the comma after it.
    comma: Option<usize>,
}

/// An object, as places in the text.
struct Object {
    /// From the opening to just before the closing brace.
    inside: Range<usize>,
    members: Vec<Member>,
}

/// Whether the member at a path is there.
///
/// # Errors
/// [`Malformed`] when the text cannot be read.
pub fn has(text: &str, path: &[&str]) -> Result<bool, Malformed> {
    let chain = walk(text, path)?;
    Ok(chain.len() == path.len() && found(&chain, path).is_some())
}

/// The text with a member set; one that is there already stays untouched. Objects on the way are
/// made. `value` is written as it is, its further lines indented.
///
/// # Errors
/// [`Malformed`] when the text cannot be read.
pub fn set(text: &str, path: &[&str], value: &serde_json::Value) -> Result<String, Malformed> {
    if blank(text) {
        let made = wrap(path, value.clone());
        return Ok(pretty(&made, "  ") + "\n");
    }
    if has(text, path)? {
        return Ok(text.to_owned());
    }
    let chain = walk(text, path)?;
    let depth = chain.len() - 1;
    let object = &chain[depth];
    let unit = indent_unit(text, &chain[0]);
    let made = wrap(&path[depth + 1..], value.clone());
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let inline = !text[object.inside.clone()].contains('\n') && !object.members.is_empty();
    let key = serde_json::Value::from(path[depth]);
    let mut member = if inline {
        format!(" {key}: {made}")
    } else {
        let indent = unit.repeat(depth + 1);
        let value = pretty(&made, &unit).replace('\n', &format!("\n{indent}"));
        format!("\n{indent}{key}: {value}").replace('\n', line_end)
    };
    let tail = match object.members.last() {
        Some(_) => String::new(),
        None => format!("{line_end}{}", unit.repeat(depth)),
    };
    let at = trimmed_end(text, &object.inside);
    let rest = match object.members.is_empty() {
        true => object.inside.end,
        false => at,
    };
    let (comma_at, comma) = match object.members.last() {
        Some(last) if last.comma.is_none() => (last.whole.end, ","),
        Some(_) => {
            member.push(','); // the file ends its lists with commas
            (at, "")
        }
        None => (at, ""),
    };
    let before = [&text[..comma_at], comma, &text[comma_at..at]].concat();
    Ok([&before, member.as_str(), &tail, &text[rest..]].concat())
}

/// The text without a member, and without the objects around it that this leaves empty; `None`
/// when nothing at all is left.
///
/// # Errors
/// [`Malformed`] when the text cannot be read.
pub fn remove(text: &str, path: &[&str]) -> Result<Option<String>, Malformed> {
    if blank(text) || !has(text, path)? {
        return Ok(Some(text.to_owned()));
    }
    let chain = walk(text, path)?;
    let object = chain.last().expect("the root is always there");
    let at = found(&chain, path).expect("has() saw it");
    let alone = object.members.len() == 1;
    if alone && only_member_inside(text, object, &object.members[at]) {
        return match path.split_last() {
            Some((_, [])) | None => Ok(None),
            Some((_, outer)) => remove(text, outer),
        };
    }
    let member = &object.members[at];
    let start = trimmed_end(text, &(object.inside.start..member.whole.start));
    let end = member.comma.map_or(member.whole.end, |comma| comma + 1);
    let mut kept = [&text[..start], &text[end..]].concat();
    if let (None, Some(before)) = (member.comma, at.checked_sub(1))
        && let Some(comma) = object.members[before].comma
    {
        kept.remove(comma);
    }
    Ok(Some(kept))
}

fn blank(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim().is_empty()
}

fn wrap(path: &[&str], value: serde_json::Value) -> serde_json::Value {
    path.iter().rev().fold(value, |inner, key| {
        serde_json::Value::Object([((*key).to_owned(), inner)].into_iter().collect())
    })
}

fn pretty(value: &serde_json::Value, unit: &str) -> String {
    let two = format!("{value:#}");
    let indented = |line: &str| {
        let depth = (line.len() - line.trim_start().len()) / 2;
        unit.repeat(depth) + line.trim_start()
    };
    two.lines().map(indented).collect::<Vec<_>>().join("\n")
}

fn indent_unit(text: &str, root: &Object) -> String {
    let first = root
        .members
        .first()
        .map(|m| &text[root.inside.start..m.whole.start]);
    let line = first.and_then(|before| before.rsplit_once('\n'));
    match line {
        Some((_, indent)) if !indent.is_empty() && indent.trim().is_empty() => indent.to_owned(),
        _ => "  ".to_owned(),
    }
}

/// The end of what is no white space in a range.
fn trimmed_end(text: &str, range: &Range<usize>) -> usize {
    range.start + text[range.clone()].trim_end().len()
}

fn only_member_inside(text: &str, object: &Object, member: &Member) -> bool {
    let before = &text[object.inside.start..member.whole.start];
    let end = member.comma.map_or(member.whole.end, |comma| comma + 1);
    before.trim().is_empty() && text[end..object.inside.end].trim().is_empty()
}

fn found(chain: &[Object], path: &[&str]) -> Option<usize> {
    let key = path.get(chain.len() - 1)?;
    chain.last()?.members.iter().rposition(|m| m.key == *key)
}

/// The objects on a path, as far as they are there; the root always is.
fn walk(text: &str, path: &[&str]) -> Result<Vec<Object>, Malformed> {
    let mut reader = Reader { text, at: 0 };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    reader.trivia()?;
    let mut chain = vec![reader.object()?];
    reader.trivia()?;
    if reader.at < text.len() {
        return Err(reader.fault());
    }
    while chain.len() < path.len() {
        let Some(at) = found(&chain, path) else {
            break;
        };
        let value = chain[chain.len() - 1].members[at].value.start;
        if !text[value..].starts_with('{') {
            return Err(Malformed::NotAnObject(path[chain.len() - 1].to_owned()));
        }
        chain.push(Reader { text, at: value }.object()?);
    }
    Ok(chain)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn fault(&self) -> Malformed {
        let end = self.at.min(self.text.len());
        Malformed::Syntax(
            self.text.as_bytes()[..end]
                .iter()
                .filter(|b| **b == b'\n')
                .count()
                + 1,
        )
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn take(&mut self, wanted: char) -> bool {
        let there = self.rest().starts_with(wanted);
        if there {
            self.at += wanted.len_utf8();
        }
        there
    }

    /// Skips white space and comments.
    fn trivia(&mut self) -> Result<(), Malformed> {
        loop {
            self.at += self.rest().len() - self.rest().trim_start().len();
            if self.rest().starts_with("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                self.at += self.rest().find("*/").ok_or_else(|| self.fault())? + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn string(&mut self) -> Result<(), Malformed> {
        let start = self.at;
        if !self.take('"') {
            return Err(self.fault());
        }
        loop {
            let stop = self.rest().find(['"', '\\', '\n']);
            let stop = stop.ok_or(Malformed::Syntax(0)).map_err(|_| self.fault())?;
            self.at += stop;
            if self.take('"') {
                return Ok(());
            }
            let escape = self.take('\\') && self.rest().chars().next().is_some();
            if !escape {
                self.at = start;
                return Err(self.fault());
            }
            self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        }
    }

    fn object(&mut self) -> Result<Object, Malformed> {
        if !self.take('{') {
            return Err(self.fault());
        }
        let start = self.at;
        let mut members: Vec<Member> = Vec::new();
        loop {
            self.trivia()?;
            if self.take('}') {
                let inside = start..self.at - 1;
                return Ok(Object { inside, members });
            }
            if members.last().is_some_and(|last| last.comma.is_none()) {
                return Err(self.fault());
            }
            let key = self.at;
            self.string()?;
            let name = serde_json::from_str(&self.text[key..self.at]).map_err(|_| self.fault())?;
            self.trivia()?;
            if !self.take(':') {
                return Err(self.fault());
            }
            self.trivia()?;
            let value = self.at;
            self.value()?;
            let end = self.at;
            self.trivia()?;
            let comma = self.at;
            members.push(Member {
                key: name,
                whole: key..end,
                value: value..end,
                comma: self.take(',').then_some(comma),
            });
        }
    }

    /// Skips a value; what stands inside nested ones is checked for balance only.
    fn value(&mut self) -> Result<(), Malformed> {
        let mut open = Vec::new();
        loop {
            self.trivia()?;
            match self.rest().chars().next() {
                Some('"') => self.string()?,
                Some(c @ ('{' | '[')) => {
                    open.push(if c == '{' { '}' } else { ']' });
                    self.at += 1;
                    continue;
                }
                Some(c @ ('}' | ']')) if open.last() == Some(&c) => {
                    open.pop();
                    self.at += 1;
                }
                Some(',' | ':') if !open.is_empty() => {
                    self.at += 1;
                    continue;
                }
                Some(c) if c.is_ascii_alphanumeric() || c == '-' => {
                    let word = |c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c));
                    self.at += self.rest().find(word).unwrap_or(self.rest().len());
                }
                _ => return Err(self.fault()),
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Malformed, has, remove, set};
    use serde_json::json;

    const PATH: [&str; 2] = ["mcp", "taskdeck"];

    fn added(text: &str) -> String {
        set(text, &PATH, &json!({"on": true})).unwrap()
    }

    #[test]
    fn a_member_is_added_in_the_style_of_the_file() {
        let cases = [
            (
                "",
                "{\n  \"mcp\": {\n    \"taskdeck\": {\n      \"on\": true\n    }\n  }\n}\n",
            ),
            (
                "{}",
                "{\n  \"mcp\": {\n    \"taskdeck\": {\n      \"on\": true\n    }\n  }\n}",
            ),
            (
                "{\n\t\"a\": 1, // note\n\t\"mcp\": {\n\t\t\"x\": {} /* last */\n\t}\n}\n",
                "{\n\t\"a\": 1, // note\n\t\"mcp\": {\n\t\t\"x\": {}, /* last */\n\t\t\"taskdeck\": {\n\t\t\t\"on\": true\n\t\t}\n\t}\n}\n",
            ),
            (
                "{\r\n    \"a\": [1, \"}\"], // why\r\n}\r\n",
                "{\r\n    \"a\": [1, \"}\"], // why\r\n    \"mcp\": {\r\n        \"taskdeck\": {\r\n            \"on\": true\r\n        }\r\n    },\r\n}\r\n",
            ),
            (
                "{\"a\":1}",
                "{\"a\":1, \"mcp\": {\"taskdeck\":{\"on\":true}}}",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(added(text), expected, "{text}");
            assert!(has(expected, &PATH).unwrap());
            assert_eq!(added(expected), expected, "twice is once");
        }
    }

    #[test]
    fn removing_takes_back_what_adding_did() {
        let texts = [
            "{\n  \"a\": 1\n}\n",
            "{\n  // only a comment\n}\n",
            "// head\n{\n\t\"a\": 1, // note\n\t\"mcp\": {\n\t\t\"x\": {} /* last */\n\t}\n}\n",
            "{\"a\":1}",
            "{\n  \"a\": 1, // all end with commas\n}\n",
            "{\r\n  \"a\": {\"b\": \"\\\"//\"}\r\n}",
        ];
        for text in texts {
            let with = added(text);
            assert_ne!(with, text);
            assert_eq!(remove(&with, &PATH).unwrap().as_deref(), Some(text));
        }
        assert_eq!(remove(&added(""), &PATH).unwrap(), None);
        let last = "{\n  \"mcp\": {\n    \"taskdeck\": 1,\n    \"x\": 2\n  },\n}";
        let kept = "{\n  \"mcp\": {\n    \"x\": 2\n  },\n}";
        assert_eq!(remove(last, &PATH).unwrap().as_deref(), Some(kept));
    }

    #[test]
    fn what_cannot_be_read_is_left_alone() {
        let cases = [
            ("{", Malformed::Syntax(1)),
            ("{\n  \"a\" 1\n}", Malformed::Syntax(2)),
            ("{\"a\": 1}\n}", Malformed::Syntax(2)),
            ("[]", Malformed::Syntax(1)),
            ("{\"mcp\": []}", Malformed::NotAnObject("mcp".into())),
        ];
        for (text, expected) in cases {
            assert_eq!(set(text, &PATH, &json!(1)), Err(expected), "{text}");
        }
    }
}
