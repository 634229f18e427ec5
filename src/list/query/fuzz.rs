//! What the fuzzer holds against the language of filters.

use std::sync::Arc;

use super::{List, Query, Task};
use crate::list::{FileChange, FileContent};
use crate::task::{Dialect, TaskId};

/// The first line is a filter, the rest a subject. A filter that is printed and read again is the
/// same one, what it marks can be marked, and looser never finds less.
pub fn query(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (filter, subject) = text.split_once('\n').unwrap_or((&text, ""));
    let (query, loose) = (Query::parse(filter), Query::parse_loosely(filter));
    let printed = query.to_string();
    assert_eq!(Query::parse(&printed), query, "{filter:?} as {printed:?}");
    for query in [&query, &loose] {
        let mut end = 0;
        for place in query.found_in(subject) {
            assert!(
                place.start >= end && subject.get(place.clone()).is_some(),
                "{place:?}"
            );
            end = place.end;
        }
    }
    let list = list(subject);
    for task in list.tasks() {
        let found = query.matches(&list, task);
        assert!(
            !found || loose.matches(&list, task),
            "{filter:?} on {subject:?}"
        );
        assert!(found || !query.is_empty());
    }
    let _ = (query.unknown_state(), query.asks_for_closed());
}

fn list(subject: &str) -> List {
    let mut task = Task::new(TaskId::new("T-1"));
    subject.clone_into(&mut task.subject);
    task.owner = subject.split_whitespace().next().map(str::to_owned);
    let mut list = List::new(Dialect::Omo);
    let name = "T-1.json".to_owned();
    let content = FileContent::Task(Arc::new(task));
    list.apply(vec![FileChange { name, content }]);
    list
}
