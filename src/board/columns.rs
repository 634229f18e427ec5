use std::collections::HashSet;

use crate::list::{List, Query};
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
    List(Sort),
    /// Parts below the task that they are a part of.
    Tree,
}

/// The orders of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// State by state, each in the ready order.
    #[default]
    Order,
    /// By subject.
    Subject,
    /// By owner, nobody last.
    Owner,
    /// By priority.
    Priority,
    /// How many tasks wait for it, the most first.
    Frees,
}

impl Sort {
    /// All orders, as a key goes through them.
    pub const ALL: [Sort; 5] = [
        Sort::Order,
        Sort::Subject,
        Sort::Owner,
        Sort::Priority,
        Sort::Frees,
    ];

    pub(super) fn next(self) -> Sort {
        let here = Sort::ALL.iter().position(|sort| *sort == self);
        Sort::ALL[here.map_or(0, |at| (at + 1) % Sort::ALL.len())]
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Sort::Order => "order",
            Sort::Subject => "subject",
            Sort::Owner => "owner",
            Sort::Priority => "priority",
            Sort::Frees => "frees",
        }
    }
}

/// What stands in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// One column as it is shown: the tasks that fit the filter, in the order of the view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Which.
    pub lane: Lane,
    /// What is shown, best first.
    pub ids: Vec<TaskId>,
    /// How deep each of them stands below its parent; empty where nothing does.
    pub depths: Vec<u16>,
    /// How many the filter hides.
    pub hidden: usize,
}

impl Column {
    fn new(lane: Lane) -> Column {
        Column {
            lane,
            ids: Vec::new(),
            depths: Vec::new(),
            hidden: 0,
        }
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

/// The columns that are always there.
const USUAL: [State; 4] = [
    State::Ready,
    State::Blocked,
    State::InProgress,
    State::Completed,
];

/// The list as columns. Deleted tasks have one on request, unknown statuses whenever there are
/// any: nothing is hidden unasked.
pub(super) fn columns(list: &List, query: &Query, all: bool, view: View) -> Vec<Column> {
    let fits = |task: &Task| query.is_empty() || query.matches(list, task);
    let mut columns = empty_columns(list, view);
    let mut ordered = list.ordered();
    sort(list, &mut ordered, view);
    for task in ordered {
        let Some(place) = place(list, task, view, &columns) else {
            continue;
        };
        let column = &mut columns[place];
        let closed = all || task.status != Status::Deleted;
        let alone = matches!(column.lane, Lane::All | Lane::Owner(_));
        if alone && !closed {
            continue; // a deleted task stands among others only on request
        }
        if fits(task) {
            column.ids.push(task.id.clone());
        } else {
            column.hidden += 1;
        }
    }
    columns.retain(|column| is_shown(column, all));
    if view == View::Tree {
        columns.iter_mut().for_each(|column| as_tree(list, column));
    }
    columns
}

fn empty_columns(list: &List, view: View) -> Vec<Column> {
    let lanes: Vec<Lane> = match view {
        View::State => State::ALL.into_iter().map(Lane::State).collect(),
        View::Status => statuses(list).into_iter().map(Lane::Status).collect(),
        View::Owner => owners(list).into_iter().map(Lane::Owner).collect(),
        View::List(_) | View::Tree => vec![Lane::All],
    };
    lanes.into_iter().map(Column::new).collect()
}

/// The dialect's words in their order, then the foreign ones by name.
fn statuses(list: &List) -> Vec<Status> {
    let mut statuses = vec![
        Status::Pending,
        Status::Claimed,
        Status::InProgress,
        Status::Completed,
        Status::Deleted,
    ];
    statuses.retain(|status| list.dialect().knows_status(status));
    let foreign = list.tasks().map(|task| &task.status);
    let mut foreign: Vec<Status> = foreign
        .filter(|s| matches!(s, Status::Other(_)))
        .cloned()
        .collect();
    foreign.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    foreign.dedup();
    statuses.extend(foreign);
    statuses
}

/// Those who have something running first, then the others by name, then nobody.
fn owners(list: &List) -> Vec<Option<String>> {
    let owned = list.tasks().filter(|task| task.status != Status::Deleted);
    let mut owners: Vec<(bool, &str)> = owned
        .filter_map(|task| Some((!task.status.is_active(), task.owner.as_deref()?)))
        .collect();
    owners.sort_unstable();
    let mut seen = HashSet::new();
    owners.retain(|(_, owner)| seen.insert(*owner));
    let named = owners.into_iter().map(|(_, owner)| Some(owner.to_owned()));
    named.chain([None]).collect()
}

fn place(list: &List, task: &Task, view: View, columns: &[Column]) -> Option<usize> {
    let state = list.state(&task.id)?;
    columns
        .iter()
        .position(|column| match (&column.lane, view) {
            (Lane::State(own), _) => *own == state,
            (Lane::Status(own), _) => *own == task.status,
            (Lane::Owner(own), _) => *own == task.owner,
            (Lane::All, _) => true,
            (Lane::Vanished, _) => false,
        })
}

fn is_shown(column: &Column, all: bool) -> bool {
    let any = !column.ids.is_empty() || column.hidden > 0;
    match &column.lane {
        Lane::State(state) => USUAL.contains(state) || (any && (all || *state == State::Other)),
        Lane::Status(Status::Deleted) => any && all,
        Lane::Status(Status::Other(_)) | Lane::Owner(None) => any,
        Lane::Status(_) | Lane::Owner(_) | Lane::All | Lane::Vanished => true,
    }
}

/// What an owner does now stands above what is next, and what is done below.
fn sort(list: &List, tasks: &mut [&std::sync::Arc<Task>], view: View) {
    let running = |task: &Task| !task.status.is_active();
    match view {
        View::State | View::Status | View::Tree | View::List(Sort::Order) => {}
        View::Owner => tasks.sort_by_key(|task| running(task)),
        View::List(Sort::Subject) => tasks.sort_by_key(|task| task.subject.to_lowercase()),
        View::List(Sort::Owner) => {
            tasks.sort_by_key(|task| (task.owner.is_none(), task.owner.clone()));
        }
        View::List(Sort::Priority) => tasks.sort_by_key(|task| task.priority.rank()),
        View::List(Sort::Frees) => {
            tasks.sort_by_cached_key(|task| std::cmp::Reverse(list.frees_in_all(&task.id)));
        }
    }
}

/// Puts parts below the task that they are a part of; a part whose whole is not shown, and one
/// in a ring of parts, stands by itself.
fn as_tree(list: &List, column: &mut Column) {
    let shown: HashSet<&TaskId> = column.ids.iter().collect();
    let parent = |id: &TaskId| {
        let parent = list.get(id)?.parent_id.as_ref()?;
        (shown.contains(parent) && parent != id).then_some(parent)
    };
    let mut children: std::collections::HashMap<Option<&TaskId>, Vec<&TaskId>> =
        std::collections::HashMap::new();
    for id in &column.ids {
        children.entry(parent(id)).or_default().push(id);
    }
    let mut ids = Vec::new();
    let mut depths = Vec::new();
    let mut placed: HashSet<&TaskId> = HashSet::new();
    let roots = children.get(&None).cloned().unwrap_or_default();
    // Rings of parts have no root; they follow as they come.
    for root in roots.into_iter().chain(&column.ids) {
        let mut left = vec![(root, 0_u16)];
        while let Some((id, depth)) = left.pop() {
            if !placed.insert(id) {
                continue;
            }
            ids.push(id.clone());
            depths.push(depth);
            let parts = children.get(&Some(id)).into_iter().flatten().rev();
            left.extend(parts.map(|part| (*part, depth.saturating_add(1))));
        }
    }
    column.depths = depths;
    column.ids = ids;
}
