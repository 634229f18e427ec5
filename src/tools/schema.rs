//! The tools' types as JSON Schema: nothing but `type`, `properties`, `required`, `items`, `enum`
//! and `description`, because strict clients drop tools whose schemas hold more. Every client pays
//! for each byte with every session, so answers tell their keys and types and no more.

use serde_json::{Map, Value, json};

use super::table::{Kind, Param, Tool};

impl Tool {
    /// The schema of the arguments.
    pub fn input_schema(&self) -> Map<String, Value> {
        object(self.params.iter(), input)
    }

    /// The schema of the answer: the keys that it always has. More may come; a refusal is
    /// `{"error", "message"}` instead, so none is required.
    pub fn output_schema(&self) -> Map<String, Value> {
        let always = self.output.iter().filter(|param| param.required);
        let mut schema = object(always, output);
        schema.remove("required");
        schema
    }
}

fn object<'a>(
    params: impl Iterator<Item = &'a Param> + Clone,
    property: fn(&Param) -> Value,
) -> Map<String, Value> {
    let properties: Map<String, Value> = params
        .clone()
        .map(|param| (param.name.to_owned(), property(param)))
        .collect();
    let required: Vec<&str> = params.filter(|p| p.required).map(|p| p.name).collect();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    schema
}

/// A parameter: its type and what it is for.
fn input(param: &Param) -> Value {
    let mut schema = match param.kind {
        Kind::Choice(words) => json!({"type": "string", "enum": words}),
        Kind::List => json!({"type": "array", "items": {"type": "string"}}),
        Kind::Objects(fields) => json!({"type": "array", "items": object(fields.iter(), input)}),
        Kind::LikeObjects(_) => json!({"type": "array", "items": {"type": "object"}}),
        _ => output(param),
    };
    schema["description"] = param.description.into();
    schema
}

/// A key of an answer: its type.
fn output(param: &Param) -> Value {
    match param.kind {
        Kind::Text | Kind::Choice(_) => json!({"type": "string"}),
        Kind::Integer => json!({"type": "integer"}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::List | Kind::Objects(_) | Kind::LikeObjects(_) => json!({"type": "array"}),
        Kind::Object => json!({"type": "object"}),
        Kind::Any => json!({}),
    }
}
