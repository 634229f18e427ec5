//! Locks in each dialect's own form, so that taskdeck and the agents exclude each other.

pub(super) mod claude;
mod file;
pub(super) mod omo;
pub(super) mod omo_team;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::clock::Clock;

/// Who holds a list's lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockHolder {
    /// For people: the program where it can be told, else the lock's id.
    pub description: String,
    /// How long it has been held, as far as its own stamp tells.
    pub age: Option<Duration>,
    /// Whether the dialect's rule lets anybody take it over.
    pub stale: bool,
}

impl LockHolder {
    /// Name and age in one phrase.
    fn in_words(&self) -> String {
        match self.age {
            Some(age) => format!("{}, for {:.1} s", self.description, age.as_secs_f64()),
            None => self.description.clone(),
        }
    }
}

/// How long to wait and when a lock is stale.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    /// How long a busy lock is waited for.
    pub(super) timeout: Duration,
    /// The age from which a lock is stale; `None` for the dialect's own.
    pub(super) stale: Option<Duration>,
    /// The time of day, which locks are stamped with.
    pub(super) clock: Clock,
    /// Ends every waiting before its time: the process is about to end.
    pub(super) given_up: Arc<AtomicBool>,
}

impl Waiting {
    /// Whether one who has waited for so long should wait no longer.
    fn is_over(&self, waited: Duration) -> bool {
        waited >= self.timeout || self.given_up.load(Ordering::Relaxed)
    }
}

/// The names in a folder, in order; none when it cannot be looked at.
fn names_in(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A lock that is held until it is dropped.
pub(super) trait Held {
    /// Whether it is still ours and young enough that nobody may take it over soon.
    fn is_safe(&self) -> bool;
}

/// Several locks that were taken one after the other and are released together.
impl<T: Held> Held for Vec<T> {
    fn is_safe(&self) -> bool {
        self.iter().all(Held::is_safe)
    }
}

/// Why no lock was taken.
#[derive(Debug)]
pub(super) enum LockError {
    /// Somebody held it all the time.
    Busy { holder: String, waited: Duration },
    /// The system refused.
    Io { path: PathBuf, source: io::Error },
}

/// Pauses between tries: short at first, never longer than 25 ms, each a random part of its
/// bound, so that many waiters do not run in step.
struct Backoff {
    started: Instant,
    bound: Duration,
}

impl Backoff {
    fn new() -> Backoff {
        Backoff {
            started: Instant::now(),
            bound: Duration::from_millis(1),
        }
    }

    fn waited(&self) -> Duration {
        self.started.elapsed()
    }

    fn pause(&mut self) {
        let part = uuid::Uuid::new_v4().as_bytes()[0];
        std::thread::sleep(self.bound.mul_f64(0.25 + 0.75 * f64::from(part) / 255.0));
        self.bound = (self.bound * 2).min(Duration::from_millis(25));
    }
}
