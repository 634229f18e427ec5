use std::collections::HashSet;
use std::sync::Arc;

use super::{Effect, Model, Pane, Tone};
use crate::list::Op;
use crate::task::{Task, TaskId};

/// The marked tasks, in the order in which they were marked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    order: Vec<TaskId>,
    set: HashSet<TaskId>,
    /// Where a range begins: the task that was marked last.
    anchor: Option<TaskId>,
}

impl Marks {
    /// Whether a task is marked.
    pub fn contains(&self, id: &TaskId) -> bool {
        self.set.contains(id)
    }

    /// The marked tasks, first marked first.
    pub fn iter(&self) -> impl Iterator<Item = &TaskId> {
        self.order.iter()
    }

    /// How many are marked.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether none is marked.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    fn add(&mut self, id: &TaskId) {
        if self.set.insert(id.clone()) {
            self.order.push(id.clone());
        }
    }

    fn remove(&mut self, id: &TaskId) {
        if self.set.remove(id) {
            self.order.retain(|other| other != id);
        }
    }

    /// Unmarks everything.
    pub(super) fn clear(&mut self) {
        *self = Marks::default();
    }

    /// Keeps those that fit.
    pub(super) fn retain(&mut self, fits: impl Fn(&TaskId) -> bool) {
        self.order.retain(&fits);
        self.set.retain(fits);
    }
}

impl Model {
    /// What the keys that edit are about: the marked tasks, else the selected one.
    pub fn targets(&self) -> Vec<TaskId> {
        if self.marks.is_empty() {
            self.selected.iter().cloned().collect()
        } else {
            self.marks.iter().cloned().collect()
        }
    }

    /// The targets that can be edited now.
    pub(super) fn target_tasks(&self) -> impl Iterator<Item = &Arc<Task>> {
        let ids = self.targets();
        ids.into_iter()
            .filter(|id| !self.list.is_unreadable(id))
            .filter_map(|id| self.list.get(&id))
    }

    /// Marks the selected task or unmarks it, and goes on to the card below.
    pub(super) fn toggle_mark(&mut self) {
        let Some(id) = self.selected.clone() else {
            return;
        };
        if self.marks.contains(&id) {
            self.marks.remove(&id);
        } else {
            self.marks.add(&id);
        }
        self.marks.anchor = Some(id);
        if self.pane == Pane::Board {
            self.go_to_row(self.row().map_or(0, |row| row + 1));
        }
    }

    /// Marks everything in the column from the last marked task to the selected one.
    pub(super) fn mark_range(&mut self) {
        let Some(id) = self.selected.clone() else {
            return;
        };
        let ids = self
            .columns
            .get(self.column)
            .map_or(&[][..], |column| &column.ids);
        let place = |id: &TaskId| ids.iter().position(|other| other == id);
        let here = place(&id);
        let anchor = self.marks.anchor.as_ref().and_then(place).or(here);
        if let (Some(from), Some(to)) = (anchor, here) {
            for id in &ids[from.min(to)..=from.max(to)] {
                self.marks.add(id);
            }
        }
        self.marks.anchor = Some(id);
    }

    /// Marks everything that the filter shows; when all of it is marked, unmarks it.
    pub(super) fn mark_shown(&mut self) {
        let shown: Vec<TaskId> = self.columns.iter().flat_map(|c| c.ids.clone()).collect();
        if shown.iter().all(|id| self.marks.contains(id)) {
            self.marks.clear();
            return;
        }
        for id in &shown {
            self.marks.add(id);
        }
        let many = self.marks.len();
        self.say(Tone::Done, format!("{many} marked; esc unmarks them"));
    }

    /// A wish was sent out for the marked tasks: they are no longer marked. One about another task,
    /// which was linked with them, leaves them marked, so that the same key takes it back.
    pub(super) fn sent(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let about_others = |op: &Op| match op {
            Op::Update { ids, .. } => !ids.iter().any(|id| self.marks.contains(id)),
            _ => false,
        };
        let ends = |e: &Effect| matches!(e, Effect::Act(op) if !about_others(op));
        if effects.iter().any(ends) {
            self.marks.clear();
        }
        effects
    }
}
