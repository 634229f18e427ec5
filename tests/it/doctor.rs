//! `taskdeck doctor` on real folders: what it repairs, what it leaves, and how it is taken back.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tempfile::TempDir;

const A: &str = "T-aaaaaaaa-0000-4000-8000-000000000001";
const B: &str = "T-bbbbbbbb-0000-4000-8000-000000000002";
const GONE: &str = "T-cccccccc-0000-4000-8000-000000000003";

struct Patient(TempDir);

impl Patient {
    fn new() -> Patient {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("tasks")).unwrap();
        Patient(home)
    }

    fn tasks(&self) -> PathBuf {
        self.0.path().join("tasks")
    }

    fn write(&self, name: &str, value: &Value) {
        let text = serde_json::to_string_pretty(value).unwrap();
        fs::write(self.tasks().join(name), text).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_taskdeck"))
            .arg("--dir")
            .arg(self.tasks())
            .args(args)
            .env_clear()
            .env("HOME", self.0.path())
            .env("TASKDECK_STATE_DIR", self.0.path().join("state"))
            .output()
            .unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        let out = self.run(args);
        let talk = String::from_utf8_lossy(&out.stderr).into_owned();
        serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {talk}"))
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.tasks()).unwrap().map(Result::unwrap);
        let files = entries.filter(|entry| entry.path().is_file());
        files
            .map(|e| {
                (
                    e.file_name().into_string().unwrap(),
                    fs::read(e.path()).unwrap(),
                )
            })
            .collect()
    }
}

fn task(id: &str, more: &Value) -> Value {
    let mut task = json!({
        "id": id, "subject": "A task", "description": "", "status": "pending",
        "blocks": [], "blockedBy": [], "threadID": "ses",
    });
    for (key, value) in more.as_object().unwrap() {
        task[key] = value.clone();
    }
    task
}

fn age(path: &Path, seconds: u64) {
    let then = SystemTime::now() - Duration::from_secs(seconds);
    let file = fs::File::open(path).unwrap();
    file.set_modified(then).unwrap();
}

fn codes(answer: &Value) -> Vec<&str> {
    let findings = answer["findings"].as_array().unwrap().iter();
    findings.map(|f| f["code"].as_str().unwrap()).collect()
}

/// A folder with one of everything that can be repaired.
fn sick() -> Patient {
    let patient = Patient::new();
    let odd = json!({"updatedAt": 1700000000000_i64, "owner": null, "blockedBy": [B, GONE]});
    patient.write(&format!("{A}.json"), &task(A, &odd));
    patient.write(&format!("{B}.json"), &task(B, &json!({})));
    patient.write(
        &format!("{GONE}.json"),
        &task(GONE, &json!({"status": "deleted"})),
    );
    let temp = patient.tasks().join(format!("{A}.json.tmp.1700000000000"));
    fs::write(&temp, "half of it").unwrap();
    age(&temp, 3600);
    fs::write(
        patient.tasks().join(".lock"),
        r#"{"id":"dead","timestamp":1700000000000}"#,
    )
    .unwrap();
    patient
}

#[test]
fn it_finds_repairs_and_takes_the_repair_back() {
    let patient = sick();
    let before = patient.files();
    let out = patient.run(&["doctor", "--json"]);
    assert_eq!(out.status.code(), Some(1), "OmO cannot see a task");
    let found: Value = serde_json::from_slice(&out.stdout).unwrap();
    let mut all = codes(&found);
    all.sort_unstable();
    let right = [
        "deleted_blocker",
        "lock_stale",
        "null_key",
        "one_sided_edge",
        "temp_left",
        "unknown_key",
    ];
    assert_eq!(all, right);
    assert!(patient.files() == before, "looking changed something");

    let fixed = patient.json(&["doctor", "--fix", "--json"]);
    assert_eq!(codes(&fixed), [""; 0], "{fixed:#}");
    assert_eq!(patient.run(&["doctor"]).status.code(), Some(0));
    let a: Value = serde_json::from_slice(&patient.files()[&format!("{A}.json")]).unwrap();
    assert_eq!(a["metadata"], json!({"updatedAt": 1700000000000_i64}));
    assert_eq!(a["blockedBy"], json!([B]));
    assert!(a.get("owner").is_none() && a.get("updatedAt").is_none());
    let b: Value = serde_json::from_slice(&patient.files()[&format!("{B}.json")]).unwrap();
    assert_eq!(b["blocks"], json!([A]), "mirrored");
    let names: Vec<String> = patient.files().into_keys().collect();
    assert!(
        names.iter().all(|n| !n.contains(".tmp.") && n != ".lock"),
        "{names:?}"
    );

    patient.json(&["doctor", "--undo", "--json"]);
    let after = patient.files();
    for (name, bytes) in before.iter().filter(|(name, _)| name.ends_with(".json")) {
        let value = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap();
        let (mut now, then) = (value(&after[name]), value(bytes));
        // The object that held what was moved may stay, empty.
        if now["metadata"] == json!({}) {
            now.as_object_mut().unwrap().remove("metadata");
        }
        assert_eq!(
            now["blockedBy"].as_array().map(Vec::len),
            then["blockedBy"].as_array().map(Vec::len)
        );
        for key in ["updatedAt", "owner", "blocks", "metadata"] {
            assert_eq!(now.get(key), then.get(key), "{name}: {key}");
        }
    }
    let temp = format!("{A}.json.tmp.1700000000000");
    assert_eq!(after[&temp], b"half of it", "the temp file is back");
    let again = patient.run(&["doctor", "--undo", "--json"]);
    assert_eq!(again.status.code(), Some(1), "there is no second repair");
}

#[test]
fn the_repair_is_shown_before_it_is_made() {
    let patient = sick();
    let out = patient.run(&["doctor", "--fix"]);
    let said = String::from_utf8(out.stdout).unwrap();
    for line in [
        "set metadata.updatedAt to 1700000000000",
        "take updatedAt out",
        "take owner out",
        "clear the dead lock",
    ] {
        assert!(said.contains(line), "{said}");
    }
}

#[test]
fn nothing_is_repaired_that_a_person_must_decide() {
    let patient = Patient::new();
    patient.write(
        &format!("{A}.json"),
        &task(A, &json!({"blockedBy": [A], "blocks": [A]})),
    );
    fs::write(patient.tasks().join(format!("{B}.json")), "{ cut").unwrap();
    patient.write(
        &format!("{GONE}.json"),
        &task(GONE, &json!({"status": "someday"})),
    );
    let before = patient.files();
    let out = patient.run(&["doctor", "--fix", "--json"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(patient.files() == before);
    let found: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(
        codes(&found),
        ["unreadable", "unknown_status", "self_block"]
    );
    assert_eq!(found["repaired"], json!([]));
}

#[test]
fn dead_locks_of_numbered_lists_are_cleared_and_live_ones_are_left() {
    let patient = Patient::new();
    patient.write("1.json", &task("1", &json!({})));
    patient.write("2.json", &task("2", &json!({})));
    let (dead, live) = (
        patient.tasks().join("1.json.lock"),
        patient.tasks().join("2.json.lock"),
    );
    fs::create_dir(&dead).unwrap();
    fs::create_dir(&live).unwrap();
    age(&dead, 60);
    let out = patient.json(&["doctor", "--fix", "--json"]);
    assert!(!dead.exists() && live.exists(), "{out:#}");
    assert!(
        codes(&out).iter().all(|code| *code != "lock_stale"),
        "{out:#}"
    );
}

#[test]
fn a_mark_that_would_give_a_number_twice_is_raised_and_never_lowered() {
    let patient = Patient::new();
    let team = json!({"version": 1, "createdAt": 1, "updatedAt": 1});
    for id in ["1", "7"] {
        patient.write(&format!("{id}.json"), &task(id, &team));
    }
    let mark = || fs::read_to_string(patient.tasks().join(".highwatermark")).unwrap_or_default();
    let doctor = |more: &[&str]| {
        let args = [&["--dialect", "omo-team", "doctor", "--json"], more].concat();
        patient.json(&args)
    };
    for (stored, after) in [
        ("", "7"),
        ("3", "7"),
        ("nonsense", "7"),
        ("7", "7"),
        ("12", "12"),
    ] {
        fs::write(patient.tasks().join(".highwatermark"), stored).unwrap();
        let behind = codes(&doctor(&[])).contains(&"mark_behind");
        assert_eq!((behind, mark().as_str()), (stored != after, stored));
        let fixed = doctor(&["--fix"]);
        assert!(!codes(&fixed).contains(&"mark_behind"), "{fixed:#}");
        assert_eq!(mark(), after, "from {stored:?}");
    }
    fs::write(patient.tasks().join(".highwatermark"), "3").unwrap();
    doctor(&["--fix"]);
    doctor(&["--undo"]);
    assert_eq!(mark(), "7", "a number that was given stays given");
}

#[test]
fn a_byte_order_mark_goes_and_comes_back_when_that_is_taken_back() {
    let patient = Patient::new();
    let text = serde_json::to_string_pretty(&task(A, &json!({}))).unwrap();
    let file = patient.tasks().join(format!("{A}.json"));
    fs::write(&file, format!("\u{feff}{text}")).unwrap();
    let found = patient.json(&["doctor", "--json"]);
    assert_eq!(codes(&found), ["byte_order_mark"]);
    let fixed = patient.json(&["doctor", "--fix", "--json"]);
    assert_eq!(codes(&fixed), [""; 0]);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    patient.json(&["doctor", "--undo", "--json"]);
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        format!("\u{feff}{text}")
    );
}

#[test]
fn a_read_only_doctor_repairs_nothing() {
    let patient = sick();
    let before = patient.files();
    let out = patient.run(&["doctor", "--fix", "--read-only"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(patient.files() == before);
}
