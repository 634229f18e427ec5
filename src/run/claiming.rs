use std::collections::{BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::gate::Pass;
use super::log::private_file;
use super::prompt::{Feed, fill_in, prompt};
use super::queue::takeable;
use super::record::{Claimed, Process, last_attempt};
use super::runner::{RunError, RunEvent, Runner, Running};
use super::worker::{Order, Waiting};
use crate::list::{Op, plan};
use crate::task::{Dialect, Edit, Patch, Status, Task, TaskId};

/// So many times in a row a runner tries when others are quicker, before it waits for what they
/// do.
const TRIES: u32 = 3;

/// So many workers wait at the gate for what becomes free next.
const SPARE: usize = 2;

impl Runner<'_> {
    /// Starts as many workers as there are tasks and room for.
    pub(super) fn fill(&mut self) -> Result<(), RunError> {
        if self.choice().is_empty() {
            return self.keep_spare();
        }
        // Runners on one machine choose one after the other, so that they do not run into each
        // other; against all others the commit itself holds.
        let turn = self.state.turn();
        for _ in 0..TRIES {
            let ids = self.fresh_choice();
            if ids.is_empty() || self.claim(ids)? {
                break;
            }
        }
        drop(turn);
        self.keep_spare()
    }

    /// What is to be started now, as far as we know.
    fn choice(&self) -> Vec<TaskId> {
        let busy: HashSet<TaskId> = self.running.keys().cloned().collect();
        let room = self.workers.saturating_sub(busy.len());
        if room == 0 {
            return Vec::new();
        }
        let mut ids = takeable(&self.list, &self.options.scope, &busy);
        ids.truncate(room);
        ids
    }

    /// The same with the files of all that is chosen read just now: the watcher may be behind.
    fn fresh_choice(&mut self) -> Vec<TaskId> {
        let mut fresh: HashSet<TaskId> = HashSet::new();
        loop {
            let ids = self.choice();
            let unread: Vec<TaskId> = ids
                .iter()
                .filter(|id| !fresh.contains(*id))
                .cloned()
                .collect();
            if unread.is_empty() {
                return ids;
            }
            self.read_again(&unread);
            fresh.extend(unread);
        }
    }

    /// Claims tasks in one plan and opens their gates; `false` when somebody was quicker.
    fn claim(&mut self, mut ids: Vec<TaskId>) -> Result<bool, RunError> {
        self.wait_at_the_gate(ids.len())?;
        ids.truncate(self.waiting.len());
        let mut orders = Vec::with_capacity(ids.len());
        for (id, waiting) in ids.into_iter().zip(&self.waiting) {
            let Some(task) = self.list.get(&id) else {
                return Ok(false);
            };
            let order = self.order(task).map_err(RunError::Worker)?;
            orders.push((id, self.record(task, &waiting.group), order));
        }
        let (owner, dialect) = (&self.options.scope.owner, self.store.dialect());
        let wishes = orders
            .iter()
            .map(|(id, claimed, _)| claim_of(id, claimed, owner, dialect));
        let wish = Op::All(wishes.collect());
        let named: Vec<TaskId> = orders.iter().map(|(id, ..)| id.clone()).collect();
        let Ok(plan) = plan(&self.list, wish) else {
            self.read_again(&named);
            return Ok(false);
        };
        let relied_on: Vec<TaskId> = plan.relied_on.iter().map(|s| s.id.clone()).collect();
        match self.patiently(|store| store.try_commit(plan.clone()))? {
            Some(done) => self.list.apply(done.files),
            None => {
                self.read_again(&relied_on);
                return Ok(false);
            }
        };
        let waiting: Vec<Waiting> = self.waiting.drain(..orders.len()).collect();
        for ((id, claimed, order), waiting) in orders.into_iter().zip(waiting) {
            self.begin(id, claimed, order, waiting)?;
        }
        Ok(true)
    }

    /// Has so many workers wait at the gate, or as many as the system allows.
    fn wait_at_the_gate(&mut self, count: usize) -> Result<(), RunError> {
        while self.waiting.len() < count {
            match Waiting::start(&self.options.gate, self.store.dir()) {
                Ok(waiting) => self.waiting.push(waiting),
                Err(_) if !self.waiting.is_empty() || !self.running.is_empty() => break,
                Err(error) => return Err(RunError::Worker(error)),
            }
        }
        Ok(())
    }

    /// Has workers wait for what becomes free next, so that it starts at once.
    fn keep_spare(&mut self) -> Result<(), RunError> {
        let pending = self
            .list
            .tasks()
            .filter(|task| task.status == Status::Pending);
        let spare = pending.take(SPARE.min(self.workers)).count();
        self.wait_at_the_gate(spare)
    }

    fn record(&self, task: &Task, group: &Process) -> Claimed {
        Claimed {
            attempt: last_attempt(task) + 1,
            host: self.host.clone(),
            boot: self.boot.clone(),
            runner: self.me.clone(),
            worker: group.clone(),
            owner: task.owner.clone(),
            at: (self.now_ms)(),
        }
    }

    fn order(&self, task: &Task) -> io::Result<Order> {
        let dir = self.dir();
        let file = dir.join(format!("{}.json", task.id));
        let prompt_file = self.prompt_file(task)?;
        let values = [
            ("id", OsStr::new(task.id.as_str())),
            ("subject", OsStr::new(task.subject.as_str())),
            ("file", file.as_os_str()),
            ("dir", dir.as_os_str()),
            ("prompt", prompt_file.as_os_str()),
        ];
        let command = self.options.command.iter().map(|a| fill_in(a, &values));
        let input = match self.options.feed {
            Feed::Prompt => Some(prompt(&self.list, task).into_bytes()),
            Feed::Json => Some(task.raw.to_vec()),
            Feed::Nothing => None,
        };
        let pass = Pass {
            command: command.collect(),
            variables: self.variables(task, &file),
            has_input: input.is_some(),
        };
        Ok(Order {
            pass,
            input: input.unwrap_or_default(),
            log: self.state.log_of(&task.id),
        })
    }

    fn variables(&self, task: &Task, file: &Path) -> Vec<(OsString, OsString)> {
        let attempt = (last_attempt(task) + 1).to_string();
        let mut variables = vec![
            ("TASKDECK_TASK_ID", task.id.as_str().into()),
            ("TASKDECK_TASK_FILE", file.into()),
            ("TASKDECK_OWNER", self.options.scope.owner.as_str().into()),
            ("TASKDECK_ATTEMPT", attempt.into()),
        ];
        // Longer than this no system takes a variable; standard input has it whole.
        if task.subject.len() < 100_000 && !task.subject.contains('\0') {
            variables.push(("TASKDECK_SUBJECT", task.subject.as_str().into()));
        }
        let named = |(name, value): (&str, OsString)| (name.into(), value);
        variables.into_iter().map(named).collect()
    }

    /// Writes the prompt to a file when the command asks for one, and gives its path.
    fn prompt_file(&self, task: &Task) -> io::Result<PathBuf> {
        let asks = |argument: &OsString| argument.to_string_lossy().contains("{prompt}");
        if !self.options.command.iter().any(asks) {
            return Ok(PathBuf::new());
        }
        let path = self.state.prompt_of(&task.id).ok_or_else(|| {
            io::Error::other("there is no state folder for the prompt; set TASKDECK_STATE_DIR")
        })?;
        private_file(&path)?.write_all(prompt(&self.list, task).as_bytes())?;
        Ok(path)
    }

    /// The list's folder, also for a command that goes elsewhere.
    fn dir(&self) -> PathBuf {
        let dir = std::path::absolute(self.store.dir());
        dir.unwrap_or_else(|_| self.store.dir().to_owned())
    }

    fn begin(
        &mut self,
        id: TaskId,
        claimed: Claimed,
        order: Order,
        waiting: Waiting,
    ) -> Result<(), RunError> {
        let attempt = claimed.attempt;
        let running = Running {
            claimed,
            began: Instant::now(),
            ending: None,
            kill_at: None,
            exited: None,
            line: None,
        };
        self.running.insert(id.clone(), running);
        let told = self.happenings.clone();
        waiting.go(order, id.clone(), told);
        (self.tell)(&self.list, RunEvent::Started { id, attempt });
        Ok(())
    }

    /// Reads the files of tasks again.
    pub(super) fn read_again<'t>(&mut self, ids: impl IntoIterator<Item = &'t TaskId>) {
        let names: BTreeSet<String> = ids.into_iter().map(|id| format!("{id}.json")).collect();
        let names: Vec<String> = names.into_iter().collect();
        self.list.apply(self.store.read(&names));
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
