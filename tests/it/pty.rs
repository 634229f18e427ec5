//! A board in a pseudo terminal with an emulator behind it. Every wait is for something on the
//! screen or for the end of the process, with a bound that only a fault reaches.

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
pub(super) const BOUND: Duration = Duration::from_secs(30);

pub(super) struct Board {
    pub(super) home: Arc<tempfile::TempDir>,
    pub(super) child: Box<dyn Child + Send + Sync>,
    pub(super) master: Box<dyn MasterPty + Send>,
    pub(super) keys: Box<dyn Write + Send>,
    pub(super) output: Receiver<Vec<u8>>,
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

pub(super) fn cells(count: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(count).unwrap()
}
