//! Whole processes: the command line, one tool call, the MCP server.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::lists::{Tasks, id, text};
use super::reference;
use super::table::{Table, Target, median, time};

const PROGRAM: &str = env!("CARGO_BIN_EXE_taskdeck");

/// The program in a list's home, with nothing of this machine's own settings.
fn command(tasks: &Tasks, words: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env_clear().env("HOME", tasks.home());
    command.env("TASKDECK_DIR", tasks.dir()).args(words);
    command
        .current_dir(tasks.home())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn run(tasks: &Tasks, words: &[&str]) {
    assert!(
        command(tasks, words).status().unwrap().success(),
        "{words:?}"
    );
}

const CREATE: [&str; 3] = ["tool", "task_create", r#"{"subject":"One more"}"#];

pub fn measure(table: &mut Table) {
    let few = Tasks::make(10);
    let size = fs::metadata(PROGRAM).unwrap().len() as f64 / 1e6;
    table.amount(
        "binary (release profile; the limit is dist's)",
        size,
        10.0,
        "MB",
    );
    let version = median(|| time(|| run(&few, &["--version"])));
    table.row(
        "--version",
        version,
        Target::Within(Duration::from_millis(3)),
    );
    let many = Tasks::make(10_000);
    let load = reference::load(&many.dir());
    run(&many, &["list", "--json"]); // its state is there from now on, as on any day but the first
    for words in [["list", "--json"], ["ready", "--json"]] {
        let took = median(|| time(|| run(&many, &words)));
        let limit = Target::Times("limit:load", load, 1.5, Duration::ZERO);
        table.row(&format!("{}, 10000 tasks", words.join(" ")), took, limit);
    }
    let create = median(|| time(|| run(&few, &CREATE)));
    let started = median(|| start_mcp(&few));
    let limit = Target::Times("one create", create, 3.0, Duration::ZERO);
    table.row("mcp: start to the answer of initialize", started, limit);
    let in_many = median(|| time(|| run(&many, &CREATE)));
    let limit = Target::Times("at 10 tasks", create, 1.3, Duration::ZERO);
    table.row("one task_create process, 10000 tasks", in_many, limit);
}

fn start_mcp(tasks: &Tasks) -> Duration {
    let mut command = command(tasks, &["mcp"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let request = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
        r#""capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#,
        "\n"
    );
    let mut child = None;
    let took = time(|| {
        let child = child.insert(command.spawn().unwrap());
        child
            .stdin
            .as_mut()
            .unwrap()
            .write_all(request.as_bytes())
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert!(line.contains("serverInfo"), "{line}");
    });
    let mut child = child.unwrap();
    drop(child.stdin.take());
    child.wait().unwrap();
    took
}

const ROW: usize = 200;

/// Many creates, one process each and as one batch, beside the bare file work.
pub fn measure_creating(table: &mut Table) {
    let (ours, bare, batch) = (Tasks::make(10), Tasks::make(10), Tasks::make(10));
    let one_by_one = time(|| (0..ROW).for_each(|_| run(&ours, &CREATE)));
    let bare = time(|| (0..ROW).for_each(|n| create_barely(&bare.dir(), n)));
    let start = median(|| time(|| run(&ours, &["--version"])));
    let reference = bare + start * ROW as u32;
    let limit = Target::Times("files + start", reference, 1.5, Duration::ZERO);
    table.row(
        &format!("{ROW} creates in a row, a process each"),
        one_by_one,
        limit,
    );
    let task = r#"{"subject":"One of many"}"#;
    let tasks = vec![task; ROW].join(",");
    let words = [
        "tool",
        "task_bulk_create",
        &format!("{{\"tasks\":[{tasks}]}}"),
    ];
    let at_once = time(|| run(&batch, &words));
    let limit = Target::Times("one by one", one_by_one, 0.2, Duration::ZERO);
    table.row(&format!("{ROW} creates as one batch"), at_once, limit);
}

/// What a create costs in file work alone: a lock that comes and goes, a synced temp file, a link.
fn create_barely(dir: &Path, number: usize) {
    let (lock, temp) = (dir.join(".lock"), dir.join(".temp"));
    let mut file = fs::File::create_new(&temp).unwrap();
    file.write_all(text(number).as_bytes()).unwrap();
    file.sync_all().unwrap();
    fs::write(&lock, "{}").unwrap();
    fs::rename(&temp, dir.join(format!("{}.json", id(1_000_000 + number)))).unwrap();
    fs::remove_file(&lock).unwrap();
    fs::File::open(dir).unwrap().sync_all().unwrap();
}
