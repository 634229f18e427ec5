use std::cmp::{Ordering, Reverse};

use super::columns::{Column, Lane, Wish};
use crate::list::{List, id_order};
use crate::task::{State, Task};

/// A column of the list view that it can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// The state, and within it the order in which tasks are to be done.
    #[default]
    State,
    /// What it is about.
    Subject,
    /// Who works on it.
    Owner,
    /// How urgent it is.
    Priority,
    /// Since when it is in its status, the latest first.
    Since,
    /// How many open tasks it waits for, most first.
    Waits,
    /// How many tasks its end opens at once, most first.
    Frees,
    /// The id.
    Id,
}

impl Sort {
    /// All of them, from left to right.
    pub const ALL: [Sort; 8] = [
        Sort::State,
        Sort::Subject,
        Sort::Owner,
        Sort::Priority,
        Sort::Since,
        Sort::Waits,
        Sort::Frees,
        Sort::Id,
    ];

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Sort::State => "State",
            Sort::Subject => "Subject",
            Sort::Owner => "Owner",
            Sort::Priority => "Priority",
            Sort::Since => "Since",
            Sort::Waits => "Waits",
            Sort::Frees => "Frees",
            Sort::Id => "Id",
        }
    }
}

/// How the list view is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sorting {
    /// By which column.
    pub by: Sort,
    /// The other way round.
    pub reversed: bool,
}

/// What one task is compared by; one variant per sorting.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Place(State),
    Text(String),
    /// Those that have none stand last.
    Perhaps(bool, String),
    Number(Reverse<i64>),
    Rank(crate::task::Priority),
}

fn open_blockers(list: &List, task: &Task) -> usize {
    let node = list.node(&task.id);
    node.map_or(0, |node| list.graph().open_blockers(node).count())
}

impl Sorting {
    /// Sorts by a column; the same one again turns the order round.
    pub(super) fn choose(&mut self, by: Sort) {
        *self = Sorting {
            by,
            reversed: self.by == by && !self.reversed,
        };
    }

    /// Goes to the column on the left or the right.
    pub(super) fn step(&mut self, by: isize) {
        let all = Sort::ALL;
        let here = all.iter().position(|one| *one == self.by).unwrap_or(0);
        let next = here.saturating_add_signed(by).min(all.len() - 1);
        if next != here {
            self.choose(all[next]);
        }
    }

    /// All tasks that are wanted, as one sorted column. Equal ones keep the order of the board.
    pub(super) fn rows(self, list: &List, wish: &Wish<'_>) -> Column {
        let mut column = Column::new(Lane::All);
        let mut tasks: Vec<&Task> = Vec::new();
        for task in list.ordered() {
            if list.is_in(&task.id, State::Deleted) && !wish.all {
                continue;
            }
            if wish.fits(list, task) {
                tasks.push(task);
            } else {
                column.hidden += 1;
            }
        }
        if self.by == Sort::Id {
            tasks.sort_by(|a, b| id_order(&a.id, &b.id));
        } else {
            self.sort(&mut tasks, list, wish);
        }
        if self.reversed {
            tasks.reverse();
        }
        column.ids = tasks.into_iter().map(|task| task.id.clone()).collect();
        column
    }

    fn sort(self, tasks: &mut Vec<&Task>, list: &List, wish: &Wish<'_>) {
        let mut keyed: Vec<(Key, &Task)> = tasks
            .iter()
            .map(|task| (self.key(task, list, wish), *task))
            .collect();
        keyed.sort_by(|a, b| -> Ordering { a.0.cmp(&b.0) });
        *tasks = keyed.into_iter().map(|(_, task)| task).collect();
    }

    fn key(self, task: &Task, list: &List, wish: &Wish<'_>) -> Key {
        let count = |n: usize| Key::Number(Reverse(i64::try_from(n).unwrap_or(i64::MAX)));
        match self.by {
            Sort::State | Sort::Id => Key::Place(list.state(&task.id).unwrap_or(State::Other)),
            Sort::Subject => Key::Text(task.subject.to_lowercase()),
            Sort::Owner => {
                let owner = task.owner.as_deref().unwrap_or_default();
                Key::Perhaps(owner.is_empty(), owner.to_lowercase())
            }
            Sort::Priority => Key::Rank(task.priority.rank()),
            Sort::Since => {
                let since = wish.state.since(&task.id);
                Key::Number(Reverse(since.map_or(i64::MIN, |since| since.ms)))
            }
            Sort::Waits => count(open_blockers(list, task)),
            Sort::Frees => count(list.opens_now(&task.id).len()),
        }
    }
}
