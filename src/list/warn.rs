use std::collections::HashMap;
use std::sync::Arc;

use super::{List, State};
use crate::graph::{Edge, Node, NodeState};
use crate::task::{Task, TaskId, Warning, WarningCode};

impl List {
    /// What is odd about a task: first what its file shows, then what its relations show.
    pub fn warnings(&self, id: &TaskId) -> Vec<Warning> {
        let Some(node) = self.node(id) else {
            return Vec::new();
        };
        let Some(task) = self.task(node) else {
            return Vec::new();
        };
        let mut warnings = task.warnings.clone();
        self.warn_of_edges(node, &mut warnings);
        self.warn_of_rings(node, &mut warnings);
        if self.state_of(node) == State::InProgress && self.graph.is_blocked(node) {
            let blockers = self.names(self.graph.open_blockers(node));
            warnings.push(warning(
                WarningCode::StartedWhileBlocked,
                format!("in progress although it waits for {blockers}"),
            ));
        }
        if has_failed_run(task) {
            warnings.push(warning(
                WarningCode::FailedRun,
                "the runner gave up on it; unnamed claims skip it until someone retries it".into(),
            ));
        }
        warnings
    }

    fn warn_of_edges(&self, node: Node, warnings: &mut Vec<Warning>) {
        let incoming: Vec<&Edge> = self.graph.incoming(node).collect();
        let outgoing: Vec<&Edge> = self.graph.outgoing(node).collect();
        self.warn_of_one_sided(node, &incoming, &outgoing, warnings);
        let in_state = |edges: &[&Edge], end: fn(&Edge) -> Node, state: NodeState| {
            let ends: Vec<Node> = edges.iter().map(|e| end(e)).collect();
            ends.into_iter()
                .filter(|n| self.graph.state(*n) == state)
                .collect::<Vec<_>>()
        };
        let missing = in_state(&incoming, |e| e.blocker, NodeState::Missing);
        self.push_about(
            warnings,
            WarningCode::MissingBlocker,
            "waits for a task without a file",
            missing,
        );
        let absent = in_state(&outgoing, |e| e.dependant, NodeState::Missing);
        self.push_about(
            warnings,
            WarningCode::MissingDependent,
            "blocks a task without a file",
            absent,
        );
        let deleted = in_state(&incoming, |e| e.blocker, NodeState::Deleted);
        self.push_about(
            warnings,
            WarningCode::DeletedBlocker,
            "waits for a deleted task",
            deleted,
        );
        let unreadable = incoming.iter().map(|e| e.blocker);
        let unreadable = unreadable
            .filter(|n| self.slots[*n as usize].unreadable)
            .collect();
        self.push_about(
            warnings,
            WarningCode::UnreadableBlocker,
            "waits for a task whose file cannot be read",
            unreadable,
        );
    }

    fn warn_of_one_sided(
        &self,
        node: Node,
        incoming: &[&Edge],
        outgoing: &[&Edge],
        warnings: &mut Vec<Warning>,
    ) {
        let readable = |n: &Node| self.task(*n).is_some();
        let one_sided = |e: &&&Edge| e.in_blocks != e.in_blocked_by;
        let blockers = incoming.iter().filter(one_sided).map(|e| e.blocker);
        let dependants = outgoing.iter().filter(one_sided).map(|e| e.dependant);
        let others = blockers
            .chain(dependants)
            .filter(readable)
            .filter(|n| *n != node)
            .collect();
        let what = "has an edge that only one of the two files stores, with";
        self.push_about(warnings, WarningCode::OneSidedEdge, what, others);
    }

    fn warn_of_rings(&self, node: Node, warnings: &mut Vec<Warning>) {
        let rings = self.derived.ring_names.get_or_init(|| self.ring_names());
        let Some(names) = rings.get(&node) else {
            return;
        };
        if self.graph.outgoing(node).any(|e| e.dependant == node) {
            let message = "waits for itself, and can never start".into();
            warnings.push(warning(WarningCode::SelfBlock, message));
        }
        let message = format!("is part of a ring of tasks that wait for each other: {names}");
        warnings.push(warning(WarningCode::Cycle, message));
    }

    /// For each task in a ring its ring's names, put into words once per ring: rings may be large.
    fn ring_names(&self) -> HashMap<Node, Arc<str>> {
        let mut all = HashMap::new();
        for ring in self.rings() {
            let names: Arc<str> = self.names(ring.iter().copied()).into();
            all.extend(ring.iter().map(|node| (*node, Arc::clone(&names))));
        }
        all
    }

    fn push_about(
        &self,
        warnings: &mut Vec<Warning>,
        code: WarningCode,
        what: &str,
        nodes: Vec<Node>,
    ) {
        if !nodes.is_empty() {
            let names = self.names(nodes.into_iter());
            warnings.push(warning(code, format!("{what}: {names}")));
        }
    }

    /// Tasks by name for a sentence, the first few of them.
    fn names(&self, nodes: impl Iterator<Item = Node>) -> String {
        const SHOWN: usize = 4;
        let ids = self.named(nodes);
        let mut names: Vec<String> = ids.iter().take(SHOWN).map(|id| self.name(id)).collect();
        if ids.len() > SHOWN {
            names.push(format!("{} more", ids.len() - SHOWN));
        }
        names.join(", ")
    }

    /// The tasks with which a closer look may find something wrong, told by flat states alone: not
    /// those that are closed, nor those that can run or wait for work, with nothing odd in their
    /// files. In id order.
    pub fn worth_a_look(&self) -> impl Iterator<Item = &Arc<Task>> {
        self.nodes().iter().filter_map(|node| {
            let slot = &self.slots[*node as usize];
            let worth = match self.state_of(*node) {
                State::Completed | State::Deleted => false,
                State::InProgress | State::Other => true,
                State::Ready => slot.odd,
                State::Blocked => slot.odd || self.waits_for_nobodys_work(*node),
            };
            slot.task.as_ref().filter(|_| worth || slot.unreadable)
        })
    }

    /// Whether a blocker is no task that somebody works on or may work on.
    fn waits_for_nobodys_work(&self, node: Node) -> bool {
        let is_work = |state| matches!(state, NodeState::Pending | NodeState::Active);
        let mut blockers = self.graph.open_blockers(node);
        blockers.any(|b| b == node || !is_work(self.graph.state(b)))
    }

    /// A task for a sentence: its subject and id, or the id alone.
    pub fn name(&self, id: &TaskId) -> String {
        match self.get(id).map(|task| task.subject.as_str()) {
            Some(subject) if !subject.is_empty() => format!("{subject} ({id})"),
            _ => id.to_string(),
        }
    }
}

/// Whether `metadata.run.failed` is set: the runner gave up on the task, until somebody retries it.
pub fn has_failed_run(task: &Task) -> bool {
    let Some(metadata) = task
        .metadata
        .as_ref()
        .filter(|m| m.as_str().contains("\"failed\""))
    else {
        return false;
    };
    metadata
        .parse()
        .is_some_and(|m| m["run"]["failed"].as_bool() == Some(true))
}

fn warning(code: WarningCode, message: String) -> Warning {
    Warning { code, message }
}
