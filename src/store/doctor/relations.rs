//! What only the relations between tasks show: edges that block for ever, edges that one of the two
//! files does not store, rings.

use super::{Cure, Finding, Severity, about};
use crate::graph::{Edge, NodeState};
use crate::list::{List, Op, Ring};
use crate::task::{Dialect, EdgeField, Edit, Patch, Status, Task, TaskId, WarningCode};

pub(super) fn findings(list: &List, task: &Task) -> Vec<Finding> {
    let Some(node) = list.node(&task.id) else {
        return Vec::new();
    };
    let look = Look {
        list,
        task,
        incoming: list.graph().incoming(node).copied().collect(),
        outgoing: list.graph().outgoing(node).copied().collect(),
    };
    let all = [
        look.waits_for_deleted(),
        look.waits_for_missing(),
        look.blocks_missing(),
        look.one_sided(),
        look.runs_too_early(),
    ];
    all.into_iter().flatten().collect()
}

/// Rings of open tasks, each told once, at the task that is best freed from it.
pub(super) fn rings(list: &List) -> Vec<Finding> {
    let told = |ring: &Ring| {
        let (dependant, blocker) = (ring.dependant()?, ring.blocker()?);
        let task = list.get(dependant)?;
        let names: Vec<String> = ring.way.iter().map(|id| list.name(id)).collect();
        let (code, what) = match ring.members.len() {
            1 => (WarningCode::SelfBlock, "it waits for itself".to_owned()),
            _ => (
                WarningCode::Cycle,
                format!(
                    "each waits for the one before, and the first for the last: {}",
                    names.join(", ")
                ),
            ),
        };
        let left = if ring.opens {
            ""
        } else {
            " (more rings are left then)"
        };
        Some(Finding {
            severity: Severity::Error,
            code: code.as_str(),
            what,
            meaning: "none of them, and nothing that waits for them, can ever start".to_owned(),
            advice: format!(
                "most likely this edge is wrong: taskdeck update {dependant} --remove-blocked-by {blocker}{left}"
            ),
            ..about(task)
        })
    };
    list.rings_to_cut().iter().filter_map(told).collect()
}

struct Look<'a> {
    list: &'a List,
    task: &'a Task,
    incoming: Vec<Edge>,
    outgoing: Vec<Edge>,
}

impl Look<'_> {
    /// Only open tasks: what a finished one waits for holds nobody back.
    fn waits_for(&self, state: NodeState) -> Vec<TaskId> {
        if self.task.status.is_closed() {
            return Vec::new();
        }
        let graph = self.list.graph();
        let edges = self.incoming.iter().map(|edge| edge.blocker);
        let ends = edges.filter(|node| graph.state(*node) == state);
        ends.map(|node| self.list.id_of(node).clone()).collect()
    }

    fn waits_for_deleted(&self) -> Option<Finding> {
        let deleted = self.waits_for(NodeState::Deleted);
        let dialect = self.list.dialect();
        let agent = dialect.agent();
        self.finding(
            Finding {
                severity: if dialect.deleted_blocks() {
                    Severity::Error
                } else {
                    Severity::Note
                },
                code: WarningCode::DeletedBlocker.as_str(),
                what: format!("it waits for deleted tasks: {}", self.names(&deleted)),
                meaning: match dialect.deleted_blocks() {
                    true => format!("{agent} releases only on completion: it can never start"),
                    false => format!("{agent} does not count them"),
                },
                advice: "remove the edges to deleted tasks".to_owned(),
                cure: Some(self.edit(&deleted, |id| Edit::RemoveEdge(EdgeField::BlockedBy, id))),
                ..about(self.task)
            },
            &deleted,
        )
    }

    fn waits_for_missing(&self) -> Option<Finding> {
        let missing = self.waits_for(NodeState::Missing);
        let dialect = self.list.dialect();
        let agent = dialect.agent();
        // Where deleting removes the file, an edge to no file is one to a deleted task.
        let deleted = dialect == Dialect::Claude;
        self.finding(Finding {
            severity: if dialect.missing_blocks() {
                Severity::Error
            } else {
                Severity::Warning
            },
            code: WarningCode::MissingBlocker.as_str(),
            what: format!("it waits for tasks without a file: {}", self.names(&missing)),
            meaning: match dialect {
                Dialect::Omo => format!("{agent} counts them as not completed: it can never start"),
                Dialect::OmoTeam => format!("{agent} does not count them"),
                Dialect::Claude => {
                    format!("{agent} shows them as blockers, but lets the task be claimed")
                }
            },
            advice: match deleted {
                true => "remove the edges to tasks that are gone".to_owned(),
                false => format!(
                    "bring the files back, or remove the edges: taskdeck update {} --remove-blocked-by …",
                    self.task.id
                ),
            },
            cure: deleted
                .then(|| self.edit(&missing, |id| Edit::RemoveEdge(EdgeField::BlockedBy, id))),
            ..about(self.task)
        }, &missing)
    }

    fn blocks_missing(&self) -> Option<Finding> {
        let graph = self.list.graph();
        let ends = self.outgoing.iter().map(|edge| edge.dependant);
        let missing: Vec<TaskId> = ends
            .filter(|node| graph.state(*node) == NodeState::Missing)
            .map(|node| self.list.id_of(node).clone())
            .collect();
        let deleted = self.list.dialect() == Dialect::Claude;
        self.finding(
            Finding {
                severity: Severity::Note,
                code: WarningCode::MissingDependent.as_str(),
                what: format!("it blocks tasks without a file: {}", self.names(&missing)),
                meaning: "nobody is held back by that".to_owned(),
                advice: match deleted {
                    true => "remove the edges to tasks that are gone".to_owned(),
                    false => format!(
                        "if they are gone for good: taskdeck update {} --remove-blocks …",
                        self.task.id
                    ),
                },
                cure: deleted
                    .then(|| self.edit(&missing, |id| Edit::RemoveEdge(EdgeField::Blocks, id))),
                ..about(self.task)
            },
            &missing,
        )
    }

    /// Told at the file that lacks the edge. An edge to a deleted task is rather removed.
    fn one_sided(&self) -> Option<Finding> {
        if self.task.status == Status::Deleted {
            return None;
        }
        let there = |task: &Task| task.status != Status::Deleted;
        let readable = |id: &TaskId| {
            *id != self.task.id
                && self.list.get(id).is_some_and(|task| there(task))
                && !self.list.is_unreadable(id)
        };
        let id_of = |node| self.list.id_of(node).clone();
        let lacking = |edges: &[Edge], lacks: fn(&Edge) -> bool, end: fn(&Edge) -> u32| {
            let ends = edges
                .iter()
                .filter(|edge| lacks(edge))
                .map(|edge| id_of(end(edge)));
            ends.filter(readable).collect::<Vec<TaskId>>()
        };
        let blockers = lacking(
            &self.incoming,
            |edge| !edge.in_blocked_by,
            |edge| edge.blocker,
        );
        let dependants = lacking(
            &self.outgoing,
            |edge| !edge.in_blocks,
            |edge| edge.dependant,
        );
        let edits = blockers
            .iter()
            .map(|id| Edit::AddEdge(EdgeField::BlockedBy, id.clone()));
        let more = dependants
            .iter()
            .map(|id| Edit::AddEdge(EdgeField::Blocks, id.clone()));
        let edits: Vec<Edit> = edits.chain(more).collect();
        let others: Vec<TaskId> = blockers.iter().chain(&dependants).cloned().collect();
        let agent = self.list.dialect().agent();
        self.finding(
            Finding {
                severity: Severity::Note,
                code: WarningCode::OneSidedEdge.as_str(),
                what: format!(
                    "edges that only the other file stores, with {}",
                    self.names(&others)
                ),
                meaning: match blockers.is_empty() {
                    true => format!("{agent} looks at blockedBy, so nothing changes for it"),
                    false => {
                        format!("{agent} looks at blockedBy, and takes the task for free too early")
                    }
                },
                advice: "store the edges in this file too".to_owned(),
                cure: Some(self.cure(edits)),
                ..about(self.task)
            },
            &others,
        )
    }

    fn runs_too_early(&self) -> Option<Finding> {
        let warning = self.list.warnings(&self.task.id).into_iter();
        let early =
            |code| code == WarningCode::StartedWhileBlocked || code == WarningCode::FailedRun;
        let warning = warning.rev().find(|warning| early(warning.code))?;
        Some(Finding {
            severity: Severity::Warning,
            code: warning.code.as_str(),
            what: warning.message,
            meaning: "somebody may be at work on what cannot be finished yet".to_owned(),
            advice: format!("look with: taskdeck why {}", self.task.id),
            ..about(self.task)
        })
    }

    fn finding(&self, finding: Finding, ends: &[TaskId]) -> Option<Finding> {
        (!ends.is_empty()).then_some(finding)
    }

    fn names(&self, ids: &[TaskId]) -> String {
        let names: Vec<String> = ids.iter().map(|id| self.list.name(id)).collect();
        names.join(", ")
    }

    fn edit(&self, ends: &[TaskId], edit: impl Fn(TaskId) -> Edit) -> Cure {
        self.cure(ends.iter().cloned().map(edit).collect())
    }

    fn cure(&self, edits: Vec<Edit>) -> Cure {
        Cure::Edit(Op::Update {
            ids: vec![self.task.id.clone()],
            patch: Patch { edits },
            force: true,
        })
    }
}
