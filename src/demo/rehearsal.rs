use super::agent::{Agent, begins_ms};
use super::folder::Folder;
use super::{Random, Scenario, act};
use crate::list::{FileChange, List, Op};
use crate::store::{Options, Store};
use crate::task::Dialect;

/// The same agents on a clock that only counts: what a demo shows in half a minute is there at
/// once, and the same seed gives the same scenes. For pictures.
pub struct Rehearsal {
    store: Store,
    scenario: Scenario,
    /// As the files are, with times that do not depend on the disk.
    list: List,
    /// When each agent takes its next step, in milliseconds from the beginning.
    agents: Vec<(u64, Agent)>,
    /// Removed at the end.
    _folder: Folder,
}

/// What an agent wrote.
pub struct Scene {
    /// When, in milliseconds from the beginning.
    pub at_ms: u64,
    /// The files as they are then.
    pub files: Vec<FileChange>,
}

impl Rehearsal {
    /// Writes the plan into a folder of its own.
    ///
    /// # Errors
    /// When there is no such plan, or no folder can be made.
    pub fn start(scenario: &str, agents: usize, seed: u64) -> anyhow::Result<Rehearsal> {
        let scenario = Scenario::named(scenario)?;
        let folder = Folder::make(None)?;
        let store = Store::open(folder.tasks(), Some(Dialect::Omo), Options::default())?;
        let mut random = Random::new(seed);
        store.act(Op::Create(scenario.tasks(&mut random)))?;
        let mut list = store.load()?;
        let planned = scenario.tasks(&mut Random::new(seed));
        for (place, id) in (0..).zip(planned.iter().filter_map(|task| task.id.as_ref())) {
            list.set_first_seen(id, place);
        }
        let agent = |number| {
            let agent = scenario.agent(number, random.below(u64::MAX));
            (begins_ms(number), agent)
        };
        Ok(Rehearsal {
            store,
            agents: (0..agents).map(agent).collect(),
            scenario,
            list,
            _folder: folder,
        })
    }

    /// The project, for people.
    pub fn title(&self) -> &str {
        &self.scenario.title
    }

    /// The list as it is.
    pub fn list(&self) -> &List {
        &self.list
    }

    /// The next step of whichever agent is first; it may find nothing to do. `None`: there are no
    /// agents.
    pub fn step(&mut self) -> Option<Scene> {
        let first = self.agents.iter_mut().min_by_key(|(due, _)| *due);
        let (due, agent) = first?;
        let at_ms = *due;
        *due += agent.thinks_ms();
        let wish = agent.next(&self.list, &self.scenario);
        let done = wish.map_or_else(Vec::new, |op| act(&self.store, agent, op));
        let files: Vec<FileChange> = done.into_iter().flat_map(|done| done.files).collect();
        for id in self.list.apply(files.clone()).added {
            self.list.set_first_seen(&id, at_ms as i64);
        }
        Some(Scene { at_ms, files })
    }
}
