use std::sync::Arc;

use super::{Column, Effect, Lane, Model, View};
use crate::list::{Change, Delta, Op, Plan};
use crate::task::{NewTask, Status, Task, TaskId};

/// So many are kept, the latest ones.
const KEPT: usize = 500;

/// A task whose file somebody else removed, as it was last.
#[derive(Debug, Clone)]
pub struct Vanished {
    /// Its last content.
    pub task: Arc<Task>,
    /// When it was missed, in milliseconds since the epoch.
    pub at_ms: i64,
}

impl Model {
    /// A task of the list, or as it was when its file was removed.
    pub fn task(&self, id: &TaskId) -> Option<&Arc<Task>> {
        self.list
            .get(id)
            .or_else(|| Some(&self.vanished_task(id)?.task))
    }

    /// A task whose file is gone.
    pub fn vanished_task(&self, id: &TaskId) -> Option<&Vanished> {
        self.vanished
            .iter()
            .find(|vanished| vanished.task.id == *id)
    }

    /// Keeps what somebody removed; what is there again is kept no longer.
    pub(super) fn keep_vanished(&mut self, delta: &Delta) {
        let at_ms = self.now_ms;
        let gone = delta.removed.iter().map(|task| Vanished {
            task: Arc::clone(task),
            at_ms,
        });
        self.vanished.extend(gone);
        self.vanished
            .retain(|v| self.list.get(&v.task.id).is_none());
        let surplus = self.vanished.len().saturating_sub(KEPT);
        self.vanished.drain(..surplus);
    }

    /// What a person removed here did not vanish, and what was restored is there again.
    pub(super) fn forget_vanished(&mut self, plan: &Plan) {
        let before = self.vanished.len();
        for change in &plan.changes {
            match change {
                Change::Remove { id } => self.vanished.retain(|v| v.task.id != *id),
                Change::Create(made) => self.vanished.retain(|v| !is_copy(made, &v.task)),
                Change::Patch { .. } => {}
            }
        }
        if self.vanished.len() < before {
            self.refresh();
        }
    }

    /// Their column, where there are any; a table has no room beside it.
    pub(super) fn vanished_column(&self) -> Option<Column> {
        if self.vanished.is_empty() || matches!(self.view, View::List(_) | View::Tree) {
            return None;
        }
        let latest = self.vanished.iter().rev().map(|vanished| &vanished.task);
        let (shown, hidden): (Vec<&Arc<Task>>, Vec<_>) =
            latest.partition(|task| self.query.is_empty() || self.query.matches(&self.list, task));
        Some(Column {
            lane: Lane::Vanished,
            ids: shown.into_iter().map(|task| task.id.clone()).collect(),
            doing: None,
            branches: Vec::new(),
            hidden: hidden.len(),
        })
    }

    /// Makes a vanished task again, under a fresh id: the old one may have been given to another.
    pub(super) fn bring_back(&mut self, id: &TaskId) -> Vec<Effect> {
        let Some(vanished) = self.vanished_task(id) else {
            return Vec::new();
        };
        let mut task = copy(&vanished.task);
        let there = |id: &TaskId| self.list.get(id).is_some();
        task.blocks.retain(there);
        task.blocked_by.retain(there);
        task.parent_id = task.parent_id.filter(there);
        task.id = self.number_after_vanished();
        self.act(Op::Create(vec![task]))
    }

    /// A removed file leaves no trace of its number, so the list alone may give it again.
    fn number_after_vanished(&self) -> Option<TaskId> {
        let numbers = self.vanished.iter().filter_map(|v| v.task.id.number());
        let after = numbers.max()?.checked_add(1)?;
        let next = self.list.next_number()?;
        (self.list.dialect().is_numbered() && after > next).then(|| TaskId::new(after.to_string()))
    }
}

/// The same task once more; work that was going on has to be taken up anew.
fn copy(task: &Task) -> NewTask {
    NewTask {
        description: task.description.clone(),
        status: match &task.status {
            Status::Completed => Status::Completed,
            _ => Status::Pending,
        },
        active_form: task.active_form.clone(),
        owner: task.owner.clone(),
        blocks: task.blocks.clone(),
        blocked_by: task.blocked_by.clone(),
        metadata: task
            .metadata
            .as_ref()
            .and_then(|m| m.members())
            .unwrap_or_default(),
        repo_url: task.repo_url.clone(),
        parent_id: task.parent_id.clone(),
        thread_id: task.thread_id.clone().unwrap_or_default(),
        ..NewTask::pending(task.subject.clone())
    }
}

fn is_copy(made: &NewTask, task: &Task) -> bool {
    let copy = copy(task);
    (&made.subject, &made.description, &made.metadata)
        == (&copy.subject, &copy.description, &copy.metadata)
}
