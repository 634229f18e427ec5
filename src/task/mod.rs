//! What a task is: identity, status, priority, the task itself, and the edits that change it.
//!
//! The vocabulary of everything else. No I/O, no clock, no randomness: ids, times and texts come
//! in as arguments.

mod diagnostic;
mod dialect;
mod edit;
mod id;
mod json;
mod priority;
mod status;

pub use diagnostic::{Position, Problem, ProblemCode, Warning, WarningCode};
pub use dialect::Dialect;
pub use edit::{BYTE_ORDER_MARK, EdgeField, Edit, Field, NewTask, Patch};
pub use id::{InvalidId, TaskId};
pub use json::{Json, without_half_pairs};
pub use priority::{Priority, StoredPriority};
pub use status::{State, Status};

use std::sync::Arc;

/// One task as its file says it, decoded for people and programs.
///
/// The texts are what the file holds with only invalid UTF-8 and lone surrogates replaced by
/// U+FFFD; they are *not* cleaned for a terminal (the `text` room does that).
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The file name without `.json`: a task is its file (DESIGN decision 4).
    pub id: TaskId,
    /// Empty when the file has none (then the agent cannot see the task).
    pub subject: String,
    /// Empty when the file has none.
    pub description: String,
    /// The status word of the file.
    pub status: Status,
    /// What a running task is doing, in the present continuous.
    pub active_form: Option<String>,
    /// Who works on it. An empty string in the file counts as nobody.
    pub owner: Option<String>,
    /// Tasks that wait for this one, as stored in this file (one side of the union).
    pub blocks: Vec<TaskId>,
    /// Tasks this one waits for, as stored in this file (the other side).
    pub blocked_by: Vec<TaskId>,
    /// `metadata.priority`.
    pub priority: StoredPriority,
    /// `metadata.order`, the manual rank within a priority.
    pub order: Option<f64>,
    /// `parentID` (grouping, never blocking).
    pub parent_id: Option<TaskId>,
    /// `repoURL`.
    pub repo_url: Option<String>,
    /// `threadID`.
    pub thread_id: Option<String>,
    /// `createdAt`, milliseconds since the epoch (OmO team mode writes it).
    pub created_at: Option<i64>,
    /// When the file was last written when we first met it, milliseconds since the epoch, or the
    /// earlier time that `state` remembers; the last but one key of the ready order.
    pub first_seen: Option<i64>,
    /// The raw JSON text of `metadata`, when it is an object.
    pub metadata: Option<Json>,
    /// What is wrong with the file itself: `agent_cannot_see`, `unknown_status`, `id_mismatch`,
    /// `not_utf8`, `lossy_text`. Warnings about relations come from the list.
    pub warnings: Vec<Warning>,
    /// The bytes on disk; commits compare them and edits splice them.
    pub raw: Arc<[u8]>,
}

impl Task {
    /// An empty pending task, the start of every builder and test.
    pub fn new(id: TaskId) -> Task {
        Task {
            id,
            subject: String::new(),
            description: String::new(),
            status: Status::Pending,
            active_form: None,
            owner: None,
            blocks: Vec::new(),
            blocked_by: Vec::new(),
            priority: StoredPriority::Absent,
            order: None,
            parent_id: None,
            repo_url: None,
            thread_id: None,
            created_at: None,
            first_seen: None,
            metadata: None,
            warnings: Vec::new(),
            raw: Arc::from(&b""[..]),
        }
    }
}
