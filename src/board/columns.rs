use std::collections::HashMap;

use super::owners::{Doing, owner_lanes};
use super::sorting::Sorting;
use super::tree::{Branch, tree};
use crate::list::{List, Query};
use crate::state::ListState;
use crate::task::{State, Status, Task, TaskId};

/// The ways to look at the same tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// A column per state: what people ask for.
    #[default]
    State,
    /// A column per status word, as the files have it.
    Status,
    /// A lane per owner.
    Owner,
    /// One table, in an order of choice.
    List(Sorting),
    /// Parts below the task that they are a part of.
    Tree,
}

/// What stands in a column.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Lane {
    /// Tasks of one state.
    State(State),
    /// Tasks of one status word.
    Status(Status),
    /// Tasks of one owner, or of nobody.
    Owner(Option<String>),
    /// All tasks, one below the other.
    All,
    /// Tasks whose files somebody removed.
    Vanished,
}

/// One column as it is shown: the tasks that fit the filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Which.
    pub lane: Lane,
    /// What is shown, from top to bottom.
    pub ids: Vec<TaskId>,
    /// How many the filter hides.
    pub hidden: usize,
    /// What the owner is about; only in an owner's lane.
    pub doing: Option<Doing>,
    /// Where each of `ids` hangs; only in the tree.
    pub branches: Vec<Branch>,
}

/// The columns that are always there.
const USUAL: [State; 4] = [
    State::Ready,
    State::Blocked,
    State::InProgress,
    State::Completed,
];

/// What decides what is shown, and where.
pub(super) struct Wish<'a> {
    pub(super) view: View,
    pub(super) query: &'a Query,
    /// Deleted tasks are wanted too.
    pub(super) all: bool,
    pub(super) state: &'a ListState,
}

impl Wish<'_> {
    /// Whether a task is wanted, deleted or not, by the filter.
    pub(super) fn fits(&self, list: &List, task: &Task) -> bool {
        self.query.is_empty() || self.query.matches(list, task)
    }
}

impl Column {
    pub(super) fn new(lane: Lane) -> Column {
        Column {
            lane,
            ids: Vec::new(),
            hidden: 0,
            doing: None,
            branches: Vec::new(),
        }
    }

    /// Takes a task in, or counts it as hidden.
    pub(super) fn take(&mut self, list: &List, wish: &Wish<'_>, task: &Task) {
        if wish.fits(list, task) {
            self.ids.push(task.id.clone());
        } else {
            self.hidden += 1;
        }
    }

    fn word(&self) -> &str {
        match &self.lane {
            Lane::Status(status) => status.as_str(),
            _ => "",
        }
    }

    fn any(&self) -> bool {
        !self.ids.is_empty() || self.hidden > 0
    }

    /// The state that all its tasks have, where the column stands for one.
    pub fn state(&self) -> Option<State> {
        match &self.lane {
            Lane::State(state) => Some(*state),
            Lane::Status(Status::Claimed | Status::InProgress) => Some(State::InProgress),
            Lane::Status(Status::Completed) => Some(State::Completed),
            Lane::Status(Status::Deleted) => Some(State::Deleted),
            Lane::Status(Status::Other(_)) => Some(State::Other),
            _ => None,
        }
    }
}

/// The list as columns. Deleted tasks are shown on request, unknown statuses whenever there are
/// any: nothing is hidden unasked.
pub(super) fn columns(list: &List, wish: &Wish<'_>) -> Vec<Column> {
    match wish.view {
        View::State => by_state(list, wish),
        View::Status => by_status(list, wish),
        View::Owner => owner_lanes(list, wish),
        View::List(sorting) => vec![sorting.rows(list, wish)],
        View::Tree => vec![tree(list, wish)],
    }
}

fn by_state(list: &List, wish: &Wish<'_>) -> Vec<Column> {
    let mut columns: Vec<Column> = State::ALL
        .into_iter()
        .map(|state| Column::new(Lane::State(state)))
        .collect();
    for (state, task) in list.ordered_by_state() {
        columns[state as usize].take(list, wish, task);
    }
    columns.retain(|column| match column.lane {
        Lane::State(state) if USUAL.contains(&state) => true,
        Lane::State(State::Deleted) => wish.all && column.any(),
        _ => column.any(),
    });
    columns
}

fn by_status(list: &List, wish: &Wish<'_>) -> Vec<Column> {
    let words = [
        Status::Pending,
        Status::Claimed,
        Status::InProgress,
        Status::Completed,
        Status::Deleted,
    ];
    let usual = words.into_iter().filter(|s| list.dialect().knows_status(s));
    let mut columns: Vec<Column> = usual.map(|s| Column::new(Lane::Status(s))).collect();
    let known = columns.len();
    let names = (0..).zip(&columns).map(|(n, c)| (c.lane.clone(), n));
    let mut at: HashMap<Lane, usize> = names.collect();
    for task in list.ordered() {
        let lane = Lane::Status(task.status.clone());
        let place = *at.entry(lane).or_insert_with_key(|lane| {
            columns.push(Column::new(lane.clone()));
            columns.len() - 1
        });
        columns[place].take(list, wish, task);
    }
    columns[known..].sort_by(|a, b| a.word().cmp(b.word()));
    let deleted = Lane::Status(Status::Deleted);
    columns.retain(|column| column.lane != deleted || (wish.all && column.any()));
    columns
}

/// Where a task stands: its column and its row there. `near` is looked at first: mostly one task
/// is asked for again and again, and mostly it has not moved.
pub(super) fn place_of(
    columns: &[Column],
    id: &TaskId,
    near: (usize, usize),
) -> Option<(usize, usize)> {
    let there = |(column, row): (usize, usize)| columns.get(column)?.ids.get(row);
    if there(near) == Some(id) {
        return Some(near);
    }
    let row_in = |column: &Column| column.ids.iter().position(|other| other == id);
    let mut found = columns.iter().enumerate();
    found.find_map(|(place, column)| Some((place, row_in(column)?)))
}
