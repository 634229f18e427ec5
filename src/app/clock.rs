use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since the epoch.
pub(super) fn now_ms() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The time until the next full minute, when ages are drawn anew.
pub(super) fn until_next_minute(now_ms: i64) -> Duration {
    let left = 60_000 - now_ms.rem_euclid(60_000);
    Duration::from_millis(u64::try_from(left).unwrap_or(60_000))
}
