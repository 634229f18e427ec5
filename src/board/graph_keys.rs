use super::{Lens, Model, Pane};
use crate::command::CommandId;
use crate::task::TaskId;

impl Model {
    /// The commands of the graph.
    pub(super) fn run_graph(&mut self, id: CommandId) {
        use CommandId as C;
        let graph = &mut self.graph;
        match id {
            C::GraphPane => graph.shown = !graph.shown,
            C::GraphAll => self.toggle_lens(Lens::Flow),
            C::GraphEgo => self.toggle_lens(Lens::Ego),
            C::GraphWaves => self.toggle_lens(Lens::Waves),
            C::GraphOutline => self.toggle_lens(Lens::Outline),
            C::HideDone => graph.hide_done = !graph.hide_done,
            C::CriticalOnly => graph.critical_only = !graph.critical_only,
            C::Implied => graph.implied = !graph.implied,
            C::MoreHops => graph.hops = (graph.hops + 1).min(9),
            C::FewerHops => graph.hops = graph.hops.saturating_sub(1).max(1),
            _ => return,
        }
        self.graph.shown |= id != C::GraphPane;
        if !self.graph.shown && self.pane == Pane::Graph {
            self.pane = Pane::Board;
        }
        self.refresh_graph();
    }

    /// One key turns a lens on, and off again.
    fn toggle_lens(&mut self, lens: Lens) {
        self.graph.lens = if self.graph.lens == lens {
            Lens::Auto
        } else {
            lens
        };
    }

    /// Up and down: to the next level, the next line, or along the column of the picture.
    pub(super) fn step_in_graph(&mut self, by: isize) {
        let next = match self.graph.drawn_as {
            Lens::Waves => self.next_wave(by),
            Lens::Outline => self.next_line(by),
            _ => self.next_in_column(by),
        };
        if let Some(id) = next {
            self.select(&id);
        }
    }

    /// Left and right: along the level of the waves, else along an edge.
    pub(super) fn sideways_in_graph(&mut self, by: isize) {
        let next = match self.graph.drawn_as {
            Lens::Waves => self.next_in_wave(by),
            _ => self.next_along_edge(by),
        };
        if let Some(id) = next {
            self.select(&id);
        }
    }

    /// Where the selected task stands: its wave, and its place in it.
    pub fn place_in_waves(&self) -> Option<(usize, usize)> {
        let node = self.list.node(self.selected.as_ref()?)?;
        let waves = self.graph.waves.iter().enumerate();
        let places = waves.filter_map(|(level, wave)| {
            let place = wave.tasks.iter().position(|task| *task == node)?;
            Some((level, place))
        });
        places.into_iter().next()
    }

    /// The line of the outline that the selected task has of its own.
    pub fn line_in_outline(&self) -> Option<usize> {
        let node = self.list.node(self.selected.as_ref()?)?;
        let own = |line: &crate::graph::OutlineLine| line.node == node && !line.repeat;
        self.graph.outline.iter().position(own)
    }

    fn next_wave(&self, by: isize) -> Option<TaskId> {
        let last = self.graph.waves.len().checked_sub(1)?;
        let level = match self.place_in_waves() {
            Some((level, _)) => level.saturating_add_signed(by).min(last),
            None => 0,
        };
        let first = self.graph.waves[level].tasks.first()?;
        Some(self.list.id_of(*first).clone())
    }

    fn next_in_wave(&self, by: isize) -> Option<TaskId> {
        let (level, place) = self.place_in_waves()?;
        let tasks = &self.graph.waves[level].tasks;
        let next = tasks.get(place.checked_add_signed(by)?)?;
        Some(self.list.id_of(*next).clone())
    }

    fn next_line(&self, by: isize) -> Option<TaskId> {
        let lines = self.graph.outline.iter().enumerate();
        let own: Vec<usize> = lines.filter(|(_, l)| !l.repeat).map(|(at, _)| at).collect();
        let here = self
            .line_in_outline()
            .and_then(|line| own.binary_search(&line).ok());
        let next = here.map_or(0, |place| place.saturating_add_signed(by));
        let line = *own.get(next.min(own.len().checked_sub(1)?))?;
        Some(self.list.id_of(self.graph.outline[line].node).clone())
    }

    /// The blocker or dependant whose row in the picture is nearest.
    fn next_along_edge(&self, by: isize) -> Option<TaskId> {
        let id = self.selected.as_ref()?;
        let near = if by < 0 {
            self.list.blockers(id)
        } else {
            self.list.dependants(id)
        };
        let row = |id: &TaskId| {
            let node = self.graph.node_of(id)?;
            Some(self.graph.layout.node_rect(node).y)
        };
        let here = row(id).unwrap_or(0);
        near.into_iter()
            .filter(|other| self.list.get(other).is_some())
            .min_by_key(|other| (row(other).is_none(), row(other).map(|y| (y - here).abs())))
    }

    /// The task above or below in the same column of the picture, else on the nearest row.
    fn next_in_column(&self, by: isize) -> Option<TaskId> {
        let rect = |node: u32| self.graph.layout.node_rect(node);
        let Some(here) = self.selected.as_ref().and_then(|id| self.graph.node_of(id)) else {
            return self.graph.nodes.first().cloned();
        };
        let from = rect(here);
        let beyond = |node: &u32| (rect(*node).y - from.y).signum() as isize == by.signum();
        let nearest = (0..self.graph.nodes.len() as u32)
            .filter(beyond)
            .min_by_key(|node| {
                let r = rect(*node);
                ((r.x - from.x).abs() / 4, (r.y - from.y).abs(), r.x)
            })?;
        self.graph.task_of(nearest).cloned()
    }
}
