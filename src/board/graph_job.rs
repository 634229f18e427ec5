use std::sync::Arc;

use crate::graph::layout::{self, Layout, Options};
use crate::task::TaskId;

/// What a picture depends on; a status or a title changes nothing as long as this stays.
#[derive(Debug, Clone)]
pub(super) struct Drawn {
    pub(super) nodes: Vec<layout::Node>,
    pub(super) edges: Vec<(u32, u32)>,
    pub(super) options: Options,
    /// Whether its layout has arrived.
    pub(super) is_shown: bool,
}

impl Drawn {
    /// Whether the same picture follows.
    pub(super) fn is_same(&self, other: &Drawn) -> bool {
        self.options == other.options && self.nodes == other.nodes && self.edges == other.edges
    }
}

/// A picture that is large enough to be laid out on a thread of its own.
#[derive(Debug, Clone)]
pub struct LayoutJob {
    pub(super) drawn: Drawn,
    /// The tasks of each node; the first stands for all.
    pub(super) ids: Vec<Vec<TaskId>>,
    pub(super) previous: Arc<Layout>,
}

/// A finished picture, on its way back to the board.
#[derive(Debug)]
pub struct LaidOut {
    pub(super) drawn: Drawn,
    /// The tasks of each node; the first stands for all.
    pub(super) ids: Vec<Vec<TaskId>>,
    pub(super) layout: Arc<Layout>,
}

impl LayoutJob {
    /// Lays the picture out: up to some hundred milliseconds.
    pub fn run(self) -> LaidOut {
        let Drawn {
            nodes,
            edges,
            options,
            ..
        } = &self.drawn;
        let layout = layout::layout(nodes, edges, options, Some(&self.previous));
        LaidOut {
            layout: Arc::new(layout),
            drawn: self.drawn,
            ids: self.ids,
        }
    }
}

/// Jobs for the same picture are the same.
impl PartialEq for LayoutJob {
    fn eq(&self, other: &LayoutJob) -> bool {
        self.drawn.is_same(&other.drawn)
    }
}
