//! The board in a real terminal: a pseudo terminal with an emulator behind it. Every wait is for
//! something on the screen or for the end of the process, with a bound that only a fault reaches.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use taskdeck::list::Op;
use taskdeck::store::{Options, Store};
use taskdeck::task::{NewTask, Status, TaskId};

/// What takes longer than this is broken.
const BOUND: Duration = Duration::from_secs(30);

pub(super) struct Board {
    pub(super) home: Arc<tempfile::TempDir>,
    child: Box<dyn Child + Send + Sync>,
    pub(super) master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    pub(super) screen: vt100::Parser,
    bytes: Vec<u8>,
}

pub(super) fn tasks(home: &Path) -> PathBuf {
    home.join("shop/.omo/tasks")
}

pub(super) fn make(home: &Path, number: u32, subject: &str, blocked_by: &[u32]) {
    let id = |n: u32| TaskId::new(format!("T-0000000{n}"));
    let store = Store::open(&tasks(home), None, Options::default()).unwrap();
    let task = NewTask {
        id: Some(id(number)),
        subject: subject.to_owned(),
        description: String::new(),
        status: Status::Pending,
        active_form: None,
        owner: None,
        blocks: Vec::new(),
        blocked_by: blocked_by.iter().map(|n| id(*n)).collect(),
        metadata: Vec::new(),
        repo_url: None,
        parent_id: None,
        thread_id: "ses".to_owned(),
    };
    store.act(Op::Create(vec![task])).unwrap();
}

impl Board {
    pub(super) fn open(columns: u16, rows: u16) -> Board {
        Board::open_with(columns, rows, &[])
    }

    pub(super) fn open_with(columns: u16, rows: u16, env: &[(&str, &str)]) -> Board {
        let home = tempfile::tempdir().unwrap();
        make(home.path(), 1, "Lay the ground", &[]);
        make(home.path(), 2, "Build the house", &[1]);
        Board::open_in(Arc::new(home), columns, rows, env)
    }

    /// A board on the list of a home that is there.
    pub(super) fn open_in(
        home: Arc<tempfile::TempDir>,
        columns: u16,
        rows: u16,
        env: &[(&str, &str)],
    ) -> Board {
        Board::start(home, columns, rows, env, &[])
    }

    /// The same with arguments, such as a command that opens a board.
    pub(super) fn start(
        home: Arc<tempfile::TempDir>,
        columns: u16,
        rows: u16,
        env: &[(&str, &str)],
        args: &[&str],
    ) -> Board {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_taskdeck"));
        command.args(args);
        Board::spawn(home, columns, rows, env, command)
    }

    /// Any program in a terminal.
    pub(super) fn spawn(
        home: Arc<tempfile::TempDir>,
        columns: u16,
        rows: u16,
        env: &[(&str, &str)],
        mut command: CommandBuilder,
    ) -> Board {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        command.env_clear();
        command.env("HOME", home.path());
        command.env("TERM", "xterm-256color");
        for (name, value) in env {
            command.env(name, value);
        }
        command.cwd(home.path().join("shop"));
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (send, output) = channel();
        std::thread::spawn(move || {
            let mut chunk = [0; 8192];
            while let Ok(n @ 1..) = reader.read(&mut chunk) {
                if send.send(chunk[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        let keys = pair.master.take_writer().unwrap();
        let screen = vt100::Parser::new(cells(rows), cells(columns), 0);
        Board {
            home,
            child,
            master: pair.master,
            keys,
            output,
            screen,
            bytes: Vec::new(),
        }
    }

    pub(super) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    pub(super) fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Takes what the board writes until it has written this.
    pub(super) fn wait_for_bytes(&mut self, wanted: &str) {
        let start = Instant::now();
        let is = |window: &[u8]| window == wanted.as_bytes();
        while !self.bytes.windows(wanted.len()).any(is) {
            match self
                .output
                .recv_timeout(BOUND.saturating_sub(start.elapsed()))
            {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.bytes.extend(bytes);
                }
                Err(_) => panic!("{wanted:?} was never written:\n{}", self.text()),
            }
        }
    }

    /// Whether the screen is what a terminal would show: no frame is half drawn.
    fn shows_a_frame(&self) -> bool {
        let last = |mark: &[u8]| self.bytes.windows(8).rposition(|window| window == mark);
        last(b"\x1b[?2026l") >= last(b"\x1b[?2026h")
    }

    /// Takes what the board writes until the screen is as wanted.
    pub(super) fn wait(&mut self, what: &str, wanted: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while !(self.shows_a_frame() && wanted(&self.text())) {
            let left = BOUND.saturating_sub(start.elapsed());
            match self.output.recv_timeout(left) {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.bytes.extend(bytes);
                }
                Err(_) => panic!("no {what} on the screen:\n{}", self.text()),
            }
        }
    }

    /// Takes what the board writes until something beside it is as wanted.
    pub(super) fn wait_beside(&mut self, what: &str, wanted: impl Fn(&Path) -> bool) {
        let start = Instant::now();
        while !wanted(self.home.path()) {
            assert!(start.elapsed() < BOUND, "no {what}:\n{}", self.text());
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(20)) {
                self.screen.process(&bytes);
                self.bytes.extend(bytes);
            }
        }
    }

    /// Presses keys and waits until a frame was drawn whole after them.
    pub(super) fn press_and_look(&mut self, keys: &str) {
        const END_OF_FRAME: &[u8] = b"\x1b[?2026l";
        let from = self.bytes.len().saturating_sub(END_OF_FRAME.len() - 1);
        self.press(keys);
        let start = Instant::now();
        let drawn = |bytes: &[u8]| bytes.windows(8).any(|window| window == END_OF_FRAME);
        while !(drawn(&self.bytes[from..]) && self.shows_a_frame()) {
            match self
                .output
                .recv_timeout(BOUND.saturating_sub(start.elapsed()))
            {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.bytes.extend(bytes);
                }
                Err(_) => panic!("no frame after {keys:?}:\n{}", self.text()),
            }
        }
    }

    pub(super) fn see(&mut self, text: &str) {
        self.wait(text, |screen| screen.contains(text));
    }

    /// Waits for the end, and gives the exit code with all that was written.
    pub(super) fn end(mut self) -> (u32, Vec<u8>) {
        let start = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.exit_code();
            }
            assert!(
                start.elapsed() < BOUND,
                "the board does not end:\n{}",
                self.text()
            );
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(20)) {
                self.bytes.extend(bytes);
            }
        };
        drop(self.master);
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(500)) {
            self.bytes.extend(bytes);
        }
        (code, self.bytes)
    }

    pub(super) fn file(&self, number: u32) -> String {
        fs::read_to_string(tasks(self.home.path()).join(format!("T-0000000{number}.json"))).unwrap()
    }
}

/// The terminal is as it was found: every mode that was switched on is off again, later.
pub(super) fn assert_given_back(bytes: &[u8]) {
    let last = |text: &str| {
        let find = |window: &[u8]| window == text.as_bytes();
        bytes.windows(text.len()).rposition(find)
    };
    for (on, off) in [
        ("\x1b[?1049h", "\x1b[?1049l"),
        ("\x1b[?2004h", "\x1b[?2004l"),
        ("\x1b[?1000h", "\x1b[?1000l"),
        ("\x1b[?1003h", "\x1b[?1003l"),
        ("\x1b[?1006h", "\x1b[?1006l"),
        ("\x1b[?1004h", "\x1b[?1004l"),
        ("\x1b[?25l", "\x1b[?25h"),
        ("\x1b[?2026h", "\x1b[?2026l"),
    ] {
        assert!(last(on).is_some(), "{on:?} was never switched on");
        assert!(last(off) > last(on), "{on:?} was left on");
    }
}

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

pub(super) fn cells(count: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(count).unwrap()
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
