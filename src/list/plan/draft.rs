use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::{Change, List, Op, Plan, Refusal, RefusalCode, Snapshot, resolve};
use super::stored::Stored;
use crate::graph::{DependencyGraph, Edge, Node, NodeState};
use crate::task::{
    EdgeField, Edit, Field, Json, NewTask, Patch, Status, Task, TaskId, Warning, WarningCode,
};

/// A plan in the making: edits are gathered per file, and an edit that changes nothing is none.
pub(super) struct Draft<'a> {
    pub(super) list: &'a List,
    files: Vec<FilePlan>,
    created: Vec<NewTask>,
    removed: Vec<TaskId>,
    looked_at: BTreeSet<TaskId>,
    pub(super) subjects: Vec<TaskId>,
    warnings: Vec<(TaskId, Warning)>,
    /// Edges added by this plan: blocker, dependant.
    added: Vec<(TaskId, TaskId)>,
    /// Status changes of this plan.
    statuses: BTreeMap<TaskId, Status>,
}

/// The edits of one file so far, and what the file will hold after them.
struct FilePlan {
    id: TaskId,
    stored: Stored,
    patch: Patch,
    inverse: Vec<Edit>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(list: &'a List) -> Draft<'a> {
        Draft {
            list,
            files: Vec::new(),
            created: Vec::new(),
            removed: Vec::new(),
            looked_at: BTreeSet::new(),
            subjects: Vec::new(),
            warnings: Vec::new(),
            added: Vec::new(),
            statuses: BTreeMap::new(),
        }
    }

    /// The task that a wish names, which is then one of the plan's subjects.
    pub(super) fn subject(&mut self, id: &TaskId) -> Result<&'a Arc<Task>, Refusal> {
        let task = self.readable(id)?;
        if !self.subjects.contains(id) {
            self.subjects.push(id.clone());
        }
        Ok(task)
    }

    /// A task whose file can be edited.
    pub(super) fn readable(&self, id: &TaskId) -> Result<&'a Arc<Task>, Refusal> {
        let checked = self.list.dialect().check_id(id.as_str());
        checked.map_err(|e| Refusal::new(RefusalCode::InvalidTaskId, e.to_string()))?;
        if self.list.is_unreadable(id) {
            return Err(self.list.unreadable(id));
        }
        self.list
            .get(id)
            .ok_or_else(|| resolve::not_found(id.as_str()))
    }

    /// A neighbour's file, when there is one that can be edited.
    pub(super) fn editable(&self, id: &TaskId) -> bool {
        self.list.get(id).is_some() && !self.list.is_unreadable(id)
    }

    pub(super) fn warn(&mut self, id: &TaskId, code: WarningCode, message: impl Into<String>) {
        self.warnings.push((
            id.clone(),
            Warning {
                code,
                message: message.into(),
            },
        ));
    }

    /// The plan relies on this file being as it is.
    pub(super) fn look_at(&mut self, id: &TaskId) {
        self.looked_at.insert(id.clone());
    }

    pub(super) fn create(&mut self, task: NewTask, id: TaskId) {
        self.subjects.push(id.clone());
        let blockers = task
            .blocked_by
            .iter()
            .map(|blocker| (blocker.clone(), id.clone()));
        self.added.extend(blockers);
        let dependants = task
            .blocks
            .iter()
            .map(|dependant| (id.clone(), dependant.clone()));
        self.added.extend(dependants);
        self.created.push(NewTask {
            id: Some(id),
            ..task
        });
    }

    pub(super) fn is_created(&self, id: &TaskId) -> bool {
        self.created.iter().any(|task| task.id.as_ref() == Some(id))
    }

    pub(super) fn remove(&mut self, id: &TaskId) {
        self.removed.push(id.clone());
    }

    /// Adds an edit to a file that exists; nothing happens when the file holds that already.
    pub(super) fn edit(&mut self, id: &TaskId, edit: Edit) {
        let Some(file) = self.file(id) else { return };
        if let Some(inverse) = file.stored.apply(&edit) {
            file.inverse.push(inverse);
            match &edit {
                Edit::AddEdge(EdgeField::Blocks, other) => self.add(id, other),
                Edit::AddEdge(EdgeField::BlockedBy, other) => self.add(other, id),
                Edit::Set(Field::Status, Some(word)) => {
                    let word = word.parse().and_then(|v| v.as_str().map(str::to_owned));
                    let status = Status::parse(&word.unwrap_or_default(), self.list.dialect());
                    self.statuses.insert(id.clone(), status);
                }
                _ => {}
            }
            if let Some(file) = self.file(id) {
                file.patch.edits.push(edit);
            }
        }
    }

    /// An edge that one of the two files stores already is none that this plan adds.
    fn add(&mut self, blocker: &TaskId, dependant: &TaskId) {
        let ends = (self.list.node(blocker), self.list.node(dependant));
        let known = |(blocker, dependant)| {
            let mut edges = self.list.graph().incoming(dependant);
            edges.any(|edge| edge.blocker == blocker)
        };
        if !ends.0.zip(ends.1).is_some_and(known) {
            self.added.push((blocker.clone(), dependant.clone()));
        }
    }

    /// What a field of a file will hold after this plan so far.
    pub(super) fn stored(&mut self, id: &TaskId, edit: &Edit) -> Option<Json> {
        self.file(id).and_then(|file| file.stored.value(edit))
    }

    /// Whether an edge array of a file will name a task after this plan so far.
    pub(super) fn names(&mut self, id: &TaskId, field: EdgeField, other: &TaskId) -> bool {
        self.file(id)
            .is_some_and(|file| file.stored.names(field, other))
    }

    /// Whether a file will start with a byte order mark after this plan so far.
    pub(super) fn has_mark(&mut self, id: &TaskId) -> bool {
        self.file(id).is_some_and(|file| file.stored.marked())
    }

    fn file(&mut self, id: &TaskId) -> Option<&mut FilePlan> {
        if let Some(place) = self.files.iter().position(|file| file.id == *id) {
            return self.files.get_mut(place);
        }
        // What cannot be read now is never edited on the strength of what it once said.
        let task = self.list.get(id).filter(|_| self.editable(id))?;
        let (stored, patch) = (Stored::of(task), Patch::default());
        self.files.push(FilePlan {
            id: id.clone(),
            stored,
            patch,
            inverse: Vec::new(),
        });
        self.files.last_mut()
    }

    /// The graph as it will be after the plan, with the ids of nodes that the list does not have.
    fn graph_after(&self) -> (DependencyGraph, Vec<TaskId>) {
        let graph = self.list.graph();
        let nodes = 0..graph.len() as Node;
        let mut states: Vec<NodeState> = nodes.map(|n| graph.state(n)).collect();
        let mut new_ids: Vec<TaskId> = Vec::new();
        for (blocker, dependant) in &self.added {
            for id in [blocker, dependant] {
                if self.list.node(id).is_none() && !new_ids.contains(id) {
                    let created = self.is_created(id);
                    states.push(if created {
                        NodeState::Pending
                    } else {
                        NodeState::Missing
                    });
                    new_ids.push(id.clone());
                }
            }
        }
        for (id, status) in &self.statuses {
            if let Some(node) = self.list.node(id) {
                let closed = NodeState::Completed;
                let state = if status.is_closed() {
                    closed
                } else {
                    NodeState::Pending
                };
                states[node as usize] = state;
            }
        }
        let mut edges = graph.edges().to_vec();
        edges.retain(|edge| !self.is_cut(edge));
        for (blocker, dependant) in &self.added {
            let (blocker, dependant) = (
                self.node_after(blocker, &new_ids),
                self.node_after(dependant, &new_ids),
            );
            if let (Some(blocker), Some(dependant)) = (blocker, dependant) {
                edges.push(Edge {
                    blocker,
                    dependant,
                    in_blocks: true,
                    in_blocked_by: true,
                });
            }
        }
        (
            DependencyGraph::build(graph.rules(), states, edges),
            new_ids,
        )
    }

    fn node_after(&self, id: &TaskId, new_ids: &[TaskId]) -> Option<Node> {
        let new = || new_ids.iter().position(|new| new == id);
        self.list
            .node(id)
            .or_else(|| new().map(|n| (self.list.graph().len() + n) as Node))
    }

    /// Whether this plan takes an edge away.
    fn is_cut(&self, edge: &Edge) -> bool {
        let (blocker, dependant) = (
            self.list.id_of(edge.blocker),
            self.list.id_of(edge.dependant),
        );
        let removes = |file: &FilePlan, field, other: &TaskId| {
            file.patch
                .edits
                .contains(&Edit::RemoveEdge(field, other.clone()))
        };
        self.files.iter().any(|file| {
            (file.id == *dependant && removes(file, EdgeField::BlockedBy, blocker))
                || (file.id == *blocker && removes(file, EdgeField::Blocks, dependant))
        })
    }

    /// Refuses edges that close a ring, and warns of rings that a reopened task closes.
    fn check_rings(&mut self) -> Result<(), Refusal> {
        let reopened = self.reopened();
        if self.added.is_empty() && reopened.is_empty() {
            return Ok(());
        }
        let (graph, new_ids) = self.graph_after();
        let name =
            |node: Node| match new_ids.get((node as usize).wrapping_sub(self.list.graph().len())) {
                Some(id) => id.clone(),
                None => self.list.id_of(node).clone(),
            };
        let mut looked_at = Vec::new();
        for (blocker, dependant) in &self.added {
            let ends = (
                self.node_after(blocker, &new_ids),
                self.node_after(dependant, &new_ids),
            );
            let (Some(blocker), Some(dependant)) = ends else {
                continue;
            };
            if !graph.state(blocker).is_open() || !graph.state(dependant).is_open() {
                continue;
            }
            let search = graph.search(dependant, blocker);
            if let Some(path) = search.path {
                return Err(self.ring_refusal(path.into_iter().map(name).collect()));
            }
            looked_at.extend(search.looked_at.into_iter().map(name));
        }
        for ring in graph.cycles() {
            let members: Vec<TaskId> = ring.into_iter().map(name).collect();
            for id in members.iter().filter(|id| reopened.contains(id)) {
                let names = self.path_in_words(&members);
                self.warn(
                    id,
                    WarningCode::Cycle,
                    format!("open again, it is part of a ring: {names}"),
                );
            }
        }
        self.looked_at.extend(looked_at);
        Ok(())
    }

    fn reopened(&self) -> Vec<TaskId> {
        let was_closed = |id: &TaskId| self.list.get(id).is_some_and(|t| t.status.is_closed());
        let open_now = self
            .statuses
            .iter()
            .filter(|(_, status)| !status.is_closed());
        open_now
            .map(|(id, _)| id.clone())
            .filter(|id| was_closed(id))
            .collect()
    }

    fn ring_refusal(&self, mut path: Vec<TaskId>) -> Refusal {
        if let Some(first) = path.first().cloned() {
            path.push(first);
        }
        let what = match path.as_slice() {
            [one, other] if one == other => {
                format!("{} cannot wait for itself", self.list.name(one))
            }
            _ => format!("that would close a ring: {}", self.path_in_words(&path)),
        };
        Refusal::new(RefusalCode::ValidationError, what)
            .hint("remove one of the edges on this path first")
            .path(path)
    }

    fn path_in_words(&self, path: &[TaskId]) -> String {
        let names: Vec<String> = path.iter().map(|id| self.list.name(id)).collect();
        names.join(" → ")
    }

    /// The finished plan: files in an order of which every prefix is a valid list that errs
    /// towards blocked (DESIGN decision 5).
    pub(super) fn finish(mut self, op: Op) -> Result<Plan, Refusal> {
        self.check_rings()?;
        self.files.retain(|file| !file.patch.edits.is_empty());
        self.files.retain(|file| !self.removed.contains(&file.id));
        self.files.sort_by_key(|file| place_in_commit(&file.patch));
        let mut relied_on: BTreeSet<TaskId> = self.looked_at;
        relied_on.extend(self.files.iter().map(|file| file.id.clone()));
        relied_on.extend(self.removed.iter().cloned());
        relied_on.extend(self.created.iter().filter_map(|task| task.id.clone()));
        let snapshot = |id: TaskId| {
            let bytes = self.list.get(&id).map(|task| task.raw.clone());
            Snapshot { id, bytes }
        };
        let readable = |id: &TaskId| !self.list.is_unreadable(id);
        let relied_on = relied_on
            .into_iter()
            .filter(readable)
            .map(snapshot)
            .collect();
        let created = self
            .created
            .into_iter()
            .map(|task| Change::Create(Box::new(task)));
        let patched = self.files.into_iter().map(|file| {
            let inverse = file.inverse.into_iter().rev().collect();
            Change::Patch {
                id: file.id,
                patch: file.patch,
                inverse: Patch { edits: inverse },
            }
        });
        let removed = self.removed.into_iter().map(|id| Change::Remove { id });
        let changes = created.chain(patched).chain(removed).collect();
        Ok(Plan {
            op,
            changes,
            relied_on,
            subjects: self.subjects,
            warnings: self.warnings,
        })
    }
}

/// Adding tells the waiting file first; removing tells it last. Agents look at `blockedBy`.
fn place_in_commit(patch: &Patch) -> u8 {
    let has = |wanted: fn(&Edit) -> bool| patch.edits.iter().any(wanted);
    if has(|e| matches!(e, Edit::RemoveEdge(EdgeField::BlockedBy, _))) {
        2
    } else if has(|e| matches!(e, Edit::AddEdge(EdgeField::BlockedBy, _))) {
        0
    } else {
        1
    }
}
