use super::{Edge, Effect, Form, Layer, Model, Pane, Sorting, TextInput, Tone, View};
use crate::command::CommandId;
use crate::list::Query;
use crate::task::{Priority, TaskId};

impl Model {
    /// Does what a command says.
    pub(super) fn run(&mut self, id: CommandId) -> Vec<Effect> {
        use CommandId as C;
        if let Some(why) = self.why_off(id) {
            let title = crate::command::command(id).title;
            self.say(Tone::Warning, format!("{title}: {why}"));
            return Vec::new();
        }
        self.notice = None;
        match id {
            C::Down | C::Up | C::PageDown | C::PageUp => self.step(id),
            C::Left => self.sideways(-1),
            C::Right => self.sideways(1),
            C::First => self.go_to_row(0),
            C::Last => self.go_to_row(usize::MAX),
            C::NextReady => self.along(&self.ids_of_ready(), 1),
            C::PreviousReady => self.along(&self.ids_of_ready(), -1),
            C::NextCritical => self.along(&self.list.critical_path(), 1),
            C::PreviousCritical => self.along(&self.list.critical_path(), -1),
            C::NextPane => self.turn_pane(1),
            C::PreviousPane => self.turn_pane(-1),
            C::Jump => self.open_jump(),
            C::Palette => self.open_palette("Commands"),
            C::Help => self.open_palette("Help: every key; type to search, enter runs"),
            C::New => self.layers.push(Layer::Form(Box::new(Form::of(None)))),
            C::EditTask => {
                let form = Form::of(self.selected_task().map(AsRef::as_ref));
                self.layers.push(Layer::Form(Box::new(form)));
            }
            C::OwnerOf => self.ask_for_owner(),
            C::AddBlocker => self.open_blocker_picker(),
            C::Delete => self.ask_to_delete(),
            C::Split => self.ask_for_parts(),
            C::QuickAdd => self.ask_for_new_task(),
            C::Edits => self.open_edits(),
            C::Attention => self.open_attention(),
            C::Related => self.open_related(),
            C::ViewState => self.look_by(View::State),
            C::ViewStatus => self.look_by(View::Status),
            C::ViewOwner => self.look_by(View::Owner),
            C::ViewTree => self.look_by(View::Tree),
            C::ViewList => match self.view {
                View::List(_) => self.sort(|sorting| sorting.choose(sorting.by)),
                _ => self.look_by(View::List(Sorting::default())),
            },
            C::Follow => self.toggle_follow(),
            C::Freeze => self.toggle_freeze(),
            C::StepChanges => self.step_through_changes(),
            C::RawJson => self.raw = !self.raw,
            C::Problems => return self.open_problems(),
            C::Mark => self.toggle_mark(),
            C::MarkRange => self.mark_range(),
            C::MarkShown => self.mark_shown(),
            C::Workers => self.open_workers(),
            C::Filter => self.typing_filter = Some(TextInput::line(&self.query.to_string())),
            C::Filters => self.open_filters(),
            C::ClearFilter => self.set_query(Query::default()),
            _ => return self.run_more(id),
        }
        Vec::new()
    }

    /// The commands that have effects outside, and the switches of the view.
    fn run_more(&mut self, id: CommandId) -> Vec<Effect> {
        use CommandId as C;
        match id {
            C::StatusOn => return self.step_status(1),
            C::StatusBack => return self.step_status(-1),
            C::MoveDown => return self.reorder(1),
            C::MoveUp => return self.reorder(-1),
            C::Raise => return self.set_priority(Priority::raised),
            C::Lower => return self.set_priority(Priority::lowered),
            C::Unblock => {
                let op = self.open_unblock_picker();
                return op.map_or_else(Vec::new, |op| self.act(op));
            }
            C::Duplicate => return self.duplicate(),
            C::Restore => return self.restore(),
            C::Link => return self.link_marked(),
            C::Reverse => return self.reverse(),
            C::Lists => return self.open_lists(),
            C::Undo => return self.undo(),
            C::Redo => return self.redo(),
            C::Description => {
                let task = self.selected_task();
                let effect = task.map(|t| Effect::Edit(t.id.clone(), t.description.clone()));
                return effect.into_iter().collect();
            }
            C::CopyId => {
                let id = self
                    .selected
                    .as_ref()
                    .map(TaskId::to_string)
                    .unwrap_or_default();
                self.say(Tone::Done, format!("copied {id} through the terminal"));
                return vec![Effect::Copy(id)];
            }
            C::Refresh => return vec![Effect::Sweep],
            C::DetailsWider => self.enlarge(Edge::Details),
            C::DetailsNarrower => self.reduce(Edge::Details),
            C::LowerTaller => self.enlarge(Edge::Lower),
            C::LowerShorter => self.reduce(Edge::Lower),
            C::Mouse => return self.switch_mouse(),
            C::Suspend => return vec![Effect::Suspend],
            C::Quit => return vec![Effect::Quit],
            C::Details => self.toggle_details(),
            C::Closed => {
                self.all_columns = !self.all_columns;
                self.refresh();
            }
            C::Zoom => self.zoomed = !self.zoomed,
            C::ScrollDown => self.details_scroll = self.details_scroll.saturating_add(3),
            C::ScrollUp => self.details_scroll = self.details_scroll.saturating_sub(3),
            _ => self.run_graph(id),
        }
        Vec::new()
    }

    /// Shows the details or hides them. Where the graph has the only room for them, they take it
    /// while they have the focus.
    fn toggle_details(&mut self) {
        let shares_room = self.size.0 < 100 && self.graph.shown && self.details;
        match (shares_room, self.pane) {
            (true, Pane::Details) => self.pane = Pane::Board,
            (true, _) => self.pane = Pane::Details,
            (false, _) => self.details = !self.details,
        }
        if !self.details && self.pane == Pane::Details {
            self.pane = Pane::Board;
        }
    }

    /// Looks at the same tasks in another way; the selection stays.
    fn look_by(&mut self, view: View) {
        self.view = view;
        self.scrolls.clear();
        self.pane = Pane::Board;
        self.refresh();
    }

    /// Sorts the table in another way.
    pub(super) fn sort(&mut self, change: impl FnOnce(&mut Sorting)) {
        if let View::List(sorting) = &mut self.view {
            change(sorting);
            self.refresh();
        }
    }

    /// In the tree, to the whole or to the first part.
    fn climb(&mut self, by: isize) {
        let (Some(column), Some(row)) = (self.columns.get(self.column), self.row()) else {
            return;
        };
        let depth = |row: usize| column.branches.get(row).map(|branch| branch.depth);
        let next = if by < 0 {
            (0..row).rev().find(|above| depth(*above) < depth(row))
        } else {
            (depth(row + 1) > depth(row)).then_some(row + 1)
        };
        if let Some(next) = next {
            self.go_to_row(next);
        }
    }

    fn ids_of_ready(&self) -> Vec<TaskId> {
        self.list
            .ready()
            .into_iter()
            .map(|task| task.id.clone())
            .collect()
    }

    /// Up and down: in the graph its column, in the details their lines, else the cards.
    fn step(&mut self, id: CommandId) {
        let page = isize::from(i16::try_from(self.size.1 / 2).unwrap_or(12)).max(1);
        let by = match id {
            CommandId::Down => 1,
            CommandId::Up => -1,
            CommandId::PageDown => page,
            _ => -page,
        };
        match self.pane {
            Pane::Details => self.details_scroll = self.details_scroll.saturating_add_signed(by),
            Pane::Graph => self.step_in_graph(by),
            Pane::Board => {
                let row = self.row().unwrap_or(0).saturating_add_signed(by);
                self.go_to_row(row);
            }
        }
    }

    /// The row of the selected card in the column with the focus.
    pub(super) fn row(&self) -> Option<usize> {
        let (column, row) = self.place_of(self.selected.as_ref()?)?;
        (column == self.column).then_some(row)
    }

    pub(super) fn go_to_row(&mut self, row: usize) {
        let Some(column) = self.columns.get(self.column) else {
            return;
        };
        let row = row.min(column.ids.len().saturating_sub(1));
        if let Some(id) = column.ids.get(row).cloned() {
            self.select(&id);
        }
    }

    /// Left and right: along an edge in the graph, to the parent or the first part in the tree,
    /// else to the next column; the table has one to be sorted by.
    fn sideways(&mut self, by: isize) {
        if self.pane == Pane::Graph {
            self.sideways_in_graph(by);
            return;
        }
        match self.view {
            View::List(_) => return self.sort(|sorting| sorting.step(by)),
            View::Tree => return self.climb(by),
            View::State | View::Status | View::Owner => {}
        }
        let row = self.row().unwrap_or(0);
        let last = self.columns.len().saturating_sub(1);
        self.column = self.column.saturating_add_signed(by).min(last);
        let Some(column) = self.columns.get(self.column) else {
            return;
        };
        match column
            .ids
            .get(row.min(column.ids.len().saturating_sub(1)))
            .cloned()
        {
            Some(id) => self.select(&id),
            None => {
                self.selected = None;
                self.refresh_graph();
            }
        }
    }

    /// To the next task of some, in a circle.
    fn along(&mut self, ids: &[TaskId], by: isize) {
        if ids.is_empty() {
            return;
        }
        let here = ids.iter().position(|id| Some(id) == self.selected.as_ref());
        let next = match here {
            Some(place) => (place as isize + by).rem_euclid(ids.len() as isize) as usize,
            None if by > 0 => 0,
            None => ids.len() - 1,
        };
        let id = ids[next].clone();
        self.select(&id);
    }

    fn turn_pane(&mut self, by: isize) {
        let mut panes = vec![Pane::Board];
        if self.graph.shown {
            panes.push(Pane::Graph);
        }
        if self.details {
            panes.push(Pane::Details);
        }
        let here = panes
            .iter()
            .position(|pane| *pane == self.pane)
            .unwrap_or(0);
        self.pane = panes[(here as isize + by).rem_euclid(panes.len() as isize) as usize];
    }
}
