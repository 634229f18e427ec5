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

const FIRST: &str = "T-00000000-0000-4000-8000-000000000001";

#[test]
fn a_focus_says_how_much_it_leaves_out_and_narrows_the_rest() {
    let whole = run("control-omo", &[]);
    let near = run("control-omo", &["--focus", FIRST, "--hops", "0"]);
    assert!(!whole.contains('›'), "nothing is left out: {whole}");
    assert!(near.contains('›'), "{near}");
    let ids = run(
        "control-omo",
        &["--focus", FIRST, "--hops", "0", "--labels", "id"],
    );
    assert_eq!(ids.trim(), format!("[{FIRST}]"), "ids stay exact");
    let json = run(
        "control-omo",
        &["--focus", FIRST, "--hops", "0", "--format", "json"],
    );
    let json: Value = serde_json::from_str(&json).unwrap();
    let critical = json["criticalPath"].as_array().unwrap();
    assert!(critical.iter().all(|id| id == FIRST), "{critical:?}");
}

#[test]
fn rings_are_dashed_in_mermaid_and_marked_in_json_where_they_are() {
    let chart = run("cycles", &["--format", "mermaid"]);
    assert!(chart.contains("-.->"), "{chart}");
    let json: Value = serde_json::from_str(&run("cycles", &["--format", "json"])).unwrap();
    let rings = json["cycles"].as_array().unwrap();
    let in_one = |edge: &Value| {
        let has = |ring: &Value, end: &str| ring.as_array().unwrap().contains(&edge[end]);
        rings.iter().any(|r| has(r, "from") && has(r, "to"))
    };
    for edge in json["edges"].as_array().unwrap() {
        assert_eq!(edge["inCycle"], in_one(edge), "{edge}");
    }
}

#[test]
fn waves_and_outline_are_text() {
    insta::assert_snapshot!(run("control-omo", &["--lens", "waves"]));
    insta::assert_snapshot!(run("control-omo", &["--lens", "outline"]));
    for lens in ["waves", "outline"] {
        assert!(run("control-omo", &["--lens", lens, "--ascii"]).is_ascii());
    }
}

#[test]
fn tasks_alike_are_one_box_when_they_are_folded() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".omo/tasks");
    std::fs::create_dir_all(&folder).unwrap();
    let task = |id: &str, subject: &str, blockers: &[&str]| {
        let task = serde_json::json!({
            "id": id, "subject": subject, "description": "", "status": "pending",
            "blocks": [], "blockedBy": blockers, "threadID": "ses",
        });
        std::fs::write(folder.join(format!("{id}.json")), task.to_string()).unwrap();
    };
    task("T-1", "Plan", &[]);
    for part in ["T-2", "T-3", "T-4"] {
        task(part, "Part", &["T-1"]);
    }
    task("T-5", "Ship", &["T-2", "T-3", "T-4"]);
    let graph = |args: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_taskdeck"))
            .arg("--dir")
            .arg(&folder)
            .arg("graph")
            .args(args)
            .env_clear()
            .env("HOME", home.path())
            .output()
            .unwrap();
        (out.status.code(), String::from_utf8(out.stdout).unwrap())
    };
    let (_, folded) = graph(&["--fold"]);
    assert_eq!(folded.trim_end(), "[○ Plan]──→[3× ⧗ Part]──→[⧗ Ship]");
    assert_eq!(graph(&[]).1.matches("Part").count(), 3);
    assert!(graph(&["--fold", "--ascii"]).1.contains("[3x % Part]"));
    assert_eq!(graph(&["--fold", "--json"]).0, Some(2), "data are whole");
    assert_eq!(graph(&["--fold", "--no-reduce"]).0, Some(2));
}
