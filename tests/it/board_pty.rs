//! The board in a real terminal, from its first frame to the terminal that it gives back.

use std::fs;
use std::time::Instant;

use portable_pty::PtySize;
use taskdeck::list::Op;
use taskdeck::store::{Options, Store};
use taskdeck::task::{NewTask, TaskId};

use super::pty::{BOUND, Board, assert_given_back, cells, make, tasks};

#[test]
fn it_opens_on_the_project_and_leaves_the_terminal_as_it_was() {
    let mut board = Board::open(100, 30);
    board.see("Lay the ground");
    board.see("● live");
    board.press("q");
    let (code, bytes) = board.end();
    assert_eq!(code, 0);
    assert_given_back(&bytes);
}

#[test]
fn what_an_agent_writes_shows_up_and_what_a_person_presses_lands_in_the_file() {
    let mut board = Board::open(100, 30);
    board.see("● live");
    make(board.home.path(), 3, "Hang the door", &[2]);
    board.see("Hang the door");
    let before = board.file(1);
    board.press("L");
    board.see("In progress 1");
    let after = before.replace("\"status\": \"pending\"", "\"status\": \"in_progress\"");
    assert_eq!(board.file(1), after, "nothing but the status changed");
    board.press("L");
    board.see("Completed 1");
    board.press("u");
    board.see("Completed 0");
    board.press("q");
    assert_eq!(board.end().0, 0);
}

#[test]
fn a_task_is_made_in_a_form_and_agents_can_read_it() {
    let mut board = Board::open(100, 30);
    board.see("● live");
    board.press("n");
    board.see("New task");
    board.press("\x1b[200~Paint\nit\x1b[201~");
    board.press("\r");
    board.see("Paint it");
    let folder = fs::read_dir(tasks(board.home.path())).unwrap();
    let files = folder.map(|e| fs::read_to_string(e.unwrap().path()).unwrap());
    let made = files
        .into_iter()
        .find(|text| text.contains("Paint it"))
        .unwrap();
    assert!(made.contains("\"threadID\": \"taskdeck-"), "{made}");
    board.press("q");
    assert_eq!(board.end().0, 0);
}

#[test]
fn a_paste_on_the_board_changes_nothing() {
    let mut board = Board::open(100, 30);
    board.see("● live");
    let before = (board.file(1), board.file(2));
    board.press("\x1b[200~dqd\nyes\n\x1b[201~");
    board.see("a paste was ignored");
    assert_eq!((board.file(1), board.file(2)), before);
    board.press("q");
    assert_eq!(board.end().0, 0);
}

#[test]
fn every_size_is_survived() {
    let mut board = Board::open(100, 30);
    board.see("● live");
    for (columns, rows) in [(20, 5), (40, 10), (1, 1), (200, 60), (80, 24)] {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        board.master.resize(size).unwrap();
        board
            .screen
            .screen_mut()
            .set_size(cells(rows), cells(columns));
        if columns >= 40 {
            board.see("Lay the");
        }
    }
    board.press("q");
    assert_eq!(board.end().0, 0);
}

#[test]
fn signals_that_end_it_give_the_terminal_back() {
    for signal in ["TERM", "INT"] {
        let mut board = Board::open(80, 24);
        board.see("● live");
        let process = board.child.process_id().unwrap().to_string();
        let sent = std::process::Command::new("kill")
            .args(["-s", signal, &process])
            .status();
        assert!(sent.unwrap().success());
        let (code, bytes) = board.end();
        assert_ne!(code, 0, "{signal}");
        assert_given_back(&bytes);
    }
}

#[test]
fn a_closed_terminal_ends_it_without_a_panic() {
    let mut board = Board::open(80, 24);
    board.see("● live");
    let Board {
        mut child,
        master,
        keys,
        output,
        home,
        ..
    } = board;
    drop((master, keys, output));
    let start = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None => assert!(start.elapsed() < BOUND, "it lives on without a terminal"),
        }
        std::thread::yield_now();
    };
    assert_ne!(status.exit_code(), 101, "that is a panic");
    drop(home);
}

#[test]
fn the_description_is_edited_in_an_editor_that_gets_the_keys() {
    let editor =
        "sh -c 'printf your-turn; read answer < /dev/tty; echo \"typed: $answer\" > \"$0\"'";
    let mut board = Board::open_with(
        100,
        30,
        &[
            ("VISUAL", ""),
            ("EDITOR", editor),
            ("PATH", "/usr/bin:/bin"),
        ],
    );
    board.see("● live");
    board.press("E");
    board.see("your-turn");
    board.press("quit\n");
    board.see("saved");
    assert!(
        board.file(1).contains("\"description\": \"typed: quit\""),
        "{}",
        board.file(1)
    );
    board.press("q");
    let (code, bytes) = board.end();
    assert_eq!(code, 0);
    assert_given_back(&bytes);
}

#[cfg(target_os = "linux")]
#[test]
fn it_sleeps_and_wakes_with_the_shell() {
    let mut board = Board::open(100, 30);
    board.see("● live");
    let process = board.child.process_id().unwrap();
    board.press("\x1a");
    let state = || {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        stat.rsplit(") ").next().unwrap().chars().next().unwrap()
    };
    let start = Instant::now();
    while state() != 'T' {
        assert!(start.elapsed() < BOUND, "it does not stop");
        std::thread::yield_now();
    }
    make(board.home.path(), 3, "Made while asleep", &[]);
    let woken = std::process::Command::new("kill")
        .args(["-s", "CONT", &process.to_string()])
        .status();
    assert!(woken.unwrap().success());
    board.see("Made while asleep");
    board.press("q");
    let (code, bytes) = board.end();
    assert_eq!(code, 0);
    assert_given_back(&bytes);
}

#[test]
fn without_colour_no_colour_is_written() {
    let mut board = Board::open_with(80, 24, &[("NO_COLOR", "1")]);
    board.see("● live");
    board.press("j");
    board.press("q");
    let (_, bytes) = board.end();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    for sequence in text.split("\x1b[").skip(1) {
        let codes = sequence.split('m').next().unwrap();
        let is_style = codes
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b';' || b == b':');
        if is_style && sequence.contains('m') {
            let colours = codes
                .split(';')
                .filter(|c| c.starts_with("38") || c.starts_with("48"));
            assert_eq!(colours.count(), 0, "{codes}");
        }
    }
}

#[test]
fn without_a_terminal_it_says_so_in_one_line() {
    let home = tempfile::tempdir().unwrap();
    let run = |term: &str| {
        std::process::Command::new(env!("CARGO_BIN_EXE_taskdeck"))
            .env_clear()
            .env("HOME", home.path())
            .env("TERM", term)
            .current_dir(home.path())
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap()
    };
    let out = run("xterm");
    assert_eq!(out.status.code(), Some(1));
    assert!(out.stdout.is_empty());
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(!said.contains('\x1b'));
}

#[test]
fn the_demo_moves_by_itself_and_leaves_nothing_behind() {
    let home = tempfile::tempdir().unwrap();
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_taskdeck"))
        .args([
            "demo",
            "--headless",
            "--for",
            "20",
            "--speed",
            "400",
            "--agents",
            "3",
        ])
        .env_clear()
        .env("HOME", home.path())
        .env("TMPDIR", home.path())
        .output()
        .unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    assert!(
        said.contains("tasks completed") && !said.contains(": 0 of"),
        "{said}"
    );
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn another_list_opens_on_the_same_board_and_lives_there() {
    let mut board = Board::open(110, 34);
    board.see("Lay the ground");
    let other = board.home.path().join(".config/opencode/tasks/bank");
    let store = Store::open(&other, None, Options::default()).unwrap();
    let write = |id: &str, subject: &str| {
        let task = NewTask {
            id: Some(TaskId::new(id)),
            thread_id: "ses".to_owned(),
            ..NewTask::pending(subject)
        };
        store.act(Op::Create(vec![task])).unwrap();
    };
    write("T-00000001", "Count the money");
    board.press("\x0c"); // ctrl-l
    board.see("bank · OmO");
    board.press("bank");
    board.press("\r");
    board.see("Count the money");
    board.wait("the list before", |screen| {
        !screen.contains("Lay the ground")
    });
    write("T-00000002", "Lock the vault");
    board.see("Lock the vault");
    make(board.home.path(), 3, "Hang the door", &[]); // the list before is not told here
    board.press("\x0c");
    board.see("0/3");
    board.press("\r"); // the cursor is on the list before
    board.see("Hang the door");
    board.wait("the other list", |screen| {
        !screen.contains("Lock the vault")
    });
    board.press("q");
    let (code, bytes) = board.end();
    assert_eq!(code, 0);
    assert_given_back(&bytes);
}
