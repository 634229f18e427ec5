use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::{Options, serve};
use crate::state::ListState;
use crate::store::{self, Store};

/// An output that the test reads afterwards.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the server answers to an input that ends.
fn talk(input: &[u8]) -> Vec<Value> {
    let heard = Heard::default();
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        store: Store::open(folder.path(), None, store::Options::default()).unwrap(),
        state: ListState::open(None, folder.path()),
        owner: None,
        thread_id: "test".to_owned(),
        read_only: false,
    };
    serve(options, Cursor::new(input.to_vec()), heard.clone()).unwrap();
    let bytes = heard.0.lock().unwrap().clone();
    let text = String::from_utf8(bytes).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn ids(answers: &[Value]) -> Vec<Value> {
    answers.iter().map(|answer| answer["id"].clone()).collect()
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

/// The answers after the handshake.
fn answers(lines: &[u8]) -> Vec<Value> {
    let mut input = HELLO.as_bytes().to_vec();
    input.extend_from_slice(lines);
    let mut all = talk(&input);
    assert_eq!(all.remove(0)["id"], "hello");
    all
}

#[test]
fn the_handshake_names_the_server_and_teaches_the_workflow() {
    let all = talk(HELLO.as_bytes());
    let result = &all[0]["result"];
    assert_eq!(result["protocolVersion"], "2025-06-18");
    assert_eq!(result["serverInfo"]["name"], "taskdeck");
    let lines = result["instructions"].as_str().unwrap().lines().count();
    assert!((8..=12).contains(&lines), "{lines} lines");
}

#[test]
fn old_and_unknown_protocol_versions_are_no_error() {
    for version in ["2024-11-05", "2099-01-01"] {
        let all = talk(HELLO.replace("2025-06-18", version).as_bytes());
        assert!(all[0]["result"]["protocolVersion"].is_string(), "{all:?}");
    }
}

#[test]
fn every_request_is_answered_once_whatever_the_line_looks_like() {
    let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
    let cases: [(&str, Vec<u8>, Vec<Value>); 19] = [
        ("blank lines", format!("\n \r\n{ping}\n\n").into(), vec![json!(2)]),
        ("a last line without its end", ping.into(), vec![json!(2)]),
        ("a byte order mark", format!("\u{feff}{ping}\n").into(), vec![json!(2)]),
        ("noise", [b"\xff\xfe{\"jsonrpc\"\nhello\n", ping.as_bytes(), b"\n"].concat(), vec![json!(2)]),
        (
            "invalid UTF-8 in a text",
            [&b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\xff\"}\n"[..], ping.as_bytes()].concat(),
            vec![json!(1), json!(2)],
        ),
        (
            "half a surrogate pair",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":\"\\ud800\",\"method\":\"ping\"}}\n{ping}").into(),
            vec![json!("\u{fffd}"), json!(2)],
        ),
        (
            "an unknown method",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such\"}}\n{ping}").into(),
            vec![json!(1), json!(2)],
        ),
        (
            "an unknown notification",
            format!("{{\"jsonrpc\":\"2.0\",\"method\":\"no/such\"}}\n{ping}").into(),
            vec![json!(2)],
        ),
        (
            "a call without a name",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"arguments\":{{}}}}}}\n{ping}").into(),
            vec![json!(1), json!(2)],
        ),
        (
            "a call without parameters",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}}\n{ping}").into(),
            vec![json!(1), json!(2)],
        ),
        (
            "a tool that is not there",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"rm\",\"arguments\":[]}}}}\n{ping}").into(),
            vec![json!(1), json!(2)],
        ),
        (
            "an id that the SDK cannot hold",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}}\n{ping}").into(),
            vec![json!(1.5), json!(2)],
        ),
        (
            "no version",
            format!("{{\"id\":1,\"method\":\"ping\"}}\n{ping}").into(),
            vec![json!(1), json!(2)],
        ),
        (
            "deeper than the SDK reads",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{}1{}}}\n{ping}", "[".repeat(300), "]".repeat(300)).into(),
            vec![json!(1), json!(2)],
        ),
        (
            "a batch",
            format!("[{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}},{ping}]").into(),
            vec![json!(1), json!(2)],
        ),
        (
            "an id that few readers can hold",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1e999,\"method\":\"ping\"}}\n{ping}").into(),
            vec![Value::Null, json!(2)],
        ),
        (
            "keys that come twice",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"x\",\"id\":1,\"method\":\"ping\"}}\n{ping}").into(),
            vec![json!(1), json!(2)],
        ),
        (
            "parameters that come twice",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":1,\"params\":{{\"name\":\"rm\",\"name\":\"task_list\",\"arguments\":1,\"arguments\":{{}}}}}}\n{ping}").into(),
            vec![json!(1), json!(2)],
        ),
        (
            "an answer that nobody asked for",
            format!("{{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{{}}}}\n{ping}").into(),
            vec![json!(2)],
        ),
    ];
    for (name, input, expected) in cases {
        let mut heard = ids(&answers(&input));
        heard.sort_by_key(ToString::to_string);
        let mut expected = expected;
        expected.sort_by_key(ToString::to_string);
        assert_eq!(heard, expected, "{name}");
    }
}

#[test]
fn messages_before_the_handshake_do_not_end_the_session() {
    let input = [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":5,"result":{}}"#,
        HELLO.trim(),
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    ]
    .join("\n");
    let all = talk(input.as_bytes());
    assert_eq!(ids(&all), [json!(1), json!("hello"), json!(1)]);
    assert!(all[0]["error"].is_object() && all[2]["result"].is_object());
}

#[test]
fn an_input_that_ends_at_once_is_quiet() {
    for input in ["", "\n", "\u{feff}", "{\"jsonrpc\""] {
        assert_eq!(talk(input.as_bytes()), Vec::<Value>::new());
    }
}

#[test]
fn schemas_are_plain() {
    let all = answers(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    let tools = all[0]["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), crate::tools::TOOLS.len());
    for tool in tools {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object");
        assert!(schema["properties"].is_object());
        assert!(tool["annotations"]["readOnlyHint"].is_boolean());
        assert_eq!(tool["outputSchema"]["type"], "object");
        plain(&tool["inputSchema"]);
        described(&tool["inputSchema"]);
        plain(&tool["outputSchema"]);
    }
}

/// Every parameter is described; answers explain themselves.
fn described(schema: &Value) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        assert!(property["description"].is_string(), "{name}: {property}");
        described(property);
        described(&property["items"]);
    }
}

/// Nothing that strict clients drop.
fn plain(schema: &Value) {
    for forbidden in ["$ref", "$defs", "anyOf", "oneOf", "allOf", "not"] {
        assert!(schema.get(forbidden).is_none(), "{forbidden} in {schema}");
    }
    assert!(!schema["type"].is_array(), "{schema}");
    for property in schema["properties"].as_object().into_iter().flatten() {
        plain(property.1);
    }
    if let Some(items) = schema.get("items") {
        plain(items);
    }
}

#[test]
fn the_tools_and_their_parameters_are_a_contract() {
    let lines = crate::tools::TOOLS.iter().map(|tool| {
        let params = tool.params.iter().map(|param| match param.required {
            true => param.name.to_owned(),
            false => format!("[{}]", param.name),
        });
        format!("{} {}\n", tool.name, params.collect::<Vec<_>>().join(" "))
    });
    insta::assert_snapshot!("tools", lines.collect::<String>());
}
