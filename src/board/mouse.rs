use super::{Edge, Effect, Layer, Lens, Model, Pane, Sort, Tone};
use crate::command::CommandId;
use crate::task::TaskId;

/// What the mouse did, and to what: the app has looked up what is drawn there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mouse {
    /// The button went down.
    Press(MouseAt),
    /// It went down a second time at once.
    DoubleClick(MouseAt),
    /// It moved with the button held.
    Drag(MouseAt),
    /// It pulled the picture of the graph: columns to the right, rows down.
    Pan(i32, i32),
    /// The button was let go.
    Release(MouseAt),
    /// It moved with the button held while an edge is pulled: the edge, column and row.
    Pull(Edge, u16, u16),
    /// The wheel turned by lines, down being positive.
    Wheel(MouseAt, isize),
}

/// What is drawn under the mouse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MouseAt {
    /// A card of a column.
    Card(TaskId, usize),
    /// A column beside its cards.
    Column(usize),
    /// A task in the graph.
    Node(TaskId),
    /// A pane beside what can be selected.
    Pane(Pane),
    /// The heading of a column of the table.
    Heading(Sort),
    /// An edge between two panes.
    Border(Edge),
    /// A line of the menu on top, counted among those shown.
    Choice(usize),
    /// Nothing.
    Nowhere,
}

impl Model {
    /// Leaves the mouse to the terminal, to select text with it, or takes it back.
    pub(super) fn switch_mouse(&mut self) -> Vec<Effect> {
        self.mouse = !self.mouse;
        self.dragging = None;
        let key = self.keymap.key_of(CommandId::Mouse);
        let text = match self.mouse {
            true => "the mouse is the board's again".to_owned(),
            false => format!("the mouse is the terminal's: select and copy; {key} takes it back"),
        };
        self.say(Tone::Done, text);
        vec![Effect::TakeMouse(self.mouse)]
    }

    pub(super) fn mouse(&mut self, mouse: Mouse) -> Vec<Effect> {
        if !self.layers.is_empty() {
            return self.mouse_on_layer(&mouse);
        }
        match mouse {
            Mouse::Press(MouseAt::Card(id, column)) => {
                self.pane = Pane::Board;
                self.select(&id);
                self.dragging = Some((id, Some(column)));
            }
            Mouse::Press(MouseAt::Column(column)) => {
                self.pane = Pane::Board;
                self.column = column;
            }
            Mouse::Press(MouseAt::Node(id)) => {
                self.pane = Pane::Graph;
                self.select(&id);
            }
            Mouse::Press(MouseAt::Heading(by)) => self.sort(|sorting| sorting.choose(by)),
            Mouse::Press(MouseAt::Pane(pane)) => self.pane = pane,
            Mouse::DoubleClick(MouseAt::Card(id, _) | MouseAt::Node(id)) => {
                self.select(&id);
                self.details = true;
                self.dragging = None;
            }
            Mouse::Drag(at) => {
                if let Some((_, over)) = &mut self.dragging {
                    *over = column_of(&at);
                }
            }
            Mouse::Pan(right, down) => self.pan(right, down),
            Mouse::Press(MouseAt::Border(edge)) => self.pulling = Some(edge),
            Mouse::DoubleClick(MouseAt::Border(edge)) => self.choose_size(edge),
            Mouse::Pull(edge, column, row) => self.pull(edge, column, row),
            Mouse::Release(_) if self.pulling.is_some() => self.let_go(),
            Mouse::Release(at) => return self.drop_card(&at),
            Mouse::Wheel(at, by) => self.wheel(&at, by),
            Mouse::Press(_) | Mouse::DoubleClick(_) => {}
        }
        Vec::new()
    }

    fn drop_card(&mut self, at: &MouseAt) -> Vec<Effect> {
        let Some((id, _)) = self.dragging.take() else {
            return Vec::new();
        };
        let from = self.place_of(&id).map(|(column, _)| column);
        let to = column_of(at);
        let lane = to
            .and_then(|column| self.columns.get(column))
            .map(|column| column.lane.clone());
        if self.read_only || from == to || self.list.is_unreadable(&id) {
            return Vec::new();
        }
        match lane {
            Some(lane) => {
                self.select(&id);
                self.move_to_lane(lane)
            }
            None => Vec::new(),
        }
    }

    /// The picture follows the hand.
    fn pan(&mut self, right: i32, down: i32) {
        let (x, y) = self.graph.pan;
        self.graph.pan = (x - right, y - down);
    }

    fn wheel(&mut self, at: &MouseAt, by: isize) {
        match at {
            MouseAt::Node(_) | MouseAt::Pane(Pane::Graph) => match self.graph.drawn_as {
                Lens::Waves | Lens::Outline => self.step_in_graph(by),
                _ => self.pan(0, -3 * i32::from(by.signum() as i8)),
            },
            MouseAt::Pane(Pane::Details) => {
                self.details_scroll = self.details_scroll.saturating_add_signed(by * 3);
            }
            MouseAt::Card(_, column) | MouseAt::Column(column) => {
                let shown = self.columns.get(*column).map_or(0, |c| c.ids.len());
                let scroll = self.scrolls.entry(*column).or_default();
                *scroll = scroll
                    .saturating_add_signed(by)
                    .min(shown.saturating_sub(1));
            }
            _ => {}
        }
    }

    fn mouse_on_layer(&mut self, mouse: &Mouse) -> Vec<Effect> {
        let Some(Layer::Menu(menu)) = self.layers.last_mut() else {
            return Vec::new();
        };
        match mouse {
            Mouse::Press(MouseAt::Choice(row)) => menu.cursor = *row,
            Mouse::Wheel(_, by) => menu.step(*by),
            Mouse::DoubleClick(MouseAt::Choice(row)) => {
                menu.cursor = *row;
                if let Some(Layer::Menu(menu)) = self.layers.pop() {
                    return self.choose(menu);
                }
            }
            _ => {}
        }
        Vec::new()
    }
}

fn column_of(at: &MouseAt) -> Option<usize> {
    match at {
        MouseAt::Card(_, column) | MouseAt::Column(column) => Some(*column),
        _ => None,
    }
}
