//! Every `--json` answer against its published schema (`assets/schema`), and the answers
//! themselves by snapshot: programs depend on them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

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
    assert!(found.is_empty(), "{found:#?}");
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
        .args(["--json", "--dir", "."])
        .args(args)
        .env_clear()
        .env("HOME", folder.join("home"))
        .env("TASKDECK_STATE_DIR", folder.join("state"))
        .output()
        .unwrap()
}

fn answer(folder: &Path, args: &[&str]) -> Value {
    let out = run(folder, args);
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {out:?}"))
}

#[test]
fn every_answer_fits_its_published_schema() {
    let folder = list();
    let cases: [(&str, &[&str]); 16] = [
        ("list", &["list", "--all"]),
        ("list", &["ready"]),
        ("list", &["list", "nothing-has-this-word"]),
        ("get", &["get", A]),
        ("get", &["get", C]),
        ("why", &["why", B]),
        ("lists", &["lists"]),
        ("doctor", &["doctor"]),
        ("changed", &["update", B, "--priority", "low"]),
        ("changed", &["start", B]),
        ("claimed", &["claim", A, "--owner", "atlas"]),
        ("changed", &["delete", A]),
        ("error", &["get", "T-nobody"]),
        ("error", &["list", "--no-such-flag"]),
        ("init", &["init", "claude"]),
        ("config", &["config"]),
    ];
    for (schema, args) in cases {
        fits(schema, &answer(folder.path(), args));
    }
    fits("doctor", &answer(folder.path(), &["doctor", "--fix"]));
    fits("doctor", &answer(folder.path(), &["doctor", "--undo"]));
    let made = answer(folder.path(), &["create", "Ship it", "--blocked-by", B]);
    fits("created", &made);
}

#[test]
fn every_event_fits_its_published_schema() {
    let folder = list();
    let mut watch = Command::new(env!("CARGO_BIN_EXE_taskdeck"))
        .args(["watch", "--jsonl", "--count", "1", "--dir"])
        .arg(folder.path())
        .env("TASKDECK_STATE_DIR", folder.path().join("state"))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut talk = std::io::BufReader::new(watch.stderr.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut talk, &mut line).unwrap();
    assert!(line.starts_with("watching"), "{line}");
    assert!(run(folder.path(), &["done", A]).status.success());
    let out = watch.wait_with_output().unwrap();
    let event: Value = serde_json::from_slice(&out.stdout).unwrap();
    fits("event", &event);
    assert_eq!(event["event"], "completed");
    let status = serde_json::json!({"field": "status", "from": "pending", "to": "completed"});
    assert_eq!(event["changes"], serde_json::json!([status]));
}

#[test]
fn the_answers_stay_as_they_are() {
    let folder = list();
    let pretty = |args: &[&str]| {
        let text = serde_json::to_string_pretty(&answer(folder.path(), args)).unwrap();
        let here = folder.path().canonicalize().unwrap();
        text.replace(here.to_str().unwrap(), "HERE")
    };
    insta::assert_snapshot!("list", pretty(&["list", "--all"]));
    insta::assert_snapshot!("get", pretty(&["get", B]));
    insta::assert_snapshot!("why", pretty(&["why", B]));
    insta::assert_snapshot!("doctor", pretty(&["doctor"]));
    insta::assert_snapshot!("error", pretty(&["get", "T-nobody"]));
}
