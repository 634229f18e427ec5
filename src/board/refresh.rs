use super::{Layer, Model, Tone, columns};
use crate::list::{Delta, EventKind, FileChange, List};
use crate::task::{State, Task, TaskId};

impl Model {
    /// Takes over the first reading of the list, and then what changed while it was read.
    pub(super) fn take_list(&mut self, mut list: List) {
        self.state.apply(&mut list);
        self.state.remember(&list, self.now_ms, false);
        self.list = list;
        self.loading = false;
        self.refresh();
        let early = std::mem::take(&mut self.early);
        self.hear(early);
    }

    /// Takes over what was written, marks it, and says what it changed.
    pub(super) fn take_files(&mut self, files: Vec<FileChange>) -> Option<Delta> {
        if self.loading {
            self.early.extend(files);
            return None;
        }
        let was = self.position();
        let delta = self.list.apply(files);
        if delta.is_empty() {
            return None;
        }
        self.keep_vanished(&delta);
        self.mark(&delta);
        self.remember_events(&delta);
        self.marks.retain(|id| self.list.get(id).is_some());
        self.remember(&delta);
        self.reanchor(was);
        self.refresh_glance();
        self.refresh_columns();
        if !self.graph.is_levels() || delta.is_structural() {
            self.refresh_graph();
        }
        self.follow_in_forms(&delta);
        self.refresh_menus();
        Some(delta)
    }

    /// Works everything out anew that follows from list, filter and selection.
    pub(super) fn refresh(&mut self) {
        self.refresh_glance();
        self.refresh_columns();
        self.refresh_graph();
    }

    /// Works the columns out anew, and where the selected task stands in them.
    pub(super) fn refresh_columns(&mut self) {
        self.rearrange();
        self.column = self.column.min(self.columns.len().saturating_sub(1));
        match self.selected.clone() {
            Some(id) if self.task(&id).is_some() => self.go_to_column_of(&id),
            _ => self.select_something(),
        }
    }

    /// Works out anew where every task stands.
    pub(super) fn rearrange(&mut self) {
        let wish = columns::Wish {
            view: self.view,
            query: &self.query,
            all: self.all_columns,
            state: &self.state,
        };
        self.columns = columns::columns(&self.list, &wish);
        self.columns.extend(self.vanished_column());
    }

    /// Draws the graph anew where it has to be.
    pub(super) fn refresh_graph(&mut self) {
        self.graph
            .refresh(&self.list, self.selected.as_ref(), self.size.0);
    }

    /// Selects a task, wherever it stands.
    pub(super) fn select(&mut self, id: &TaskId) {
        if self.selected.as_ref() != Some(id) {
            self.details_scroll = 0;
        }
        self.selected = Some(id.clone());
        self.graph.pan = (0, 0);
        let shown = self.place_of(id).is_some();
        if !shown && !self.all_columns && self.list.is_in(id, State::Deleted) {
            self.all_columns = true;
            self.rearrange();
        }
        self.go_to_column_of(id);
        self.graph
            .follow(&self.list, self.selected.as_ref(), self.size.0);
    }

    fn go_to_column_of(&mut self, id: &TaskId) {
        if let Some((column, _)) = self.place_of(id) {
            self.column = column;
        }
    }

    /// The first card of the column with the focus, else the first there is.
    pub(super) fn select_something(&mut self) {
        let here = self
            .columns
            .get(self.column)
            .and_then(|column| column.ids.first());
        let any = || self.columns.iter().find_map(|column| column.ids.first());
        let found = here.or_else(any).cloned();
        self.selected = found.clone();
        if let Some(id) = found {
            self.go_to_column_of(&id);
        }
    }

    /// Where the selected card stands: column and row.
    fn position(&self) -> Option<(usize, usize)> {
        self.place_of(self.selected.as_ref()?)
    }

    /// When the selected task is gone, its nearest neighbour is selected.
    fn reanchor(&mut self, was: Option<(usize, usize)>) {
        let Some(id) = self.selected.clone() else {
            return;
        };
        if self.list.get(&id).is_some() {
            return;
        }
        self.selected = was.and_then(|(column, row)| {
            let ids: Vec<&TaskId> = self.columns.get(column)?.ids.iter().collect();
            let left = |other: &&&TaskId| **other != &id && self.list.get(other).is_some();
            let below = ids.iter().skip(row).find(left);
            below
                .or_else(|| ids.iter().take(row).rev().find(left))
                .map(|id| (*id).clone())
        });
        let name = self.short_name(&id);
        self.say(
            Tone::Warning,
            format!("“{name}” is gone: its file was removed"),
        );
    }

    fn mark(&mut self, delta: &Delta) {
        for event in &delta.events {
            match event.kind {
                EventKind::Problem => {
                    let text = format!("{}: {}", event.id, event.subject);
                    self.say(Tone::Warning, text);
                }
                EventKind::Vanished => {
                    self.changes.remove(&event.id);
                }
                kind => {
                    self.changes.insert(event.id.clone(), (kind, self.now_ms));
                }
            }
        }
    }

    fn remember(&mut self, delta: &Delta) {
        let changed = delta.added.iter().chain(&delta.changed);
        let tasks: Vec<Task> = changed
            .filter_map(|id| self.list.get(id))
            .map(|t| Task::clone(t))
            .collect();
        let tasks: Vec<&Task> = tasks.iter().collect();
        self.state.observe(&tasks, self.now_ms, true);
        for id in &delta.added {
            if let Some(task) = self.list.get(id)
                && task.first_seen.is_none()
            {
                self.list.set_first_seen(id, self.now_ms);
            }
        }
    }

    /// An open form takes over what agents wrote into fields that the person did not touch.
    fn follow_in_forms(&mut self, delta: &Delta) {
        for layer in &mut self.layers {
            if let Layer::Form(form) = layer
                && let Some(id) = form.task.as_ref().filter(|id| delta.changed.contains(id))
                && let Some(task) = self.list.get(id)
            {
                form.follow(task);
            }
        }
    }
}
