//! The board in a pseudo terminal: start to the first complete frame, a file's change to the
//! changed cell, and what it costs while nothing happens.

use std::fs;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::lists::{Tasks, id, text};
use super::reference;
use super::table::{Table, Target, median, quantile};

const BOUND: Duration = Duration::from_secs(60);
const SIZE: (u16, u16) = (200, 50);

/// Which board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    Ours,
    Yardstick,
}

pub struct Board {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    started: Instant,
    _master: Box<dyn MasterPty + Send>,
}

impl Board {
    fn open(tasks: &Tasks) -> Board {
        Board::open_as(tasks, Program::Ours)
    }

    pub fn open_as(tasks: &Tasks, program: Program) -> Board {
        let size = PtySize {
            rows: SIZE.1,
            cols: SIZE.0,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = match program {
            Program::Ours => CommandBuilder::new(env!("CARGO_BIN_EXE_taskdeck")),
            Program::Yardstick => CommandBuilder::new(std::env::current_exe().unwrap()),
        };
        if program == Program::Yardstick {
            command.args([super::YARDSTICK.as_ref(), tasks.dir().as_os_str()]);
        }
        command.env_clear();
        command.env("HOME", tasks.home());
        command.env("TERM", "xterm-256color");
        command.env("TASKDECK_DIR", tasks.dir());
        command.env("TASKDECK_THEME", "dark");
        command.cwd(tasks.home());
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let (send, output) = channel();
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        std::thread::spawn(move || {
            let mut chunk = vec![0; 65_536];
            while let Ok(n @ 1..) = reader.read(&mut chunk) {
                if send.send(chunk[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        let cells = |n| std::num::NonZero::new(n).unwrap();
        let screen = vt100::Parser::new(cells(SIZE.1), cells(SIZE.0), 0);
        Board {
            child,
            keys,
            output,
            screen,
            started,
            _master: pair.master,
        }
    }

    /// Waits for a text, and gives the moment in which its last byte came.
    pub fn see(&mut self, text: &str) -> Instant {
        loop {
            let bytes = self.output.recv_timeout(BOUND);
            let now = Instant::now();
            let Ok(bytes) = bytes else {
                panic!(
                    "no {text:?} on the screen:\n{}",
                    self.screen.screen().contents()
                );
            };
            self.screen.process(&bytes);
            if self.screen.screen().contents().contains(text) {
                return now;
            }
        }
    }

    pub fn started(&self) -> Instant {
        self.started
    }

    /// How long it takes from a key to the first byte that answers it.
    pub fn key_to_output(&mut self, key: &str) -> Duration {
        while let Ok(bytes) = self.output.try_recv() {
            self.screen.process(&bytes);
        }
        let start = Instant::now();
        self.keys.write_all(key.as_bytes()).unwrap();
        let bytes = self.output.recv_timeout(BOUND).unwrap();
        let took = start.elapsed();
        self.screen.process(&bytes);
        took
    }

    pub fn quit(mut self) {
        self.keys.write_all(b"q").unwrap();
        // Whoever does not read its output keeps a program from ending.
        while !matches!(
            self.output.recv_timeout(BOUND),
            Err(RecvTimeoutError::Disconnected)
        ) {}
        self.child.wait().unwrap();
    }

    /// A value of `/proc/PID/status` in kilobytes.
    pub fn memory_mb(&self) -> Option<f64> {
        let status =
            fs::read_to_string(format!("/proc/{}/status", self.child.process_id()?)).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        let kb: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kb / 1_000.0)
    }

    /// Ticks of processor time so far.
    fn ticks(&self) -> Option<u64> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.process_id()?)).ok()?;
        let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    }
}

/// The list with one task that is always in sight, whose subject says `word`.
pub fn put_in_sight(tasks: &Tasks, word: &str) {
    let number = 3; // in progress
    let seen = text(number).replace("Task 3: build", &format!("{word} build"));
    let seen = seen.replace("\"metadata\": {", "\"metadata\": {\n    \"order\": -1,");
    let seen = ["medium", "low"]
        .iter()
        .fold(seen, |t, p| t.replace(&format!("\"{p}\""), "\"high\""));
    let temp = tasks.dir().join(".bench.swap");
    fs::write(&temp, seen).unwrap();
    fs::rename(&temp, tasks.dir().join(format!("{}.json", id(number)))).unwrap();
}

pub fn measure(table: &mut Table) {
    let (hint, frame) = (reference::hint(), reference::frame(SIZE.0, SIZE.1));
    for (count, plus) in [(100, 20), (1_000, 20), (10_000, 20), (100_000, 50)] {
        let tasks = Tasks::make(count);
        put_in_sight(&tasks, "Seen0");
        let first = median(|| {
            let mut board = Board::open(&tasks);
            let took = board.see("Seen0") - board.started;
            board.quit();
            took
        });
        let load = reference::load(&tasks.dir());
        let limit = Target::Times("limit:load", load, 1.5, Duration::from_millis(plus));
        table.row(
            &format!("board: start to first whole frame, {count} tasks"),
            first,
            limit,
        );
        changes(table, &tasks, hint + frame);
    }
}

fn changes(table: &mut Table, tasks: &Tasks, limit: Duration) {
    let count = tasks.count;
    let mut board = Board::open(tasks);
    board.see("Seen0");
    std::thread::sleep(Duration::from_millis(500)); // the start is not what is measured
    let memory = board.memory_mb();
    let mut times: Vec<Duration> = (1..=40)
        .map(|turn| {
            let word = format!("Seen{turn}x");
            let start = Instant::now();
            put_in_sight(tasks, &word);
            let took = board.see(&word) - start;
            std::thread::sleep(Duration::from_millis(20)); // agents are not a burst
            took
        })
        .collect();
    // The debounce is part of it: the first of several changes waits that long for the others.
    let debounce = Duration::from_millis(5);
    for (name, part) in [("p50", 0.5), ("p95", 0.95)] {
        let goal = Target::Times("limit:hint + limit:frame", limit, 3.0, debounce);
        let took = quantile(&mut times, part);
        table.row(
            &format!("rename to changed cell, {count} tasks, {name}"),
            took,
            goal,
        );
    }
    match memory {
        Some(mb) => {
            let limit = 12.0 + 2.0 * tasks.bytes() as f64 / 1e6;
            table.amount(&format!("memory, {count} tasks"), mb, limit, "MB");
        }
        None => table.skip("memory", "no /proc here"),
    }
    if count == 10_000 {
        burst(table, tasks, &mut board);
        idle(table, &mut board);
    }
    put_in_sight(tasks, "Seen0");
    board.quit();
}

fn burst(table: &mut Table, tasks: &Tasks, board: &mut Board) {
    for number in 10..3_010 {
        let path = tasks.dir().join(format!("{}.json", id(number)));
        let temp = tasks.dir().join(".bench.swap");
        fs::write(&temp, text(number).replace("build", "rebuild")).unwrap();
        fs::rename(&temp, path).unwrap();
    }
    let last = Instant::now();
    put_in_sight(tasks, "Last");
    let took = board.see("Last") - last;
    table.row(
        "burst of 3000: last write to screen",
        took,
        Target::Within(Duration::from_millis(250)),
    );
}

fn idle(table: &mut Table, board: &mut Board) {
    const SECONDS: u64 = 20;
    std::thread::sleep(Duration::from_secs(2));
    while board.output.try_recv().is_ok() {}
    let before = board.ticks();
    std::thread::sleep(Duration::from_secs(SECONDS));
    let frames = board.output.try_iter().count();
    match (before, board.ticks()) {
        (Some(before), Some(after)) => {
            let percent = (after - before) as f64 / SECONDS as f64; // a hundred ticks a second
            table.amount("idle for 20 s, 10000 tasks: processor", percent, 0.1, "%");
        }
        _ => table.skip("idle", "no /proc here"),
    }
    table.amount(
        "idle for 20 s, 10000 tasks: writes to the screen",
        frames as f64,
        1.0,
        "",
    );
}
