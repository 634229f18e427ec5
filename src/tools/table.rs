use super::{Args, Context};
use crate::task::Json;

/// One agent tool: what models read about it and the function behind it. The table of these is
/// the only list of tools; the command line, the MCP server and the documents print it.
#[derive(Debug)]
pub struct Tool {
    /// The name that is called.
    pub name: &'static str,
    /// A few words for people.
    pub title: &'static str,
    /// What it does, for a model: short, and when to use it.
    pub description: &'static str,
    /// What it takes.
    pub params: &'static [Param],
    /// The top-level keys of its answer.
    pub output: &'static [Param],
    /// What it does to the list.
    pub effect: Effect,
    /// A right call, shown when one was wrong.
    pub example: &'static str,
    /// Whether it may sleep until something happens; other calls are done one after the other.
    pub waits: bool,
    /// Does it.
    pub run: fn(&Context<'_>, &Args) -> Answer,
}

/// One parameter of a tool, or one key of an answer.
#[derive(Debug)]
pub struct Param {
    /// The key.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// What it is for, for a model.
    pub description: &'static str,
    /// Whether a call without it is a mistake (an answer without it never happens).
    pub required: bool,
    /// Other names that models use for it; spellings like `task_id` for `taskId` count anyway.
    pub aliases: &'static [&'static str],
}

/// The types that parameters have: only what every client can put into a schema.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Any text.
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number, not negative.
    Integer,
    /// True or false.
    Flag,
    /// Texts.
    List,
    /// An object with any keys.
    Object,
    /// Objects with these keys.
    Objects(&'static [Param]),
    /// The same, where another tool's schema has told these keys already.
    LikeObjects(&'static [Param]),
    /// Anything (answers only).
    Any,
}

/// What a call does to the list, for clients that ask their user before the risky ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Changes nothing.
    Reads,
    /// Adds something new with every call.
    Adds,
    /// Changes tasks; the same call again changes nothing more.
    Changes,
    /// Takes something away; the same call again changes nothing more.
    Removes,
}

impl Param {
    /// A parameter that may be left out.
    pub const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Param {
        Param {
            name,
            kind,
            description,
            required: false,
            aliases: &[],
        }
    }

    /// A parameter that must be there.
    pub const fn required(name: &'static str, kind: Kind, description: &'static str) -> Param {
        Param {
            required: true,
            ..Param::optional(name, kind, description)
        }
    }

    /// The same under other names too.
    pub const fn or(self, aliases: &'static [&'static str]) -> Param {
        Param { aliases, ..self }
    }
}

/// What a call answers: one JSON object as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The object.
    pub json: String,
    /// Whether it says that the call was refused (`{"error": …}`).
    pub is_error: bool,
}

impl Answer {
    /// An answer that grants the call.
    pub fn ok(json: &serde_json::Value) -> Answer {
        Answer {
            json: json.to_string(),
            is_error: false,
        }
    }

    /// An answer that grants the call, of members that are JSON texts already: exact to the digit.
    pub fn exact(members: &[(&str, Json)]) -> Answer {
        let members: Vec<String> = members
            .iter()
            .map(|(key, value)| format!("{}:{value}", Json::string(key)))
            .collect();
        Answer {
            json: format!("{{{}}}", members.join(",")),
            is_error: false,
        }
    }

    /// A refusal: a code for programs, and a sentence with a way out for models and people.
    pub fn error(code: &str, message: &str) -> Answer {
        Answer {
            json: serde_json::json!({"error": code, "message": message}).to_string(),
            is_error: true,
        }
    }
}
