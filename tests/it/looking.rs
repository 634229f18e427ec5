//! Looking creates and changes nothing: neither where lists are searched nor in a list.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use serde_json::json;

use super::made_cases::{Home, answer};

/// Which folder opens, by what the surroundings say.
#[test]
fn discovery_follows_the_agents_rules_and_creates_nothing() {
    let home = tempfile::tempdir().unwrap();
    let at = |inside: &str| home.path().join(inside);
    let task = |folder: &str, name: &str, subject: &str| {
        fs::create_dir_all(at(folder)).unwrap();
        let id = name.trim_end_matches(".json");
        let text = json!({"id": id, "subject": subject, "description": "", "status": "pending",
                          "blocks": [], "blockedBy": [], "threadID": "ses"});
        fs::write(at(folder).join(name), text.to_string()).unwrap();
    };
    fs::create_dir_all(at("shop/.git")).unwrap();
    fs::create_dir_all(at("shop/src")).unwrap();
    task("shop/.sisyphus/tasks", "T-1.json", "sisyphus");
    task("shop/.omo/tasks", "T-1.json", "omo");
    task(".config/opencode/tasks/a-b", "T-1.json", "named");
    task(".claude/tasks/my-list", "1.json", "claude");
    task(".claude-work/tasks/my-list", "1.json", "claude at work");
    let before = tree(home.path());
    let list = |vars: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taskdeck"));
        command
            .current_dir(at("shop/src"))
            .args(["list", "--json"])
            .env_clear();
        command
            .env("HOME", home.path())
            .env("TASKDECK_STATE_DIR", "/nonexistent/state");
        command.envs(vars.iter().copied());
        command.output().unwrap()
    };
    let subject = |vars: &[(&str, &str)]| {
        let said = answer(&list(vars));
        said["tasks"][0]["subject"]
            .as_str()
            .unwrap_or("(none)")
            .to_owned()
    };
    let work = at(".claude-work").display().to_string();
    let omo = "ULTRAWORK_TASK_LIST_ID";
    let claude = "CLAUDE_CODE_TASK_LIST_ID";
    assert_eq!(subject(&[]), "omo", "one of both, not both");
    assert_eq!(subject(&[(omo, "a/b")]), "named");
    assert_eq!(
        subject(&[(omo, "a.b"), (claude, "my-list")]),
        "named",
        "the first wins"
    );
    assert_eq!(subject(&[(omo, "  ")]), "omo", "blank is unset");
    assert_eq!(subject(&[(claude, "my-list")]), "claude");
    let elsewhere = [(claude, "my-list"), ("CLAUDE_CONFIG_DIR", work.as_str())];
    assert_eq!(subject(&elsewhere), "claude at work");
    let homeless = Command::new(env!("CARGO_BIN_EXE_taskdeck"))
        .current_dir("/")
        .arg("list")
        .env_clear()
        .output()
        .unwrap();
    assert_eq!(homeless.status.code(), Some(1));
    let said = String::from_utf8(homeless.stderr).unwrap();
    assert!(said.lines().count() <= 2 && said.contains("HOME"), "{said}");
    assert!(tree(home.path()) == before, "looking created something");
}

/// Every name below a folder with its bytes and time of change.
fn tree(root: &Path) -> BTreeSet<(PathBuf, SystemTime, Vec<u8>)> {
    let mut found = BTreeSet::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let data = fs::symlink_metadata(&path).unwrap();
            let bytes = if data.is_file() {
                fs::read(&path).unwrap()
            } else {
                Vec::new()
            };
            if data.is_dir() {
                folders.push(path.clone());
            }
            found.insert((path, data.modified().unwrap(), bytes));
        }
    }
    found
}

/// Looking leaves a list as it is, whoever writes it: names, bytes, times, folders.
#[test]
fn looking_leaves_every_list_as_it_was() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/cases");
    for (case, id) in [
        ("control-omo", "T-00000000-0000-4000-8000-000000000001"),
        ("control-team", "1"),
        ("control-claude", "1"),
    ] {
        let home = Home::new();
        let tasks = fixtures.join(case).join("tasks");
        for entry in fs::read_dir(tasks).unwrap().map(Result::unwrap) {
            if entry.path().is_file() {
                fs::copy(
                    entry.path(),
                    home.file(&entry.file_name().to_string_lossy()),
                )
                .unwrap();
            }
        }
        fs::create_dir_all(home.file("claims")).unwrap();
        fs::write(home.file(".lock"), "left").unwrap();
        fs::write(home.file("T-x.json.tmp.1"), "left").unwrap();
        let before = tree(&home.tasks());
        let dialect = case.trim_start_matches("control-");
        for looking in [
            vec!["lists"],
            vec!["list", "--all"],
            vec!["ready"],
            vec!["get", id],
            vec!["why", id],
            vec!["graph"],
            vec!["doctor"],
            vec!["snapshot"],
            vec!["tool", "task_list"],
        ] {
            let out = home.run(&[&["--dialect", dialect], looking.as_slice()].concat());
            let code = out.status.code();
            assert!(
                code == Some(0) || looking == ["doctor"],
                "{case} {looking:?}: {out:?}"
            );
            assert!(
                tree(&home.tasks()) == before,
                "{case}: {looking:?} changed something"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_hides_no_other_list() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = tempfile::tempdir().unwrap();
    let shop = home.path().join("shop");
    for folder in [".omo/tasks", ".sisyphus/tasks"] {
        let folder = shop.join(folder);
        fs::create_dir_all(&folder).unwrap();
        let task = json!({"id": "T-1", "subject": "seen", "description": "", "status": "pending",
                          "blocks": [], "blockedBy": [], "threadID": "ses"});
        fs::write(folder.join("T-1.json"), task.to_string()).unwrap();
    }
    let written_last = shop.join(".sisyphus/tasks");
    let later = SystemTime::now() + std::time::Duration::from_secs(60);
    for path in [written_last.clone(), written_last.join("T-1.json")] {
        fs::File::open(path).unwrap().set_modified(later).unwrap();
    }
    let mode = |mode| fs::set_permissions(&written_last, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o000);
    // The system's administrator reads everything.
    let hidden = fs::read_dir(&written_last).is_err();
    let out = Command::new(env!("CARGO_BIN_EXE_taskdeck"))
        .current_dir(&shop)
        .args(["list", "--json"])
        .env_clear()
        .env("HOME", home.path())
        .output()
        .unwrap();
    mode(0o755);
    let dir = answer(&out)["list"]["dir"].as_str().unwrap().to_owned();
    let right = if hidden {
        ".omo/tasks"
    } else {
        ".sisyphus/tasks"
    };
    assert!(dir.ends_with(right), "{dir}");
}
