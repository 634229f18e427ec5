use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::graph_job::{Drawn, LaidOut, LayoutJob};
use crate::graph::layout::{self, Layout, Options};
use crate::graph::{Folded, Node, NodeState, OutlineLine, Wave};
use crate::list::{List, id_order};
use crate::task::TaskId;
use crate::text::{clean_line, width};

/// Which part of the graph is drawn, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lens {
    /// By size: every task while they are few, else what is near the selected one, else waves.
    #[default]
    Auto,
    /// Every task.
    Flow,
    /// What is near the selected task.
    Ego,
    /// A bar per level.
    Waves,
    /// A tree under the blockers that gate.
    Outline,
}

/// The graph pane: what is drawn, and where.
#[derive(Debug, Clone)]
pub struct GraphPane {
    /// Whether it is shown.
    pub shown: bool,
    /// What was asked for.
    pub lens: Lens,
    /// What is drawn; never `Auto`.
    pub drawn_as: Lens,
    /// Whether finished tasks are left out.
    pub hide_done: bool,
    /// Whether only the critical path is drawn.
    pub critical_only: bool,
    /// Whether edges that a longer path implies are drawn.
    pub implied: bool,
    /// Whether finished chains and equal siblings are one box each.
    pub folded: bool,
    /// The ends of the path that is drawn, when only that is.
    pub path: Option<(TaskId, TaskId)>,
    /// How far the neighbourhood reaches.
    pub hops: usize,
    /// How far the picture is pulled away from the selected task: columns, rows.
    pub pan: (i32, i32),
    /// The picture of the flow and of the neighbourhood.
    pub layout: Arc<Layout>,
    /// The tasks of the picture, by node; of a folded box the first.
    pub nodes: Vec<TaskId>,
    /// How many more tasks are folded into each node.
    pub more: Vec<usize>,
    /// How many neighbours outside the picture each node has: blockers, dependants.
    pub stubs: Vec<(usize, usize)>,
    /// The waves, when they are what is drawn.
    pub waves: Vec<Wave>,
    /// The outline, when it is what is drawn.
    pub outline: Vec<OutlineLine>,
    places: HashMap<TaskId, u32>,
    candidates: Vec<Node>,
    /// Per node of the list whether it is a candidate.
    allowed: Vec<bool>,
    asked: Option<Drawn>,
    /// Where the person was before, the last place last.
    pub(super) trail: Vec<Place>,
    job: Option<LayoutJob>,
}

/// What was looked at in the graph, to go back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) selected: Option<TaskId>,
    pub(super) lens: Lens,
    pub(super) path: Option<(TaskId, TaskId)>,
}

/// So many tasks are drawn whole before the picture narrows by itself.
const WHOLE: usize = 60;

/// From so many tasks on, levels say more than a neighbourhood.
const MANY: usize = 500;

/// The most tasks of a neighbourhood.
const NEIGHBOURS: usize = 40;

/// The most tasks that are drawn whole when asked for; beyond them the levels are shown.
const MOST: usize = 20_000;

/// Pictures of so many tasks and edges are laid out at once, larger ones on a thread of their own.
const AT_ONCE: usize = 600;

impl Default for GraphPane {
    fn default() -> GraphPane {
        GraphPane {
            shown: true,
            lens: Lens::Auto,
            drawn_as: Lens::Flow,
            hide_done: false,
            critical_only: false,
            implied: false,
            folded: false,
            path: None,
            hops: 3,
            pan: (0, 0),
            layout: Arc::default(),
            nodes: Vec::new(),
            more: Vec::new(),
            stubs: Vec::new(),
            waves: Vec::new(),
            outline: Vec::new(),
            places: HashMap::new(),
            candidates: Vec::new(),
            allowed: Vec::new(),
            asked: None,
            trail: Vec::new(),
            job: None,
        }
    }
}

impl GraphPane {
    /// Works out anew what the list and the selection ask for; nothing moves when nothing but
    /// titles and statuses changed.
    pub(super) fn refresh(&mut self, list: &List, selected: Option<&TaskId>, columns: u16) {
        if !self.shown {
            return;
        }
        self.candidates = self.candidates(list);
        self.drawn_as = self.choose(self.candidates.len());
        self.waves.clear();
        self.outline.clear();
        self.allowed.clear();
        self.allowed.resize(list.graph().len(), false);
        let nodes = &self.candidates;
        for node in nodes {
            self.allowed[*node as usize] = true;
        }
        match self.drawn_as {
            Lens::Waves => self.waves = list.graph().waves(nodes, list.schedule()),
            Lens::Outline => self.outline = list.graph().outline(nodes),
            _ => self.draw(list, selected, columns),
        }
    }

    /// Follows the selection, which moves nothing but a neighbourhood.
    pub(super) fn follow(&mut self, list: &List, selected: Option<&TaskId>, columns: u16) {
        if self.shown && self.drawn_as == Lens::Ego {
            self.draw(list, selected, columns);
        }
    }

    /// A picture that is to be laid out elsewhere, once.
    pub(super) fn take_job(&mut self) -> Option<LayoutJob> {
        self.job.take()
    }

    /// Takes a picture that was laid out elsewhere, unless another was asked for since.
    pub(super) fn take_layout(&mut self, list: &List, done: LaidOut) {
        let is_wanted = |asked: &Drawn| !asked.is_shown && asked.is_same(&done.drawn);
        if self.asked.as_ref().is_some_and(is_wanted) {
            self.show(list, done);
        }
    }

    /// Whether the picture is not yet the one that was asked for.
    pub fn is_behind(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| !asked.is_shown)
    }

    /// The rows that everything takes.
    pub fn height(&self) -> usize {
        match self.drawn_as {
            Lens::Waves => self.waves.len(),
            Lens::Outline => self.outline.len(),
            _ => usize::try_from(self.layout.height()).unwrap_or(0),
        }
    }

    /// Whether levels or a tree are shown, for which titles decide nothing.
    pub(super) fn is_levels(&self) -> bool {
        matches!(self.drawn_as, Lens::Waves | Lens::Outline)
    }

    /// Whether there is nothing to be seen.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// The node of a task in the picture.
    pub fn node_of(&self, id: &TaskId) -> Option<u32> {
        self.places.get(id).copied()
    }

    /// The task of a node of the picture.
    pub fn task_of(&self, node: u32) -> Option<&TaskId> {
        self.nodes.get(node as usize)
    }

    fn choose(&self, tasks: usize) -> Lens {
        match self.lens {
            Lens::Auto if tasks <= WHOLE => Lens::Flow,
            Lens::Auto if tasks < MANY => Lens::Ego,
            Lens::Auto => Lens::Waves,
            Lens::Flow if tasks > MOST => Lens::Waves,
            lens => lens,
        }
    }

    /// The tasks that may be drawn, in id order so that the same list gives the same picture.
    fn candidates(&self, list: &List) -> Vec<Node> {
        let graph = list.graph();
        let nodes_of = |ids: Vec<TaskId>| ids.iter().filter_map(|id| list.node(id)).collect();
        let critical: Option<HashSet<Node>> =
            self.critical_only.then(|| nodes_of(list.critical_path()));
        let path: Option<HashSet<Node>> = self.path.as_ref().map(|(from, to)| {
            let ends = list.node(from).zip(list.node(to));
            let nodes = ends.map_or_else(Vec::new, |(from, to)| graph.between(from, to));
            nodes.into_iter().collect()
        });
        let drawn = |node: &Node| {
            let done = graph.state(*node) == NodeState::Completed && self.hide_done;
            let deleted = graph.state(*node) == NodeState::Deleted;
            let gone = deleted && graph.outgoing(*node).next().is_none();
            let critical = critical.as_ref().is_none_or(|path| path.contains(node));
            let on_path = path.as_ref().is_none_or(|path| path.contains(node));
            !done && !gone && critical && on_path
        };
        list.nodes().iter().copied().filter(drawn).collect()
    }

    /// Lays the picture out when it is another one: at once when it is small.
    fn draw(&mut self, list: &List, selected: Option<&TaskId>, columns: u16) {
        let ids = match self.drawn_as {
            Lens::Ego => self.neighbourhood(list, selected),
            _ => {
                let ids = self.candidates.iter().map(|node| list.id_of(*node));
                ids.cloned().collect()
            }
        };
        let picked: Vec<Node> = ids.iter().filter_map(|id| list.node(id)).collect();
        let folded = match self.folded {
            true => list.graph().folded(&picked),
            false => Folded {
                boxes: picked.iter().map(|node| vec![*node]).collect(),
                edges: list.graph().edges_among(&picked),
            },
        };
        let named = |members: &Vec<Node>| {
            let ids = members.iter().map(|node| list.id_of(*node).clone());
            ids.collect()
        };
        let ids: Vec<Vec<TaskId>> = folded.boxes.iter().map(named).collect();
        let asked = Drawn {
            nodes: ids
                .iter()
                .zip(stubs(list, &ids))
                .map(|(ids, stubs)| node(list, &ids[0], ids.len() - 1, stubs))
                .collect(),
            edges: folded.edges,
            options: Options {
                reduce: !self.implied,
                roomy: false,
                wrap: columns.max(20),
            },
            is_shown: false,
        };
        if self.asked.as_ref().is_some_and(|last| last.is_same(&asked)) {
            if !self.is_behind() {
                self.stubs = stubs(list, &ids);
            }
            return;
        }
        let small = asked.nodes.len() + asked.edges.len() <= AT_ONCE;
        self.asked = Some(asked.clone());
        let job = LayoutJob {
            drawn: asked,
            ids,
            previous: Arc::clone(&self.layout),
        };
        if small {
            self.job = None;
            self.show(list, job.run());
        } else {
            self.job = Some(job);
        }
    }

    fn show(&mut self, list: &List, done: LaidOut) {
        let of_box = |(place, ids): (u32, &Vec<TaskId>)| {
            let ids = ids.clone().into_iter();
            ids.map(move |id| (id, place)).collect::<Vec<_>>()
        };
        self.places = (0..).zip(&done.ids).flat_map(of_box).collect();
        self.stubs = stubs(list, &done.ids);
        self.more = done.ids.iter().map(|ids| ids.len() - 1).collect();
        self.nodes = done
            .ids
            .into_iter()
            .map(|mut ids| ids.swap_remove(0))
            .collect();
        self.layout = done.layout;
        if let Some(asked) = &mut self.asked {
            asked.is_shown = true;
        }
    }

    /// The tasks within some hops of the selected one, nearest first until there are enough.
    fn neighbourhood(&self, list: &List, selected: Option<&TaskId>) -> Vec<TaskId> {
        let node = |id| list.node(id).filter(|node| self.may_be_drawn(*node));
        let first = || self.candidates.first().copied();
        let Some(start) = selected.and_then(node).or_else(first) else {
            return Vec::new();
        };
        let allowed = |node| self.may_be_drawn(node);
        let near = list.graph().near(start, self.hops, NEIGHBOURS, allowed);
        let mut ids: Vec<TaskId> = near.iter().map(|n| list.id_of(*n).clone()).collect();
        ids.sort_by(id_order);
        ids
    }

    fn may_be_drawn(&self, node: Node) -> bool {
        self.allowed.get(node as usize).copied().unwrap_or(false)
    }
}

/// How many tasks beyond a picture each of its boxes waits for, and holds back.
fn stubs(list: &List, boxes: &[Vec<TaskId>]) -> Vec<(usize, usize)> {
    let graph = list.graph();
    let shown: HashSet<&TaskId> = boxes.iter().flatten().collect();
    let absent = |node: Node| {
        let there = graph.state(node) != NodeState::Missing;
        there && !shown.contains(list.id_of(node))
    };
    let count = |ids: &Vec<TaskId>| {
        let nodes = ids.iter().filter_map(|id| list.node(id));
        let (mut before, mut after) = (HashSet::new(), HashSet::new());
        for node in nodes {
            before.extend(
                graph
                    .incoming(node)
                    .map(|e| e.blocker)
                    .filter(|b| absent(*b)),
            );
            after.extend(
                graph
                    .outgoing(node)
                    .map(|e| e.dependant)
                    .filter(|d| absent(*d)),
            );
        }
        (before.len(), after.len())
    };
    boxes.iter().map(count).collect()
}

/// A node with room for the task's title and its glyph, for how many more it stands, and for what
/// the picture leaves out.
fn node(list: &List, id: &TaskId, more: usize, (before, after): (usize, usize)) -> layout::Node {
    let subject = list.get(id).map_or("", |task| task.subject.as_str());
    let digits = |count: usize| {
        if count > 0 {
            1 + count.to_string().len()
        } else {
            0
        }
    };
    let folded = if more > 0 { 1 + digits(more + 1) } else { 0 };
    let columns = width(&clean_line(subject)) + 2 + folded + digits(before) + digits(after);
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
