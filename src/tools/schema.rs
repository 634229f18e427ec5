//! The tools' types as JSON Schema: nothing but `type`, `properties`, `required`, `items`, `enum`
//! and `description`, because strict clients drop tools whose schemas hold more.

use serde_json::{Map, Value, json};

use super::table::{Kind, Param, Tool};

impl Tool {
    /// The schema of the arguments.
    pub fn input_schema(&self) -> Map<String, Value> {
        object(self.params, true)
    }

    /// The schema of the answer; more keys may come, a refusal is `{"error", "message"}` instead.
    pub fn output_schema(&self) -> Map<String, Value> {
        object(self.output, false)
    }
}

fn object(params: &[Param], closed: bool) -> Map<String, Value> {
    let properties: Map<String, Value> = params
        .iter()
        .map(|param| (param.name.to_owned(), property(param, closed)))
        .collect();
    let required: Vec<&str> = params
        .iter()
        .filter(|p| p.required)
        .map(|p| p.name)
        .collect();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    if closed {
        schema.insert("additionalProperties".into(), false.into());
    }
    schema
}

fn property(param: &Param, closed: bool) -> Value {
    let mut schema = match param.kind {
        Kind::Text => json!({"type": "string"}),
        Kind::Choice(words) => json!({"type": "string", "enum": words}),
        Kind::Integer => json!({"type": "integer", "minimum": 0}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::List => json!({"type": "array", "items": {"type": "string"}}),
        Kind::Object => json!({"type": "object", "properties": {}, "additionalProperties": true}),
        Kind::Objects(fields) => json!({"type": "array", "items": object(fields, closed)}),
        Kind::Any => json!({}),
    };
    schema["description"] = param.description.into();
    schema
}
