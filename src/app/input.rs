use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use ratatui::crossterm::event::{self, Event as Terminal, KeyEvent, KeyEventKind, KeyModifiers};
use rustix::event::{PollFd, PollFlags, poll};

use super::ask::{Late, Told};
use super::inbox::Event;
use crate::command::Key;

/// Reads the terminal on a thread of its own, which sleeps in the system until there is something.
/// It reads on only after what it sent was dealt with, so that keys typed after one that opens an
/// editor are the editor's.
pub(super) struct Input {
    go_on: Sender<()>,
}

impl Input {
    /// Begins to read; `late` takes an answer of the terminal that did not come in time.
    pub(super) fn start(events: Sender<Event>, late: Late) -> Input {
        let (go_on, told) = channel();
        watch_for_the_end(events.clone());
        thread::spawn(move || read(&events, &told, late));
        Input { go_on }
    }

    /// What was sent is dealt with.
    pub(super) fn go_on(&self) {
        // A reader that has ended has said so.
        let _ = self.go_on.send(());
    }
}

fn read(events: &Sender<Event>, told: &Receiver<()>, mut late: Late) {
    loop {
        let read = event::read();
        if let Ok(Terminal::Key(event)) = &read
            && let Some(key) = key(*event)
        {
            match late.take(key) {
                Told::Key => {}
                Told::Background(Some(light)) => {
                    let _ = events.send(Event::Background(light));
                    continue;
                }
                Told::Part | Told::Background(None) => continue,
            }
        }
        let event = match read {
            Ok(event) => Event::Terminal(event),
            // A terminal that cannot be read any more is closed.
            Err(_) => Event::Hangup,
        };
        let ends = matches!(event, Event::Hangup);
        if events.send(event).is_err() || ends || told.recv().is_err() {
            return;
        }
    }
}

/// Notices a terminal that is closed without a signal; asks for no input, only for its end.
fn watch_for_the_end(events: Sender<Event>) {
    thread::spawn(move || {
        let stdin = io::stdin();
        let mut terminal = [PollFd::new(&stdin, PollFlags::empty())];
        while let Err(rustix::io::Errno::INTR) = poll(&mut terminal, None) {}
        // The board may have ended before its terminal.
        let _ = events.send(Event::Hangup);
    });
}

/// A key press in our terms; releases are none.
pub(super) fn key(event: KeyEvent) -> Option<Key> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    Some(Key {
        code: event.code,
        ctrl: event.modifiers.contains(KeyModifiers::CONTROL),
        alt: event.modifiers.contains(KeyModifiers::ALT),
    })
}

/// Whether an event is one of those that only move the mouse.
pub(super) fn is_idle_motion(event: &Terminal) -> bool {
    use ratatui::crossterm::event::MouseEventKind;
    matches!(event, Terminal::Mouse(mouse) if mouse.kind == MouseEventKind::Moved)
}
