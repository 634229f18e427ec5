//! The real binary as an MCP server over pipes.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, server};

/// What a server answers to an input that ends, and how it ended.
fn transcript(dir: &Path, input: &[u8]) -> (Vec<Value>, Option<i32>, String) {
    let home = tempfile::tempdir().unwrap();
    let mut child = server(dir, home.path(), &[]);
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    (answers.collect(), output.status.code(), talk)
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

fn call_line(id: u64, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

fn files(dir: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(dir).unwrap();
    entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn calls_that_models_get_wrong_are_answered_and_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let cases = [
        ("task_get", "null", "error"),
        ("task_get", "[]", "error"),
        ("task_get", r#""T-1""#, "error"),
        ("task_get", r#"{"id":"../../outside/canary"}"#, "error"),
        ("task_get", r#"{"id":1}"#, "error"),
        ("task_update", r#"{"id":"T-1","blokedBy":["x"]}"#, "error"),
        ("task_create", r#"{"subject":""}"#, "error"),
        ("task_claim", "{}", "error"),
        (
            "task_bulk_create",
            r#"{"tasks":[{"subject":"a","blockedBy":["b"]}]}"#,
            "error",
        ),
        ("task_list", "{}", "tasks"),
    ];
    let lines = cases
        .iter()
        .zip(1..)
        .map(|((tool, args, _), id)| call_line(id, tool, args));
    let input = HELLO.to_owned() + &lines.collect::<Vec<_>>().join("\n");
    let (answers, code, _) = transcript(dir.path(), input.as_bytes());
    assert_eq!(code, Some(0));
    assert_eq!(answers.len(), cases.len() + 1);
    for ((tool, args, key), id) in cases.iter().zip(1u64..) {
        let answer = answers.iter().find(|answer| answer["id"] == id).unwrap();
        let result = &answer["result"];
        assert!(
            result["structuredContent"][key].is_string()
                || result["structuredContent"][key].is_array(),
            "{tool} {args}: {answer}"
        );
        assert_eq!(result["isError"], *key == "error", "{tool} {args}");
    }
    assert!(files(dir.path()).is_empty(), "{:?}", files(dir.path()));
}

#[test]
fn half_a_surrogate_pair_in_a_subject_is_answered() {
    let dir = tempfile::tempdir().unwrap();
    let call = call_line(
        1,
        "task_create",
        r#"{"subject":"a\ud800b","metadata":{"n":12345678901234567890123}}"#,
    );
    let (answers, code, _) = transcript(dir.path(), (HELLO.to_owned() + &call).as_bytes());
    assert_eq!(code, Some(0));
    let task = &answers[1]["result"]["structuredContent"]["task"];
    assert_eq!(task["subject"], "a\u{fffd}b");
    let id = task["id"].as_str().unwrap();
    let file = std::fs::read_to_string(dir.path().join(format!("{id}.json"))).unwrap();
    assert!(file.contains("12345678901234567890123"), "{file}");
}

#[test]
fn an_input_that_ends_at_once_is_quiet() {
    let dir = tempfile::tempdir().unwrap();
    let (answers, code, talk) = transcript(dir.path(), b"");
    assert_eq!((answers.len(), code, talk.as_str()), (0, Some(0), ""));
}

#[test]
fn a_waiting_call_does_not_keep_the_process_when_the_input_ends() {
    let dir = tempfile::tempdir().unwrap();
    let wait = call_line(1, "task_wait", r#"{"timeout_seconds":600}"#);
    let (answers, code, _) = transcript(dir.path(), (HELLO.to_owned() + &wait).as_bytes());
    assert_eq!(code, Some(0));
    assert_eq!(answers[1]["result"]["structuredContent"]["timed_out"], true);
}

#[test]
fn servers_side_by_side_hand_out_every_ready_task_once() {
    const TASKS: usize = 40;
    const SERVERS: usize = 8;
    let (dir, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut planner = Client::connect(dir.path(), home.path());
    let tasks: Vec<Value> = (0..TASKS)
        .map(|n| json!({"subject": format!("task {n}")}))
        .collect();
    let made = planner.call("task_bulk_create", json!({"tasks": tasks}));
    assert_eq!(made["tasks"].as_array().unwrap().len(), TASKS);
    let claim_all = |n: usize| {
        let mut client = Client::connect(dir.path(), home.path());
        let mut taken = Vec::new();
        loop {
            let answer = client.call("task_claim", json!({"owner": format!("agent-{n}")}));
            match answer["task"]["id"].as_str() {
                Some(id) => taken.push(id.to_owned()),
                None => break assert_eq!(answer["error"], "nothing_ready", "{answer}"),
            }
        }
        client.end();
        taken
    };
    let claim_all = &claim_all;
    let taken: Vec<String> = std::thread::scope(|scope| {
        let agents: Vec<_> = (0..SERVERS)
            .map(|n| scope.spawn(move || claim_all(n)))
            .collect();
        agents
            .into_iter()
            .flat_map(|agent| agent.join().unwrap())
            .collect()
    });
    assert_eq!(taken.len(), TASKS);
    assert_eq!(taken.iter().collect::<BTreeSet<_>>().len(), TASKS);
    planner.end();
    assert!(
        files(dir.path()).iter().all(|name| name.ends_with(".json")),
        "{:?}",
        files(dir.path())
    );
}

#[test]
fn a_subscriber_hears_of_changes_made_by_others() {
    let (dir, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut client = Client::connect(dir.path(), home.path());
    let made = client.call("task_create", json!({"subject": "watched"}));
    let id = made["task"]["id"].as_str().unwrap();
    let uri = format!("task://{id}");
    client.request("resources/subscribe", json!({"uri": uri}));
    let path = dir.path().join(format!("{id}.json"));
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("pending", "completed")).unwrap();
    let heard = client.hear();
    assert_eq!(heard["method"], "notifications/resources/updated");
    assert_eq!(heard["params"]["uri"], uri);
    let read = client.request("resources/read", json!({"uri": uri}));
    assert!(
        read["contents"][0]["text"]
            .as_str()
            .unwrap()
            .contains("completed")
    );
    client.end();
}

#[test]
fn a_waiting_call_wakes_when_another_agent_finishes() {
    let (dir, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut client = Client::connect(dir.path(), home.path());
    let plan = json!({"tasks": [{"name": "a", "subject": "first"}, {"subject": "second", "blockedBy": ["a"]}]});
    let made = client.call("task_bulk_create", plan);
    let ids: Vec<&str> = made["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["id"].as_str().unwrap())
        .collect();
    client.send(&json!({"jsonrpc": "2.0", "id": "wait", "method": "tools/call", "params": {"name": "task_wait", "arguments": {"ids": [ids[1]], "timeout_seconds": 60}}}));
    let mut other = Client::connect(dir.path(), home.path());
    other.call("task_update", json!({"id": ids[0], "status": "completed"}));
    let heard = client.hear();
    assert_eq!(heard["id"], "wait");
    assert_eq!(
        heard["result"]["structuredContent"]["tasks"][0]["id"],
        ids[1]
    );
    other.end();
    client.end();
}

#[test]
fn every_tool_answers_as_its_schema_says() {
    let (dir, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut client = Client::connect(dir.path(), home.path());
    let plan = json!({"tasks": [{"name": "a", "subject": "a", "priority": "high"}, {"subject": "b", "blockedBy": ["a"]}]});
    let made = client.call("task_bulk_create", plan);
    let (a, b) = (
        made["tasks"][0]["id"].clone(),
        made["tasks"][1]["id"].clone(),
    );
    let calls = [
        ("task_create", json!({"subject": "a", "owner": "hera"})),
        ("task_get", json!({"id": a})),
        (
            "task_get",
            json!({"id": "T-00000000-0000-4000-8000-000000000000"}),
        ),
        ("task_list", json!({})),
        ("task_list", json!({"limit": 1})),
        ("task_ready", json!({"owner": "atlas"})),
        ("task_why", json!({"id": b})),
        (
            "task_link",
            json!({"id": b, "blockedBy": ["T-00000000-0000-4000-8000-000000000000"]}),
        ),
        (
            "task_unlink",
            json!({"id": b, "blockedBy": "T-00000000-0000-4000-8000-000000000000"}),
        ),
        ("task_claim", json!({"id": a, "owner": "atlas"})),
        ("task_update", json!({"id": b, "status": "in_progress"})),
        ("task_release", json!({"id": a, "owner": "atlas"})),
        ("task_wait", json!({"ids": [a]})),
        ("task_split", json!({"id": b, "into": [{"subject": "c"}]})),
        ("task_delete", json!({"ids": [a]})),
    ];
    let mut called: BTreeSet<String> = BTreeSet::from(["task_bulk_create".to_owned()]);
    for (tool, arguments) in calls {
        let answer = client.call(tool, arguments);
        assert!(answer.get("error").is_none(), "{tool}: {answer}");
        called.insert(tool.to_owned());
    }
    assert!(
        called.iter().eq(client.tools()),
        "every tool has been called"
    );
    client.end();
}

#[test]
fn a_call_that_waits_for_a_lock_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let held = format!(r#"{{"id":"somebody","timestamp":{}}}"#, i64::MAX / 4);
    std::fs::write(dir.path().join(".lock"), &held).unwrap();
    let call = call_line(1, "task_create", r#"{"subject":"late"}"#);
    let (answers, code, _) = transcript(dir.path(), (HELLO.to_owned() + &call).as_bytes());
    assert_eq!(code, Some(0));
    let answer = &answers[1]["result"]["structuredContent"];
    assert_eq!(answer["error"], "task_lock_unavailable", "{answer}");
    assert_eq!(files(dir.path()), BTreeSet::from([".lock".to_owned()]));
    let left = std::fs::read_to_string(dir.path().join(".lock")).unwrap();
    assert_eq!(left, held, "somebody's lock is not ours to touch");
}

#[test]
fn a_waiting_client_hears_how_things_stand_and_then_the_answer_once() {
    let (dir, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut worker = Client::connect(dir.path(), home.path());
    let first = worker.call("task_create", json!({"subject": "first"}));
    let id = first["task"]["id"].clone();
    let mut waiting = Client::connect(dir.path(), home.path());
    waiting.send(
        &json!({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": {
        "name": "task_wait", "arguments": {"until": "done", "ids": [id], "timeout_seconds": 60},
        "_meta": {"progressToken": "mine"}}}),
    );
    // Whatever changes first is told, when the call waits already; a change that came before it
    // is told with the next one.
    let mut heard = loop {
        worker.call("task_create", json!({"subject": "another"}));
        waiting.send(&json!({"jsonrpc": "2.0", "id": 78, "method": "ping"}));
        let heard = waiting.hear();
        if heard["id"] != 78 {
            break heard;
        }
    };
    while heard["method"] != "notifications/progress" {
        heard = waiting.hear();
    }
    assert_eq!(heard["params"]["progressToken"], "mine");
    assert!(
        heard["params"]["message"]
            .as_str()
            .unwrap()
            .contains("ready")
    );
    worker.call("task_update", json!({"id": id, "status": "completed"}));
    let answer = loop {
        let heard = waiting.hear();
        if heard["id"] == 77 {
            break heard;
        }
    };
    assert_eq!(answer["result"]["structuredContent"]["timed_out"], false);
    waiting.end();
    worker.end();
}

#[test]
fn a_client_that_is_gone_takes_its_server_with_it() {
    // What `kill -9` of a client leaves: both pipes closed, one call waiting, another unread.
    let (dir, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut client = Client::connect(dir.path(), home.path());
    client.send(
        &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "task_wait", "arguments": {"timeout_seconds": 600}}}),
    );
    client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}));
    let Client {
        mut child,
        input,
        output,
        ..
    } = client;
    drop((input, output));
    child.wait().unwrap();
    let left = files(dir.path());
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_list_of_tools_is_small() {
    // Every session of every client pays for it in tokens.
    let dir = tempfile::tempdir().unwrap();
    let input = format!(
        "{HELLO}{}\n",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    );
    let (answers, _, _) = transcript(dir.path(), input.as_bytes());
    let tools = answers[1]["result"]["tools"].as_array().unwrap();
    assert!(tools.len() >= 14);
    let size = answers[1].to_string().len();
    assert!(size <= 8_000, "{size} bytes");
    for tool in tools {
        let parameters = tool["inputSchema"]["properties"].as_object().unwrap();
        for (name, parameter) in parameters {
            assert!(
                parameter["description"].is_string(),
                "{} {name}",
                tool["name"]
            );
        }
    }
}
