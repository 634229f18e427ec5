//! An MCP client of the real binary, over pipes.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::shapes::faults;

/// A server on a list's folder.
pub(super) fn server(dir: &Path, home: &Path, more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_taskdeck"))
        .args(["mcp", "--dir"])
        .arg(dir)
        .args(more)
        .env("TASKDECK_STATE_DIR", home)
        .env("RUST_LOG", "trace")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// A client that waits for each answer.
pub(super) struct Client {
    pub(super) child: Child,
    pub(super) input: Option<ChildStdin>,
    pub(super) output: BufReader<ChildStdout>,
    next: u64,
    /// The tools' output schemas.
    schemas: BTreeMap<String, Value>,
}

impl Client {
    pub(super) fn connect(dir: &Path, home: &Path) -> Client {
        Client::connect_to(dir, home, &[])
    }

    /// The same with more arguments for the server.
    pub(super) fn connect_to(dir: &Path, home: &Path, more: &[&str]) -> Client {
        let mut child = server(dir, home, more);
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut client = Client {
            child,
            input,
            output,
            next: 0,
            schemas: BTreeMap::new(),
        };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}});
        client.request("initialize", hello);
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        let tools = client.request("tools/list", json!({}))["tools"].take();
        let schema = |tool: &Value| {
            (
                tool["name"].as_str().unwrap().to_owned(),
                tool["outputSchema"].clone(),
            )
        };
        client.schemas = tools.as_array().unwrap().iter().map(schema).collect();
        client
    }

    pub(super) fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    /// The next line from the server.
    pub(super) fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let heard = self.hear();
            if heard["id"] == id {
                return heard["result"].clone();
            }
        }
    }

    /// A tool's structured answer, which fits the schema that the server gave for it.
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let answer = result["structuredContent"].clone();
        if result["isError"] != true {
            let mut found = Vec::new();
            faults(&self.schemas[tool], &answer, tool, &mut found);
            assert!(found.is_empty(), "{found:#?}");
        }
        answer
    }

    /// The names of the server's tools.
    pub(super) fn tools(&self) -> impl Iterator<Item = &String> {
        self.schemas.keys()
    }

    pub(super) fn end(mut self) {
        drop(self.input.take());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}
