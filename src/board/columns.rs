use crate::list::{List, Query};
use crate::task::{State, TaskId};

/// One column as it is shown: the tasks that fit the filter, in the ready order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Which.
    pub state: State,
    /// What is shown, best first.
    pub ids: Vec<TaskId>,
    /// How many the filter hides.
    pub hidden: usize,
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
pub(super) fn columns(list: &List, query: &Query, all: bool) -> Vec<Column> {
    let mut columns: Vec<Column> = State::ALL
        .into_iter()
        .map(|state| Column {
            state,
            ids: Vec::new(),
            hidden: 0,
        })
        .collect();
    for task in list.ordered() {
        let Some(state) = list.state(&task.id) else {
            continue;
        };
        let Some(column) = columns.iter_mut().find(|c| c.state == state) else {
            continue;
        };
        if query.is_empty() || query.matches(list, task) {
            column.ids.push(task.id.clone());
        } else {
            column.hidden += 1;
        }
    }
    columns.retain(|column| {
        let any = !column.ids.is_empty() || column.hidden > 0;
        USUAL.contains(&column.state) || (any && (all || column.state == State::Other))
    });
    columns
}
