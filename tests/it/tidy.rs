//! The walls of the house (`ARCHITECTURE.md`): who may import whom, who may touch the disk, the
//! clock or the terminal. They are checked on the text of the sources, so that a wall that falls
//! is named in the words of the rule it breaks.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from top to bottom. A room imports from itself and from rooms above it.
const ROOMS: [&str; 18] = [
    "task", "text", "graph", "list", "store", "state", "run", "tools", "command", "board", "view",
    "app", "picture", "demo", "mcp", "cli", "main", "fuzz",
];

/// The rooms that may reach outside the process.
const MAY_DO_IO: [&str; 9] = [
    "store", "state", "run", "app", "picture", "demo", "mcp", "cli", "main",
];

/// What reaching outside looks like in a source file.
const IO: [&str; 8] = [
    "std::fs",
    "std::net",
    "std::process",
    "std::env",
    "std::thread",
    "Instant::now",
    "SystemTime::now",
    "new_v4",
];

/// A file above this many lines is a room inside a room (tests and data tables apart).
const LONGEST_FILE: usize = 450;

struct Source {
    room: String,
    path: PathBuf,
    text: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let inside = path.strip_prefix(&root).unwrap();
                let room = inside.iter().next().unwrap().to_string_lossy();
                let room = room.trim_end_matches(".rs").to_owned();
                let text = fs::read_to_string(&path).unwrap();
                found.push(Source { room, path, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The source without its test modules and comments: walls bind what ships.
fn shipped(source: &Source) -> String {
    let name = source.path.file_name().unwrap().to_string_lossy();
    let in_tests = source.path.iter().any(|part| part == "tests");
    if in_tests || name == "tests.rs" || name.ends_with("_tests.rs") {
        return String::new();
    }
    let code = source
        .text
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .fold(String::new(), |text, line| text + line + "\n")
}

/// Names of rooms that follow `crate::` (or `taskdeck::` in `main.rs`).
fn imported_rooms(code: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    for start in ["crate::", "taskdeck::"] {
        for after in code.split(start).skip(1) {
            if let Some(list) = after.strip_prefix('{') {
                let depth_one = list.split('}').next().unwrap_or("");
                rooms.extend(depth_one.split(',').map(first_word));
            } else {
                rooms.push(first_word(after));
            }
        }
    }
    rooms.retain(|room| ROOMS.contains(&room.as_str()));
    rooms
}

fn first_word(text: &str) -> String {
    let word = |c: &char| c.is_ascii_lowercase() || *c == '_';
    text.trim_start().chars().take_while(word).collect()
}

fn place(room: &str) -> Option<usize> {
    ROOMS.iter().position(|r| *r == room)
}

#[test]
fn every_source_stands_in_a_room() {
    for source in sources().iter().filter(|s| s.room != "lib") {
        assert!(
            place(&source.room).is_some(),
            "{} is in no room of the house",
            source.path.display()
        );
    }
}

#[test]
fn rooms_import_only_from_above() {
    let mut broken = Vec::new();
    for source in sources().iter().filter(|s| s.room != "lib") {
        for other in imported_rooms(&shipped(source)) {
            if place(&other) > place(&source.room) {
                broken.push(format!("{} imports `{other}`", source.path.display()));
            }
        }
    }
    assert!(
        broken.is_empty(),
        "a room imports only from rooms above it:\n{}",
        broken.join("\n")
    );
}

#[test]
fn pure_rooms_touch_neither_disk_nor_clock() {
    let mut broken = Vec::new();
    for source in sources().iter().filter(|s| s.room != "lib") {
        if MAY_DO_IO.contains(&source.room.as_str()) {
            continue;
        }
        let code = shipped(source);
        for word in IO.iter().filter(|word| code.contains(**word)) {
            broken.push(format!("{} uses `{word}`", source.path.display()));
        }
    }
    assert!(
        broken.is_empty(),
        "pure rooms get time and content as arguments:\n{}",
        broken.join("\n")
    );
}

#[test]
fn main_is_thin() {
    let main = sources().into_iter().find(|s| s.room == "main").unwrap();
    assert!(
        main.text.lines().count() < 40,
        "main.rs parses, dispatches and exits; nothing else"
    );
}

#[test]
fn only_the_mcp_room_knows_tokio() {
    for source in sources().iter().filter(|s| s.room != "mcp") {
        let code = shipped(source);
        let path = source.path.display();
        for name in ["tokio::", "rmcp::"] {
            assert!(!code.contains(name), "{path} knows {name}");
        }
    }
}

#[test]
fn files_stay_readable() {
    let long: Vec<String> = sources()
        .iter()
        .map(|s| (s, shipped(s).lines().count()))
        .filter(|(_, lines)| *lines > LONGEST_FILE)
        .map(|(s, lines)| format!("{} has {lines} lines", s.path.display()))
        .collect();
    assert!(
        long.is_empty(),
        "split these by purpose:\n{}",
        long.join("\n")
    );
}

#[test]
fn the_tidy_test_sees_what_it_looks_for() {
    assert_eq!(imported_rooms("use crate::task::Task;"), ["task"]);
    assert_eq!(
        imported_rooms("use crate::{list::List, store::Store};"),
        ["list", "store"]
    );
    assert!(imported_rooms("use std::fs;").is_empty());
    assert!(place("cli") > place("task"));
}
