use std::collections::BTreeSet;
use std::sync::Arc;

use super::event::{Event, EventKind, column_event, problem_event, task_event, vanished_event};
use super::warn::has_failed_run;
use super::{Derived, FileChange, FileContent, List, Slot};
use crate::graph::{DependencyGraph, Edge, Node, NodeState};
use crate::task::{State, Task, TaskId};

/// What some file changes did to the list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delta {
    /// Tasks that were not there before.
    pub added: Vec<TaskId>,
    /// Tasks whose file has other content now.
    pub changed: Vec<TaskId>,
    /// Tasks whose file is gone, with their last content.
    pub removed: Vec<Arc<Task>>,
    /// Tasks that stand in another column now: from, to.
    pub restated: Vec<(TaskId, State, State)>,
    /// Whether the problems are others.
    pub problems_changed: bool,
    /// Whether any edge or node came or went.
    pub edges_changed: bool,
    /// The same, as `watch` tells it.
    pub events: Vec<Event>,
    /// Nobody listens: the list is loaded.
    silent: bool,
}

impl Delta {
    /// Whether tasks or edges came or went, or tasks stand in other columns: more than texts.
    pub fn is_structural(&self) -> bool {
        self.edges_changed
            || !self.added.is_empty()
            || !self.removed.is_empty()
            || !self.restated.is_empty()
    }

    /// Whether nothing changed at all.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.changed.is_empty()
            && self.removed.is_empty()
            && self.restated.is_empty()
            && !self.problems_changed
    }
}

impl List {
    /// Takes over what the store found under some file names. The cost follows the change: only
    /// changed edges rebuild the graph.
    pub fn apply(&mut self, files: Vec<FileChange>) -> Delta {
        // What a name says is compared with the list, so a name that comes twice is taken as it is.
        let names: BTreeSet<&str> = files.iter().map(|f| f.name.as_str()).collect();
        let twice = names.len() < files.len();
        let files: Vec<FileChange> = files
            .into_iter()
            .filter(|f| twice || self.is_news(f))
            .collect();
        if files.is_empty() {
            return Delta::default();
        }
        let touched = self.touched_by(&files);
        let kept = self.derived.keep();
        let reranked = self.reranked_by(&touched);
        let (open, nodes) = (self.openness(&touched), self.slots.len());
        let before: Vec<State> = touched.iter().map(|node| self.state_of(*node)).collect();
        let was_there: Vec<bool> = touched
            .iter()
            .map(|node| self.task(*node).is_some())
            .collect();
        let mut delta = Delta::default();
        self.fill_with(files, &mut delta);
        let grown = nodes != self.slots.len();
        let binding = grown || delta.edges_changed || open != self.openness(&touched);
        self.take_back(kept, &reranked, &delta, binding);
        let after = touched.iter().zip(before).zip(was_there);
        for ((node, before), was_there) in after {
            let now = self.state_of(*node);
            if was_there && self.task(*node).is_some() && now != before {
                let id = self.id_of(*node).clone();
                self.tell_of_column(*node, before, now, &mut delta);
                delta.restated.push((id, before, now));
            }
        }
        delta
    }

    /// Takes over files without asking what that changed: loading.
    pub(super) fn fill(&mut self, files: Vec<FileChange>) {
        let mut unheard = Delta {
            silent: true,
            ..Delta::default()
        };
        self.fill_with(files, &mut unheard);
    }

    fn is_news(&self, file: &FileChange) -> bool {
        let id = file.name.strip_suffix(".json").map(TaskId::new);
        let slot = id.and_then(|id| self.slot(&id));
        let known = self.broken.get(&file.name);
        match &file.content {
            FileContent::Task(task) => {
                let same = slot
                    .and_then(|s| s.task.as_ref())
                    .is_some_and(|t| t.raw == task.raw);
                !same || known.is_some()
            }
            FileContent::Broken { problem, .. } => known != Some(problem),
            FileContent::Gone => {
                known.is_some() || slot.is_some_and(|s| s.task.is_some() || s.unreadable)
            }
        }
    }

    /// The nodes whose column may change: the files' own, and both ends of their edges, old and
    /// new.
    fn touched_by(&mut self, files: &[FileChange]) -> Vec<Node> {
        let mut touched = BTreeSet::new();
        for file in files {
            if let FileContent::Task(task) = &file.content {
                touched.insert(self.intern(&task.id));
                for id in task.blocks.iter().chain(&task.blocked_by) {
                    touched.insert(self.intern(id));
                }
            }
            let id = file.name.strip_suffix(".json").map(TaskId::new);
            if let Some(node) = id.and_then(|id| self.node(&id)) {
                touched.insert(node);
                // Nodes interned just now are not in the graph's arrays yet.
                if (node as usize) < self.graph.len() {
                    touched.extend(self.graph.outgoing(node).map(|e| e.dependant));
                    touched.extend(self.graph.incoming(node).map(|e| e.blocker));
                }
            }
        }
        self.grow_graph();
        touched.into_iter().collect()
    }

    /// The nodes whose place in the order may change with those of `touched`: how many tasks one
    /// opens depends on what else holds these back.
    fn reranked_by(&self, touched: &[Node]) -> Vec<Node> {
        let mut reranked: BTreeSet<Node> = touched.iter().copied().collect();
        for node in touched.iter().filter(|n| (**n as usize) < self.graph.len()) {
            reranked.extend(self.graph.incoming(*node).map(|e| e.blocker));
        }
        reranked.into_iter().collect()
    }

    /// Which of these are still to be done, so that their edges bind.
    fn openness(&self, nodes: &[Node]) -> Vec<bool> {
        let open = |node: &Node| self.slots[*node as usize].node_state().is_open();
        nodes.iter().map(open).collect()
    }

    fn fill_with(&mut self, files: Vec<FileChange>, delta: &mut Delta) {
        let nodes_before = self.slots.len();
        for file in files {
            self.set_problem(&file, delta);
            match file.content {
                FileContent::Task(task) => self.set_task(task, delta),
                FileContent::Broken { id, .. } => {
                    if let Some(id) = id {
                        let node = self.intern(&id);
                        self.slots[node as usize].unreadable = true;
                        self.update_state(node);
                    }
                }
                FileContent::Gone => self.remove(&file.name, delta),
            }
        }
        if delta.edges_changed || nodes_before != self.slots.len() {
            self.rebuild_graph();
        }
        self.derived = Derived::default();
    }

    fn set_problem(&mut self, file: &FileChange, delta: &mut Delta) {
        let problem = match &file.content {
            FileContent::Broken { problem, .. } => Some(problem.clone()),
            FileContent::Task(_) | FileContent::Gone => None,
        };
        if self.broken.get(&file.name) == problem.as_ref() {
            return;
        }
        delta.problems_changed = true;
        match problem {
            Some(problem) => {
                delta.events.push(problem_event(&problem));
                self.broken.insert(file.name.clone(), problem);
            }
            None => {
                self.broken.remove(&file.name);
            }
        }
    }

    fn set_task(&mut self, mut task: Arc<Task>, delta: &mut Delta) {
        let node = self.intern(&task.id);
        let blocks: Vec<Node> = task.blocks.iter().map(|id| self.intern(id)).collect();
        let blocked_by: Vec<Node> = task.blocked_by.iter().map(|id| self.intern(id)).collect();
        if let Some(task) = Arc::get_mut(&mut task) {
            self.share_ids(&mut task.blocks, &blocks);
            self.share_ids(&mut task.blocked_by, &blocked_by);
        }
        let slot = &mut self.slots[node as usize];
        slot.unreadable = false;
        if slot.blocks != blocks || slot.blocked_by != blocked_by {
            delta.edges_changed = true;
            slot.blocks = blocks;
            slot.blocked_by = blocked_by;
        }
        let before = slot.task.take();
        // A task keeps the time at which it was first seen, however often its file is replaced.
        if let Some(seen) = before.as_ref().and_then(|t| t.first_seen)
            && task.first_seen != Some(seen)
        {
            Arc::make_mut(&mut task).first_seen = Some(seen);
        }
        if !delta.silent {
            delta.events.push(task_event(before.as_deref(), &task));
        }
        match before {
            Some(_) => delta.changed.push(task.id.clone()),
            None => delta.added.push(task.id.clone()),
        }
        slot.odd = !task.warnings.is_empty() || has_failed_run(&task);
        slot.task = Some(task);
        self.update_state(node);
    }

    fn remove(&mut self, file: &str, delta: &mut Delta) {
        let id = file.strip_suffix(".json").map(TaskId::new);
        let Some(node) = id.and_then(|id| self.node(&id)) else {
            return;
        };
        let slot = std::mem::take(&mut self.slots[node as usize]);
        delta.edges_changed |= !slot.blocks.is_empty() || !slot.blocked_by.is_empty();
        if let Some(task) = slot.task {
            delta.events.push(vanished_event(&task));
            delta.removed.push(task);
        }
        self.update_state(node);
    }

    fn tell_of_column(&self, node: Node, before: State, now: State, delta: &mut Delta) {
        let kind = match (before, now) {
            (State::Blocked, State::Ready) => EventKind::Unblocked,
            (State::Ready, State::Blocked) => EventKind::Blocked,
            _ => return,
        };
        let Some(task) = self.task(node) else { return };
        delta.events.push(column_event(kind, task, before, now));
    }

    fn intern(&mut self, id: &TaskId) -> Node {
        if let Some(node) = self.nodes.get(id) {
            return *node;
        }
        let node = self.ids.len() as Node;
        self.ids.push(id.clone());
        self.nodes.insert(id.clone(), node);
        self.slots.push(Slot::default());
        node
    }

    /// Each id is in memory once, however many edges mention it.
    fn share_ids(&self, ids: &mut Vec<TaskId>, nodes: &[Node]) {
        ids.clear();
        ids.extend(nodes.iter().map(|node| self.id_of(*node).clone()));
        ids.shrink_to_fit();
    }

    fn update_state(&mut self, node: Node) {
        if (node as usize) < self.graph.len() {
            self.graph
                .set_state(node, self.slots[node as usize].node_state());
        }
    }

    /// Makes room for nodes that were interned since; they have no edges yet.
    fn grow_graph(&mut self) {
        if self.graph.len() < self.slots.len() {
            self.rebuild_graph();
        }
    }

    fn rebuild_graph(&mut self) {
        let states: Vec<NodeState> = self.slots.iter().map(Slot::node_state).collect();
        let slots = (0..).zip(&self.slots);
        let edges: Vec<Edge> = slots.flat_map(|(node, slot)| slot.edges(node)).collect();
        self.graph = DependencyGraph::build(self.graph.rules(), states, edges);
    }
}
