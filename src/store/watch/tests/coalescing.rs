//! The coalescer on injected time.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use crate::store::watch::coalesce::{Coalescer, LARGEST_BATCH, LONGEST, QUIET, SECOND_LOOK};

const MS: Duration = Duration::from_millis(1);

fn names(batch: &[String]) -> Vec<&str> {
    batch.iter().map(String::as_str).collect()
}

#[test]
fn a_burst_for_one_file_is_one_read() {
    let start = Instant::now();
    let mut c = Coalescer::default();
    for n in 0..5 {
        c.hint("a".into(), start + MS * n / 4);
    }
    let last = start + MS;
    assert_eq!(c.due(), Some(last + QUIET));
    assert_eq!(c.take(last + QUIET - MS).first.len(), 0, "too early");
    assert_eq!(names(&c.take(last + QUIET).first), ["a"]);
    assert_eq!(c.due(), None, "nothing ticks when nothing happens");
}

#[test]
fn a_busy_writer_is_shown_at_the_hard_maximum() {
    let start = Instant::now();
    let mut c = Coalescer::default();
    for n in 0..25 {
        let now = start + MS * n;
        c.hint(format!("{}", n % 2), now);
        assert!(c.take(now).first.is_empty(), "after {n} ms");
    }
    assert_eq!(c.due(), Some(start + LONGEST));
    assert_eq!(names(&c.take(start + LONGEST).first), ["0", "1"]);
}

#[test]
fn what_looked_broken_is_read_again_once_and_on_time() {
    let start = Instant::now();
    let mut c = Coalescer::default();
    c.look_again("a".into(), start);
    c.look_again("a".into(), start + MS * 10);
    assert_eq!(c.due(), Some(start + SECOND_LOOK), "not postponed");
    c.hint("a".into(), start + SECOND_LOOK - MS);
    let batch = c.take(start + SECOND_LOOK);
    assert_eq!(names(&batch.second), ["a"]);
    assert!(batch.first.is_empty(), "one read answers both");
    assert_eq!(c.due(), None);
}

#[test]
fn a_flood_leaves_in_parts() {
    let start = Instant::now();
    let mut c = Coalescer::default();
    for n in 0..LARGEST_BATCH * 2 + 1 {
        c.hint(format!("{n}"), start);
    }
    let now = start + QUIET;
    let sizes: Vec<usize> = (0..4).map(|_| c.take(now).first.len()).collect();
    assert_eq!(sizes, [LARGEST_BATCH, LARGEST_BATCH, 1, 0]);
}

proptest! {
    /// Whatever the rhythm: no name is lost, none waits longer than the hard maximum, and the
    /// coalescer always says when it wants to be asked again.
    #[test]
    fn every_hint_is_answered_in_time(steps in prop::collection::vec((0u64..30, 0u8..5), 1..60)) {
        let mut now = Instant::now();
        let mut c = Coalescer::default();
        let mut waiting: Vec<(String, Instant)> = Vec::new();
        for (gap, name) in steps {
            let next = now + MS * u32::try_from(gap).unwrap();
            while let Some(due) = c.due().filter(|due| *due <= next) {
                let batch = c.take(due);
                prop_assert!(!batch.first.is_empty(), "due means something to do");
                for name in &batch.first {
                    for (_, since) in waiting.iter().filter(|(w, _)| w == name) {
                        prop_assert!(due <= *since + LONGEST);
                    }
                }
                waiting.retain(|(w, _)| !batch.first.contains(w));
            }
            now = next;
            c.hint(format!("{name}"), now);
            waiting.push((format!("{name}"), now));
        }
        let rest = c.take(now + LONGEST).first;
        prop_assert!(waiting.iter().all(|(w, _)| rest.contains(w)));
        prop_assert_eq!(c.due(), None);
    }
}
