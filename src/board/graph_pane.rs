use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::graph::layout::{self, Layout, Options};
use crate::list::List;
use crate::task::{Status, Task, TaskId};
use crate::text::{clean_line, width};

/// Which part of the graph is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lens {
    /// Every task while they are few, else what is near the selected one.
    #[default]
    Auto,
    /// Every task.
    Flow,
    /// What is near the selected task.
    Ego,
}

/// The graph pane: what is drawn, and where.
#[derive(Debug, Clone)]
pub struct GraphPane {
    /// Whether it is shown.
    pub shown: bool,
    /// Which part.
    pub lens: Lens,
    /// Whether finished tasks are left out.
    pub hide_done: bool,
    /// Whether only the critical path is drawn.
    pub critical_only: bool,
    /// Whether edges that a longer path implies are drawn.
    pub implied: bool,
    /// How far the neighbourhood reaches.
    pub hops: usize,
    /// The picture.
    pub layout: Layout,
    /// The tasks of the picture, by node.
    pub nodes: Vec<TaskId>,
    /// How many neighbours outside the picture each node has: blockers, dependants.
    pub stubs: Vec<(usize, usize)>,
    places: HashMap<TaskId, u32>,
    drawn: Option<Drawn>,
}

/// What a picture depends on; a status or a title changes nothing as long as this stays.
#[derive(Debug, Clone, PartialEq)]
struct Drawn {
    nodes: Vec<layout::Node>,
    edges: Vec<(u32, u32)>,
    options: Options,
}

/// So many tasks are drawn whole before the picture narrows to a neighbourhood by itself.
const WHOLE: usize = 60;

/// The most tasks of a neighbourhood.
const NEIGHBOURS: usize = 40;

/// The most tasks that are drawn whole when asked for.
const MOST: usize = 2_000;

impl Default for GraphPane {
    fn default() -> GraphPane {
        GraphPane {
            shown: true,
            lens: Lens::Auto,
            hide_done: false,
            critical_only: false,
            implied: false,
            hops: 3,
            layout: Layout::default(),
            nodes: Vec::new(),
            stubs: Vec::new(),
            places: HashMap::new(),
            drawn: None,
        }
    }
}

impl GraphPane {
    /// Draws anew what the list and the selection ask for; nothing moves when nothing but titles
    /// and statuses changed.
    pub(super) fn refresh(&mut self, list: &List, selected: Option<&TaskId>, columns: u16) {
        if !self.shown {
            return;
        }
        let mut ids = self.candidates(list);
        if self.is_ego(ids.len()) {
            ids = self.neighbourhood(list, &ids, selected);
        }
        self.places = (0..)
            .zip(&ids)
            .map(|(place, id)| (id.clone(), place))
            .collect();
        let drawn = Drawn {
            nodes: ids.iter().map(|id| node(list, id)).collect(),
            edges: self.edges(list, &ids),
            options: Options {
                reduce: !self.implied,
                roomy: false,
                wrap: columns.max(20),
            },
        };
        self.stubs = ids.iter().map(|id| self.outside(list, id)).collect();
        self.nodes = ids;
        if self.drawn.as_ref() != Some(&drawn) {
            let previous = std::mem::take(&mut self.layout);
            let edges = &drawn.edges;
            self.layout = layout::layout(&drawn.nodes, edges, &drawn.options, Some(&previous));
            self.drawn = Some(drawn);
        }
    }

    /// Whether only a neighbourhood of the selected task is drawn.
    pub fn is_narrowed(&self, list: &List) -> bool {
        self.is_ego(self.candidates(list).len())
    }

    /// The node of a task in the picture.
    pub fn node_of(&self, id: &TaskId) -> Option<u32> {
        self.places.get(id).copied()
    }

    /// The task of a node of the picture.
    pub fn task_of(&self, node: u32) -> Option<&TaskId> {
        self.nodes.get(node as usize)
    }

    fn is_ego(&self, tasks: usize) -> bool {
        match self.lens {
            Lens::Auto => tasks > WHOLE,
            Lens::Flow => tasks > MOST,
            Lens::Ego => true,
        }
    }

    /// The tasks that may be drawn, in id order so that the same list gives the same picture.
    fn candidates(&self, list: &List) -> Vec<TaskId> {
        let critical: Option<HashSet<TaskId>> = self
            .critical_only
            .then(|| list.critical_path().into_iter().collect());
        let drawn = |task: &&Arc<Task>| {
            let done = task.status == Status::Completed && self.hide_done;
            let deleted = task.status == Status::Deleted && list.dependants(&task.id).is_empty();
            let critical = critical.as_ref().is_none_or(|path| path.contains(&task.id));
            !done && !deleted && critical
        };
        list.tasks()
            .filter(drawn)
            .map(|task| task.id.clone())
            .collect()
    }

    /// The tasks within some hops of the selected one, nearest first until there are enough.
    fn neighbourhood(&self, list: &List, ids: &[TaskId], selected: Option<&TaskId>) -> Vec<TaskId> {
        let allowed: HashSet<&TaskId> = ids.iter().collect();
        let Some(start) = selected
            .filter(|id| allowed.contains(id))
            .or_else(|| ids.first())
        else {
            return Vec::new();
        };
        let mut found = BTreeSet::from([start.clone()]);
        let mut waiting = VecDeque::from([(start.clone(), 0)]);
        while let Some((id, hops)) = waiting.pop_front() {
            if hops == self.hops {
                continue;
            }
            for near in list.blockers(&id).into_iter().chain(list.dependants(&id)) {
                if found.len() < NEIGHBOURS && allowed.contains(&near) && found.insert(near.clone())
                {
                    waiting.push_back((near, hops + 1));
                }
            }
        }
        found.into_iter().collect()
    }

    fn edges(&self, list: &List, ids: &[TaskId]) -> Vec<(u32, u32)> {
        let mut edges = Vec::new();
        for (place, id) in (0..).zip(ids) {
            for dependant in list.dependants(id) {
                if let Some(other) = self.places.get(&dependant) {
                    edges.push((place, *other));
                }
            }
        }
        edges
    }

    fn outside(&self, list: &List, id: &TaskId) -> (usize, usize) {
        let absent = |ids: Vec<TaskId>| {
            let there = |i: &&TaskId| list.get(i).is_some() && !self.places.contains_key(*i);
            ids.iter().filter(there).count()
        };
        (absent(list.blockers(id)), absent(list.dependants(id)))
    }
}

/// A node with room for the task's title and its glyph.
fn node(list: &List, id: &TaskId) -> layout::Node {
    let subject = list.get(id).map_or("", |task| task.subject.as_str());
    let columns = width(&clean_line(subject)) + 2;
    layout::Node {
        key: key(id),
        width: layout::width_class(columns),
    }
}

/// A number per id that stays over layouts (FNV-1a).
fn key(id: &TaskId) -> u64 {
    id.as_str()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
}
