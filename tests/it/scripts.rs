//! What scripts and shells rely on.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taskdeck"));
    command
        .args(args)
        .env_clear()
        .env("HOME", folder)
        .env("TASKDECK_DIR", folder.join("tasks"))
        .env("TASKDECK_STATE_DIR", folder.join("state"));
    command
}

fn run(folder: &Path, args: &[&str]) -> String {
    text(command(folder, args).output().unwrap())
}

fn text(out: Output) -> String {
    assert!(out.status.success(), "{out:?}");
    String::from_utf8(out.stdout).unwrap()
}

fn fed(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child = command(folder, args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

fn two_tasks() -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let made = ["one", "two"].map(|subject| run(folder.path(), &["create", subject]));
    (folder, made.map(|id| id.trim().to_owned()).into())
}

#[test]
fn ids_come_from_standard_input_as_list_prints_them() {
    let (folder, _) = two_tasks();
    let listed = run(folder.path(), &["list"]);
    let out = fed(folder.path(), &["done", "-", "--quiet"], &listed);
    assert_eq!(text(out), "", "--quiet says nothing");
    assert_eq!(run(folder.path(), &["list"]).lines().count(), 0);
    let out = fed(folder.path(), &["reopen", "-"], "T-nobody\n");
    assert_eq!(out.status.code(), Some(1));
}

#[test]
fn texts_come_from_standard_input_too() {
    let folder = tempfile::tempdir().unwrap();
    let message = "Fix login  \n\nIt fails with\nan empty password.\n";
    let id = text(fed(folder.path(), &["create", "-"], message));
    let id = id.trim();
    let stored = |id: &str| {
        let got = run(folder.path(), &["get", id, "--json"]);
        let task = serde_json::from_str::<serde_json::Value>(&got).unwrap()["task"].clone();
        (task["subject"].clone(), task["description"].clone())
    };
    let right = (
        "Fix login".into(),
        "It fails with\nan empty password.".into(),
    );
    assert_eq!(stored(id), right);
    text(fed(
        folder.path(),
        &["update", id, "-d", "-"],
        "two\nlines\n",
    ));
    assert_eq!(stored(id).1, "two\nlines\n");
    let other = text(fed(
        folder.path(),
        &["create", "Other", "-d", "-"],
        "its text",
    ));
    assert_eq!(stored(other.trim()), ("Other".into(), "its text".into()));
    assert!(!fed(folder.path(), &["create", "-"], " \n").status.success());
}

#[test]
fn several_tasks_are_shown_at_once() {
    let (folder, ids) = two_tasks();
    let listed = run(folder.path(), &["list"]);
    let shown = text(fed(folder.path(), &["get", "-"], &listed));
    let both = ["one", "two"].iter().all(|subject| shown.contains(subject));
    assert!(both && shown.contains("\n\n"), "{shown}");
    let args = ["get", &ids[0], &ids[1], "--json"];
    let answers = run(folder.path(), &args);
    let answers = serde_json::Deserializer::from_str(&answers).into_iter::<serde_json::Value>();
    let subjects: Vec<_> = answers
        .map(|a| a.unwrap()["task"]["subject"].clone())
        .collect();
    assert_eq!(subjects, ["one", "two"]);
    let out = command(folder.path(), &["get", &ids[0], "T-nobody"])
        .output()
        .unwrap();
    assert_eq!(
        (out.status.code(), out.stdout.len()),
        (Some(1), 0),
        "all or nothing"
    );
}

#[test]
fn quiet_commands_say_nothing_when_all_is_well() {
    let (folder, ids) = two_tasks();
    let quiet: [&[&str]; 9] = [
        &["list", "nothing-has-this-word"],
        &["update", &ids[0], "--priority", "high"],
        &["start", &ids[0]],
        &["reopen", &ids[0]],
        &["claim", "--owner", "atlas"],
        &["delete", &ids[0]],
        &["doctor"],
        &["run", "--", "true"],
        &["init", "claude", "--write"],
    ];
    for args in quiet {
        let mut asked = command(folder.path(), &["--quiet"]);
        let out = asked.args(args).current_dir(folder.path()).output();
        let out = out.unwrap_or_else(|e| panic!("{args:?}: {e}"));
        let said = [out.stdout, out.stderr].map(|said| String::from_utf8(said).unwrap());
        assert_eq!(said, ["", ""], "{args:?}");
        assert!(out.status.success(), "{args:?}");
    }
    let out = command(folder.path(), &["done", "T-nobody", "-q"])
        .output()
        .unwrap();
    assert!(!out.stderr.is_empty(), "what went wrong is said");
}

#[test]
fn shells_complete_ids_with_their_subjects() {
    let (folder, ids) = two_tasks();
    let mut asked = command(folder.path(), &["--", "taskdeck", "done", "T-"]);
    let offered = text(asked.env("TASKDECK_COMPLETE", "fish").output().unwrap());
    for (id, subject) in ids.iter().zip(["one", "two"]) {
        assert!(offered.contains(&format!("{id}\t{subject}")), "{offered}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(folder.path(), &["completions", shell]);
        assert!(script.contains("TASKDECK_COMPLETE"), "{shell}");
    }
}

#[test]
fn bash_tells_what_each_of_several_ids_is_and_puts_in_a_single_one_bare() {
    let (folder, ids) = two_tasks();
    let offered = |words: &[&str], way: &str| {
        let mut asked = command(folder.path(), &["--", "taskdeck"]);
        asked.args(words).env("TASKDECK_COMPLETE", "bash");
        asked.env("_CLAP_COMPLETE_INDEX", words.len().to_string());
        asked.env("_CLAP_COMPLETE_COMP_TYPE", way);
        let mut lines: Vec<String> = text(asked.output().unwrap())
            .lines()
            .map(str::to_owned)
            .collect();
        lines.sort();
        lines
    };
    let mut told: Vec<String> = ids
        .iter()
        .zip(["one", "two"])
        .map(|(id, subject)| format!("{id}  ({subject})"))
        .collect();
    told.sort();
    const TAB: &str = "9";
    const MENU: &str = "37";
    assert_eq!(offered(&["done", "T-"], TAB), told);
    assert_eq!(offered(&["graph", "--focus", "T-"], TAB), told);
    assert_eq!(offered(&["done", &ids[0][..12]], TAB), [ids[0].clone()]);
    let mut bare = ids.clone();
    bare.sort();
    assert_eq!(
        offered(&["done", "T-"], MENU),
        bare,
        "a menu puts the whole entry in"
    );
    let empty = folder.path().join("empty").display().to_string();
    assert_eq!(
        offered(&["--dir", &empty, "done", "T-"], TAB),
        [""; 0],
        "of that list"
    );
    assert_eq!(
        offered(&[&format!("--dir={empty}"), "done", "T-"], TAB),
        [""; 0]
    );
    assert_eq!(offered(&["tool", "task_cl"], TAB), ["task_claim"]);
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    run(folder.path(), &["man", "--output", pages.to_str().unwrap()]);
    let page = |name: &str| std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
    let commands = <taskdeck::cli::Cli as clap::CommandFactory>::command();
    for command in commands.get_subcommands().filter(|c| !c.is_hide_set()) {
        let name = command.get_name();
        let text = page(&format!("taskdeck-{name}"));
        assert!(text.contains(&format!("taskdeck {name}")), "{text}");
        assert_eq!(text, run(folder.path(), &["man", name]));
    }
    assert_eq!(page("taskdeck"), run(folder.path(), &["man"]));
    let out = command(folder.path(), &["man", "no-such-command"])
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn tool_calls_answer_with_status_zero_and_misuse_with_two() {
    let (folder, ids) = two_tasks();
    let status = |args: &[&str]| command(folder.path(), args).output().unwrap().status.code();
    assert_eq!(status(&["tool", "task_list"]), Some(0));
    assert_eq!(
        status(&["tool", "task_get", r#"{"id":"T-nobody"}"#]),
        Some(0)
    );
    assert_eq!(status(&["tool", "task_get", r#"{"colour":1}"#]), Some(0));
    assert_eq!(status(&["tool", "no_such_tool"]), Some(2));
    assert_eq!(status(&["tool", "task_list", "{"]), Some(2));
    let out = fed(
        folder.path(),
        &["tool", "task_get", "-"],
        &format!(r#"{{"id":"{}"}}"#, ids[0]),
    );
    assert!(text(out).contains(r#""subject": "one""#));
}

/// Runs a command as a person does, at a terminal.
fn typed(folder: &Path, args: &[&str]) {
    let pty = portable_pty::native_pty_system();
    let pair = pty.openpty(portable_pty::PtySize::default()).unwrap();
    let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_taskdeck"));
    command.args(args);
    command.env("HOME", folder);
    command.env("TASKDECK_DIR", folder.join("tasks"));
    command.env("TASKDECK_STATE_DIR", folder.join("state"));
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut said = Vec::new();
    // A terminal whose program has gone may answer with an error instead of its end.
    let _ = std::io::Read::read_to_end(&mut pair.master.try_clone_reader().unwrap(), &mut said);
    assert!(
        child.wait().unwrap().success(),
        "{}",
        String::from_utf8_lossy(&said)
    );
}

#[test]
fn what_a_person_types_agents_hear() {
    let (folder, ids) = two_tasks();
    let ready = || {
        let answer = run(
            folder.path(),
            &["tool", "task_ready", r#"{"owner":"atlas"}"#],
        );
        serde_json::from_str::<serde_json::Value>(&answer).unwrap()
    };
    assert!(ready().get("notices").is_none(), "{}", ready());
    run(folder.path(), &["update", &ids[0], "--priority", "low"]);
    assert!(ready().get("notices").is_none(), "a script is no person");
    typed(folder.path(), &["update", &ids[1], "--priority", "high"]);
    let notices = ready()["notices"].clone();
    assert_eq!(notices[0]["task"], *ids[1]);
    assert_eq!(
        notices[0]["text"],
        "a person set the priority of \"two\" to high"
    );
}
