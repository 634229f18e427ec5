use std::collections::HashMap;

use crate::list::List;
use crate::task::TaskId;

/// What a run came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Tasks completed.
    pub done: usize,
    /// Tasks given up on.
    pub failed: usize,
    /// Attempts that failed and were tried again.
    pub retried: usize,
    /// Open tasks that remain.
    pub open: usize,
    /// Wall-clock time, in milliseconds.
    pub wall_ms: u64,
    /// The sum of the times of all attempts, in milliseconds.
    pub work_ms: u64,
    /// The longest chain of completed tasks by their times, in milliseconds: no number of workers
    /// is faster.
    pub critical_ms: u64,
    /// Why it ended although tasks remain, in words.
    pub stuck: Vec<String>,
}

impl Summary {
    /// How many times faster than one after the other.
    pub fn speed_up(&self) -> f64 {
        self.work_ms as f64 / self.wall_ms.max(1) as f64
    }
}

/// The time that each completed task took, in milliseconds.
#[derive(Debug, Clone, Default)]
pub struct Spent {
    times: HashMap<TaskId, u64>,
}

impl Spent {
    /// Notes the time of a completed task.
    pub fn note(&mut self, id: &TaskId, ms: u64) {
        self.times.insert(id.clone(), ms);
    }

    /// How long the rest takes, by the mean of what was done, with so many workers.
    pub fn estimate_ms(&self, left: usize, workers: usize) -> Option<u64> {
        let done = u64::try_from(self.times.len()).ok().filter(|n| *n > 0)?;
        let mean = self.times.values().sum::<u64>() / done;
        let rounds = u64::try_from(left.div_ceil(workers.max(1))).ok()?;
        Some(mean.saturating_mul(rounds))
    }

    /// The longest chain of completed tasks along the list's edges.
    pub fn critical_ms(&self, list: &List) -> u64 {
        // Finished tasks stand in no schedule, so their order is found here: a task is settled
        // once all timed tasks that it waits for are (Kahn 1962).
        let timed = |id: &TaskId| self.times.contains_key(id);
        let mut waits: HashMap<TaskId, usize> = HashMap::new();
        let mut start: HashMap<TaskId, u64> = HashMap::new();
        let mut settled = Vec::new();
        for id in self.times.keys() {
            let before = list.blockers(id).iter().filter(|b| timed(b)).count();
            waits.insert(id.clone(), before);
            if before == 0 {
                settled.push(id.clone());
            }
        }
        let mut longest = 0;
        while let Some(id) = settled.pop() {
            let end = start.get(&id).copied().unwrap_or(0) + self.times[&id];
            longest = longest.max(end);
            for next in list.dependants(&id).into_iter().filter(|n| timed(n)) {
                let begins = start.entry(next.clone()).or_default();
                *begins = (*begins).max(end);
                if let Some(left) = waits.get_mut(&next) {
                    *left -= 1;
                    if *left == 0 {
                        settled.push(next);
                    }
                }
            }
        }
        longest
    }
}
