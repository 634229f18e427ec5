//! `run` with the real binary, real processes and real kills. Order is read from what workers
//! write down, never from clocks.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

/// A list and the notes that its workers take.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Bench {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(".omo/tasks")).unwrap();
        Bench { folder }
    }

    fn dir(&self) -> PathBuf {
        self.folder.path().join(".omo/tasks")
    }

    fn notes(&self) -> PathBuf {
        self.folder.path().join("notes")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir().join(format!("T-{name}.json"))
    }

    /// A task; ids are `T-` and the name.
    fn add(&self, name: &str, blockers: &[&str]) {
        self.add_with(name, name, blockers, json!({}));
    }

    fn add_with(&self, name: &str, subject: &str, blockers: &[&str], more: Value) {
        let blockers: Vec<String> = blockers.iter().map(|b| format!("T-{b}")).collect();
        let mut task = json!({"id": format!("T-{name}"), "subject": subject, "description": "",
            "status": "pending", "blocks": [], "blockedBy": blockers, "threadID": "ses"});
        for (key, value) in more.as_object().unwrap() {
            task[key] = value.clone();
        }
        fs::write(
            self.file(name),
            serde_json::to_string_pretty(&task).unwrap(),
        )
        .unwrap();
    }

    fn get(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.file(name)).unwrap()).unwrap()
    }

    fn status(&self, name: &str) -> String {
        self.get(name)["status"].as_str().unwrap().to_owned()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taskdeck"));
        command
            .arg("--dir")
            .arg(self.dir())
            .args(arguments)
            .env("TASKDECK_STATE_DIR", self.folder.path().join("state"))
            .env("NOTES", self.notes())
            .env("TASKDECK", env!("CARGO_BIN_EXE_taskdeck"))
            .stdin(Stdio::null());
        command
    }

    /// A run to its end, with a shell script as the command.
    fn run(&self, flags: &[&str], script: &str) -> Output {
        let mut arguments = vec!["run"];
        arguments.extend(flags);
        arguments.extend(["--", "sh", "-c", script]);
        self.command(&arguments).output().unwrap()
    }

    /// A run that goes on; its events as they come.
    fn start(&self, flags: &[&str], script: &str) -> (Child, impl Iterator<Item = Value> + use<>) {
        let mut arguments = vec!["run", "--jsonl"];
        arguments.extend(flags);
        arguments.extend(["--", "sh", "-c", script]);
        let mut child = self
            .command(&arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let events = lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap());
        (child, events)
    }

    /// What workers have written down, line by line.
    fn noted(&self) -> Vec<String> {
        let text = fs::read_to_string(self.notes()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

/// Notes its beginning and its end.
const NOTE: &str =
    r#"echo "begin $TASKDECK_TASK_ID" >> "$NOTES"; echo "end $TASKDECK_TASK_ID" >> "$NOTES""#;

/// Notes its beginning and does not end by itself.
const HANG: &str = r#"echo "begin $TASKDECK_TASK_ID" >> "$NOTES"; exec sleep 1000"#;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn assert_done(output: &Output) {
    assert!(
        output.status.success(),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
}

fn kill(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// Waits for an event of a kind.
fn until(events: &mut impl Iterator<Item = Value>, kind: &str) -> Value {
    events
        .find(|event| event["event"] == kind)
        .unwrap_or_else(|| panic!("no {kind}"))
}

#[test]
fn a_diamond_runs_in_the_order_of_its_edges() {
    let bench = Bench::new();
    bench.add("a", &[]);
    bench.add("b", &["a"]);
    bench.add("c", &["a"]);
    bench.add("d", &["b", "c"]);
    let output = bench.run(&["-j", "4"], NOTE);
    assert_done(&output);
    let notes = bench.noted();
    let at = |line: &str| notes.iter().position(|l| l == line).unwrap();
    assert!(at("end T-a") < at("begin T-b") && at("end T-a") < at("begin T-c"));
    assert!(at("end T-b") < at("begin T-d") && at("end T-c") < at("begin T-d"));
    for name in ["a", "b", "c", "d"] {
        let task = bench.get(name);
        assert_eq!(task["status"], "completed");
        assert_eq!(task["metadata"]["run"]["exit"], 0);
    }
}

#[test]
fn runners_side_by_side_run_every_task_once_and_never_too_early() {
    let bench = Bench::new();
    let mut blockers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut seed = 7_u32;
    for n in 0..90 {
        let mut before = BTreeSet::new();
        for _ in 0..2 {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            let other = (seed >> 16) % 100;
            if other < n {
                before.insert(format!("{other:02}"));
            }
        }
        let before: Vec<String> = before.into_iter().collect();
        let names: Vec<&str> = before.iter().map(String::as_str).collect();
        bench.add(&format!("{n:02}"), &names);
        blockers.insert(format!("{n:02}"), before);
    }
    let mut runners: Vec<Child> = (0..3)
        .map(|n| {
            let owner = format!("runner-{n}");
            let arguments = [
                "run", "-q", "-j", "4", "--owner", &owner, "--", "sh", "-c", NOTE,
            ];
            bench
                .command(&arguments)
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for runner in &mut runners {
        assert!(runner.wait().unwrap().success());
    }
    let notes = bench.noted();
    assert_eq!(notes.len(), 180, "each began once and ended once");
    let at = |line: String| {
        let mut found = notes.iter().enumerate().filter(|(_, l)| **l == line);
        let (place, _) = found.next().unwrap();
        assert!(found.next().is_none(), "{line} twice");
        place
    };
    for (name, before) in &blockers {
        for blocker in before {
            assert!(at(format!("end T-{blocker}")) < at(format!("begin T-{name}")));
        }
    }
}

#[test]
fn after_a_killed_runner_its_tasks_run_again_and_only_they() {
    let bench = Bench::new();
    for name in ["a", "b", "c"] {
        bench.add(name, &[]);
    }
    let (mut first, mut events) = bench.start(&["-j", "2"], HANG);
    until(&mut events, "started");
    until(&mut events, "started");
    let (worker_a, worker_b) = (worker_of(&bench, "a"), worker_of(&bench, "b"));
    kill(&first, "-9");
    first.wait().unwrap();
    let output = bench.run(&["-j", "2"], NOTE);
    assert_done(&output);
    assert!(
        !is_alive(worker_a) && !is_alive(worker_b),
        "no task runs twice at once"
    );
    let printed = text(&output.stdout);
    assert_eq!(printed.matches("released").count(), 2, "{printed}");
    for name in ["a", "b", "c"] {
        assert_eq!(bench.status(name), "completed");
        assert_eq!(
            bench.get(name)["metadata"]["run"]["attempt"],
            1,
            "what broke off does not count"
        );
    }
    let ends = bench
        .noted()
        .iter()
        .filter(|l| l.starts_with("end"))
        .count();
    assert_eq!(ends, 3);
}

#[test]
fn a_runner_hears_of_the_end_of_another_that_it_waits_for() {
    let bench = Bench::new();
    bench.add("a", &[]);
    bench.add("b", &["a"]);
    let (mut first, mut events) = bench.start(&[], HANG);
    until(&mut events, "started");
    let (mut second, mut seen) = bench.start(&["-j", "2"], NOTE);
    assert_eq!(until(&mut seen, "waiting")["ids"], json!(["T-a"]));
    kill(&first, "-9");
    first.wait().unwrap();
    assert_eq!(until(&mut seen, "released")["id"], "T-a");
    assert!(second.wait().unwrap().success());
    assert_eq!(
        bench.noted()[1..],
        ["begin T-a", "end T-a", "begin T-b", "end T-b"]
    );
}

/// The process group of a task's worker, by its leader.
fn worker_of(bench: &Bench, name: &str) -> u64 {
    bench.get(name)["metadata"]["run"]["worker"]["pid"]
        .as_u64()
        .unwrap()
}

fn is_alive(pid: u64) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z")
}

#[test]
fn a_runner_elsewhere_or_alive_keeps_its_tasks() {
    let bench = Bench::new();
    let run = json!({"attempt": 1, "host": "elsewhere", "boot": "x", "runner": {"pid": 999_999, "start": 1},
        "worker": {"pid": 999_998, "start": 1}, "at": 1});
    let more = json!({"status": "in_progress", "owner": "other", "metadata": {"run": run}});
    bench.add_with("there", "there", &[], more);
    bench.add("here", &[]);
    let (mut runner, mut events) = bench.start(&[], NOTE);
    assert_eq!(until(&mut events, "ended")["id"], "T-here");
    assert_eq!(until(&mut events, "waiting")["ids"], json!(["T-there"]));
    assert_eq!(bench.status("there"), "in_progress");
    kill(&runner, "-INT");
    assert_eq!(runner.wait().unwrap().code(), Some(1));
}

#[test]
fn hostile_subjects_reach_the_command_as_plain_text() {
    let bench = Bench::new();
    let subjects = [
        "; rm -rf ~",
        "$(touch pwned) `touch pwned`",
        "two\nlines {id} {subject}",
        "--help",
        "",
        "' \" \\ * ? [",
    ];
    for (n, subject) in subjects.iter().enumerate() {
        bench.add_with(&n.to_string(), subject, &[], json!({}));
    }
    let long = "x".repeat(1_000_000);
    bench.add_with("long", &long, &[], json!({}));
    let script = r#"printf '%s' "$1" > "$NOTES.$TASKDECK_TASK_ID.argument"; cat > "$NOTES.$TASKDECK_TASK_ID.input""#;
    let arguments = [
        "run",
        "--stdin",
        "prompt",
        "--filter",
        "-id:T-long",
        "--",
        "sh",
        "-c",
        script,
        "sh",
        "{subject}",
    ];
    assert_done(&bench.command(&arguments).output().unwrap());
    let kept = |name: &str, what: &str| {
        fs::read_to_string(bench.folder.path().join(format!("notes.T-{name}.{what}"))).unwrap()
    };
    for (n, subject) in subjects.iter().enumerate() {
        assert_eq!(kept(&n.to_string(), "argument"), *subject);
        assert!(kept(&n.to_string(), "input").starts_with(subject));
    }
    assert!(!Path::new("pwned").exists());
    // No system takes an argument that long; standard input has it whole.
    let script = r#"cat > "$NOTES.$TASKDECK_TASK_ID.input""#;
    assert_done(&bench.run(&[], script));
    assert!(kept("long", "input").starts_with(&long));
}

#[test]
fn a_folder_whose_name_is_no_text_reaches_the_command_as_it_is() {
    use std::os::unix::ffi::OsStrExt as _;
    let bench = Bench::new();
    bench.add("a", &[]);
    let odd = bench
        .folder
        .path()
        .join(OsStr::from_bytes(b"odd \xff name"));
    if fs::rename(bench.dir(), &odd).is_err() {
        return; // a file system that takes only text has no such folders
    }
    // The task's file is asked for in each of the ways, also from elsewhere.
    let script = r#"cd / && cat "$1" "$2/T-a.json" "$TASKDECK_TASK_FILE" "$TASKDECK_DIR/T-a.json" &&
        "$TASKDECK" update T-a --metadata seen=1"#;
    let mut run = Command::new(env!("CARGO_BIN_EXE_taskdeck"));
    let run = run
        .arg("--dir")
        .arg(&odd)
        .args(["run", "--", "sh", "-c", script, "worker"]);
    let run = run
        .args(["{file}", "{dir}"])
        .env("TASKDECK", env!("CARGO_BIN_EXE_taskdeck"))
        .env("TASKDECK_STATE_DIR", bench.folder.path());
    assert_done(&run.output().unwrap());
    let task: Value = serde_json::from_slice(&fs::read(odd.join("T-a.json")).unwrap()).unwrap();
    assert_eq!(
        (&task["status"], &task["metadata"]["seen"]),
        (&json!("completed"), &json!(1))
    );
}

#[test]
fn a_command_that_cannot_be_started_is_a_failed_attempt() {
    let bench = Bench::new();
    bench.add_with("long", &"x".repeat(1_000_000), &[], json!({}));
    let output = bench
        .command(&["run", "--", "echo", "{subject}"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(bench.get("long")["metadata"]["run"]["failed"], true);
    let bench = Bench::new();
    bench.add("a", &[]);
    let output = bench
        .command(&["run", "--", "no-such-program-here"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(bench.get("a")["metadata"]["run"]["exit"], 127);
}

#[test]
fn failures_are_tried_again_then_given_up_while_the_rest_goes_on() {
    let bench = Bench::new();
    bench.add("bad", &[]);
    bench.add("after", &["bad"]);
    bench.add("good", &[]);
    let script = r#"echo "$TASKDECK_TASK_ID $TASKDECK_ATTEMPT" >> "$NOTES"; [ "$TASKDECK_TASK_ID" != T-bad ]"#;
    let output = bench.run(&["--retries", "2"], script);
    assert_eq!(output.status.code(), Some(1));
    let tries: Vec<String> = bench
        .noted()
        .into_iter()
        .filter(|l| l.starts_with("T-bad"))
        .collect();
    assert_eq!(tries, ["T-bad 1", "T-bad 2", "T-bad 3"]);
    assert_eq!(bench.status("good"), "completed");
    assert_eq!(bench.status("after"), "pending");
    let bad = bench.get("bad");
    assert_eq!(
        (&bad["status"], &bad["owner"]),
        (&json!("pending"), &Value::Null)
    );
    assert_eq!(bad["metadata"]["run"]["failed"], true);
    assert!(
        text(&output.stdout).contains("bad (T-bad) failed"),
        "{}",
        text(&output.stdout)
    );
    let ready = bench.command(&["ready", "--json"]).output().unwrap();
    let ready: Value = serde_json::from_slice(&ready.stdout).unwrap();
    let warnings = ready["tasks"][0]["warnings"].as_array().unwrap();
    assert!(warnings.contains(&json!("failed_run")), "{warnings:?}");
    // Nobody takes it unasked; taking the record away tries it anew.
    assert_eq!(
        bench
            .command(&["claim", "--owner", "x"])
            .output()
            .unwrap()
            .status
            .code(),
        Some(1)
    );
    assert_done(
        &bench
            .command(&["update", "T-bad", "--unset-metadata", "run"])
            .output()
            .unwrap(),
    );
    assert_done(&bench.run(&[], "true"));
    assert_eq!(bench.status("after"), "completed");
}

#[test]
fn a_command_that_fails_for_everything_is_not_tried_on_everything() {
    let bench = Bench::new();
    for n in 0..24 {
        bench.add(&n.to_string(), &[]);
    }
    bench.run(&[], r#"echo x >> "$NOTES"; false"#);
    assert_eq!(bench.noted().len(), 20);
    bench.run(&["--keep-going"], r#"echo x >> "$NOTES"; false"#);
    assert_eq!(bench.noted().len(), 24);
}

#[test]
fn what_a_worker_writes_into_its_task_stands() {
    let bench = Bench::new();
    bench.add("gives-up", &[]);
    bench.add("finishes", &[]);
    bench.add("deletes", &[]);
    let script = r#"case $TASKDECK_TASK_ID in
        T-gives-up) exit 0;;
        T-finishes) "$TASKDECK" done $TASKDECK_TASK_ID; exit 7;;
        T-deletes) trap '' TERM; "$TASKDECK" delete $TASKDECK_TASK_ID; exit 0;;
    esac"#;
    let output = bench.run(&["--done", "task", "--keep-going"], script);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(bench.status("gives-up"), "pending", "exit 0 is not enough");
    assert_eq!(
        bench.status("finishes"),
        "completed",
        "and no exit status undoes it"
    );
    assert_eq!(bench.status("deletes"), "deleted");
}

#[test]
fn results_are_kept_and_handed_on() {
    let bench = Bench::new();
    bench.add("a", &[]);
    bench.add("b", &["a"]);
    bench.add("silent", &["b"]);
    let script = r#"cat >> "$NOTES"; [ $TASKDECK_TASK_ID = T-silent ] || echo '{"result": {"of": "'$TASKDECK_TASK_ID'", "n": 12345678901234567890123}}'"#;
    let output = bench.run(&["--done", "result"], script);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(bench.get("a")["metadata"]["result"]["of"], "T-a");
    assert_eq!(bench.status("b"), "completed");
    assert_eq!(bench.status("silent"), "pending", "no result, not done");
    assert!(
        bench
            .noted()
            .iter()
            .any(|l| l == r#"- a: {"of":"T-a","n":12345678901234567890123}"#)
    );
}

#[test]
fn a_deleted_task_stops_its_worker() {
    let bench = Bench::new();
    bench.add("a", &[]);
    let (mut runner, mut events) = bench.start(&[], HANG);
    until(&mut events, "started");
    let worker = worker_of(&bench, "a");
    assert_done(&bench.command(&["delete", "T-a"]).output().unwrap());
    assert_eq!(until(&mut events, "stopping")["why"], "it was deleted");
    assert_eq!(until(&mut events, "ended")["verdict"], "left");
    assert!(runner.wait().unwrap().success());
    assert!(!is_alive(worker));
    assert_eq!(bench.status("a"), "deleted");
}

#[test]
fn a_task_that_a_person_takes_over_stays_theirs() {
    let bench = Bench::new();
    bench.add("a", &[]);
    let (mut runner, mut events) = bench.start(&[], HANG);
    until(&mut events, "started");
    let worker = worker_of(&bench, "a");
    let take = ["update", "T-a", "--owner", "paula"];
    assert_done(&bench.command(&take).output().unwrap());
    assert_eq!(until(&mut events, "stopping")["why"], "paula took it over");
    assert_eq!(until(&mut events, "ended")["verdict"], "left");
    kill(&runner, "-INT"); // it would wait for her
    runner.wait().unwrap();
    assert!(!is_alive(worker));
    let task = bench.get("a");
    assert_eq!(
        (&task["status"], &task["owner"]),
        (&json!("in_progress"), &json!("paula"))
    );
    assert_eq!(task["metadata"]["run"]["worker"], Value::Null);
}

#[test]
fn a_worker_that_rewrites_its_whole_file_loses_nothing() {
    let bench = Bench::new();
    bench.add("a", &[]);
    let script = r#"printf '{"id":"T-a","subject":"mine","description":"","status":"in_progress",
        "blocks":[],"blockedBy":[],"owner":"taskdeck-run","threadID":"x"}' > "$TASKDECK_TASK_FILE""#;
    assert_done(&bench.run(&[], script));
    let task = bench.get("a");
    assert_eq!(
        (&task["status"], &task["subject"]),
        (&json!("completed"), &json!("mine"))
    );
}

#[test]
fn a_task_that_is_put_back_while_its_worker_runs_is_not_run_twice_at_once() {
    let bench = Bench::new();
    bench.add("a", &[]);
    let (mut first, mut events) = bench.start(&[], HANG);
    until(&mut events, "started");
    assert_done(&bench.command(&["reopen", "T-a"]).output().unwrap());
    let (mut second, mut seen) = bench.start(&[], NOTE);
    assert_eq!(until(&mut seen, "waiting")["ids"], json!(["T-a"]));
    kill(&first, "-TERM");
    first.wait().unwrap();
    assert_eq!(until(&mut seen, "started")["id"], "T-a");
    assert!(second.wait().unwrap().success());
    assert_eq!(bench.status("a"), "completed");
}

#[test]
fn what_a_command_leaves_behind_ends_with_it() {
    let bench = Bench::new();
    bench.add("a", &[]);
    assert_done(&bench.run(&[], r#"sleep 1000 & echo $! > "$NOTES""#));
    assert!(!is_alive(bench.noted()[0].parse().unwrap()));
}

#[test]
fn the_prompt_comes_in_a_file_where_the_command_asks_for_one() {
    let bench = Bench::new();
    bench.add_with(
        "a",
        "Fix login",
        &[],
        json!({"description": "500 on\nempty password"}),
    );
    let arguments = [
        "run",
        "--stdin",
        "none",
        "--",
        "sh",
        "-c",
        r#"cat "$0" > "$NOTES""#,
        "{prompt}",
    ];
    assert_done(&bench.command(&arguments).output().unwrap());
    assert_eq!(
        bench.noted()[..4],
        ["Fix login", "", "500 on", "empty password"]
    );
}

#[test]
fn what_changes_while_it_runs_counts_at_once() {
    let bench = Bench::new();
    bench.add("a", &[]);
    let script = r#"echo $TASKDECK_TASK_ID >> "$NOTES"
        if [ $TASKDECK_TASK_ID = T-a ]; then
            "$TASKDECK" create new --json > /dev/null; "$TASKDECK" create urgent --priority high > /dev/null
        fi"#;
    assert_done(&bench.run(&[], script));
    let subjects: Vec<String> = bench
        .noted()
        .iter()
        .map(|id| bench.get(&id[2..])["subject"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(subjects, ["a", "urgent", "new"]);
}

#[test]
fn a_timeout_ends_the_whole_group() {
    let bench = Bench::new();
    bench.add("a", &[]);
    let script = r#"sleep 1000 & echo $! > "$NOTES"; wait"#;
    let output = bench.run(&["--timeout", "0.3", "--grace", "0.1"], script);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(bench.get("a")["metadata"]["run"]["exit"], "timeout");
    let child = bench.noted()[0].clone();
    assert!(!is_alive(child.parse().unwrap()));
}

#[test]
fn the_first_interrupt_waits_and_the_second_gives_the_tasks_back() {
    let bench = Bench::new();
    bench.add_with("a", "a", &[], json!({"owner": "taskdeck-run"}));
    bench.add("b", &[]);
    let (mut runner, mut events) = bench.start(&[], HANG);
    until(&mut events, "started");
    kill(&runner, "-INT");
    assert!(
        until(&mut events, "note")["text"]
            .as_str()
            .unwrap()
            .contains("no new tasks")
    );
    kill(&runner, "-INT");
    let ended = until(&mut events, "ended");
    assert_eq!(
        (&ended["exit"], &ended["verdict"]),
        (&json!("interrupted"), &json!("left"))
    );
    assert_eq!(runner.wait().unwrap().code(), Some(1));
    for name in ["a", "b"] {
        assert_eq!(bench.status(name), "pending");
    }
    let given_back = ["a", "b"].map(|n| bench.get(n)["owner"].clone());
    assert_eq!(
        given_back,
        [json!("taskdeck-run"), Value::Null],
        "owners as before"
    );
}

#[test]
fn nothing_ready_and_nothing_running_is_explained() {
    for (tasks, why) in [
        (
            vec![("a", vec!["b"]), ("b", vec!["a"])],
            "a ring of tasks that wait for each other",
        ),
        (vec![("a", vec!["gone"])], "missing"),
    ] {
        let bench = Bench::new();
        for (name, blockers) in &tasks {
            bench.add(name, blockers);
        }
        let output = bench.run(&[], "true");
        assert_eq!(output.status.code(), Some(1));
        assert!(
            text(&output.stderr).contains(why),
            "{}",
            text(&output.stderr)
        );
    }
    let bench = Bench::new();
    bench.add_with("theirs", "theirs", &[], json!({"owner": "hera"}));
    let output = bench.run(&[], "true");
    assert!(
        text(&output.stderr).contains("assigned to hera"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_dry_run_says_who_would_run_when_and_runs_nothing() {
    let bench = Bench::new();
    bench.add("a", &[]);
    bench.add("b", &["a"]);
    bench.add_with("c", "c", &[], json!({"metadata": {"priority": "high"}}));
    let output = bench
        .command(&["run", "-j", "2", "--dry-run", "--json"])
        .output()
        .unwrap();
    let waves: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(waves, json!({"waves": [["T-c", "T-a"], ["T-b"]]}));
    assert_eq!(bench.status("a"), "pending");
}

#[test]
fn team_lists_only_go_forward() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("tasks");
    fs::create_dir_all(&dir).unwrap();
    let task = json!({"version": 1, "id": "1", "subject": "s", "description": "d", "status": "pending",
        "blocks": [], "blockedBy": [], "createdAt": 1, "updatedAt": 1});
    fs::write(
        dir.join("1.json"),
        serde_json::to_string_pretty(&task).unwrap() + "\n",
    )
    .unwrap();
    let script = r#"[ $TASKDECK_ATTEMPT = 2 ]"#;
    let output = Command::new(env!("CARGO_BIN_EXE_taskdeck"))
        .args(["--dialect", "team", "run", "--retries", "1", "--dir"])
        .arg(&dir)
        .args(["--", "sh", "-c", script])
        .env("TASKDECK_STATE_DIR", folder.path().join("state"))
        .output()
        .unwrap();
    assert_done(&output);
    let task: Value = serde_json::from_slice(&fs::read(dir.join("1.json")).unwrap()).unwrap();
    assert_eq!(task["status"], "completed");
    assert_eq!(task["metadata"]["run"]["attempt"], 2);
}

#[test]
fn the_doctor_gives_back_what_a_dead_runner_left() {
    let bench = Bench::new();
    bench.add("a", &[]);
    let (mut runner, mut events) = bench.start(&[], HANG);
    until(&mut events, "started");
    kill(&runner, "-9");
    runner.wait().unwrap();
    let looked = bench.command(&["doctor"]).output().unwrap();
    assert_eq!(
        bench.status("a"),
        "in_progress",
        "looking changes nothing: {}",
        text(&looked.stdout)
    );
    let fixed = bench.command(&["doctor", "--fix"]).output().unwrap();
    assert!(
        text(&fixed.stdout).contains("its runner is gone"),
        "{}",
        text(&fixed.stdout)
    );
    assert_eq!(bench.status("a"), "pending");
}
