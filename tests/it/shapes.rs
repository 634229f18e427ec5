//! Every `--json` answer against its published schema (`assets/schema`), and the answers
//! themselves by snapshot: programs depend on them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use clap::CommandFactory as _;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What is wrong with a value, in the terms that our schemas use.
pub fn faults(schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        other => panic!("the schemas do not use {other}"),
    };
    if let Some(name) = schema["type"].as_str()
        && !is(name)
    {
        found.push(format!("{at}: {value} is no {name}"));
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        found.push(format!("{at}: {value} is none of {words:?}"));
    }
    for key in schema["required"].as_array().into_iter().flatten() {
        if value.get(key.as_str().unwrap()).is_none() {
            found.push(format!("{at}: {key} is missing"));
        }
    }
    for (key, member) in value.as_object().into_iter().flatten() {
        let at = format!("{at}.{key}");
        match schema["properties"].get(key) {
            Some(schema) => faults(schema, member, &at, found),
            None if schema["additionalProperties"] == false => {
                found.push(format!("{at} is not in the schema"));
            }
            None => {}
        }
    }
    for (place, item) in value.as_array().into_iter().flatten().enumerate() {
        if let Some(schema) = schema.get("items") {
            faults(schema, item, &format!("{at}[{place}]"), found);
        }
    }
}

pub fn fits(schema: &str, value: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/schema/{schema}.json"));
    let schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let mut found = Vec::new();
    faults(&schema, value, "", &mut found);
    assert!(found.is_empty(), "{value}: {found:#?}");
}

const A: &str = "T-aaaaaaaa-0000-4000-8000-000000000001";
const B: &str = "T-bbbbbbbb-0000-4000-8000-000000000002";
const C: &str = "T-cccccccc-0000-4000-8000-000000000003";

/// A list with every kind of answer in it: a chain, a ring, warnings and a broken file.
fn list() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let task = |id: &str, subject: &str, waits: &[&str], more: Value| {
        let mut task = json!({
            "id": id, "subject": subject, "description": "", "status": "pending",
            "blocks": [], "blockedBy": waits, "threadID": "ses",
        });
        for (key, value) in more.as_object().unwrap() {
            task[key] = value.clone();
        }
        fs::write(folder.path().join(format!("{id}.json")), task.to_string()).unwrap();
    };
    task(
        A,
        "Build the API",
        &[],
        json!({"owner": "atlas", "metadata": {"priority": "high"}}),
    );
    task(B, "Test the API", &[A], json!({}));
    task(C, "Chase its tail", &[C], json!({"status": "someday"}));
    fs::write(folder.path().join("T-broken.json"), "{").unwrap();
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_taskdeck"))
        .current_dir(folder)
        .arg("--json")
        .args(args)
        .env_clear()
        .env("TASKDECK_DIR", ".")
        .env("HOME", folder.join("home"))
        .env("TASKDECK_STATE_DIR", folder.join("state"))
        .output()
        .unwrap()
}

/// What answers to every command are checked, with the schema that each must fit. An answer of
/// several lines is one object a line.
const ASKED: &[(&str, &[&str])] = &[
    ("list", &["list", "--all"]),
    ("list", &["ready"]),
    ("list", &["list", "nothing-has-this-word"]),
    ("get", &["get", A]),
    ("get", &["get", C]),
    ("why", &["why", B]),
    ("graph", &["graph"]),
    ("graph", &["graph", "--focus", A, "--format", "json"]),
    ("written", &["graph", "--format", "svg", "-o", "graph.svg"]),
    ("snapshot", &["snapshot", "--size", "60x12"]),
    (
        "written",
        &["snapshot", "--format", "svg", "-o", "board.svg"],
    ),
    ("lists", &["lists"]),
    ("doctor", &["doctor"]),
    ("doctor", &["doctor", "--fix"]),
    ("doctor", &["doctor", "--undo"]),
    (
        "waves",
        &["run", "-j", "2", "--owner", "atlas", "--dry-run"],
    ),
    ("changed", &["update", B, "--priority", "low"]),
    ("changed", &["start", B]),
    ("changed", &["reopen", B]),
    ("claimed", &["claim", A, "--owner", "atlas"]),
    ("changed", &["done", A]),
    ("run", &["run", "--", "true"]),
    ("changed", &["delete", A]),
    ("created", &["create", "Ship it", "--blocked-by", B]),
    ("error", &["get", "T-nobody"]),
    ("error", &["list", "--no-such-flag"]),
    ("init", &["init", "claude"]),
    ("config", &["config"]),
    ("demo", &["demo", "--headless", "--for", "0.2"]),
    ("completions", &["completions", "bash"]),
    ("man", &["man"]),
    ("man", &["man", "run"]),
    ("written", &["man", "--output", "pages"]),
];

/// Commands whose answers have no shape of ours: the tools' schemas are told over MCP, and MCP is
/// a protocol; both have tests of their own. What `watch` tells is checked below.
const ELSEWHERE: [&str; 3] = ["tool", "mcp", "watch"];

#[test]
fn every_answer_of_every_command_fits_its_published_schema() {
    let folder = list();
    let mut seen: BTreeSet<&str> = ELSEWHERE.into();
    for (schema, args) in ASKED {
        let out = run(folder.path(), args);
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(!text.is_empty(), "{args:?}");
        let last = text.lines().count() - 1;
        for (place, line) in text.lines().enumerate() {
            let answer = serde_json::from_str(line).unwrap_or_else(|e| panic!("{args:?}: {e}"));
            // A run that ends badly says so behind its summary.
            let failed = place == last && out.status.code() != Some(0) && *schema == "run";
            fits(if failed { "error" } else { schema }, &answer);
        }
        seen.insert(args[0]);
    }
    let commands = taskdeck::cli::Cli::command();
    let commands = commands.get_subcommands().filter(|c| !c.is_hide_set());
    for command in commands {
        assert!(seen.contains(command.get_name()), "{}", command.get_name());
    }
}

#[test]
fn every_schema_names_itself_and_its_version() {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/schema");
    for entry in fs::read_dir(schemas).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let schema: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        assert_eq!(schema["$id"], format!("urn:taskdeck:json:1:{name}"));
    }
}

/// What `watch` tells of these calls, a value per line.
fn watched(folder: &Path, count: usize, calls: &[&[&str]]) -> Vec<Value> {
    let mut watch = Command::new(env!("CARGO_BIN_EXE_taskdeck"))
        .args(["watch", "--jsonl", "--count", &count.to_string(), "--dir"])
        .arg(folder)
        .env("TASKDECK_STATE_DIR", folder.join("state"))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut talk = std::io::BufReader::new(watch.stderr.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut talk, &mut line).unwrap();
    assert!(line.starts_with("watching"), "{line}");
    for call in calls {
        assert!(run(folder, call).status.success(), "{call:?}");
    }
    let out = String::from_utf8(watch.wait_with_output().unwrap().stdout).unwrap();
    let line = |line| serde_json::from_str(line).unwrap();
    out.lines().map(line).collect()
}

#[test]
fn every_event_fits_its_published_schema() {
    let folder = list();
    let freed = watched(folder.path(), 2, &[&["done", A]]);
    let claim = ["claim", B, "--owner", "hera"];
    let claimed = watched(folder.path(), 1, &[&claim]);
    let edited = watched(folder.path(), 1, &[&["update", B, "--priority", "high"]]);
    let mut events = [freed, claimed, edited].concat();
    for event in &mut events {
        fits("event", event);
        steady(event);
    }
    assert_eq!(events[2]["actor"], "hera");
    insta::assert_snapshot!("event", lines(&events));
}

/// An answer with what differs from run to run made the same: times, new ids, this folder.
fn steady(value: &mut Value) {
    const CHANGING: [&str; 9] = [
        "at",
        "ms",
        "left_ms",
        "wall_ms",
        "work_ms",
        "critical_ms",
        "writtenMs",
        "time",
        "script",
    ];
    match value {
        Value::Object(members) => members.iter_mut().for_each(|(key, value)| {
            if CHANGING.contains(&key.as_str()) {
                *value = "…".into();
            }
            steady(value);
        }),
        Value::Array(items) => items.iter_mut().for_each(steady),
        _ => {}
    }
}

fn lines(values: &[Value]) -> String {
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    values.iter().map(pretty).collect::<Vec<_>>().join("\n")
}

/// The answer of a command, of long lists only the head, without what is there by chance.
fn head(folder: &Path, args: &[&str], chance: &[&str]) -> String {
    let mut answer: Value = serde_json::from_slice(&run(folder, args).stdout).unwrap();
    steady(&mut answer);
    for place in chance {
        *answer.pointer_mut(place).unwrap() = "…".into();
    }
    for value in answer.as_object_mut().unwrap().values_mut() {
        match value {
            Value::Array(items) => items.truncate(5),
            Value::String(text) if text.lines().count() > 1 => {
                *text = text.lines().take(3).collect::<Vec<_>>().join("\n");
            }
            _ => {}
        }
    }
    let here = folder.canonicalize().unwrap();
    lines(&[answer]).replace(here.to_str().unwrap(), "HERE")
}

#[test]
fn the_answers_of_a_person_stay_as_they_are() {
    let folder = list();
    let head = |args: &[&str], chance: &[&str]| head(folder.path(), args, chance);
    insta::assert_snapshot!("config", head(&["config"], &[]));
    let demo = ["demo", "--headless", "--for", "0.2"];
    let progress = ["/completed", "/writes", "/agents"];
    insta::assert_snapshot!("demo", head(&demo, &progress));
    insta::assert_snapshot!("man", head(&["man", "done"], &[]));
    let header = ["/lines/0"]; // the folder's name
    let snapshot = head(&["snapshot", "--size", "60x12"], &header);
    insta::assert_snapshot!("snapshot", snapshot);
    let written = ["snapshot", "--format", "svg", "-o", "board.svg"];
    insta::assert_snapshot!("written", head(&written, &[]));
    let create = ["create", "Ship it", "--blocked-by", B];
    insta::assert_snapshot!("created", head(&create, &["/task/id"]));
}

#[test]
fn the_answers_stay_as_they_are() {
    let folder = list();
    let here = folder.path().canonicalize().unwrap();
    let pretty = |args: &[&str]| {
        let out = String::from_utf8(run(folder.path(), args).stdout).unwrap();
        let line = |line: &str| {
            let mut answer: Value = serde_json::from_str(line).unwrap();
            steady(&mut answer);
            answer
        };
        lines(&out.lines().map(line).collect::<Vec<_>>()).replace(here.to_str().unwrap(), "HERE")
    };
    insta::assert_snapshot!("list", pretty(&["list", "--all"]));
    insta::assert_snapshot!("ready", pretty(&["ready"]));
    insta::assert_snapshot!("get", pretty(&["get", B]));
    insta::assert_snapshot!("why", pretty(&["why", B]));
    insta::assert_snapshot!("graph", pretty(&["graph"]));
    insta::assert_snapshot!("waves", pretty(&["run", "--owner", "atlas", "--dry-run"]));
    insta::assert_snapshot!("lists", pretty(&["lists"]));
    insta::assert_snapshot!("doctor", pretty(&["doctor"]));
    insta::assert_snapshot!("error", pretty(&["get", "T-nobody"]));
    insta::assert_snapshot!("init", pretty(&["init", "claude"]));
    insta::assert_snapshot!("completions", pretty(&["completions", "bash"]));
    insta::assert_snapshot!("run", pretty(&["run", "--owner", "atlas", "--", "true"]));
    insta::assert_snapshot!("changed", pretty(&["reopen", A, B]));
    insta::assert_snapshot!("claimed", pretty(&["claim", A, "--owner", "atlas"]));
}
