/// A span of time in the largest unit that fits: `now`, `4m`, `3h`, `2d`. Spans below zero count as
/// none.
pub fn span(ms: i64) -> String {
    let minutes = ms.max(0) / 60_000;
    match minutes {
        0 => "now".to_owned(),
        1..60 => format!("{minutes}m"),
        60..1_440 => format!("{}h", minutes / 60),
        _ => format!("{}d", minutes / 1_440),
    }
}
