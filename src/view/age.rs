use crate::state::Since;

/// How long ago, in the largest unit that fits: `now`, `4m`, `3h`, `2d`.
pub(super) fn ago(now_ms: i64, then_ms: i64) -> String {
    let minutes = (now_ms - then_ms).max(0) / 60_000;
    match minutes {
        0 => "now".to_owned(),
        1..60 => format!("{minutes}m"),
        60..1_440 => format!("{}h", minutes / 60),
        _ => format!("{}d", minutes / 1_440),
    }
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
