use std::collections::{HashMap, HashSet};

use super::columns::{Column, Lane, Wish};
use crate::list::List;
use crate::task::{State, Task, TaskId};

/// Where a task hangs in the tree of parents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Branch {
    /// How many shown tasks stand above it.
    pub depth: usize,
    /// Its children that are completed.
    pub done: usize,
    /// All its children.
    pub children: usize,
    /// It names a parent that has no file.
    pub orphan: bool,
}

/// Children by parent, each in the board's order.
type Children<'a> = HashMap<&'a TaskId, Vec<&'a Task>>;

/// Every wanted task under its parent, in the board's order. Parents that form a ring are cut open
/// at the first of them: grouping never hides a task.
pub(super) fn tree(list: &List, wish: &Wish<'_>) -> Column {
    let tasks: Vec<&Task> = list
        .ordered()
        .into_iter()
        .map(AsRef::as_ref)
        .filter(|task| wish.all || !list.is_in(&task.id, State::Deleted))
        .collect();
    let there: HashSet<&TaskId> = tasks.iter().map(|task| &task.id).collect();
    let parent = |task: &&Task| {
        let parent = task.parent_id.clone()?;
        there.contains(&parent).then_some(parent)
    };
    let mut children = Children::new();
    for task in &tasks {
        if let Some(parent) = task.parent_id.as_ref().filter(|id| there.contains(id)) {
            children.entry(parent).or_default().push(task);
        }
    }
    let mut grown = Tree {
        list,
        wish,
        children,
        seen: HashSet::new(),
        column: Column::new(Lane::All),
    };
    for root in tasks.iter().filter(|task| parent(task).is_none()) {
        grown.grow(root);
    }
    for task in &tasks {
        grown.grow(task); // what is left hangs in rings of parents
    }
    grown.column
}

struct Tree<'a> {
    list: &'a List,
    wish: &'a Wish<'a>,
    children: Children<'a>,
    seen: HashSet<&'a TaskId>,
    column: Column,
}

impl<'a> Tree<'a> {
    /// One task with everything below it. Without recursion: parents may be chained without end.
    fn grow(&mut self, root: &'a Task) {
        let mut open = vec![(root, 0)];
        while let Some((task, depth)) = open.pop() {
            if !self.seen.insert(&task.id) {
                continue;
            }
            let below = self.children.get(&task.id).cloned().unwrap_or_default();
            let shown = self.wish.fits(self.list, task);
            if shown {
                self.column.ids.push(task.id.clone());
                self.column.branches.push(self.branch(task, depth, &below));
            } else {
                self.column.hidden += 1;
            }
            let next = depth + usize::from(shown);
            open.extend(below.into_iter().rev().map(|child| (child, next)));
        }
    }

    fn branch(&self, task: &Task, depth: usize, below: &[&Task]) -> Branch {
        let done = below
            .iter()
            .filter(|child| self.list.is_in(&child.id, State::Completed));
        let named = task.parent_id.as_ref();
        Branch {
            depth,
            done: done.count(),
            children: below.len(),
            orphan: named.is_some_and(|parent| self.list.get(parent).is_none()),
        }
    }
}
