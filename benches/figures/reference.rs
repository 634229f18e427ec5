//! What the disk, the system's notifications and the terminal cost by themselves.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

use notify::{RecursiveMode, Watcher};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{TerminalOptions, Viewport};
use serde::Deserialize;

use super::table::{median, time};

#[derive(Deserialize)]
#[allow(dead_code, reason = "parsing is what is measured")]
#[serde(rename_all = "camelCase")]
struct Bare {
    id: String,
    subject: String,
    description: String,
    status: String,
    blocks: Vec<String>,
    blocked_by: Vec<String>,
    owner: Option<String>,
    metadata: Option<serde_json::Value>,
}

/// `limit:load`: every file opened, read, closed and parsed, on all cores.
pub fn load(dir: &Path) -> Duration {
    median(|| time(|| load_once(dir)))
}

fn load_once(dir: &Path) -> usize {
    let names: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let part = names.len().div_ceil(cores).max(1);
    let parse = |path: &PathBuf| serde_json::from_slice::<Bare>(&fs::read(path).unwrap()).ok();
    std::thread::scope(|scope| {
        let parts = names.chunks(part);
        let threads: Vec<_> = parts
            .map(|paths| scope.spawn(move || paths.iter().filter_map(parse).collect::<Vec<_>>()))
            .collect();
        threads.into_iter().map(|t| t.join().unwrap().len()).sum()
    })
}

/// `limit:hint`: one rename and the notification of it.
pub fn hint() -> Duration {
    let dir = tempfile::tempdir().unwrap();
    let (send, events) = channel();
    let mut watcher = notify::recommended_watcher(move |event| {
        let _ = send.send(event);
    })
    .unwrap();
    watcher
        .watch(dir.path(), RecursiveMode::NonRecursive)
        .unwrap();
    let (temp, target) = (dir.path().join("temp"), dir.path().join("target"));
    median(|| {
        fs::write(&temp, "x").unwrap();
        std::thread::sleep(Duration::from_millis(20)); // lets the events of writing pass
        while events.try_recv().is_ok() {}
        time(|| {
            fs::rename(&temp, &target).unwrap();
            events.recv().unwrap().unwrap()
        })
    })
}

/// `limit:frame`: one frame of this size with every cell changed.
pub fn frame(columns: u16, rows: u16) -> Duration {
    let area = Rect::new(0, 0, columns, rows);
    let options = TerminalOptions {
        viewport: Viewport::Fixed(area),
    };
    let mut terminal = Terminal::with_options(CrosstermBackend::new(Vec::new()), options).unwrap();
    let mut turn = 0;
    median(|| {
        turn += 1;
        let letter = ["a", "b"][turn % 2];
        time(|| {
            let fill = |frame: &mut ratatui::Frame<'_>| {
                for cell in &mut frame.buffer_mut().content {
                    cell.set_symbol(letter);
                }
            };
            terminal.draw(fill).map(|_| ()).unwrap();
        })
    })
}
