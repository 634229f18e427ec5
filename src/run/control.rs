use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use super::runner::Happening;

/// What a running runner can be told from outside.
#[derive(Debug, Clone)]
pub struct Control {
    happenings: Sender<Happening>,
    interrupted: Arc<AtomicBool>,
}

impl Control {
    pub(super) fn of(happenings: Sender<Happening>) -> Control {
        Control {
            happenings,
            interrupted: Arc::default(),
        }
    }

    /// The first time: no new claims. The second: the workers are ended, and their tasks given
    /// back.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
        // A runner that has ended has nothing to stop.
        let _ = self.happenings.send(Happening::Interrupt);
    }

    /// Whether it was told to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// At most so many tasks at a time from now on; those that run go on.
    pub fn set_workers(&self, workers: usize) {
        let _ = self.happenings.send(Happening::Workers(workers));
    }
}
