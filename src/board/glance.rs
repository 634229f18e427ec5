use super::Model;
use crate::run::Claimed;
use crate::task::{State, Task};

/// What the header says, worked out when the list changes and not for every frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Glance {
    /// Completed tasks.
    pub done: usize,
    /// All that are not deleted.
    pub all: usize,
    /// In progress.
    pub running: usize,
    /// Of these, those that a worker of `run` has.
    pub workers: usize,
    /// Names of those who have something in progress, in order.
    pub agents: Vec<String>,
    /// Ready tasks that nobody owns.
    pub idle: usize,
    /// Open tasks on the critical path: so many steps remain at least.
    pub path: usize,
    /// How many things want a person's eye; `None` where the list is too large to look at all of
    /// it with every change.
    pub attention: Option<usize>,
}

/// Larger lists are looked through on request only.
const LOOKED_THROUGH: usize = 20_000;

impl Model {
    /// Works out anew what the header says.
    pub(super) fn refresh_glance(&mut self) {
        let counts = self.list.counts();
        let mut glance = Glance {
            done: counts[State::Completed as usize],
            all: self.list.len() - counts[State::Deleted as usize],
            running: counts[State::InProgress as usize],
            ..Glance::default()
        };
        for task in self.list.column(State::InProgress) {
            glance.workers += usize::from(Claimed::of(task).is_some());
            glance.agents.extend(task.owner.clone());
        }
        glance.agents.sort_unstable();
        glance.agents.dedup();
        let free = |task: &&&std::sync::Arc<Task>| task.owner.is_none();
        glance.idle = self.list.ready().iter().filter(free).count();
        glance.path = self.list.schedule().critical_path().len();
        self.glance = glance;
        // What wants an eye is judged by the counts above.
        let looked_through = self.list.len() <= LOOKED_THROUGH;
        self.glance.attention = looked_through.then(|| self.attention().len());
    }
}
