use std::sync::Arc;

use crate::task::{Edit, NewTask, Patch, TaskId, Warning};

/// What a person or an agent wants to happen. `plan` turns it into a [`Plan`] or a [`Refusal`].
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    /// Creates tasks, which may name each other by [`local_id`].
    Create(Vec<NewTask>),
    /// Applies the same edits to several tasks; edges are mirrored to the other end.
    Update {
        /// The tasks, in the order given.
        ids: Vec<TaskId>,
        /// The edits.
        patch: Patch,
        /// Whether a dialect's transition rules may be crossed (a person with `--force`).
        force: bool,
    },
    /// Takes a ready task for an owner: the named one, or the first in ready order.
    Claim {
        /// The named task.
        id: Option<TaskId>,
        /// Who takes it.
        owner: String,
    },
    /// Gives a task back: pending, without an owner.
    Release {
        /// The task.
        id: TaskId,
        /// Who gives it back; another owner's task is refused. `None` asks nothing.
        owner: Option<String>,
    },
    /// Replaces a task by several in its place in the plan.
    Split {
        /// The task, which is deleted.
        id: TaskId,
        /// What takes its place; they may name each other by [`local_id`].
        into: Vec<NewTask>,
    },
    /// Deletes tasks in the dialect's own way.
    Delete(Vec<TaskId>),
    /// Moves a task to a place among its neighbours of the same priority.
    Move {
        /// The task that moves.
        id: TaskId,
        /// It lands before this one; `None` is the end of its priority.
        before: Option<TaskId>,
    },
    /// Carries a wish out only where a task's file still holds what these edits would make of it;
    /// else nothing happens. For programs that must not overwrite what somebody wrote meanwhile.
    IfHolds {
        /// The task.
        id: TaskId,
        /// What must hold.
        holds: Vec<Edit>,
        /// What is done then.
        then: Box<Op>,
    },
    /// Several wishes as one plan and one undo, in order. At most one of them may create tasks in a
    /// numbered list.
    All(Vec<Op>),
    /// Takes a committed plan back, field by field, where its values still stand (decision 15).
    Undo(Arc<Plan>),
    /// The same, but what somebody changed since is left as it is.
    UndoRest(Arc<Plan>),
}

/// Stands for the new task at a place among those of one wish, before it has an id. No id of any
/// dialect looks like it.
pub fn local_id(at: usize) -> TaskId {
    TaskId::new(format!("#{at}"))
}

/// The place that a local id stands for.
pub(super) fn local_index(id: &TaskId) -> Option<usize> {
    id.as_str().strip_prefix('#')?.parse().ok()
}

/// How much of the list a wish must see to be planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: the cost does not grow with the folder.
    Nothing,
    /// The whole list.
    Everything,
}

impl Op {
    /// How much of the list this wish must see. A new OmO task without edges stands alone; a
    /// numbered list must be looked through for the next number.
    pub fn needs(&self) -> Needs {
        let alone = |task: &NewTask| {
            task.id.is_some() && task.blocks.is_empty() && task.blocked_by.is_empty()
        };
        match self {
            Op::Create(tasks) if tasks.iter().all(alone) => Needs::Nothing,
            _ => Needs::Everything,
        }
    }
}

/// The bytes of a file that a plan relied on, `None` for a file that was not there.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The task.
    pub id: TaskId,
    /// Its bytes when the plan was made.
    pub bytes: Option<Arc<[u8]>>,
}

/// One file's part of a plan.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A new file. The id is always set here.
    Create(Box<NewTask>),
    /// Edits of an existing file, with the edits that take them back.
    Patch {
        /// The task.
        id: TaskId,
        /// What is done.
        patch: Patch,
        /// What undoes it, in order, provided that what was done still stands.
        inverse: Patch,
    },
    /// Removes the file (only dialects that delete this way).
    Remove {
        /// The task.
        id: TaskId,
    },
}

impl Change {
    /// The task whose file is written. An empty id stands for a new task without one.
    pub fn id(&self) -> &TaskId {
        static NONE: std::sync::LazyLock<TaskId> = std::sync::LazyLock::new(|| TaskId::new(""));
        match self {
            Change::Create(task) => task.id.as_ref().unwrap_or(&NONE),
            Change::Patch { id, .. } | Change::Remove { id } => id,
        }
    }
}

/// Everything that one wish changes, ready to be committed as one step and undone as one.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The wish; the store plans it anew when the disk changed meanwhile.
    pub op: Op,
    /// In the order in which the files are written: every prefix is a valid list that errs
    /// towards blocked (decision 5).
    pub changes: Vec<Change>,
    /// What must still be so on disk: the files written, the blockers and path nodes looked at.
    pub relied_on: Vec<Snapshot>,
    /// The tasks that the wish names, for answers.
    pub subjects: Vec<TaskId>,
    /// What the person or agent should know although it is allowed.
    pub warnings: Vec<(TaskId, Warning)>,
}

/// The kinds of refusal, as `--json` names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefusalCode {
    /// No such task.
    TaskNotFound,
    /// The text is no id of this dialect.
    InvalidTaskId,
    /// A prefix that fits several tasks.
    AmbiguousId,
    /// An argument that cannot be applied: a cycle, a self-edge, an empty subject.
    ValidationError,
    /// Claim of a task that waits for another.
    Blocked,
    /// Claim of a task that somebody has.
    AlreadyClaimed,
    /// Unnamed claim with nothing to take.
    NothingReady,
    /// The file is there but cannot be read.
    Unreadable,
    /// Undo of what somebody changed since.
    Conflict,
    /// A status change that the dialect does not allow.
    BadTransition,
}

impl RefusalCode {
    /// The code as `--json` prints it.
    pub fn as_str(self) -> &'static str {
        match self {
            RefusalCode::TaskNotFound => "task_not_found",
            RefusalCode::InvalidTaskId => "invalid_task_id",
            RefusalCode::AmbiguousId => "ambiguous_id",
            RefusalCode::ValidationError => "validation_error",
            RefusalCode::Blocked => "blocked",
            RefusalCode::AlreadyClaimed => "already_claimed",
            RefusalCode::NothingReady => "nothing_ready",
            RefusalCode::Unreadable => "unreadable",
            RefusalCode::Conflict => "conflict",
            RefusalCode::BadTransition => "bad_transition",
        }
    }
}

impl Refusal {
    /// A refusal without hint and path.
    pub fn new(code: RefusalCode, what: impl Into<String>) -> Refusal {
        Refusal {
            code,
            what: what.into(),
            hint: None,
            path: Vec::new(),
        }
    }

    /// Adds what the person can do.
    pub fn hint(mut self, hint: impl Into<String>) -> Refusal {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the tasks involved.
    pub fn path(mut self, path: Vec<TaskId>) -> Refusal {
        self.path = path;
        self
    }
}

/// Why a wish cannot be granted: what, why, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Refusal {
    /// The kind.
    pub code: RefusalCode,
    /// One sentence that names the task and the reason.
    pub what: String,
    /// What the person can do, when there is something.
    pub hint: Option<String>,
    /// The tasks involved, such as the path of a ring, in order.
    pub path: Vec<TaskId>,
}
