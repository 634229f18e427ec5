use crate::state::Since;
use crate::text::span;

/// How long ago: `now`, `4m`, `3h`, `2d`.
pub(super) fn ago(now_ms: i64, then_ms: i64) -> String {
    span(now_ms - then_ms)
}

/// How long something has been so; `≥` where it was already so when we first looked.
pub(super) fn since(now_ms: i64, since: Since) -> String {
    let ago = ago(now_ms, since.ms);
    if since.at_least && ago != "now" {
        format!("≥{ago}")
    } else {
        ago
    }
}
