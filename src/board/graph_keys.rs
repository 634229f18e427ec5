use super::graph_pane::Place;
use super::{Lens, Model, Pane, ROOM_BELOW, Tone};
use crate::command::CommandId;
use crate::task::TaskId;

/// So many places are remembered to go back to.
const STEPS_BACK: usize = 100;

impl Model {
    /// The commands of the graph.
    pub(super) fn run_graph(&mut self, id: CommandId) {
        use CommandId as C;
        let before = self.place_in_graph();
        let graph = &mut self.graph;
        match id {
            C::GraphPane if self.size.1 < ROOM_BELOW => return self.toggle_whole_graph(),
            C::GraphPane => graph.shown = !graph.shown,
            C::GraphAll => self.toggle_lens(Lens::Flow),
            C::GraphEgo => self.toggle_lens(Lens::Ego),
            C::GraphWaves => self.toggle_lens(Lens::Waves),
            C::GraphOutline => self.toggle_lens(Lens::Outline),
            C::GraphPath => self.toggle_path(),
            C::GraphBack => return self.go_back(),
            C::HideDone => graph.hide_done = !graph.hide_done,
            C::CriticalOnly => graph.critical_only = !graph.critical_only,
            C::Implied => graph.implied = !graph.implied,
            C::Fold => graph.folded = !graph.folded,
            C::MoreHops => graph.hops = (graph.hops + 1).min(9),
            C::FewerHops => graph.hops = graph.hops.saturating_sub(1).max(1),
            _ => return,
        }
        if (before.lens, &before.path) != (self.graph.lens, &self.graph.path) {
            self.graph.trail.push(before);
        }
        self.graph.shown |= id != C::GraphPane;
        if !self.graph.shown && self.pane == Pane::Graph {
            self.pane = Pane::Board;
        }
        if self.size.1 < ROOM_BELOW {
            // Asked for, it has to be seen.
            (self.pane, self.zoomed) = (Pane::Graph, true);
        }
        self.refresh_graph();
    }

    /// Where no pane fits below the columns the graph takes their place, and gives it back.
    fn toggle_whole_graph(&mut self) {
        let here = self.zoomed && self.pane == Pane::Graph;
        self.graph.shown = true;
        self.zoomed = !here;
        self.pane = if here { Pane::Board } else { Pane::Graph };
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

    fn place_in_graph(&self) -> Place {
        Place {
            selected: self.selected.clone(),
            lens: self.graph.lens,
            path: self.graph.path.clone(),
        }
    }

    /// Selects a task in the graph, and remembers the way back.
    fn walk_to(&mut self, id: &TaskId) {
        if self.selected.as_ref() != Some(id) {
            let here = self.place_in_graph();
            self.graph.trail.push(here);
            let old = self.graph.trail.len().saturating_sub(STEPS_BACK);
            self.graph.trail.drain(..old);
        }
        self.select(id);
    }

    /// Back to where one was before.
    fn go_back(&mut self) {
        let Some(place) = self.graph.trail.pop() else {
            self.say(Tone::Warning, "this is where the walk in the graph began");
            return;
        };
        self.graph.lens = place.lens;
        self.graph.path = place.path;
        if let Some(id) = place.selected.filter(|id| self.list.get(id).is_some()) {
            self.select(&id);
        }
        self.refresh_graph();
    }

    /// Draws only what lies between the marked task and the selected one, or all again.
    fn toggle_path(&mut self) {
        if self.graph.path.take().is_some() {
            return;
        }
        let Some(here) = self.selected.clone() else {
            return self.say(Tone::Warning, "no task is selected");
        };
        let marked = self.marks.iter().filter(|id| **id != here).last().cloned();
        let ends = match &marked {
            Some(other) => [(other.clone(), here.clone()), (here, other.clone())],
            None => {
                let end = self.end_of_chain(&here);
                [(here.clone(), end.clone()), (here, end)]
            }
        };
        let is_path = |(from, to): &&(TaskId, TaskId)| {
            let ends = self.list.node(from).zip(self.list.node(to));
            from != to && ends.is_some_and(|(a, b)| !self.list.graph().between(a, b).is_empty())
        };
        match (ends.iter().find(is_path).cloned(), marked) {
            (Some(ends), _) => self.graph.path = Some(ends),
            (None, Some(_)) => self.say(
                Tone::Warning,
                "neither waits for the other: there is no path between the marked task and this one",
            ),
            (None, None) => self.say(
                Tone::Warning,
                "nothing waits for this task; mark another with space to see the path between them",
            ),
        }
    }

    /// Where the longest remaining chain from a task ends.
    fn end_of_chain(&self, start: &TaskId) -> TaskId {
        let (graph, schedule) = (self.list.graph(), self.list.schedule());
        let mut here = self.list.node(start);
        let mut end = start.clone();
        let mut left = u32::MAX;
        while let Some(node) = here {
            end = self.list.id_of(node).clone();
            let after = graph.outgoing(node).map(|edge| edge.dependant);
            // Chains shrink with every step, but not within a ring.
            here = after
                .filter(|d| (1..left).contains(&schedule.chain(*d)))
                .max_by_key(|d| (schedule.chain(*d), std::cmp::Reverse(*d)));
            left = here.map_or(0, |next| schedule.chain(next));
        }
        end
    }

    /// Up and down: to the next level, the next line, or along the column of the picture.
    pub(super) fn step_in_graph(&mut self, by: isize) {
        let next = match self.graph.drawn_as {
            Lens::Waves => self.next_wave(by),
            Lens::Outline => self.next_line(by),
            _ => self.next_in_column(by),
        };
        if let Some(id) = next {
            self.walk_to(&id);
        }
    }

    /// Left and right: along the level of the waves, else along an edge.
    pub(super) fn sideways_in_graph(&mut self, by: isize) {
        let next = match self.graph.drawn_as {
            Lens::Waves => self.next_in_wave(by),
            _ => self.next_along_edge(by),
        };
        if let Some(id) = next {
            self.walk_to(&id);
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
