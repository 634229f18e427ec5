use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::identity::signal_group;
use super::outcome::Ending;
use super::runner::{RunEvent, Runner, Running};
use super::worker::Waiting;
use crate::task::{Status, Task};

impl Runner<'_> {
    pub(super) fn end_what_is_due(&mut self) {
        let now = Instant::now();
        for running in self.running.values_mut().filter(|r| r.exited.is_none()) {
            let late = self
                .options
                .timeout
                .is_some_and(|t| running.began + t <= now);
            match running.kill_at {
                Some(at) if at <= now => {
                    // What cannot be signalled ends by itself or not at all.
                    let _ = signal_group(&running.claimed.worker, Signal::KILL);
                    running.kill_at = Some(now + self.options.grace);
                }
                None if late => ask_to_end(running, Ending::TimedOut, self.options.grace),
                _ => {}
            }
        }
    }

    /// Stops workers whose task was deleted, or is somebody else's now.
    pub(super) fn stop_what_was_taken_away(&mut self) {
        let mut stopping = Vec::new();
        for (id, running) in &mut self.running {
            if running.ending.is_some() || running.exited.is_some() {
                continue;
            }
            let why = match self.list.get(id) {
                None => Some("its file was removed".to_owned()),
                Some(task) => taken_away(task, &self.options.scope.owner),
            };
            if let Some(why) = why {
                ask_to_end(running, Ending::Stopped, self.options.grace);
                stopping.push((id.clone(), why));
            }
        }
        for (id, why) in stopping {
            (self.tell)(&self.list, RunEvent::Stopping { id, why });
        }
    }

    pub(super) fn interrupt_workers(&mut self) {
        let grace = self.options.grace;
        let left = self.running.values_mut();
        for running in left.filter(|r| r.exited.is_none() && r.ending.is_none()) {
            ask_to_end(running, Ending::Interrupted, grace);
        }
    }

    pub(super) fn end_workers_for_good(&mut self) {
        for running in self.running.values() {
            let _ = signal_group(&running.claimed.worker, Signal::KILL);
        }
        self.waiting.drain(..).for_each(Waiting::never);
    }
}

/// Why a task is no longer the runner's, if it is not.
fn taken_away(task: &Task, owner: &str) -> Option<String> {
    match (&task.status, task.owner.as_deref()) {
        (Status::Deleted, _) => Some("it was deleted".to_owned()),
        (status, Some(other)) if other != owner && !status.is_closed() => {
            Some(format!("{other} took it over"))
        }
        _ => None,
    }
}

fn ask_to_end(running: &mut Running, why: Ending, grace: Duration) {
    // What cannot be signalled ends by itself or not at all.
    let _ = signal_group(&running.claimed.worker, Signal::TERM);
    running.ending = Some(why);
    running.kill_at = Some(Instant::now() + grace);
}
