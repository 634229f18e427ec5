//! `run` and a person at the board: steering a runner from the board that it runs under, and
//! changing the list under a runner's hands.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use serde_json::Value;

use super::pty::{Board, make, tasks};

/// What a worker does: notes that it began, then ends well when that is allowed, else hangs.
const WORKER: &str = r#"echo "$TASKDECK_SUBJECT" >> "$HOME/began"
    [ -e "$HOME/allowed" ] || exec sleep 1000"#;

fn home(subjects: &[&str]) -> Arc<tempfile::TempDir> {
    let home = tempfile::tempdir().unwrap();
    for (subject, number) in subjects.iter().zip(1..) {
        make(home.path(), number, subject, &[]);
    }
    Arc::new(home)
}

fn task(home: &Path, number: u32) -> Value {
    let file = tasks(home).join(format!("T-0000000{number}.json"));
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

/// The subjects of the tasks that workers began, in order.
fn began(home: &Path) -> Vec<String> {
    let text = fs::read_to_string(home.join("began")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Opens the workers' menu and chooses what is found by these letters.
fn choose(board: &mut Board, letters: &str) {
    board.press("W");
    board.see("Workers: ");
    board.press_and_look(letters);
    board.press("\r");
}

#[test]
fn a_runner_is_steered_from_the_board_that_it_runs_under() {
    let home = home(&["First", "Second", "Third"]);
    let args = ["run", "--board", "--", "sh", "-c", WORKER];
    let mut board = Board::start(home, 140, 36, &[], &args);
    board.see("1/1 workers");
    board.see("In progress 1");

    choose(&mut board, "one more");
    board.see("2/2 workers");
    board.see("In progress 2");

    choose(&mut board, "stop: First");
    board.see("Stop the worker of “First”?");
    board.press("y");
    // Its place is free for the third one; the failed one waits for a person.
    board.wait_beside("third worker", |home| began(home).len() == 3);
    let failed = task(board.home.path(), 1);
    assert_eq!(failed["status"], "pending", "{failed}");
    assert_eq!(failed["metadata"]["run"]["failed"], true, "{failed}");

    fs::write(board.home.path().join("allowed"), "").unwrap();
    choose(&mut board, "one more");
    board.see("2/3 workers");
    choose(&mut board, "retry: First");
    board.see("Completed 1");
    assert_eq!(task(board.home.path(), 1)["status"], "completed");
    assert_eq!(
        began(board.home.path()).join(" "),
        "First Second Third First"
    );

    // Leaving the board leaves the runner at work, until it is told twice to end.
    board.press("q");
    board.see("started  T-00000003");
    board.press("\x03");
    board.see("no new tasks");
    board.press("\x03");
    let home = Arc::clone(&board.home);
    assert_eq!(board.end().0, 1);
    for number in [2, 3] {
        let task = task(home.path(), number);
        assert_eq!(task["status"], "pending", "given back: {task}");
        assert!(task.get("owner").is_none(), "{task}");
    }
}

/// A runner without a board, one task at a time; the first worker waits for a line in a pipe.
fn runner(home: &Path) -> Child {
    let made = Command::new("mkfifo").arg(home.join("go")).status();
    assert!(made.unwrap().success());
    let script = r#"echo "$TASKDECK_SUBJECT" >> "$HOME/began"
        [ "$TASKDECK_SUBJECT" != Gate ] || read line < "$HOME/go""#;
    Command::new(env!("CARGO_BIN_EXE_taskdeck"))
        .arg("--dir")
        .arg(tasks(home))
        .args(["run", "--", "sh", "-c", script])
        .env("HOME", home)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_runner_follows_what_a_person_does_on_a_board() {
    let home = home(&["Gate", "Alpha", "Beta", "Gamma", "Delta"]);
    let mut runner = runner(home.path());
    let mut board = Board::open_in(home, 140, 36, &[]);
    board.see("In progress 1");
    let find = |board: &mut Board, subject: &str| {
        board.press("f");
        board.see("Go to a task");
        board.press_and_look(subject);
        board.press_and_look("\r");
    };
    // Alpha is deleted, Delta goes first, and Beta waits for Gamma.
    find(&mut board, "Alpha");
    board.press("d");
    board.see("Delete");
    board.press("y");
    board.wait_beside("deletion", |home| task(home, 2)["status"] == "deleted");
    find(&mut board, "Delta");
    board.press("+");
    board.wait_beside("priority", |home| {
        task(home, 5)["metadata"]["priority"] == "high"
    });
    find(&mut board, "Beta");
    board.press("b");
    board.see("is to wait for");
    board.press_and_look("Gamma");
    board.press("\r");
    board.wait_beside("edge", |home| task(home, 3)["blockedBy"][0] == "T-00000004");

    fs::write(board.home.path().join("go"), "go\n").unwrap();
    assert!(runner.wait().unwrap().success());
    let order = began(board.home.path()).join(" ");
    assert_eq!(order, "Gate Delta Gamma Beta");
    board.press("q");
    assert_eq!(board.end().0, 0);
}
