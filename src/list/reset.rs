use super::List;
use crate::task::{Dialect, Status, TaskId, WarningCode};

impl List {
    /// Whether completing these tasks leaves none open, upon which a running Claude Code deletes
    /// every file of the list within seconds. Never in other dialects. Tasks that it cannot see do
    /// not count.
    pub fn ends_with(&self, ids: &[TaskId]) -> bool {
        if self.dialect() != Dialect::Claude {
            return false;
        }
        let unseen = |code| code == WarningCode::AgentCannotSee;
        let mut open = self
            .tasks()
            .filter(|task| task.status != Status::Completed)
            .filter(|task| !task.warnings.iter().any(|w| unseen(w.code)))
            .peekable();
        open.peek().is_some() && open.all(|task| ids.contains(&task.id))
    }
}
