//! What every list that was found holds: how far it is, who works in it, whether it is in use.

use std::collections::BTreeSet;

use super::{Discovery, Place};
use crate::store::{Options, Store};
use crate::task::{Dialect, Status};

/// A list that was written less than ten minutes ago is in use.
const LIVE_MS: i64 = 10 * 60_000;

/// One list, summed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// Where it is, and why it was looked at.
    pub place: Place,
    /// Whether this one opens by default.
    pub opens: bool,
    /// Whose files they are.
    pub dialect: Dialect,
    /// Completed tasks.
    pub done: usize,
    /// All tasks but deleted ones.
    pub total: usize,
    /// Who works on something now, in order.
    pub working: Vec<String>,
    /// Whether somebody is at work in it: a session runs, or it was written lately.
    pub live: bool,
    /// Why it cannot be read, when it cannot.
    pub unreadable: Option<String>,
}

impl Overview {
    /// Whether it is in use and when it was written last, such as `live 5m`; nothing for a list
    /// that does not exist yet.
    pub fn alive_in_words(&self, now_ms: i64) -> String {
        let Some(written_ms) = self.place.written_ms.filter(|_| self.place.exists) else {
            return String::new();
        };
        let word = if self.live { "live" } else { "stale" };
        match (now_ms - written_ms).max(0) / 60_000 {
            0 => format!("{word} now"),
            minutes @ 1..60 => format!("{word} {minutes}m"),
            minutes @ 60..1440 => format!("{word} {}h", minutes / 60),
            minutes => format!("{word} {}d", minutes / 1440),
        }
    }
}

impl Discovery {
    /// Reads every list that was found; `now_ms` is the time in milliseconds since the epoch.
    pub fn overviews(&self, now_ms: i64) -> Vec<Overview> {
        let places = std::iter::once(&self.chosen).chain(&self.others);
        places
            .enumerate()
            .map(|(at, place)| overview(place, at == 0, now_ms))
            .collect()
    }
}

fn overview(place: &Place, opens: bool, now_ms: i64) -> Overview {
    let mut overview = Overview {
        place: place.clone(),
        opens,
        dialect: Dialect::Omo,
        done: 0,
        total: 0,
        working: Vec::new(),
        live: place.running || place.written_ms.is_some_and(|ms| now_ms - ms < LIVE_MS),
        unreadable: None,
    };
    let opened = Store::open(&place.dir, None, Options::default());
    let read = opened.and_then(|store| Ok((store.dialect(), store.load()?)));
    let (dialect, list) = match read {
        Ok(read) => read,
        Err(error) => {
            overview.unreadable = Some(error.to_string());
            return overview;
        }
    };
    overview.dialect = dialect;
    let mut working = BTreeSet::new();
    for task in list.tasks().filter(|task| task.status != Status::Deleted) {
        overview.total += 1;
        overview.done += usize::from(task.status == Status::Completed);
        if task.status.is_active() {
            working.extend(task.owner.clone());
        }
    }
    overview.working = working.into_iter().collect();
    overview
}
