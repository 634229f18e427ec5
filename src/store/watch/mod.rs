//! Shows what agents write the moment they write it.
//!
//! The system's notifications are hints and nothing more: they say which names may have changed,
//! and the truth is read from disk again. A watcher sends what it read only when it differs from
//! what it sent before, so that its own reads, touched files and doubled notifications end here.

mod bell;
mod coalesce;
mod hints;
mod mount;
mod seen;
mod stamp;
mod worker;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use super::{Store, load};
use crate::list::FileChange;

use hints::Signal;
use worker::{Source, Worker};

pub use bell::{Bell, Woken};

/// What a watcher tells.
#[derive(Debug, Clone, PartialEq)]
pub enum WatchEvent {
    /// Files whose content differs from what was told before.
    Files(Vec<FileChange>),
    /// How far the picture can be trusted from now on.
    Status(WatchStatus),
}

/// How far what is shown can be trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchStatus {
    /// Changes are told within milliseconds.
    Live,
    /// Changes are looked for every two seconds.
    Polling {
        /// Why, for people.
        why: String,
    },
    /// The folder cannot be looked at; what is shown may be out of date.
    Stale {
        /// Why, for people.
        why: String,
    },
}

/// How a watcher learns of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WatchMode {
    /// By the system's notifications where they work, else by looking every two seconds.
    #[default]
    Auto,
    /// By looking every two seconds, for file systems whose notifications cannot be trusted.
    Poll,
}

impl Store {
    /// Watches the list's folder, which need not exist, and calls `sink` on the watcher's own
    /// thread. The sink must not block, and must not drop the watcher.
    ///
    /// To miss nothing, begin to watch first, load the list then, and apply what the watcher tells
    /// on top of it: whatever changes after this call is told.
    pub fn watch(&self, mode: WatchMode, sink: impl FnMut(WatchEvent) + Send + 'static) -> Watcher {
        Watcher::start(self.dir(), mode, self.clone(), sink)
    }

    /// The same without waiting until it watches: the first call of `sink`, with a status, says
    /// so. Load the list only then.
    pub fn watch_soon(
        &self,
        mode: WatchMode,
        sink: impl FnMut(WatchEvent) + Send + 'static,
    ) -> Watcher {
        Watcher::start_soon(self.dir(), mode, self.clone(), sink)
    }
}

impl Source for Store {
    fn concerns(&self, name: &str) -> bool {
        !self.folder().is_noise(name)
    }

    fn read(&self, names: &[String]) -> Vec<FileChange> {
        load::glance(&self.folder(), names)
    }
}

/// A running watcher. It stops, and waits for its thread, when it is dropped.
pub struct Watcher {
    signals: Sender<Signal>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    fn start(
        folder: &Path,
        mode: WatchMode,
        source: impl Source,
        mut sink: impl FnMut(WatchEvent) + Send + 'static,
    ) -> Watcher {
        let (armed, is_armed) = channel();
        let watcher = Watcher::start_soon(folder, mode, source, move |event| {
            // Heard once, by who waits below.
            let _ = armed.send(());
            sink(event);
        });
        // The first thing told is the status. A thread that ended tells nothing.
        let _ = is_armed.recv();
        watcher
    }

    fn start_soon(
        folder: &Path,
        mode: WatchMode,
        source: impl Source,
        sink: impl FnMut(WatchEvent) + Send + 'static,
    ) -> Watcher {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let (signals, inbox) = channel();
        let own = signals.clone();
        let live = move || Worker::new(folder, mode, source, sink, own).run(&inbox);
        Watcher {
            signals,
            thread: Some(std::thread::spawn(live)),
        }
    }

    /// Compares the whole folder now, for moments in which something may have been missed: the
    /// terminal got the focus back, the machine woke up.
    pub fn sweep(&self) {
        // A watcher whose thread has ended has nothing to compare.
        let _ = self.signals.send(Signal::Sweep);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.signals.send(Signal::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
