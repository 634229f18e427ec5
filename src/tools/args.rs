use serde_json::Value;

use super::table::{Kind, Param, Tool};
use crate::task::Json;

/// The arguments of a call, checked against the tool's parameters and brought to their types.
///
/// Models make the same few mistakes everywhere: another name for a parameter, a JSON text where
/// an array or object belongs, a number for a string. Where only one meaning is possible it is
/// taken; a text parameter keeps its text even when that looks like JSON.
#[derive(Debug, Clone, Default)]
pub struct Args(Vec<(&'static str, Given)>);

#[derive(Debug, Clone)]
enum Given {
    Text(String),
    Integer(u64),
    Flag(bool),
    List(Vec<String>),
    Object(Vec<(String, Json)>),
    Objects(Vec<Args>),
}

/// Why a call cannot be understood: one sentence that names the parameter and shows a right call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Mistake(String);

impl Args {
    /// Reads the arguments of a call from their JSON text; an empty text or `null` is no arguments.
    ///
    /// # Errors
    /// [`Mistake`] when an argument is missing, unknown, or of a type that has no one meaning.
    pub fn parse(tool: &Tool, text: &str) -> Result<Args, Mistake> {
        let text = text.trim();
        let text = if text.is_empty() || text == "null" {
            "{}"
        } else {
            text
        };
        read(tool.params, text).map_err(|wrong| {
            Mistake(format!(
                "{wrong}. A right call: {} {}",
                tool.name, tool.example
            ))
        })
    }

    fn get(&self, name: &str) -> Option<&Given> {
        self.0
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, given)| given)
    }

    /// Whether the parameter was given.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A text or choice.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Given::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A number.
    pub fn integer(&self, name: &str) -> Option<u64> {
        match self.get(name) {
            Some(Given::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    /// A flag; an absent one is false.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Given::Flag(true)))
    }

    /// A list; an absent one is empty.
    pub fn list(&self, name: &str) -> &[String] {
        match self.get(name) {
            Some(Given::List(list)) => list,
            _ => &[],
        }
    }

    /// The members of an object in their order, each value as its exact text.
    pub fn object(&self, name: &str) -> &[(String, Json)] {
        match self.get(name) {
            Some(Given::Object(members)) => members,
            _ => &[],
        }
    }

    /// A list of objects; an absent one is empty.
    pub fn objects(&self, name: &str) -> &[Args] {
        match self.get(name) {
            Some(Given::Objects(items)) => items,
            _ => &[],
        }
    }
}

fn read(params: &'static [Param], text: &str) -> Result<Args, String> {
    let members = Json::raw(text)
        .members()
        .ok_or("the arguments must be one JSON object")?;
    let mut args = Args::default();
    for (key, value) in members {
        let param = find(params, &key).ok_or_else(|| unknown(params, &key))?;
        if args.has(param.name) {
            return Err(format!("parameter \"{}\" was given twice", param.name));
        }
        if value.as_str() != "null" {
            args.0.push((param.name, convert(param, &value)?));
        }
    }
    match params.iter().find(|p| p.required && !args.has(p.name)) {
        Some(param) => Err(format!(
            "parameter \"{}\" is missing: {}",
            param.name, param.description
        )),
        None => Ok(args),
    }
}

fn find(params: &'static [Param], key: &str) -> Option<&'static Param> {
    let plain = |name: &str| name.replace(['_', '-'], "").to_ascii_lowercase();
    let wanted = plain(key);
    let named = |p: &&Param| p.name == key || p.aliases.contains(&key);
    let spelled = |p: &&Param| {
        plain(p.name) == wanted || p.aliases.iter().any(|alias| plain(alias) == wanted)
    };
    params
        .iter()
        .find(named)
        .or_else(|| params.iter().find(spelled))
}

fn unknown(params: &[Param], key: &str) -> String {
    let names: Vec<&str> = params.iter().map(|p| p.name).collect();
    if names.is_empty() {
        return format!("parameter {key:?} is unknown; this tool takes none");
    }
    format!(
        "parameter {key:?} is unknown; there are {}",
        names.join(", ")
    )
}

/// Brings a value to a parameter's type, where that has one meaning.
fn convert(param: &Param, value: &Json) -> Result<Given, String> {
    let text = value.text();
    let inner = text.as_deref().map(|text| Json::raw(text.trim()));
    let wrong = |expected: &str| {
        Err(format!(
            "parameter \"{}\" must be {expected}, not {}",
            param.name,
            shown(value)
        ))
    };
    match param.kind {
        Kind::Text => match scalar(value) {
            Some(text) => Ok(Given::Text(text)),
            None => wrong("a string"),
        },
        Kind::Choice(words) => {
            match scalar(value).map(|word| word.to_lowercase().replace(['-', ' '], "_")) {
                Some(word) if words.contains(&word.as_str()) => Ok(Given::Text(word)),
                _ => wrong(&format!("one of {}", words.join(", "))),
            }
        }
        Kind::Integer => match scalar(value).and_then(|text| text.trim().parse().ok()) {
            Some(number) => Ok(Given::Integer(number)),
            None => wrong("a whole number"),
        },
        Kind::Flag => match scalar(value).as_deref() {
            Some("true") => Ok(Given::Flag(true)),
            Some("false") => Ok(Given::Flag(false)),
            _ => wrong("true or false"),
        },
        Kind::List => match list(value).or_else(|| inner.as_ref().and_then(list)) {
            Some(list) => Ok(Given::List(list)),
            None => match text {
                Some(text) => Ok(Given::List(words(&text))),
                None => wrong("an array of strings"),
            },
        },
        Kind::Object => match value.members().or_else(|| inner.and_then(|i| i.members())) {
            Some(members) => Ok(Given::Object(members)),
            None => wrong("an object"),
        },
        Kind::Objects(fields) | Kind::LikeObjects(fields) => {
            let items = value.items().or_else(|| inner.and_then(|i| i.items()));
            let Some(items) = items else {
                return wrong("an array of objects");
            };
            let item = |(at, item): (usize, &Json)| {
                read(fields, item.as_str())
                    .map_err(|e| format!("parameter \"{}\", item {}: {e}", param.name, at + 1))
            };
            let all: Result<Vec<Args>, String> = items.iter().enumerate().map(item).collect();
            Ok(Given::Objects(all?))
        }
        Kind::Any => wrong("absent"),
    }
}

/// A string, or a number or boolean as its text.
fn scalar(value: &Json) -> Option<String> {
    match value.text() {
        Some(text) => Some(text),
        None => match value.parse()? {
            Value::Number(_) | Value::Bool(_) => Some(value.as_str().to_owned()),
            _ => None,
        },
    }
}

fn list(value: &Json) -> Option<Vec<String>> {
    value.items()?.iter().map(scalar).collect()
}

/// The ids in a text such as `T-1, T-2`: an id holds neither comma nor space.
fn words(text: &str) -> Vec<String> {
    let separators = |c: char| c == ',' || c.is_whitespace();
    let words = text.split(separators).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn shown(value: &Json) -> String {
    const LONGEST: usize = 60;
    let text = value.as_str();
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}
