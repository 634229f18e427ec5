use std::collections::BTreeMap;

use super::columns::{Column, Lane, Wish};
use crate::list::List;
use crate::state::Since;
use crate::task::{State, Task, TaskId};

/// What an owner is about, whatever the filter shows of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Doing {
    /// Tasks in progress.
    pub running: usize,
    /// Since when the one that was started last is in progress.
    pub since: Option<Since>,
    /// Tasks completed.
    pub done: usize,
    /// The one completed last, and when.
    pub last_done: Option<(TaskId, Since)>,
}

impl Doing {
    /// Since when the owner does nothing: nothing runs, and this is when something last ended.
    pub fn idle_since(&self) -> Option<Since> {
        let ended = self.last_done.as_ref().map(|(_, since)| *since);
        ended.filter(|_| self.running == 0)
    }

    fn note(&mut self, task: &Task, state: Option<State>, since: Option<Since>) {
        match state {
            Some(State::InProgress) => {
                self.running += 1;
                let later = |a: &Since, b: &Since| a.ms > b.ms;
                if self
                    .since
                    .is_none_or(|old| since.is_some_and(|s| later(&s, &old)))
                {
                    self.since = since;
                }
            }
            Some(State::Completed) => {
                self.done += 1;
                let last = self.last_done.as_ref().map(|(_, since)| since.ms);
                if let Some(since) = since.filter(|since| last.is_none_or(|ms| since.ms > ms)) {
                    self.last_done = Some((task.id.clone(), since));
                }
            }
            _ => {}
        }
    }
}

/// In a lane, what runs stands first and what is done last.
const IN_LANE: [State; 6] = [
    State::InProgress,
    State::Ready,
    State::Blocked,
    State::Other,
    State::Completed,
    State::Deleted,
];

/// One lane per owner by name, and one for what nobody has, if there is any.
pub(super) fn owner_lanes(list: &List, wish: &Wish<'_>) -> Vec<Column> {
    let mut lanes: BTreeMap<(bool, Option<&str>), [Vec<&Task>; IN_LANE.len()]> = BTreeMap::new();
    for task in list.ordered() {
        let state = list.state(&task.id);
        if state == Some(State::Deleted) && !wish.all {
            continue;
        }
        let owner = task.owner.as_deref();
        let place = IN_LANE.iter().position(|s| Some(*s) == state);
        let lane = lanes.entry((owner.is_none(), owner)).or_default();
        lane[place.unwrap_or(0)].push(task);
    }
    let lane = |((_, owner), tasks): ((bool, Option<&str>), [Vec<&Task>; IN_LANE.len()])| {
        let mut column = Column::new(Lane::Owner(owner.map(str::to_owned)));
        let mut doing = Doing::default();
        for task in tasks.into_iter().flatten() {
            doing.note(task, list.state(&task.id), wish.state.since(&task.id));
            column.take(list, wish, task);
        }
        column.doing = Some(doing);
        column
    };
    let columns: Vec<Column> = lanes.into_iter().map(lane).collect();
    if columns.is_empty() {
        return vec![Column::new(Lane::Owner(None))];
    }
    columns
}
