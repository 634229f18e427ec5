use super::List;
use crate::task::TaskId;

/// What holds a task back, down to the roots, as a tree in which each task stands once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    /// Depth first; the first line is the task itself at depth 0.
    pub lines: Vec<WhyLine>,
}

/// One task of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhyLine {
    /// The task.
    pub id: TaskId,
    /// How far below the asked-for task, along this branch.
    pub depth: usize,
    /// Why it holds its parent back, in words; empty at depth 0.
    pub reason: String,
    /// It stands in the tree already (another branch, or a ring); its blockers are shown there.
    pub seen: bool,
    /// No branch after this one at its depth below the same parent.
    pub last: bool,
}

impl List {
    /// The chain that blocks a task, down to the tasks that wait for nothing open. Iterative, each
    /// task once: 2^30 paths or a chain of 100,000 are no trouble.
    pub fn why(&self, id: &TaskId) -> Why {
        let mut lines = Vec::new();
        let mut expanded = std::collections::HashSet::from([id.clone()]);
        let first = WhyLine {
            id: id.clone(),
            depth: 0,
            reason: String::new(),
            seen: false,
            last: true,
        };
        let mut waiting = vec![first];
        while let Some(mut line) = waiting.pop() {
            line.seen = line.depth > 0 && !expanded.insert(line.id.clone());
            if !line.seen {
                let blockers = self.open_blockers(&line.id);
                let count = blockers.len();
                let below = blockers
                    .into_iter()
                    .enumerate()
                    .map(|(place, blocker)| WhyLine {
                        id: blocker.id,
                        depth: line.depth + 1,
                        reason: blocker.message,
                        seen: false,
                        last: place + 1 == count,
                    });
                waiting.extend(below.rev());
            }
            lines.push(line);
        }
        Why { lines }
    }
}
