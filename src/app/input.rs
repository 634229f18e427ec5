use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event as Terminal, KeyEvent, KeyEventKind, KeyModifiers};

use super::run::Event;
use crate::command::Key;

/// Reads the terminal on a thread of its own. It can be told to stop, so that an editor gets the
/// keys.
pub(super) struct Input {
    stop: Option<Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

/// How often the reader looks whether it is to stop. It sleeps in the system otherwise.
const PATIENCE: Duration = Duration::from_millis(200);

impl Input {
    pub(super) fn start(events: Sender<Event>) -> Input {
        let (stop, stopped) = channel();
        let thread = thread::spawn(move || read(&events, &stopped));
        Input {
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Ends the reading; keys typed from now on are left for others.
    pub(super) fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The reader ends within its patience; it has nothing to report.
            let _ = thread.join();
        }
    }
}

fn read(events: &Sender<Event>, stopped: &Receiver<()>) {
    loop {
        if let Err(std::sync::mpsc::TryRecvError::Disconnected) = stopped.try_recv() {
            return;
        }
        let event = match event::poll(PATIENCE) {
            Ok(false) => continue,
            Ok(true) => event::read(),
            Err(error) => Err(error),
        };
        let sent = match event {
            Ok(event) => events.send(Event::Terminal(event)),
            // A terminal that cannot be read any more is closed.
            Err(_) => {
                let _ = events.send(Event::Hangup);
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
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
