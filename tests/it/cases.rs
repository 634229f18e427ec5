//! Faults that people reported of other programs, as small inputs with the right answer
//! (`tests/fixtures/cases/*/expect.json`), asked through the command line.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use super::surfaces::agree;

/// A copy of one case, and the program with nothing of the outside in its environment.
struct Case {
    home: TempDir,
    expect: Value,
}

impl Case {
    fn open(name: &str) -> Case {
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures/cases")
            .join(name);
        let home = tempfile::tempdir().unwrap();
        copy_folder(&source, home.path());
        let expect = fs::read(source.join("expect.json")).unwrap();
        Case {
            home,
            expect: serde_json::from_slice(&expect).unwrap(),
        }
    }

    fn tasks(&self) -> PathBuf {
        self.home.path().join("tasks")
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_taskdeck"))
            .arg("--dir")
            .arg(self.tasks())
            .args(["--dialect", self.expect["dialect"].as_str().unwrap()])
            .args(args)
            .env_clear()
            .env("HOME", self.home.path())
            .env("TASKDECK_STATE_DIR", self.home.path().join("state"))
            .output()
            .unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        let out = self.run(args);
        let talk = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{args:?} failed: {talk}");
        serde_json::from_slice(&out.stdout)
            .unwrap_or_else(|e| panic!("{args:?} printed no JSON: {e}"))
    }

    /// Every file's bytes and time of change: looking must not alter them.
    fn fingerprint(&self) -> BTreeMap<PathBuf, (Vec<u8>, std::time::SystemTime)> {
        let files = fs::read_dir(self.tasks())
            .unwrap()
            .map(|e| e.unwrap().path());
        files
            .filter(|p| p.is_file())
            .map(|p| {
                (
                    p.clone(),
                    (
                        fs::read(&p).unwrap(),
                        p.metadata().unwrap().modified().unwrap(),
                    ),
                )
            })
            .collect()
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn texts(value: &Value) -> BTreeSet<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .map(|v| v.as_str().unwrap().to_owned())
        .collect()
}

fn ids(answer: &Value) -> BTreeSet<String> {
    answer["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["id"].as_str().unwrap().to_owned())
        .collect()
}

/// Checks the keys of `expect.json` that have one meaning in every case.
fn check(name: &str) {
    let case = Case::open(name);
    let before = case.fingerprint();
    let all = case.json(&["list", "--all", "--json"]);
    let ready = case.json(&["ready", "--json"]);
    let expect = &case.expect;
    if expect["visible"].is_array() {
        assert_eq!(ids(&all), texts(&expect["visible"]), "{name}: visible");
    }
    if let Some(count) = expect["count"].as_u64() {
        assert_eq!(ids(&all).len() as u64, count, "{name}: count");
    }
    if expect["ready"].is_array() {
        assert_eq!(ids(&ready), texts(&expect["ready"]), "{name}: ready");
    }
    if expect["cycles"].is_array() {
        assert_eq!(all["cycles"], expect["cycles"], "{name}: cycles");
    }
    if expect["unreadable"].is_array() {
        let files = all["problems"].as_array().unwrap().iter();
        let unreadable: BTreeSet<String> = files
            .filter(|p| p["code"] == "unreadable")
            .map(|p| p["file"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(
            unreadable,
            texts(&expect["unreadable"]),
            "{name}: unreadable"
        );
    }
    for task in all["tasks"].as_array().unwrap() {
        check_task(name, expect, task);
    }
    for edge in expect["edges"].as_array().into_iter().flatten() {
        let (blocker, dependant) = (edge[0].as_str().unwrap(), edge[1].as_str().unwrap());
        let task = find(&all, blocker);
        assert!(
            texts(&task["blocks"]).contains(dependant),
            "{name}: edge {blocker} → {dependant}"
        );
    }
    let dialect = expect["dialect"].as_str().unwrap();
    agree(&case.tasks(), dialect, &case.home.path().join("state"));
    assert!(
        case.fingerprint() == before,
        "{name}: looking changed the folder"
    );
}

fn find<'a>(answer: &'a Value, id: &str) -> &'a Value {
    answer["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|t| t["id"] == id)
        .unwrap()
}

fn check_task(name: &str, expect: &Value, task: &Value) {
    let id = task["id"].as_str().unwrap();
    if let Some(blocked) = expect["blocked"].as_object() {
        let right = blocked.get(id).map(texts).unwrap_or_default();
        if task["status"] == "pending" {
            assert_eq!(
                texts(&task["blockedBy"]),
                right,
                "{name}: open blockers of {id}"
            );
        }
        assert_eq!(
            task["state"] == "blocked",
            !right.is_empty(),
            "{name}: state of {id}"
        );
    }
    let right = expect["warnings"].get(id).map(texts).unwrap_or_default();
    let said = texts(&task["warnings"]);
    assert!(
        right.is_subset(&said),
        "{name}: {id} warns {said:?}, but should {right:?}"
    );
}

macro_rules! cases {
    ($($test:ident = $folder:literal,)*) => { $(#[test] fn $test() { check($folder); })* };
}

cases! {
    control_omo = "control-omo",
    control_claude = "control-claude",
    control_team = "control-team",
    unknown_field = "unknown-field",
    metadata_extremes = "metadata-extremes",
    missing_thread_id = "missing-threadID",
    numeric_ids = "numeric-ids",
    malformed_json = "malformed-json",
    byte_order_mark = "bom",
    lone_surrogate = "lone-surrogate",
    conflict_markers = "conflict-markers",
    unknown_status = "unknown-status",
    completed_blocker = "completed-blocker",
    deleted_blocker = "deleted-blocker",
    one_sided_edges = "one-sided-edges",
    parent_waits_for_children = "parent-waits-for-children",
    cycles = "cycles",
    wide_letters = "cjk-emoji",
    terminal_injection = "terminal-injection",
    temp_and_editor_files = "temp-and-editor-files",
    prefix_ids = "prefix-ids",
    path_traversal = "path-traversal",
    edges_of_omo = "edge-omo",
    edges_of_team_mode = "edge-team",
    edges_of_claude_code = "edge-claude",
}

const ONE: &str = "T-00000000-0000-4000-8000-000000000001";

fn task_file(case: &Case, id: &str) -> Vec<u8> {
    fs::read(case.tasks().join(format!("{id}.json"))).unwrap()
}

fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    assert_eq!(
        text.matches(from).count(),
        1,
        "the fixture holds {from} once"
    );
    text.replace(from, to).into_bytes()
}

#[test]
fn a_status_change_alters_nothing_else() {
    for (name, id) in [
        ("unknown-field", ONE),
        ("metadata-extremes", ONE),
        (
            "metadata-extremes",
            "T-00000000-0000-4000-8000-000000000002",
        ),
        ("lone-surrogate", ONE),
        ("missing-threadID", ONE),
    ] {
        let case = Case::open(name);
        let before = task_file(&case, id);
        case.json(&["start", id, "--json"]);
        let text = String::from_utf8(before.clone()).unwrap();
        let spaced = text.contains("\"status\": \"pending\"");
        let (from, to) = if spaced {
            ("\"status\": \"pending\"", "\"status\": \"in_progress\"")
        } else {
            ("\"status\":\"pending\"", "\"status\":\"in_progress\"")
        };
        assert_eq!(
            task_file(&case, id),
            replaced(&before, from, to),
            "{name}: {id}"
        );
    }
}

#[test]
fn an_edit_drops_the_byte_order_mark_that_no_agent_can_read() {
    let case = Case::open("bom");
    case.json(&["start", ONE, "--json"]);
    assert!(task_file(&case, ONE).starts_with(b"{"));
}

#[test]
fn completing_what_only_node_can_read_frees_its_dependant() {
    let case = Case::open("lone-surrogate");
    case.json(&["done", ONE, "--json"]);
    let ready = ids(&case.json(&["ready", "--json"]));
    assert!(
        ready.contains("T-00000000-0000-4000-8000-000000000002"),
        "{ready:?}"
    );
}

#[test]
fn a_bad_file_is_named_and_never_overwritten() {
    let case = Case::open("conflict-markers");
    let before = task_file(&case, ONE);
    let problems = case.json(&["list", "--json"])["problems"].to_string();
    assert!(problems.contains("conflict"), "{problems}");
    for args in [["start", ONE], ["delete", ONE], ["done", ONE]] {
        let out = case.run(&args);
        assert_eq!(out.status.code(), Some(1), "{args:?}");
    }
    case.json(&["create", "Another", "--json"]);
    assert_eq!(task_file(&case, ONE), before);
}

#[test]
fn an_unreadable_blocker_is_called_unreadable() {
    let case = Case::open("malformed-json");
    let got = case.json(&["get", "T-00000000-0000-4000-8000-000000000010", "--json"]);
    let reason = got["openBlockers"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("unreadable") || reason.contains("cannot be read"),
        "{reason}"
    );
}

#[test]
fn ids_that_climb_out_are_refused_at_every_command() {
    let case = Case::open("path-traversal");
    let canary = fs::read(case.home.path().join("outside/canary.json")).unwrap();
    for id in texts(&case.expect["ids_to_refuse"])
        .iter()
        .filter(|id| !id.contains('\0'))
    {
        for command in ["get", "start", "delete", "why"] {
            let out = case.run(&[command, "--", id]);
            assert_ne!(out.status.code(), Some(0), "{command} {id:?}");
            assert!(!String::from_utf8_lossy(&out.stdout).contains("canary"));
        }
        let out = case.run(&["create", "x", &format!("--blocked-by={id}")]);
        assert_ne!(out.status.code(), Some(0), "create --blocked-by {id:?}");
    }
    assert_eq!(
        fs::read(case.home.path().join("outside/canary.json")).unwrap(),
        canary
    );
    assert_eq!(
        fs::read_dir(case.tasks()).unwrap().count(),
        2,
        "no file appeared"
    );
}

#[test]
fn prefixes_match_exactly_first_and_never_in_the_middle() {
    let case = Case::open("prefix-ids");
    for (asked, right) in case.expect["get"].as_object().unwrap() {
        let out = case.run(&["get", asked, "--json"]);
        if right.as_str().unwrap().starts_with("error") {
            assert_eq!(out.status.code(), Some(1), "get {asked}");
        } else {
            let got: Value = serde_json::from_slice(&out.stdout).unwrap();
            assert_eq!(got["task"]["id"], *right, "get {asked}");
        }
    }
    case.json(&["done", "T-3d0", "--json"]);
    let done = case.json(&["list", "--status", "completed", "--json"]);
    assert_eq!(ids(&done), BTreeSet::from(["T-3d0".to_owned()]));
}

#[test]
fn an_edge_that_closes_a_ring_is_refused_with_its_path() {
    let case = Case::open("cycles");
    let (three, six, seven) = (3, 6, 7);
    let id = |n: u32| format!("T-00000000-0000-4000-8000-{n:012}");
    let before = case.fingerprint();
    for (task, blocker) in [(three, six), (seven, seven)] {
        let out = case.run(&[
            "update",
            &id(task),
            "--add-blocked-by",
            &id(blocker),
            "--json",
        ]);
        assert_eq!(out.status.code(), Some(1));
        let said: Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(said["error"], "validation_error");
        assert!(
            said["message"].as_str().unwrap().contains(&id(task)),
            "{said}"
        );
    }
    assert!(case.fingerprint() == before, "a refusal wrote something");
    case.json(&["update", &id(seven), "--add-blocked-by", &id(six), "--json"]);
}

#[test]
fn no_control_character_of_a_task_reaches_the_terminal() {
    let case = Case::open("terminal-injection");
    let id_of_first = ids(&case.json(&["list", "--all", "--json"]))
        .into_iter()
        .next()
        .unwrap();
    for args in [
        vec!["list", "--all"],
        vec!["ready"],
        vec!["get", &id_of_first],
        vec!["why", &id_of_first],
    ] {
        let out = case.run(&args);
        let printed = String::from_utf8(out.stdout).unwrap();
        let bad: Vec<char> = printed
            .chars()
            .filter(|c| c.is_control() && *c != '\n')
            .collect();
        assert!(bad.is_empty(), "{args:?} printed {bad:?}");
        let talk = String::from_utf8(out.stderr).unwrap();
        assert!(
            talk.chars().all(|c| !c.is_control() || c == '\n'),
            "{args:?} said {talk:?}"
        );
    }
}

#[test]
fn json_carries_the_exact_text() {
    let case = Case::open("terminal-injection");
    let all = case.json(&["list", "--all", "--json"]);
    for task in all["tasks"].as_array().unwrap() {
        let bytes = task_file(&case, task["id"].as_str().unwrap());
        let stored: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(task["subject"], stored["subject"]);
    }
}
