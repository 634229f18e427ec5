use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::control::Control;
use super::identity::{boot, host, process, wait_until_gone};
use super::outcome::{Ending, Rules, Verdict};
use super::prompt::Feed;
use super::queue::{Scope, Standing, standing, takeable};
use super::record::{Claimed, Process};
use super::recover::releases;
use super::summary::{Spent, Summary};
use super::worker::Waiting;
use crate::list::{FileChange, List, Op, plan};
use crate::state::ListState;
use crate::store::watch::{WatchEvent, WatchMode};
use crate::store::{CommitError, Store, StoreError};
use crate::task::TaskId;

/// How a list is to be worked off.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// At most so many at a time.
    pub workers: usize,
    /// Which tasks, and in whose name.
    pub scope: Scope,
    /// How endings are judged.
    pub rules: Rules,
    /// A worker that takes longer is ended.
    pub timeout: Option<Duration>,
    /// Between asking a worker to end and ending it.
    pub grace: Duration,
    /// Goes on also when one task after the other fails.
    pub keep_going: bool,
    /// Stays for more when everything is done.
    pub stay: bool,
    /// What workers get on their standard input.
    pub feed: Feed,
    /// taskdeck itself as a gate (see [`super::gate()`]): program and arguments.
    pub gate: Vec<OsString>,
    /// The command and its arguments, with `{id}`, `{subject}`, `{file}`, `{dir}`, `{prompt}`.
    pub command: Vec<OsString>,
    /// How changes are noticed.
    pub watch: WatchMode,
}

/// What happens while a list is worked off.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEvent {
    /// A worker began.
    Started {
        /// The task.
        id: TaskId,
        /// Which attempt.
        attempt: u32,
    },
    /// A worker ended.
    Ended {
        /// The task.
        id: TaskId,
        /// What it came to.
        verdict: Verdict,
        /// How it ended.
        exit: Ending,
        /// How long it took, in milliseconds.
        ms: u64,
        /// How long the rest may take, in milliseconds.
        left_ms: Option<u64>,
    },
    /// A worker is told to end because its task was deleted or taken over.
    Stopping {
        /// The task.
        id: TaskId,
        /// Why.
        why: String,
    },
    /// A task of a runner that is gone was given back.
    Released {
        /// The task.
        id: TaskId,
    },
    /// There is nothing to take; somebody else works on these.
    WaitsFor(Vec<TaskId>),
    /// Something to know that is about no task.
    Note(String),
}

/// Why a list cannot be worked off.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It cannot be read or written.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// No worker can be started.
    #[error("no worker can be started: {0}")]
    Worker(io::Error),
}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> RunError {
        CommitError::from(error).into()
    }
}

/// So many tasks that fail before any is done mean that the command is broken: it is not to be
/// run on a thousand more.
pub(super) const BROKEN_AFTER: usize = 20;

/// A worker's last line is waited for so long after its end.
pub(super) const LAST_LINE: Duration = Duration::from_millis(200);

/// So often a commit is tried while the lock stays busy.
const PATIENCE: u32 = 12;

/// Between two tries when others were quicker to claim.
const BREATH: Duration = Duration::from_millis(5);

/// What can wake a runner.
#[derive(Debug)]
pub(super) enum Happening {
    Files(Vec<FileChange>),
    Exited(TaskId, Ending),
    Printed(TaskId, String),
    /// Somebody wants it to end.
    Interrupt,
    /// So many workers at most from now on.
    Workers(usize),
    /// A runner that was waited for has ended.
    OtherEnded,
}

/// A worker at work.
pub(super) struct Running {
    pub(super) claimed: Claimed,
    pub(super) began: Instant,
    /// Why it was told to end, if it was.
    pub(super) ending: Option<Ending>,
    pub(super) kill_at: Option<Instant>,
    pub(super) exited: Option<(Instant, Ending)>,
    /// The last line that it printed, once all is read.
    pub(super) line: Option<String>,
}

/// A run in progress.
pub(super) struct Runner<'a> {
    pub(super) store: &'a Store,
    pub(super) state: &'a ListState,
    pub(super) options: &'a RunOptions,
    /// At most so many at a time, as it is now.
    pub(super) workers: usize,
    pub(super) tell: &'a mut dyn FnMut(&List, RunEvent),
    pub(super) list: List,
    pub(super) host: String,
    pub(super) boot: Option<String>,
    pub(super) me: Process,
    pub(super) running: HashMap<TaskId, Running>,
    /// Workers at the gate.
    pub(super) waiting: Vec<Waiting>,
    pub(super) happenings: Sender<Happening>,
    /// Other runners whose end is waited for.
    pub(super) watched: HashSet<Process>,
    /// How often it was told to end.
    pub(super) interrupts: u32,
    pub(super) spent: Spent,
    pub(super) summary: Summary,
    pub(super) began: Instant,
    pub(super) now_ms: fn() -> i64,
}

/// Works a list off. `control` is called once with what the runner can be told meanwhile.
///
/// # Errors
/// When the list cannot be read, or cannot be written several times in a row.
pub fn run(
    store: &Store,
    state: &ListState,
    options: &RunOptions,
    now_ms: fn() -> i64,
    control: impl FnOnce(Control),
    tell: &mut dyn FnMut(&List, RunEvent),
) -> Result<Summary, RunError> {
    let (happenings, inbox) = channel();
    let files = happenings.clone();
    // Watching begins before reading, so that nothing is missed in between.
    let watcher = store.watch(options.watch, move |event| {
        if let WatchEvent::Files(changes) = event {
            let _ = files.send(Happening::Files(changes));
        }
    });
    control(Control::of(happenings.clone()));
    let mut runner = Runner {
        store,
        state,
        options,
        workers: options.workers,
        tell,
        list: List::new(store.dialect()),
        host: host(),
        boot: boot(),
        me: process(std::process::id()),
        running: HashMap::new(),
        waiting: Vec::new(),
        happenings,
        watched: HashSet::new(),
        interrupts: 0,
        spent: Spent::default(),
        summary: Summary::default(),
        began: Instant::now(),
        now_ms,
    };
    let end = runner.work_off(&inbox);
    runner.end_workers_for_good();
    drop(watcher);
    end?;
    Ok(runner.sum_up())
}

impl Runner<'_> {
    fn work_off(&mut self, inbox: &Receiver<Happening>) -> Result<(), RunError> {
        self.reload()?;
        self.give_back_abandoned()?;
        let mut told = Standing::Finished;
        loop {
            self.settle_exited()?;
            if self.interrupts == 0 && !self.is_broken() {
                self.fill()?;
            }
            if self.running.is_empty() && (self.interrupts > 0 || self.is_broken()) {
                return Ok(());
            }
            if self.running.is_empty() && self.workers > 0 {
                // The watcher may be behind; whether it is over is asked of the disk.
                self.reload()?;
                if !takeable(&self.list, &self.options.scope, &HashSet::new()).is_empty() {
                    self.wait(inbox, Some(BREATH))?;
                    continue;
                }
                let standing = standing(&self.list, &self.options.scope);
                match &standing {
                    Standing::WaitsFor(ids) => {
                        if told != standing {
                            (self.tell)(&self.list, RunEvent::WaitsFor(ids.clone()));
                        }
                        if self.give_back_abandoned()? {
                            continue;
                        }
                        self.watch_over(ids);
                    }
                    _ if self.options.stay => {}
                    Standing::Finished => return Ok(()),
                    Standing::Stuck(why) => {
                        self.summary.stuck.clone_from(why);
                        return Ok(());
                    }
                }
                told = standing;
            }
            self.wait(inbox, None)?;
        }
    }

    fn reload(&mut self) -> Result<(), RunError> {
        self.list = self.store.load()?;
        self.state.apply(&mut self.list);
        Ok(())
    }

    /// Sleeps until something happens or is due, and takes all that waits.
    fn wait(
        &mut self,
        inbox: &Receiver<Happening>,
        patience: Option<Duration>,
    ) -> Result<(), RunError> {
        let now = Instant::now();
        let due = self.running.values().filter_map(|r| self.due(r)).min();
        let due = due.map(|due| due.saturating_duration_since(now));
        let timeout = [due, patience].into_iter().flatten().min();
        let first = match timeout {
            Some(timeout) => inbox.recv_timeout(timeout),
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        for happening in first.into_iter().chain(inbox.try_iter()) {
            self.take(happening);
        }
        self.end_what_is_due();
        if self.interrupts > 1 {
            self.interrupt_workers();
        }
        Ok(())
    }

    fn take(&mut self, happening: Happening) {
        match happening {
            Happening::Files(files) => {
                // What was read a moment ago may be older than what we wrote since.
                let names: Vec<String> = files.into_iter().map(|file| file.name).collect();
                self.list.apply(self.store.read(&names));
                self.stop_what_was_taken_away();
            }
            Happening::Exited(id, ending) => {
                if let Some(running) = self.running.get_mut(&id) {
                    let ending = running.ending.clone().unwrap_or(ending);
                    running.exited = Some((Instant::now(), ending));
                }
            }
            Happening::Printed(id, line) => {
                if let Some(running) = self.running.get_mut(&id) {
                    running.line = Some(line);
                }
            }
            Happening::Workers(workers) => self.workers = workers,
            Happening::OtherEnded => {}
            Happening::Interrupt => {
                self.interrupts += 1;
                if self.interrupts == 1 && !self.running.is_empty() {
                    let text = "no new tasks; waiting for those that run (once more ends them)";
                    (self.tell)(&self.list, RunEvent::Note(text.to_owned()));
                }
            }
        }
    }

    /// When something about a worker is due next.
    fn due(&self, running: &Running) -> Option<Instant> {
        match (&running.exited, running.kill_at) {
            (Some((at, _)), _) => Some(*at + LAST_LINE),
            (None, Some(kill_at)) => Some(kill_at),
            (None, None) => Some(running.began + self.options.timeout?),
        }
    }

    pub(super) fn is_broken(&self) -> bool {
        !self.options.keep_going && self.summary.done == 0 && self.summary.failed >= BROKEN_AFTER
    }

    /// Hears of the end of the runners that have these tasks.
    fn watch_over(&mut self, ids: &[TaskId]) {
        let tasks = ids.iter().filter_map(|id| self.list.get(id));
        let claimed = tasks.filter_map(|task| Claimed::of(task));
        let here = claimed.filter(|claimed| claimed.host == self.host);
        for runner in here.map(|claimed| claimed.runner).collect::<Vec<_>>() {
            if self.watched.insert(runner.clone()) {
                let happenings = self.happenings.clone();
                std::thread::spawn(move || {
                    wait_until_gone(&runner);
                    // Nobody listens any more when this runner has ended first.
                    let _ = happenings.send(Happening::OtherEnded);
                });
            }
        }
    }

    fn give_back_abandoned(&mut self) -> Result<bool, RunError> {
        let found = releases(&self.list, self.options.grace, (self.now_ms)());
        if found.is_empty() {
            return Ok(false);
        }
        let (ids, ops): (Vec<TaskId>, Vec<Op>) = found.into_iter().unzip();
        self.act(Op::All(ops))?;
        for id in ids {
            (self.tell)(&self.list, RunEvent::Released { id });
        }
        Ok(true)
    }

    /// Carries a wish out on the list as it is known here, or as it is by then.
    pub(super) fn act(&mut self, op: Op) -> Result<(), RunError> {
        let plan = plan(&self.list, op).map_err(CommitError::from)?;
        let state = self.state;
        let committed =
            self.patiently(|store| store.commit_with(plan.clone(), |list| state.apply(list)))?;
        self.list.apply(committed.files);
        Ok(())
    }

    /// Tries again while somebody holds the lock: a run must not end because an agent died with it.
    pub(super) fn patiently<T>(
        &mut self,
        commit: impl Fn(&Store) -> Result<T, CommitError>,
    ) -> Result<T, RunError> {
        for _ in 1..PATIENCE {
            match commit(self.store) {
                Err(error @ (CommitError::Busy { .. } | CommitError::LockLost)) => {
                    let text = format!("{error}; trying again");
                    (self.tell)(&self.list, RunEvent::Note(text));
                }
                done => return Ok(done?),
            }
        }
        Ok(commit(self.store)?)
    }

    /// The open tasks in scope.
    pub(super) fn open_tasks(&self) -> usize {
        let scope = &self.options.scope;
        let open = self.list.tasks().filter(|task| !task.status.is_closed());
        open.filter(|task| scope.holds(&self.list, task)).count()
    }

    fn sum_up(&mut self) -> Summary {
        let mut summary = std::mem::take(&mut self.summary);
        summary.open = self.open_tasks();
        summary.wall_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        summary.critical_ms = self.spent.critical_ms(&self.list);
        summary
    }
}
