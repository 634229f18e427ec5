//! Cases whose inputs are made here: too large for fixtures, or a matter of modes, locks and
//! times that no repository keeps.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A home with an empty folder of tasks in it.
pub struct Home(TempDir);

impl Home {
    pub fn new() -> Home {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("tasks")).unwrap();
        Home(home)
    }

    pub fn tasks(&self) -> PathBuf {
        self.0.path().join("tasks")
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.tasks().join(name)
    }

    fn omo(&self, id: &str, subject: &str, waits: &[String]) {
        let task = json!({
            "id": id, "subject": subject, "description": "", "status": "pending",
            "blocks": [], "blockedBy": waits, "threadID": "ses",
        });
        fs::write(self.file(&format!("{id}.json")), task.to_string()).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        self.within(Command::new(env!("CARGO_BIN_EXE_taskdeck")), args)
    }

    fn within(&self, mut command: Command, args: &[&str]) -> Command {
        command
            .arg("--dir")
            .arg(self.tasks())
            .args(args)
            .env_clear()
            .env("HOME", self.0.path())
            .env("TASKDECK_STATE_DIR", self.0.path().join("state"));
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        answer(&self.run(args))
    }

    /// Asks every surface about the list.
    fn agree(&self, dialect: &str) {
        super::surfaces::agree(&self.tasks(), dialect, &self.0.path().join("state"));
    }

    fn names(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.tasks()).unwrap().map(Result::unwrap);
        entries
            .map(|e| e.file_name().into_string().unwrap())
            .collect()
    }
}

pub fn answer(out: &Output) -> Value {
    let talk = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{talk}");
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {talk}"))
}

fn ids(answer: &Value) -> Vec<&str> {
    let tasks = answer["tasks"].as_array().unwrap().iter();
    tasks.map(|task| task["id"].as_str().unwrap()).collect()
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

#[test]
fn the_next_number_never_overwrites_whatever_the_mark_says() {
    for dialect in ["claude", "omo-team"] {
        let cases = [
            None,
            Some("not-a-number"),
            Some("1"),
            Some(""),
            Some("7\r\n"),
        ];
        for mark in cases {
            let home = Home::new();
            for id in ["1", "2", "7"] {
                let task = json!({
                    "version": 1, "id": id, "subject": id, "description": "", "status": "pending",
                    "blocks": [], "blockedBy": [], "createdAt": 1, "updatedAt": 1,
                });
                fs::write(home.file(&format!("{id}.json")), task.to_string()).unwrap();
            }
            if let Some(mark) = mark {
                fs::write(home.file(".highwatermark"), mark).unwrap();
            }
            let before = fs::read(home.file("7.json")).unwrap();
            let args = ["--dialect", dialect, "create", "Another", "--json"];
            assert_eq!(home.json(&args)["task"]["id"], "8", "{dialect} {mark:?}");
            assert_eq!(fs::read(home.file("7.json")).unwrap(), before);
            home.agree(dialect);
        }
        let home = Home::new();
        fs::write(home.file(".highwatermark"), "9".repeat(23)).unwrap();
        let out = home.run(&["--dialect", dialect, "create", "One too many"]);
        assert_eq!(out.status.code(), Some(1), "no number is left");
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(said.contains("high-water mark"), "{said}");
    }
}

#[test]
fn a_lock_is_waited_for_named_taken_over_and_never_in_the_way_of_reading() {
    let lock = |age_ms: i64| format!(r#"{{"id":"other","timestamp":{}}}"#, now_ms() - age_ms);
    let cases = [
        ("held", 0, false),
        ("old", 31_000, true),
        ("stamped ahead", -3_600_000, false),
    ];
    for (name, age_ms, taken_over) in cases {
        let home = Home::new();
        home.omo("T-a", "A", &[]);
        let (content, file) = (lock(age_ms), home.file("T-a.json"));
        fs::write(home.file(".lock"), &content).unwrap();
        let before = fs::read(&file).unwrap();
        let out = home.run(&["--lock-timeout", "0.2", "start", "T-a"]);
        assert_eq!(out.status.success(), taken_over, "{name}");
        if !taken_over {
            let said = String::from_utf8(out.stderr).unwrap();
            assert!(said.contains("lock"), "{name}: {said}");
            assert_eq!(fs::read(&file).unwrap(), before, "{name}");
            assert_eq!(
                fs::read_to_string(home.file(".lock")).unwrap(),
                content,
                "{name}"
            );
        }
        for args in [["list", "--json"], ["ready", "--json"]] {
            assert_eq!(
                ids(&home.json(&args)).len(),
                usize::from(!taken_over || args[0] == "list")
            );
        }
    }
    // Released while somebody waits for it: who waits has written its temp file by then.
    let home = Home::new();
    home.omo("T-a", "A", &[]);
    fs::write(home.file(".lock"), lock(0)).unwrap();
    let mut waiting = home
        .command(&["start", "T-a"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while home.names().len() == 2 {
        assert!(waiting.try_wait().unwrap().is_none(), "it waits");
        std::thread::yield_now();
    }
    fs::remove_file(home.file(".lock")).unwrap();
    assert!(waiting.wait_with_output().unwrap().status.success());
    assert_eq!(home.names(), BTreeSet::from(["T-a.json".to_owned()]));
}

#[cfg(unix)]
#[test]
fn a_file_or_folder_without_permission_is_named_and_hides_no_other() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::new();
    for id in ["T-a", "T-b", "T-c"] {
        home.omo(id, id, &[]);
    }
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&home.file("T-b.json"), 0o000);
    mode(&home.file("T-c.json"), 0o600);
    // The system's administrator reads everything; then only the modes that stay are checked.
    let modes_count = fs::read(home.file("T-b.json")).is_err();
    let all = home.json(&["list", "--all", "--json"]);
    if modes_count {
        assert_eq!(ids(&all), ["T-a", "T-c"]);
        assert_eq!(all["problems"][0]["file"], "T-b.json");
    }
    home.agree("omo");
    home.json(&["start", "T-c", "--json"]);
    let kept = fs::metadata(home.file("T-c.json")).unwrap().permissions();
    assert_eq!(kept.mode() & 0o777, 0o600);
    if modes_count {
        mode(&home.tasks(), 0o555);
        let names = home.names();
        let out = home.run(&["start", "T-a"]);
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(1));
        assert!(
            said.contains("permission denied") && said.contains("tasks"),
            "{said}"
        );
        assert_eq!(home.names(), names, "no temp file is left");
        mode(&home.tasks(), 0o000);
        let out = home.run(&["list"]);
        assert_eq!(out.status.code(), Some(1));
        assert_eq!(String::from_utf8(out.stderr).unwrap().lines().count(), 1);
        mode(&home.tasks(), 0o755);
    }
    fs::remove_dir_all(home.tasks()).unwrap();
    assert_eq!(
        ids(&home.json(&["list", "--json"])),
        [""; 0],
        "no folder is no failure"
    );
    assert!(!home.tasks().exists(), "and looking makes none");
    fs::write(home.tasks(), "a file").unwrap();
    let out = home.run(&["list"]);
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(String::from_utf8(out.stderr).unwrap().lines().count(), 1);
}

/// Diamonds one on the other: so many paths lead through them that nobody may count them.
#[test]
fn a_ladder_of_diamonds_is_answered_without_walking_every_path() {
    let home = Home::new();
    let id = |n: usize| format!("T-d{n:04}");
    for n in 0..60 {
        let rung = n / 2;
        let waits = match rung {
            0 => Vec::new(),
            rung => vec![id(2 * rung - 2), id(2 * rung - 1)],
        };
        home.omo(&id(n), &format!("Rung {rung}"), &waits);
    }
    home.omo("T-dtop", "Top", &[id(58), id(59)]);
    assert_eq!(ids(&home.json(&["list", "--all", "--json"])).len(), 61);
    assert_eq!(ids(&home.json(&["ready", "--json"])), [id(0), id(1)]);
    let why = home.json(&["why", "T-dtop", "--json"]);
    assert!(
        why["chain"].as_array().unwrap().len() < 200,
        "each task is told once"
    );
    let graph = home.json(&["graph", "--format", "json", "--no-reduce"]);
    assert_eq!(graph["edges"].as_array().unwrap().len(), 118);
    home.agree("omo");
}

/// A chain as long as this would overflow any recursion on a small stack.
#[cfg(unix)]
#[test]
fn a_deep_chain_needs_no_deep_stack() {
    const LONG: usize = 5_000;
    let home = Home::new();
    let id = |n: usize| format!("T-c{n:07}");
    for n in 0..LONG {
        let waits = n.checked_sub(1).map(id);
        home.omo(&id(n), &format!("Link {n}"), waits.as_slice());
    }
    let small_stack = |args: &[&str]| {
        let mut shell = Command::new("/bin/sh");
        let program = env!("CARGO_BIN_EXE_taskdeck");
        shell.args(["-c", "ulimit -s 1024; exec \"$0\" \"$@\"", program]);
        home.within(shell, args).output().unwrap()
    };
    assert_eq!(ids(&answer(&small_stack(&["ready", "--json"]))), [id(0)]);
    let all = answer(&small_stack(&["list", "--json"]));
    assert_eq!(all["cycles"], json!([]));
    let why = answer(&small_stack(&["why", &id(LONG - 1), "--json"]));
    assert_eq!(why["chain"].as_array().unwrap().len(), LONG);
    home.agree("omo");
    let args = [
        "update",
        &id(0),
        "--add-blocked-by",
        &id(LONG - 1),
        "--json",
    ];
    let ring = small_stack(&args);
    assert_eq!(ring.status.code(), Some(1), "that closes a ring of {LONG}");
}

#[test]
fn every_one_of_many_tasks_is_reached_and_a_reader_may_leave_early() {
    const MANY: usize = 3_000;
    let home = Home::new();
    let id = |n: usize| format!("T-m{n:06}");
    for n in 0..MANY {
        let waits: Vec<String> = [n / 2, n / 3]
            .into_iter()
            .filter(|w| *w < n)
            .map(id)
            .collect();
        home.omo(&id(n), &format!("Job {n}"), &waits);
    }
    let all = home.json(&["list", "--all", "--json"]);
    let found: BTreeSet<&str> = ids(&all).into_iter().collect();
    assert_eq!(found.len(), MANY, "no silent cap");
    home.agree("omo");
    let mut list = home
        .command(&["list", "--all"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(list.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    drop(out);
    assert!(
        list.wait().unwrap().success(),
        "a closed pipe is no failure"
    );
}

/// The ways in which editors and agents write, seen through `watch`: the last content is told.
#[test]
fn whatever_way_a_file_is_written_watchers_hear_of_it() {
    let home = Home::new();
    home.omo("T-a", "first", &[]);
    let mut watch = home.command(&["watch", "--jsonl"]);
    let mut watch = watch
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut talk = BufReader::new(watch.stderr.take().unwrap());
    let mut line = String::new();
    talk.read_line(&mut line).unwrap();
    assert!(line.starts_with("watching"), "{line}");
    let mut told = BufReader::new(watch.stdout.take().unwrap()).lines();
    let file = home.file("T-a.json");
    let text = |subject: &str| {
        let before = fs::read_to_string(&file).unwrap_or_default();
        let task: Value = serde_json::from_str(&before).unwrap_or_else(|_| {
            json!({"id": "T-a", "description": "", "status": "pending", "blocks": [],
                   "blockedBy": [], "threadID": "ses"})
        });
        let mut task = task;
        task["subject"] = subject.into();
        task.to_string()
    };
    let atomic = |subject: &str| {
        let temp = home.file("T-a.json.tmp.1");
        fs::write(&temp, text(subject)).unwrap();
        fs::rename(&temp, &file).unwrap();
    };
    let vim = |subject: &str| {
        let (text, backup) = (text(subject), home.file("T-a.json~"));
        fs::rename(&file, &backup).unwrap();
        fs::write(&file, text).unwrap();
        fs::remove_file(backup).unwrap();
    };
    let same_time = |subject: &str| {
        let time = fs::metadata(&file).unwrap().modified().unwrap();
        fs::write(&file, text(subject)).unwrap();
        let opened = fs::File::options().write(true).open(&file).unwrap();
        opened.set_modified(time).unwrap();
    };
    let in_place = |subject: &str| fs::write(&file, text(subject)).unwrap();
    let ways: [&dyn Fn(&str); 4] = [&atomic, &vim, &in_place, &same_time];
    for (way, write) in ["atomic", "vim", "in place", "same time"]
        .into_iter()
        .zip(ways)
    {
        write(way);
        let right = told
            .by_ref()
            .map(Result::unwrap)
            .find(|line| line.contains(way));
        assert!(right.is_some(), "{way}");
    }
    fs::remove_file(&file).unwrap();
    let gone = told
        .map(Result::unwrap)
        .find(|line| line.contains("vanished"));
    assert!(gone.is_some());
    watch.kill().unwrap();
    watch.wait().unwrap();
}

#[test]
fn a_crowd_of_processes_loses_no_write() {
    const CROWD: usize = 12;
    let home = Home::new();
    home.omo("T-a", "shared", &[]);
    let crowd = |args: &dyn Fn(usize) -> Vec<String>| {
        let started: Vec<_> = (0..CROWD)
            .map(|n| {
                let args = args(n);
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                home.command(&args).stdout(Stdio::null()).spawn().unwrap()
            })
            .collect();
        for mut child in started {
            assert!(child.wait().unwrap().success());
        }
    };
    let words = |text: String| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    crowd(&|n| words(format!("create race-{n}")));
    crowd(&|n| words(format!("update T-a --metadata k{n}={n}")));
    let names = home.names();
    assert_eq!(
        names.len(),
        CROWD + 1,
        "no lock and no temp file is left: {names:?}"
    );
    let shared: Value = serde_json::from_slice(&fs::read(home.file("T-a.json")).unwrap()).unwrap();
    assert_eq!(shared["metadata"].as_object().unwrap().len(), CROWD);
    home.agree("omo");
}
