use super::*;

const NOW: i64 = 1_760_000_000_000;

fn lock(text: &str, written_ms: i64) -> Content<'_> {
    Content {
        bytes: text.as_bytes(),
        written_ms,
        now_ms: NOW,
        stale: MANNER.stale,
    }
}

#[test]
fn staleness_is_omos_rule() {
    let old = NOW - 30_001;
    let young = NOW - 30_000;
    for (text, verdict) in [
        (
            format!(r#"{{"id":"x","timestamp":{young}}}"#),
            Verdict::Held,
        ),
        (format!(r#"{{"id":"x","timestamp":{old}}}"#), Verdict::Stale),
        (format!(r#"{{"timestamp":{old}}}"#), Verdict::Stale),
        (
            format!(r#"{{"id":"x","timestamp":"{old}"}}"#),
            Verdict::Stale,
        ),
        (r#"{"id":"x","timestamp":null}"#.into(), Verdict::Stale),
        // comparing with a time that is not there is never true
        (r#"{"id":"x"}"#.into(), Verdict::Held),
        (r#"{"id":"x","timestamp":"soon"}"#.into(), Verdict::Held),
        ("7".into(), Verdict::Held),
        // what node cannot parse
        (String::new(), Verdict::Garbage),
        ("{\"id\":\"x".into(), Verdict::Garbage),
        ("null".into(), Verdict::Garbage),
    ] {
        assert_eq!(judge(&lock(&text, NOW)), verdict, "{text}");
    }
}

#[test]
fn a_stamp_in_the_future_is_judged_by_the_files_own_time() {
    let future = format!(r#"{{"id":"x","timestamp":{}}}"#, NOW + 3_600_000);
    assert_eq!(judge(&lock(&future, NOW)), Verdict::Held);
    let old = NOW - 30_001;
    assert_eq!(judge(&lock(&future, old)), Verdict::Stale);
}
