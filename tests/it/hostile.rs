//! Texts that would steer a terminal or hide something, in every place that a stranger fills: no
//! byte of them that steers reaches a terminal, whatever prints it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::pty::Board;

/// Sequences of every kind, and letters that reorder or hide. A line that it begins itself would be
/// a forged one.
const HOSTILE: &str = "x\u{1b}]0;PWNED\u{7}\u{1b}]52;c;PWNED\u{1b}\\\u{1b}[1337n\u{9b}1337z\u{90}PWNED\u{9c}\
    \u{1b}c\u{1b}(0\u{0}\u{8}\u{7f}\u{85}FORGED\r\nFORGED\u{2028}FORGED\u{b}FORGED\u{202e}\u{2066}\u{200b}\u{200f}\u{feff}\u{e0041}y";

const ID: &str = "T-00000000-0000-4000-8000-000000000001";
const OTHER: &str = "T-00000000-0000-4000-8000-000000000002";

struct Home(Arc<TempDir>);

impl Home {
    /// A project whose list has a hostile text in every field and name that a file can have.
    fn new() -> Home {
        let home = Home(Arc::new(tempfile::tempdir().unwrap()));
        fs::create_dir_all(home.tasks()).unwrap();
        home.write(ID, &hostile_task());
        home.write(
            OTHER,
            &json!({"id": OTHER, "subject": HOSTILE, "description": HOSTILE, "status": "in_progress",
                "activeForm": HOSTILE, "blocks": [], "blockedBy": [ID, HOSTILE], "owner": HOSTILE,
                "metadata": {"priority": "high", "lastError": HOSTILE}, "threadID": HOSTILE}),
        );
        let lock = json!({"id": HOSTILE, "timestamp": 1}); // stale: a problem until the first write
        fs::write(home.tasks().join(".lock"), lock.to_string()).unwrap();
        let odd = HOSTILE.replace('\0', "");
        home.write(&format!("T-{odd}"), &hostile_task());
        fs::write(
            home.tasks().join("T-broken.json"),
            format!("{{\"a\": {HOSTILE}"),
        )
        .unwrap();
        fs::write(
            home.tasks().join("T-key.json"),
            format!("{{\"{HOSTILE}\": 1}}"),
        )
        .unwrap();
        fs::create_dir_all(home.0.path().join(format!("lists/{odd}/tasks"))).unwrap();
        let named = format!(".config/opencode/tasks/{odd}");
        fs::create_dir_all(home.0.path().join(&named)).unwrap();
        fs::write(
            home.0.path().join(&named).join("T-1.json"),
            hostile_task().to_string(),
        )
        .unwrap();
        fs::create_dir_all(home.0.path().join(".config/taskdeck")).unwrap();
        let value = Value::from(HOSTILE).to_string().replace("\\u007f", "");
        let toml = format!("theme = {value}\n{value} = 1\n[keys]\n{value} = [{value}]\n");
        let toml = toml.replace('\u{7f}', "").replace("\\b", "");
        fs::write(home.0.path().join(".config/taskdeck/config.toml"), toml).unwrap();
        home
    }

    fn tasks(&self) -> PathBuf {
        self.0.path().join("shop/.omo/tasks")
    }

    fn write(&self, name: &str, task: &Value) {
        fs::write(self.tasks().join(format!("{name}.json")), task.to_string()).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taskdeck"));
        command
            .args(args)
            .current_dir(self.0.path().join("shop"))
            .env_clear()
            .env("HOME", self.0.path())
            .env("TASKDECK_STATE_DIR", self.0.path().join("state"));
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }
}

fn hostile_task() -> Value {
    json!({
        "id": HOSTILE, "subject": HOSTILE, "description": HOSTILE, "status": HOSTILE,
        "activeForm": HOSTILE, "blocks": [HOSTILE], "blockedBy": [HOSTILE, OTHER],
        "owner": HOSTILE, "repoURL": HOSTILE, "parentID": HOSTILE, "threadID": HOSTILE,
        "metadata": {HOSTILE: HOSTILE, "priority": HOSTILE, "order": HOSTILE, "list": [HOSTILE]},
        HOSTILE: HOSTILE,
    })
}

/// Characters that must never reach a person's terminal.
fn steers(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Without our own colours.
fn uncoloured(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        let style = part.find(|c: char| !(c.is_ascii_digit() || c == ';' || c == ':'));
        match style {
            Some(end) if part[end..].starts_with('m') => all + &part[end + 1..],
            _ => all + "\u{1b}[" + part,
        }
    })
}

/// What is left of the first sequence when only its escape character is taken out. Where a text is
/// quoted, the escape stands as letters in between.
const RUIN: &str = "x]0;";

fn check(what: &str, text: &str) {
    let text = uncoloured(text);
    let bad: Vec<char> = text.chars().filter(|c| steers(*c)).collect();
    assert!(bad.is_empty(), "{what} printed {bad:?}:\n{text}");
    assert!(
        !text.contains(RUIN),
        "{what} printed half a sequence:\n{text}"
    );
}

/// A text of one line can begin no line of its own.
fn check_lines(what: &str, text: &str) {
    let forged = text.lines().find(|line| line.starts_with("FORGED"));
    assert_eq!(forged, None, "{what} lets a text begin a line");
}

fn both(out: &Output) -> String {
    let text = [&out.stdout[..], &out.stderr].concat();
    String::from_utf8(text).expect("what is printed is UTF-8")
}

#[test]
fn no_command_lets_a_text_steer_the_terminal() {
    let home = Home::new();
    let odd = HOSTILE.replace('\0', "");
    let (odd, state) = (odd.as_str(), format!("is:{odd}"));
    let table: Vec<Vec<&str>> = vec![
        vec!["list"],
        vec!["list", "--all"],
        vec!["list", "--status", odd],
        vec!["list", odd],
        vec!["list", &state],
        vec!["--list", odd, "list"],
        vec!["--dir", odd, "list"],
        vec!["ready"],
        vec!["get", ID],
        vec!["get", "T-key"],
        vec!["get", odd],
        vec!["why", ID],
        vec!["why", OTHER],
        vec!["why", odd],
        vec!["graph"],
        vec!["graph", "--focus", ID],
        vec!["graph", "--focus", odd],
        vec!["graph", "--format", "dot"],
        vec!["graph", "--format", "mermaid"],
        vec!["graph", "--format", "svg"],
        vec!["doctor"],
        vec!["doctor", "--fix"],
        vec!["lists"],
        vec!["config"],
        vec!["snapshot"],
        vec!["snapshot", "--format", "ansi"],
        vec!["snapshot", "--format", "svg"],
        vec!["snapshot", "--view", odd],
        vec!["update", OTHER, "--owner", odd],
        vec!["update", OTHER, "--metadata", odd],
        vec!["update", OTHER, "--add-blocked-by", odd],
        vec!["create", odd, "--owner", odd, "--thread", odd],
        vec!["create", odd, "--blocked-by", odd],
        vec!["claim", "--owner", odd],
        vec!["claim", ID, "--owner", odd],
        vec!["run", "--dry-run"],
        vec!["start", ID],
        vec!["done", OTHER],
        vec!["reopen", OTHER],
        vec!["delete", OTHER],
        vec!["delete", odd],
        vec!["tool", odd],
        vec!["tool", "task_list", odd],
        vec!["init", odd],
        vec!["demo", "--scenario", odd],
        vec!["completions", odd],
        vec!["man", odd],
        vec![odd],
    ];
    for args in &table {
        for colour in ["never", "always"] {
            let args = [&["--color", colour], &args[..]].concat();
            let out = home.run(&args);
            let (what, text) = (format!("{args:?}"), both(&out));
            check(&what, &text);
            // A description has lines, and wrong usage is quoted to whom it came from.
            if args[2] != "get" && out.status.code() != Some(2) {
                check_lines(&what, &text);
            }
        }
    }
}

#[test]
fn json_escapes_what_a_terminal_would_obey() {
    let home = Home::new();
    for args in [
        &["list", "--all", "--json"][..],
        &["get", ID, "--json"],
        &["graph", "--format", "json"],
        &["lists", "--json"],
        &["doctor", "--json"],
        &["tool", "task_list", "{}"],
        &["get", HOSTILE.split('\0').next().unwrap(), "--json"],
    ] {
        let text = both(&home.run(args));
        let bad: Vec<char> = text.chars().filter(|c| *c < ' ' && *c != '\n').collect();
        assert!(bad.is_empty(), "{args:?} printed {bad:?}");
    }
}

#[test]
fn a_watch_shows_hostile_changes_as_plain_text() {
    let home = Home::new();
    let mut watch = home.command(&["watch", "--count", "3"]);
    let mut child = watch
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    for turn in 0.. {
        if child.try_wait().unwrap().is_some() {
            break;
        }
        let mut task = hostile_task();
        task["status"] = ["pending", "in_progress", "completed"][turn % 3].into();
        task["owner"] = format!("{HOSTILE}{turn}").into();
        home.write(ID, &task);
        std::thread::yield_now();
    }
    let text = both(&child.wait_with_output().unwrap());
    assert!(text.contains('y'), "it told something: {text}");
    check("watch", &text);
    check_lines("watch", &text);
}

#[test]
fn completions_offer_plain_text() {
    let home = Home::new();
    for shell in ["fish", "bash", "zsh"] {
        let mut asked = home.command(&["--", "taskdeck", "get", "T-"]);
        asked
            .env("TASKDECK_COMPLETE", shell)
            .env("_CLAP_COMPLETE_INDEX", "2");
        let text = both(&asked.output().unwrap()).replace('\u{b}', "\n");
        check(shell, &text);
    }
}

#[test]
fn the_board_sends_no_byte_of_a_sequence_to_the_terminal() {
    let home = Home::new();
    let state = home.0.path().join("state").display().to_string();
    let mut board = Board::open_in(
        Arc::clone(&home.0),
        160,
        45,
        &[("TASKDECK_STATE_DIR", &state)],
    );
    board.see("live");
    // Details, the graph, whole-screen graph, problems, edits, help, lists, palette, filter, forms.
    for keys in [
        "\r", "g", "j", "l", "l", "h", "!", "?", ":", "/x", "\r", "e", "b", "x", "o", "n",
    ] {
        board.press_and_look(keys);
        board.press("\x1b");
        board.press_and_look("\x1b");
    }
    board.press("\x03");
    let (_, bytes) = board.end();
    check_terminal(&bytes);
}

/// The bytes hold no sequence but those that the board itself writes, and none of the texts'.
fn check_terminal(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for word in [RUIN, "\u{7}", "\u{0}", "\u{8}", "\u{7f}"] {
        assert!(!text.contains(word), "{word:?} was sent to the terminal");
    }
    let bad: Vec<char> = text
        .chars()
        .filter(|c| !c.is_ascii() && steers(*c))
        .collect();
    assert!(bad.is_empty(), "{bad:?} was sent to the terminal");
    for sequence in text.split('\u{1b}').skip(1) {
        let ours = ["[", "]11;?", "\\"]
            .iter()
            .any(|start| sequence.starts_with(start));
        let start: String = sequence.chars().take(20).collect();
        assert!(ours, "ESC {start:?} was sent to the terminal");
    }
}

#[test]
fn the_checks_see_what_they_look_for() {
    let seen = |text: &str| std::panic::catch_unwind(|| check("it", text)).is_err();
    for text in [
        "a\u{1b}]0;x\u{7}",
        "a\u{9b}1m",
        "\u{202e}",
        "\u{1b}[2J",
        "\r",
        "x]0;PWNED",
    ] {
        assert!(seen(text), "{text:?}");
    }
    assert!(!seen("\u{1b}[1;32mgreen\u{1b}[0m\tand plain\n"));
}
