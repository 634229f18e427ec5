use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Wakes those who sleep until something changes. A watcher's sink rings it.
#[derive(Debug, Default)]
pub struct Bell {
    state: Mutex<State>,
    rings: Condvar,
}

#[derive(Debug, Default)]
struct State {
    rung: u64,
    ended: bool,
}

/// Why a sleep ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Woken {
    /// Something may have changed.
    Changed,
    /// The time is over.
    TimeIsUp,
    /// Nobody needs to wait any more.
    Ended,
}

impl Bell {
    /// How often it rang; asked before looking at the list, so that no change between looking and
    /// sleeping is missed.
    pub fn rung(&self) -> u64 {
        self.state().rung
    }

    /// Something may have changed.
    pub fn ring(&self) {
        self.state().rung += 1;
        self.rings.notify_all();
    }

    /// Nobody sleeps from now on.
    pub fn end(&self) {
        self.state().ended = true;
        self.rings.notify_all();
    }

    /// Sleeps until it has rung more than `since` times, at most this long.
    pub fn wait(&self, since: u64, at_most: Duration) -> Woken {
        let deadline = Instant::now() + at_most;
        let mut state = self.state();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if state.ended {
                return Woken::Ended;
            } else if state.rung > since {
                return Woken::Changed;
            } else if left.is_zero() {
                return Woken::TimeIsUp;
            }
            let waited = self.rings.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bell, Woken};
    use std::sync::Arc;
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_ring_between_looking_and_sleeping_is_not_missed() {
        let bell = Bell::default();
        let seen = bell.rung();
        bell.ring();
        assert_eq!(bell.wait(seen, LONG), Woken::Changed);
        assert_eq!(bell.wait(bell.rung(), Duration::ZERO), Woken::TimeIsUp);
    }

    #[test]
    fn sleepers_wake_when_it_rings_and_when_it_ends() {
        let bell = Arc::new(Bell::default());
        let sleeper = |seen| {
            let bell = Arc::clone(&bell);
            std::thread::spawn(move || bell.wait(seen, LONG))
        };
        let first = sleeper(0);
        bell.ring();
        assert_eq!(first.join().unwrap(), Woken::Changed);
        let second = sleeper(1);
        bell.end();
        assert_eq!(second.join().unwrap(), Woken::Ended);
    }
}
