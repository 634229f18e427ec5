use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::time::Instant;

use super::log::private_file;
use super::outcome::{Ended, Ending, Verdict, not_started, settle};
use super::prompt::{Feed, fill_in, prompt};
use super::queue::takeable;
use super::record::{Claimed, last_attempt};
use super::runner::{BROKEN_AFTER, LAST_LINE, RunEvent, Runner, Running};
use super::worker::{Order, Waiting};
use crate::list::Op;
use crate::store::CommitError;
use crate::task::{Dialect, Edit, Patch, Status, Task, TaskId};

/// So many times in a row a runner tries when others are quicker, before it waits for what they
/// do.
const TRIES: u32 = 3;

/// A worker at the gate, and what is to be recorded when it is claimed.
struct Prepared {
    id: TaskId,
    waiting: Waiting,
    claimed: Claimed,
}

impl Runner<'_> {
    /// Writes down what workers that have ended came to, all in one plan.
    pub(super) fn settle_exited(&mut self) -> Result<(), CommitError> {
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
        let names: Vec<String> = ids.iter().map(|id| format!("{id}.json")).collect();
        self.list.apply(self.store.read(&names));
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
            let left_ms = self.spent.estimate_ms(left, self.options.workers);
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
                "{BROKEN_AFTER} tasks failed in a row: no new ones are taken (--keep-going goes on)"
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
                self.failures_in_a_row = 0;
                self.spent.note(id, ms);
            }
            Verdict::Failed => {
                self.summary.failed += 1;
                self.failures_in_a_row += 1;
            }
            Verdict::Retry => self.summary.retried += 1,
            Verdict::Left => {}
        }
    }

    /// Starts as many workers as there are tasks and room for.
    pub(super) fn fill(&mut self) -> Result<(), CommitError> {
        let mut tries = 0;
        loop {
            let busy: HashSet<TaskId> = self.running.keys().cloned().collect();
            let room = self.options.workers.saturating_sub(busy.len());
            let mut ids = takeable(&self.list, &self.options.scope, &busy);
            ids.truncate(room);
            if ids.is_empty() {
                return Ok(());
            }
            let mut waiting = Vec::new();
            for id in ids {
                match self.prepare(&id) {
                    Ok(prepared) => waiting.push(prepared),
                    Err(why) => self.could_not_start(&id, &why)?,
                }
            }
            if !waiting.is_empty() && !self.claim(waiting)? {
                tries += 1;
            }
            if tries == TRIES || self.is_broken() {
                return Ok(());
            }
        }
    }

    /// A worker that waits at the gate for its task to be claimed.
    fn prepare(&self, id: &TaskId) -> Result<Prepared, String> {
        let task = self
            .list
            .get(id)
            .ok_or_else(|| "its file is gone".to_owned())?;
        let order = self.order(task).map_err(|error| error.to_string())?;
        let waiting = Waiting::start(order).map_err(|error| error.to_string())?;
        let claimed = Claimed {
            attempt: last_attempt(task) + 1,
            host: self.host.clone(),
            boot: self.boot.clone(),
            runner: self.me.clone(),
            worker: waiting.group.clone(),
            owner: task.owner.clone(),
            at: (self.now_ms)(),
        };
        Ok(Prepared {
            id: id.clone(),
            waiting,
            claimed,
        })
    }

    fn order(&self, task: &Task) -> io::Result<Order> {
        let dir = std::path::absolute(self.store.dir());
        let dir = dir.unwrap_or_else(|_| self.store.dir().to_owned());
        let file = dir.join(format!("{}.json", task.id));
        let (dir_text, file_text) = (dir.to_string_lossy(), file.to_string_lossy());
        let prompt_file = self.prompt_file(task)?;
        let values = [
            ("id", task.id.as_str()),
            ("subject", task.subject.as_str()),
            ("file", &*file_text),
            ("dir", &*dir_text),
            ("prompt", &*prompt_file),
        ];
        let command = self.options.command.iter().map(|a| fill_in(a, &values));
        let input = match self.options.feed {
            Feed::Prompt => Some(prompt(&self.list, task).into_bytes()),
            Feed::Json => Some(task.raw.to_vec()),
            Feed::Nothing => None,
        };
        let attempt = (last_attempt(task) + 1).to_string();
        let mut variables: Vec<(&'static str, OsString)> = vec![
            ("TASKDECK_DIR", dir.clone().into()),
            ("TASKDECK_TASK_ID", task.id.as_str().into()),
            ("TASKDECK_TASK_FILE", file.clone().into()),
            ("TASKDECK_OWNER", (&self.options.scope.owner).into()),
            ("TASKDECK_ATTEMPT", attempt.into()),
        ];
        // Longer than this no system takes a variable; standard input has it whole.
        if task.subject.len() < 100_000 && !task.subject.contains('\0') {
            variables.push(("TASKDECK_SUBJECT", (&task.subject).into()));
        }
        Ok(Order {
            gate: self.options.gate.clone(),
            command: command.collect(),
            variables,
            input,
            log: self.state.log_of(&task.id),
        })
    }

    /// Writes the prompt to a file when the command asks for one, and gives its path.
    fn prompt_file(&self, task: &Task) -> io::Result<String> {
        if !self.options.command.iter().any(|a| a.contains("{prompt}")) {
            return Ok(String::new());
        }
        let path = self.state.prompt_of(&task.id).ok_or_else(|| {
            io::Error::other("there is no state folder for the prompt; set TASKDECK_STATE_DIR")
        })?;
        private_file(&path)?.write_all(prompt(&self.list, task).as_bytes())?;
        Ok(path.to_string_lossy().into_owned())
    }

    /// Claims the tasks in one plan and opens their gates. A task that somebody else was quicker
    /// to take is left to them; `false` when none was got.
    fn claim(&mut self, waiting: Vec<Prepared>) -> Result<bool, CommitError> {
        let (owner, dialect) = (self.options.scope.owner.clone(), self.store.dialect());
        let wish = |p: &Prepared| claim_of(&p.id, &p.claimed, &owner, dialect);
        let together = Op::All(waiting.iter().map(wish).collect());
        let all = self.try_claim(together)?;
        let mut any = false;
        for prepared in waiting {
            // One that is taken refuses them all; then each is tried by itself.
            if all || self.try_claim(wish(&prepared))? {
                any = true;
                self.begin(prepared);
            } else {
                prepared.waiting.never();
                let name = format!("{}.json", prepared.id);
                self.list.apply(self.store.read(&[name]));
            }
        }
        Ok(any)
    }

    /// Whether a claim was granted.
    fn try_claim(&mut self, op: Op) -> Result<bool, CommitError> {
        match self.act(op) {
            Ok(()) => Ok(true),
            Err(CommitError::Refused(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn begin(&mut self, prepared: Prepared) {
        let Prepared {
            id,
            waiting,
            claimed,
        } = prepared;
        let attempt = claimed.attempt;
        let running = Running {
            claimed,
            began: Instant::now(),
            ending: None,
            kill_at: None,
            exited: None,
            line: None,
        };
        waiting.go(id.clone(), self.happenings.clone());
        self.running.insert(id.clone(), running);
        (self.tell)(&self.list, RunEvent::Started { id, attempt });
    }

    fn could_not_start(&mut self, id: &TaskId, why: &str) -> Result<(), CommitError> {
        let Some(task) = self.list.get(id).cloned() else {
            return Ok(());
        };
        let (verdict, op) = not_started(&task, why, self.options.rules, (self.now_ms)());
        self.act(op)?;
        self.count(id, verdict, 0);
        let exit = Ending::NotStarted(why.to_owned());
        let event = RunEvent::Ended {
            id: id.clone(),
            verdict,
            exit,
            ms: 0,
            left_ms: None,
        };
        (self.tell)(&self.list, event);
        Ok(())
    }
}

/// A claim with its record, as one wish.
fn claim_of(id: &TaskId, claimed: &Claimed, owner: &str, dialect: Dialect) -> Op {
    let mut edits = Vec::new();
    if dialect == Dialect::OmoTeam {
        edits.push(Edit::status(&Status::InProgress));
    }
    edits.push(Edit::SetMetadata("run".to_owned(), Some(claimed.to_json())));
    Op::All(vec![
        Op::Claim {
            id: Some(id.clone()),
            owner: owner.to_owned(),
        },
        Op::Update {
            ids: vec![id.clone()],
            patch: Patch { edits },
            force: false,
        },
    ])
}
