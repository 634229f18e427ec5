//! What the fuzzer holds against the MCP server.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::{Options, serve};
use crate::state::ListState;
use crate::store::{self, Store};

const HELLO: &[u8] = br#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

/// Lines of a client after its handshake: every output line is JSON, and every request that can be
/// seen as one is answered once, with its id.
pub fn mcp(data: &[u8]) {
    let lines: Vec<&[u8]> = data.split(|byte| *byte == b'\n').collect();
    let values = lines.iter().map(|line| serde_json::from_slice(line).ok());
    let values: Vec<Option<Value>> = values.collect();
    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    for value in values.iter().flatten() {
        let batch = value.as_array().cloned();
        for message in batch.unwrap_or_else(|| vec![value.clone()]) {
            asked_by(&message)
                .into_iter()
                .for_each(|id| *asked.entry(id).or_default() += 1);
        }
    }
    if data.windows(9).any(|word| word == b"cancelled") {
        return; // a cancelled request is not answered
    }
    let heard = talk(&[HELLO, data].concat());
    let text = String::from_utf8(heard).expect("the output is UTF-8");
    let mut answered: BTreeMap<String, usize> = BTreeMap::new();
    for line in text.lines() {
        let answer: Value = serde_json::from_str(line).expect("the output is JSON");
        if answer.get("method").is_none() {
            *answered.entry(answer["id"].to_string()).or_default() += 1;
        }
    }
    let plain = values.iter().zip(&lines);
    let plain = plain.filter(|(value, line)| value.is_some() || line.trim_ascii().is_empty());
    let all_plain = plain.count() == lines.len();
    for (id, count) in asked {
        let answers = answered.remove(&id).unwrap_or(0);
        let right = answers == count || (answers > count && !all_plain);
        assert!(right, "{count} requests {id} and {answers} answers: {text}");
    }
}

/// The id of a request. Calls that stay open, and a second handshake, are not judged.
fn asked_by(message: &Value) -> Option<String> {
    let method = message.get("method")?.as_str()?;
    let id = message.get("id")?;
    let stays_open = method.contains("subscri") || method == "initialize";
    let is_request = (id.is_string() || id.is_i64()) && !stays_open;
    is_request.then(|| id.to_string())
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .map_err(|_| io::ErrorKind::Other)?
            .write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn talk(input: &[u8]) -> Vec<u8> {
    let heard = Heard::default();
    let folder = std::path::Path::new("/nonexistent/tasks");
    let store = store::Options {
        read_only: true,
        ..store::Options::default()
    };
    let options = Options {
        store: Store::open(folder, None, store).expect("a list need not be there"),
        state: ListState::open(None, folder),
        owner: None,
        thread_id: "fuzz".to_owned(),
        read_only: true,
    };
    let served = serve(options, Cursor::new(input.to_vec()), heard.clone());
    served.expect("no input ends the session but its end");
    let bytes = heard.0.lock().expect("nobody panics while writing");
    bytes.clone()
}
