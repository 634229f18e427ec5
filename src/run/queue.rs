use std::collections::{BTreeSet, HashMap, HashSet};

use super::record::{Claimed, last_attempt};
use crate::list::{BlockReason, List, Query, has_failed_run};
use crate::task::{Dialect, State, Status, Task, TaskId};

/// Which tasks a runner works on.
#[derive(Debug, Clone)]
pub struct Scope {
    /// The name under which it claims; a task that is assigned to another stays there.
    pub owner: String,
    /// Only what fits.
    pub query: Query,
}

impl Scope {
    /// Whether a task is one of them.
    pub(super) fn holds(&self, list: &List, task: &Task) -> bool {
        self.query.is_empty() || self.query.matches(list, task)
    }

    fn is_free(&self, task: &Task) -> bool {
        task.owner
            .as_deref()
            .is_none_or(|owner| owner == self.owner)
    }
}

/// The tasks that can be started now, in the board's order, apart from those that are busy.
pub fn takeable(list: &List, scope: &Scope, busy: &HashSet<TaskId>) -> Vec<TaskId> {
    let again = list.column(State::InProgress).into_iter();
    let again = again.filter(|task| is_to_be_tried_again(list, scope, task));
    let ready = list.ready().into_iter().filter(|task| scope.is_free(task));
    again
        .chain(ready)
        .filter(|task| scope.holds(list, task))
        .filter(|task| !has_failed_run(task) && !list.is_unreadable(&task.id))
        // One that was put back while its worker runs is free when that has ended.
        .filter(|task| Claimed::of(task).is_none())
        .map(|task| task.id.clone())
        .filter(|id| !busy.contains(id))
        .collect()
}

/// In OmO team mode, which only goes forward, a failed attempt leaves its task in progress.
fn is_to_be_tried_again(list: &List, scope: &Scope, task: &Task) -> bool {
    list.dialect() == Dialect::OmoTeam
        && task.owner.as_ref() == Some(&scope.owner)
        && last_attempt(task) > 0
        && Claimed::of(task).is_none()
}

/// How a list stands for a runner that runs nothing and can take nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// Everything in its scope is closed.
    Finished,
    /// Somebody else works on tasks that others in the scope wait for.
    WaitsFor(Vec<TaskId>),
    /// Open tasks remain, and nobody works on what holds them back: why, in words.
    Stuck(Vec<String>),
}

/// Why there is nothing to take.
pub fn standing(list: &List, scope: &Scope) -> Standing {
    let open: Vec<&Task> = list
        .tasks()
        .map(AsRef::as_ref)
        .filter(|task| !task.status.is_closed() && scope.holds(list, task))
        .collect();
    if open.is_empty() {
        return Standing::Finished;
    }
    let others = worked_on(list, &open);
    if !others.is_empty() {
        return Standing::WaitsFor(others);
    }
    let mut reasons: BTreeSet<String> = list.cycles().iter().map(|r| ring(list, r)).collect();
    reasons.extend(open.iter().flat_map(|task| reasons_for(list, scope, task)));
    Standing::Stuck(reasons.into_iter().collect())
}

fn is_worked_on(task: &Task) -> bool {
    let active = task.status.is_active() && !has_failed_run(task);
    active || (!task.status.is_closed() && Claimed::of(task).is_some())
}

/// The tasks in progress that are open in the scope or hold one of them back, by whatever chain.
fn worked_on(list: &List, open: &[&Task]) -> Vec<TaskId> {
    let mut seen: HashSet<TaskId> = open.iter().map(|task| task.id.clone()).collect();
    let mut left: Vec<TaskId> = seen.iter().cloned().collect();
    let mut found = BTreeSet::new();
    while let Some(id) = left.pop() {
        let task = list.get(&id);
        if task.is_some_and(|t| is_worked_on(t)) {
            found.insert(id);
            continue;
        }
        for blocker in list.open_blockers(&id) {
            if seen.insert(blocker.id.clone()) {
                left.push(blocker.id);
            }
        }
    }
    found.into_iter().collect()
}

fn ring(list: &List, ring: &[TaskId]) -> String {
    format!(
        "a ring of tasks that wait for each other: {}",
        names(list, ring)
    )
}

fn names(list: &List, ids: &[TaskId]) -> String {
    let named = ids.iter().take(6).map(|id| list.name(id));
    let names: Vec<String> = named.collect();
    match ids.len().saturating_sub(6) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// Why one open task does not move, where it is the root of the trouble.
fn reasons_for(list: &List, scope: &Scope, task: &Task) -> Vec<String> {
    let name = list.name(&task.id);
    let mut reasons = Vec::new();
    if list.is_unreadable(&task.id) {
        reasons.push(format!("{name} cannot be read"));
    }
    if has_failed_run(task) {
        reasons.push(format!("{name} failed and was given up on; retry it with `taskdeck update {} --unset-metadata run`", task.id));
    } else if list.is_in(&task.id, State::Ready) && !scope.is_free(task) {
        let owner = task.owner.as_deref().unwrap_or_default();
        reasons.push(format!("{name} is assigned to {owner}"));
    }
    if matches!(task.status, Status::Other(_)) {
        reasons.push(format!(
            "{name} has the unknown status {:?}",
            task.status.as_str()
        ));
    }
    for blocker in list.open_blockers(&task.id) {
        let outside = list.get(&blocker.id).is_some_and(|b| !scope.holds(list, b));
        match blocker.reason {
            BlockReason::Pending | BlockReason::InProgress if outside => {
                let blocker = list.name(&blocker.id);
                reasons.push(format!(
                    "{name} waits for {blocker}, which the filter leaves out"
                ));
            }
            BlockReason::Pending | BlockReason::InProgress | BlockReason::Itself => {}
            _ => reasons.push(format!(
                "{name} waits for {}: {}",
                list.name(&blocker.id),
                blocker.message
            )),
        }
    }
    reasons
}

/// Who would run when, if every task took the same time: at most `width` at once, in the board's
/// order. Tasks that would never run are in no wave.
pub fn waves(list: &List, scope: &Scope, width: usize) -> Vec<Vec<TaskId>> {
    let mut waiting: HashMap<TaskId, usize> = HashMap::new();
    let mut ready: Vec<TaskId> = Vec::new();
    let ordered = list.ordered();
    for task in ordered.iter().filter(|task| task.status == Status::Pending) {
        let held = list.open_blockers(&task.id).len();
        let ours = scope.holds(list, task) && scope.is_free(task) && !has_failed_run(task);
        match (held, ours) {
            (0, true) => ready.push(task.id.clone()),
            (held, true) => {
                waiting.insert(task.id.clone(), held);
            }
            _ => {}
        }
    }
    let place: HashMap<&TaskId, usize> = ordered
        .iter()
        .enumerate()
        .map(|(n, t)| (&t.id, n))
        .collect();
    let mut waves = Vec::new();
    while !ready.is_empty() {
        ready.sort_by_key(|id| place.get(id).copied());
        let rest = ready.split_off(width.max(1).min(ready.len()));
        let wave = std::mem::replace(&mut ready, rest);
        for id in wave.iter().flat_map(|id| list.dependants(id)) {
            if let Some(held) = waiting.get_mut(&id) {
                *held -= 1;
                if *held == 0 {
                    waiting.remove(&id);
                    ready.push(id);
                }
            }
        }
        waves.push(wave);
    }
    waves
}
