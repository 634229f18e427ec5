//! Simulated agents that write real files from scenario data: each a real writer through the real
//! store and its lock, on a thread of its own.

mod agent;
mod folder;
mod random;
mod rehearsal;
mod scenario;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Context as _;

pub use agent::{Agent, is_finished};
pub use random::Random;
pub use rehearsal::{Rehearsal, Scene};
pub use scenario::{Planned, Scenario, ScenarioError};

use crate::list::Op;
use crate::store::{Committed, Options, Store};
use crate::task::Dialect;
use folder::Folder;

/// What a demo is to be like.
#[derive(Debug, Clone)]
pub struct DemoOptions {
    /// How many agents.
    pub agents: usize,
    /// How fast: 2 is twice as fast.
    pub speed: f64,
    /// The same seed gives the same plan and the same agents.
    pub seed: u64,
    /// Which plan.
    pub scenario: String,
    /// A folder to use and keep; else one that is removed at the end.
    pub dir: Option<PathBuf>,
}

/// Agents at work. Dropping it ends them and removes what they made.
pub struct Run {
    store: Store,
    scenario: Arc<Scenario>,
    changes: Arc<AtomicUsize>,
    stop: Vec<Sender<()>>,
    threads: Vec<JoinHandle<()>>,
    folder: Folder,
}

impl Run {
    /// Writes the plan and lets the agents begin.
    ///
    /// # Errors
    /// When there is no such plan, or its folder cannot be used.
    pub fn start(options: &DemoOptions) -> anyhow::Result<Run> {
        let scenario = Arc::new(Scenario::named(&options.scenario)?);
        let speed = options.speed;
        anyhow::ensure!(
            speed.is_finite() && speed > 0.0,
            "a demo runs at a speed above 0, such as 1 or 2.5, not {speed}"
        );
        let folder = Folder::make(options.dir.as_deref())?;
        let store = Store::open(folder.tasks(), Some(Dialect::Omo), Options::default())?;
        let mut random = Random::new(options.seed);
        let there = store.load()?;
        anyhow::ensure!(
            there.tasks().all(|task| scenario::is_ours(task)),
            "{} has tasks that no demo made; a demo needs a folder of its own",
            folder.tasks().display()
        );
        if there.is_empty() {
            let plan = Op::Create(scenario.tasks(&mut random));
            store.act(plan).context("the plan cannot be written")?;
        }
        let mut run = Run {
            store,
            scenario,
            changes: Arc::default(),
            stop: Vec::new(),
            threads: Vec::new(),
            folder,
        };
        for number in 0..options.agents {
            let agent = run.scenario.agent(number, random.below(u64::MAX));
            run.begin(number, agent, options.speed);
        }
        Ok(run)
    }

    fn begin(&mut self, number: usize, agent: Agent, speed: f64) {
        let (stop, stopped) = channel();
        let (store, scenario) = (self.store.clone(), Arc::clone(&self.scenario));
        let changes = Arc::clone(&self.changes);
        let first = Duration::from_secs_f64(agent::begins_ms(number) as f64 / 1_000.0 / speed);
        self.stop.push(stop);
        self.threads.push(std::thread::spawn(move || {
            let life = Life {
                store,
                scenario,
                changes,
                speed,
                stopped,
            };
            life.lead(agent, first);
        }));
    }

    /// The list that the agents work on.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The project, for people.
    pub fn title(&self) -> &str {
        &self.scenario.title
    }

    /// Where the demo's own memory goes: nothing of it is to stay.
    pub fn state_dir(&self) -> PathBuf {
        self.folder.state()
    }

    /// How many writes the agents have made.
    pub fn changes(&self) -> usize {
        self.changes.load(Ordering::Relaxed)
    }

    /// Whether the demo keeps its folder.
    pub fn keeps(&self) -> Option<&Path> {
        self.folder.kept()
    }

    /// Ends the agents. What they wrote stays until the run is dropped.
    pub fn stop(&mut self) {
        self.stop.clear();
        for thread in self.threads.drain(..) {
            // An agent that panicked has said so; the others go on.
            let _ = thread.join();
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What an agent's thread needs.
struct Life {
    store: Store,
    scenario: Arc<Scenario>,
    changes: Arc<AtomicUsize>,
    speed: f64,
    stopped: Receiver<()>,
}

impl Life {
    fn lead(&self, mut agent: Agent, first: Duration) {
        let mut pause = first;
        while self.stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            // What goes wrong for an agent (somebody was quicker, the folder is gone) it tries
            // again, as agents do.
            if let Ok(list) = self.store.load()
                && let Some(op) = agent.next(&list, &self.scenario)
            {
                self.act(&mut agent, op);
            }
            pause = Duration::from_secs_f64(agent.thinks_ms() as f64 / 1_000.0 / self.speed);
        }
    }

    fn act(&self, agent: &mut Agent, op: Op) {
        let done = act(&self.store, agent, op).len();
        self.changes.fetch_add(done, Ordering::Relaxed);
    }
}

/// Writes what an agent wishes, and what has to follow; gives what was carried out.
fn act(store: &Store, agent: &mut Agent, op: Op) -> Vec<Committed> {
    let Ok(first) = store.act(op.clone()) else {
        return Vec::new();
    };
    let list = store.load().ok();
    let after = list.and_then(|list| agent.afterwards(&list, &op));
    let second = after.and_then(|op| store.act(op).ok());
    [first].into_iter().chain(second).collect()
}
