//! The yardstick: a board as bare as can be on the same data. It parses on two threads, has four
//! columns, reads a changed file again, and sleeps while nothing happens. What it takes is what
//! ratatui, notify and a disk take; ours is measured beside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};

use notify::{RecursiveMode, Watcher};
use ratatui::crossterm::event::{Event, KeyCode, read};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, List, ListItem};
use serde::Deserialize;

#[derive(Deserialize)]
struct Task {
    subject: String,
    status: String,
}

enum Input {
    Key(KeyCode),
    Changed(PathBuf),
}

const COLUMNS: [&str; 4] = ["pending", "in_progress", "completed", "deleted"];

/// Shows the list in `dir` until `q`.
pub fn run(dir: &Path) {
    let (send, inbox) = channel();
    let mut watcher = watch(send.clone());
    watcher.watch(dir, RecursiveMode::NonRecursive).unwrap();
    std::thread::spawn(move || keys(&send));
    let mut tasks = load(dir);
    let mut terminal = ratatui::init();
    let mut row = 0;
    loop {
        terminal.draw(|frame| draw(frame, &tasks, row)).unwrap();
        match inbox.recv().unwrap() {
            Input::Key(KeyCode::Char('q')) => break,
            Input::Key(KeyCode::Char('j')) => row += 1,
            Input::Key(_) => {}
            Input::Changed(path) => {
                tasks.extend(parse(&path).map(|task| (path, task)));
            }
        }
    }
    ratatui::restore();
}

fn watch(send: Sender<Input>) -> notify::RecommendedWatcher {
    notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let event = event.unwrap();
        let tasks = event
            .paths
            .into_iter()
            .filter(|path| path.extension().is_some_and(|e| e == "json"));
        if !event.kind.is_access() {
            tasks.for_each(|path| drop(send.send(Input::Changed(path))));
        }
    })
    .unwrap()
}

fn keys(send: &Sender<Input>) {
    while let Ok(event) = read() {
        if let Event::Key(key) = event {
            drop(send.send(Input::Key(key.code)));
        }
    }
}

fn load(dir: &Path) -> BTreeMap<PathBuf, Task> {
    let entries = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let paths: Vec<PathBuf> = entries
        .filter(|p| p.extension().is_some_and(|e| e == "json"))
        .collect();
    let (first, second) = paths.split_at(paths.len() / 2);
    let read = |paths: &[PathBuf]| -> Vec<(PathBuf, Task)> {
        let tasks = paths
            .iter()
            .filter_map(|path| Some((path.clone(), parse(path)?)));
        tasks.collect()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| read(second));
        let mut tasks: BTreeMap<PathBuf, Task> = read(first).into_iter().collect();
        tasks.extend(other.join().unwrap());
        tasks
    })
}

fn parse(path: &Path) -> Option<Task> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn draw(frame: &mut ratatui::Frame<'_>, tasks: &BTreeMap<PathBuf, Task>, row: usize) {
    let areas = Layout::horizontal([Constraint::Fill(1); 4]).split(frame.area());
    for (area, status) in areas.iter().zip(COLUMNS) {
        let mut subjects: Vec<&str> = tasks
            .values()
            .filter(|t| t.status == status)
            .map(|t| t.subject.as_str())
            .collect();
        subjects.sort_unstable();
        let title = format!("{status} {}", subjects.len());
        let shown = subjects.iter().take(usize::from(area.height)).enumerate();
        let items = shown.map(|(at, subject)| {
            let here = at == row % usize::from(area.height.max(1));
            let style = if here {
                Modifier::REVERSED
            } else {
                Modifier::empty()
            };
            ListItem::new(*subject).style(Style::new().add_modifier(style))
        });
        frame.render_widget(
            List::new(items).block(Block::bordered().title(title)),
            *area,
        );
    }
}
