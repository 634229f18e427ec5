use std::sync::Arc;

use crate::task::{Problem, Task, TaskId};

/// What the store found under one file name: the only way files reach the list.
#[derive(Debug, Clone, PartialEq)]
pub struct FileChange {
    /// The file's name in the list's folder (invalid UTF-8 replaced).
    pub name: String,
    /// What is there now.
    pub content: FileContent,
}

/// The content of one file name.
#[derive(Debug, Clone, PartialEq)]
pub enum FileContent {
    /// A readable task.
    Task(Arc<Task>),
    /// Something that is no readable task.
    Broken {
        /// The task it stands for, when its name is an id: it blocks its dependants (decision 8).
        id: Option<TaskId>,
        /// What is wrong with it.
        problem: Problem,
    },
    /// No such file any more, and nothing wrong under this name.
    Gone,
}
