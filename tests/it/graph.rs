//! `graph`: the picture outside the board.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn run(case: &str, args: &[&str]) -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/cases")
        .join(case)
        .join("tasks");
    let home = tempfile::tempdir().unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_taskdeck"))
        .arg("--dir")
        .arg(dir)
        .arg("graph")
        .args(args)
        .env_clear()
        .env("HOME", home.path())
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn a_program_can_read_the_boxes_back() {
    let picture = run("control-omo", &["--labels", "id", "--no-reduce"]);
    let boxes: Vec<&str> = picture
        .split('[')
        .skip(1)
        .map(|rest| rest.split(']').next().unwrap().trim())
        .collect();
    let nodes = run("control-omo", &["--format", "json"]);
    let nodes: Value = serde_json::from_str(&nodes).unwrap();
    for node in nodes["nodes"].as_array().unwrap() {
        assert!(boxes.contains(&node["id"].as_str().unwrap()), "{picture}");
    }
}

#[test]
fn ascii_is_ascii_and_unicode_joins() {
    assert!(run("control-omo", &["--labels", "id", "--ascii"]).is_ascii());
    assert!(
        run("control-omo", &["--ascii"]).is_ascii(),
        "the marks of the states too"
    );
    insta::assert_snapshot!(run("control-omo", &[]));
}

#[test]
fn rings_are_dashed_and_named() {
    let picture = run("cycles", &["--format", "dot"]);
    assert!(picture.starts_with("digraph") && picture.contains("style=dashed"));
    let json: Value = serde_json::from_str(&run("cycles", &["--format", "json"])).unwrap();
    assert_eq!(json["cycles"].as_array().unwrap().len(), 2);
}

#[test]
fn every_format_is_written_and_a_focus_narrows() {
    assert!(run("control-omo", &["--format", "mermaid"]).starts_with("flowchart LR"));
    assert!(run("control-omo", &["--format", "svg"]).contains("<svg"));
    let one = [
        "--focus",
        "T-00000000-0000-4000-8000-000000000006",
        "--hops",
        "0",
        "--format",
        "json",
    ];
    let json: Value = serde_json::from_str(&run("control-omo", &one)).unwrap();
    assert_eq!(json["nodes"].as_array().unwrap().len(), 1);
}

#[test]
fn hostile_labels_stay_labels() {
    let picture = run("terminal-injection", &[]);
    assert!(picture.chars().all(|c| !c.is_control() || c == '\n'));
}
