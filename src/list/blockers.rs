use super::{List, State};
use crate::graph::NodeState;
use crate::task::{Dialect, Status, TaskId};

/// Why a blocker holds a task back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockReason {
    /// Not started.
    Pending,
    /// Being worked on.
    InProgress,
    /// Its status is no word of the dialect.
    OtherStatus,
    /// Deleted, and in this dialect only completion releases.
    Deleted,
    /// No such file, and in this dialect that blocks.
    Missing,
    /// Its file cannot be read.
    Unreadable,
    /// The task waits for itself.
    Itself,
}

/// One blocker that holds a task back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenBlocker {
    /// The blocker.
    pub id: TaskId,
    /// Why it still blocks.
    pub reason: BlockReason,
    /// The reason in words, such as `deleted, which in OmO still blocks: remove the edge`.
    pub message: String,
}

impl List {
    /// What holds a task back, in id order, each with its reason. The one answer that every
    /// surface prints.
    pub fn open_blockers(&self, id: &TaskId) -> Vec<OpenBlocker> {
        let ids = self.open_blocker_ids(id).into_iter();
        ids.map(|blocker| self.open_blocker(id, blocker)).collect()
    }

    /// The same by their ids alone.
    pub fn open_blocker_ids(&self, id: &TaskId) -> Vec<TaskId> {
        let node = self.node(id);
        node.map_or_else(Vec::new, |node| self.named(self.graph.open_blockers(node)))
    }

    fn open_blocker(&self, id: &TaskId, blocker: TaskId) -> OpenBlocker {
        let reason = self.block_reason(id, &blocker);
        let message = reason_in_words(reason, self.dialect, self.get(&blocker).map(|t| &t.status));
        OpenBlocker {
            id: blocker,
            reason,
            message,
        }
    }

    fn block_reason(&self, id: &TaskId, blocker: &TaskId) -> BlockReason {
        if id == blocker {
            return BlockReason::Itself;
        }
        if self.is_unreadable(blocker) {
            return BlockReason::Unreadable;
        }
        let state = self
            .node(blocker)
            .map_or(NodeState::Missing, |n| self.graph.state(n));
        match state {
            NodeState::Pending | NodeState::Completed => BlockReason::Pending,
            NodeState::Active => BlockReason::InProgress,
            NodeState::Deleted => BlockReason::Deleted,
            NodeState::Other => BlockReason::OtherStatus,
            NodeState::Missing => BlockReason::Missing,
            NodeState::Unreadable => BlockReason::Unreadable,
        }
    }

    /// Whether the task is pending and something holds it back, or it runs although something
    /// does.
    pub fn is_blocked(&self, id: &TaskId) -> bool {
        self.node(id)
            .is_some_and(|node| self.graph.is_blocked(node))
    }

    /// Whether the task is in this state.
    pub fn is_in(&self, id: &TaskId, state: State) -> bool {
        self.state(id) == Some(state)
    }
}

fn reason_in_words(reason: BlockReason, dialect: Dialect, status: Option<&Status>) -> String {
    let agent = dialect.agent();
    match reason {
        BlockReason::Pending => "pending".to_owned(),
        BlockReason::InProgress => "in progress".to_owned(),
        BlockReason::OtherStatus => {
            let word = status.map_or("", Status::as_str);
            format!("its status {word:?} is unknown, and only completion releases")
        }
        BlockReason::Deleted => {
            format!("deleted, and {agent} releases only on completion: remove the edge to free it")
        }
        BlockReason::Missing => {
            format!(
                "missing: it has no file, which {agent} counts as not completed; remove the edge to free it"
            )
        }
        BlockReason::Unreadable => {
            "unreadable: its file cannot be read, so it counts as open".to_owned()
        }
        BlockReason::Itself => "it waits for itself, and can never start".to_owned(),
    }
}
