//! What wakes the board.

use std::sync::mpsc::Receiver;
use std::time::Instant;

use ratatui::crossterm::event::Event as Terminal;

use crate::board::Message;

/// Everything that can wake the board.
pub(super) enum Event {
    /// The terminal.
    Terminal(Terminal),
    /// Something that the board itself deals with.
    Board(Message),
    /// The same, from what serves one list: the number of the list.
    List(u64, Message),
    /// The terminal's background is light, or is not.
    Background(bool),
    /// Ctrl-z from outside.
    Suspend,
    /// The process was continued.
    Woken,
    /// The terminal is gone.
    Hangup,
    /// A signal that ends the process.
    Terminated(i32),
}

/// What waits in the inbox, and what comes until the next frame may be drawn.
pub(super) struct Rest<'a> {
    pub(super) inbox: &'a Receiver<Event>,
    /// The moment from which on the next frame may be drawn.
    pub(super) until: Instant,
}

impl Iterator for Rest<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            self.inbox.try_recv().ok()
        } else {
            self.inbox.recv_timeout(left).ok()
        }
    }
}
