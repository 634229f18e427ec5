use std::time::Instant;

use super::outcome::{Ended, Verdict, settle};
use super::runner::{BROKEN_AFTER, LAST_LINE, RunError, RunEvent, Runner, Running};
use crate::list::Op;
use crate::task::TaskId;

impl Runner<'_> {
    /// Writes down what workers that have ended came to, all in one plan.
    pub(super) fn settle_exited(&mut self) -> Result<(), RunError> {
        let now = Instant::now();
        let over = |r: &Running| {
            let exited = r.exited.as_ref();
            exited.is_some_and(|(at, _)| r.line.is_some() || *at + LAST_LINE <= now)
        };
        let ids: Vec<TaskId> = self
            .running
            .iter()
            .filter(|(_, r)| over(r))
            .map(|(id, _)| id.clone())
            .collect();
        if ids.is_empty() {
            return Ok(());
        }
        // What the worker wrote last may not have been told yet.
        self.read_again(&ids);
        let known = |name: &str| {
            let id = name.strip_suffix(".json").map(TaskId::new);
            id.is_some_and(|id| self.list.get(&id).is_some())
        };
        let new = self.store.read_unknown(known)?;
        self.list.apply(new);
        let mut ops = Vec::new();
        let mut ended = Vec::new();
        for id in ids {
            let Some(running) = self.running.remove(&id) else {
                continue;
            };
            let Some((at, ending)) = running.exited else {
                continue;
            };
            let ms = u64::try_from((at - running.began).as_millis()).unwrap_or(u64::MAX);
            let facts = Ended {
                id: &id,
                owner: &self.options.scope.owner,
                claimed: &running.claimed,
                ending: &ending,
                last_line: running.line.as_deref(),
                ms,
                at: (self.now_ms)(),
            };
            let (verdict, op) = settle(&self.list, &facts, self.options.rules);
            ops.extend(op);
            ended.push((id, verdict, ending, ms));
        }
        if !ops.is_empty() {
            self.act(Op::All(ops))?;
        }
        for (id, verdict, exit, ms) in ended {
            self.count(&id, verdict, ms);
            let left = self.open_tasks();
            let left_ms = self.spent.estimate_ms(left, self.workers);
            let event = RunEvent::Ended {
                id,
                verdict,
                exit,
                ms,
                left_ms,
            };
            (self.tell)(&self.list, event);
        }
        if self.is_broken() {
            let text = format!(
                "the first {BROKEN_AFTER} tasks all failed: no new ones are taken (--keep-going goes on)"
            );
            (self.tell)(&self.list, RunEvent::Note(text));
        }
        Ok(())
    }

    fn count(&mut self, id: &TaskId, verdict: Verdict, ms: u64) {
        self.summary.work_ms += ms;
        match verdict {
            Verdict::Done => {
                self.summary.done += 1;
                self.spent.note(id, ms);
            }
            Verdict::Failed => self.summary.failed += 1,
            Verdict::Retry => self.summary.retried += 1,
            Verdict::Left => {}
        }
    }
}
