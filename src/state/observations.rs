use std::collections::HashMap;

use super::Since;
use crate::task::{Task, TaskId};

/// When each task was first seen, and since when it is in its status: one text line per
/// observation, appended, the last one counts.
#[derive(Debug, Clone, Default)]
pub(super) struct Observations {
    tasks: HashMap<TaskId, Seen, foldhash::fast::RandomState>,
    lines: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    first: i64,
    status: Box<str>,
    since: Since,
}

/// A file of this many lines per task is written anew.
const LINES_PER_TASK: usize = 4;

impl Observations {
    /// From the file's text; a line that cannot be read is skipped.
    pub(super) fn read(text: &str) -> Observations {
        let mut seen = Observations::default();
        for line in text.lines() {
            seen.lines += 1;
            if let Some((id, task)) = read_line(line) {
                seen.tasks.insert(id, task);
            }
        }
        seen
    }

    /// When each task was first seen, in milliseconds since the epoch.
    pub(super) fn first_seen(&self) -> impl Iterator<Item = (&TaskId, i64)> {
        self.tasks.iter().map(|(id, seen)| (id, seen.first))
    }

    pub(super) fn since(&self, id: &TaskId) -> Option<Since> {
        self.tasks.get(id).map(|seen| seen.since)
    }

    /// The line to append for a task; empty when nothing is new about it.
    pub(super) fn observe(&mut self, task: &Task, now_ms: i64, fresh: bool) -> String {
        let known = self.tasks.get(&task.id);
        if known.is_some_and(|seen| *seen.status == *task.status.as_str()) {
            return String::new();
        }
        let first = known.map_or_else(|| task.first_seen.unwrap_or(now_ms), |seen| seen.first);
        let exact = fresh || known.is_some();
        let ms = if exact {
            now_ms
        } else {
            task.first_seen.unwrap_or(now_ms).min(now_ms)
        };
        let since = Since {
            ms,
            at_least: !exact,
        };
        let seen = Seen {
            first,
            status: task.status.as_str().into(),
            since,
        };
        let line = line_of(&task.id, &seen);
        self.lines += 1;
        self.tasks.insert(task.id.clone(), seen);
        line
    }

    /// The whole file without what is no longer there, once it has grown too long.
    pub(super) fn compacted(&mut self, there: impl Fn(&TaskId) -> bool) -> Option<String> {
        if self.lines <= LINES_PER_TASK * (self.tasks.len() + 16) {
            return None;
        }
        self.tasks.retain(|id, _| there(id));
        let mut lines: Vec<String> = self.tasks.iter().map(|(id, s)| line_of(id, s)).collect();
        lines.sort();
        self.lines = lines.len();
        Some(lines.concat())
    }
}

/// `id, first seen, since, =|≥, status`, separated by tabs; the status last, since it may be any
/// text.
fn line_of(id: &TaskId, seen: &Seen) -> String {
    let sign = if seen.since.at_least { '>' } else { '=' };
    let status = seen.status.escape_default();
    format!(
        "{id}\t{}\t{}\t{sign}\t{status}\n",
        seen.first, seen.since.ms
    )
}

fn read_line(line: &str) -> Option<(TaskId, Seen)> {
    let mut parts = line.splitn(5, '\t');
    let id = TaskId::new(parts.next().filter(|id| !id.is_empty())?);
    let first = parts.next()?.parse().ok()?;
    let ms = parts.next()?.parse().ok()?;
    let at_least = match parts.next()? {
        ">" => true,
        "=" => false,
        _ => return None,
    };
    let status = parts.next()?.into();
    Some((
        id,
        Seen {
            first,
            status,
            since: Since { ms, at_least },
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_cannot_be_read_are_skipped() {
        for line in [
            "",
            "T-a",
            "T-a\t1\t2",
            "T-a\tx\t2\t=\tpending",
            "T-a\t1\t2\t?\tpending",
        ] {
            assert_eq!(read_line(line), None, "{line:?}");
        }
        let seen = Seen {
            first: -1,
            status: "odd".into(),
            since: Since {
                ms: 2,
                at_least: true,
            },
        };
        let line = line_of(&TaskId::new("T-a"), &seen);
        assert_eq!(read_line(line.trim_end()), Some((TaskId::new("T-a"), seen)));
    }
}
