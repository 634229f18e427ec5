use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where the store takes the time of day from; tests bring their own.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> i64 + Send + Sync>);

impl Clock {
    /// The system's clock.
    pub fn system() -> Clock {
        Clock::new(|| milliseconds(SystemTime::now()))
    }

    /// A clock that asks `now` for the milliseconds since the epoch.
    pub fn new(now: impl Fn() -> i64 + Send + Sync + 'static) -> Clock {
        Clock(Arc::new(now))
    }

    /// Milliseconds since the epoch.
    pub fn now_ms(&self) -> i64 {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now_ms())
    }
}

/// A file's time as milliseconds since the epoch, negative before it.
pub(super) fn milliseconds(time: SystemTime) -> i64 {
    let whole = |duration: std::time::Duration| i64::try_from(duration.as_millis());
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => whole(after).unwrap_or(i64::MAX),
        Err(before) => whole(before.duration()).map_or(i64::MIN, |ms| -ms),
    }
}
