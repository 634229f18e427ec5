use std::cell::Cell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::columns;
use super::{
    Away, Column, Edge, Effect, Glance, GraphPane, Happened, History, Layer, Lists, Marks, TaskLog,
    Vanished, View,
};
use crate::command::{Key, Keymap, Situation};
use crate::list::{EventKind, List, Query};
use crate::state::{Heard, ListState, PaneSizes, Since};
use crate::store::doctor::Facts;
use crate::task::{Dialect, State, Task, TaskId};

/// Everything that the board shows and knows. The view reads it; only `update` changes it.
#[derive(Debug)]
pub struct Model {
    /// The tasks.
    pub list: List,
    /// What is remembered of them: since when they are in their status.
    pub state: ListState,
    /// Which list this is, for people.
    pub place: Place,
    /// Whether the first reading is still going on.
    pub loading: bool,
    /// What the watcher read while the first reading was still going on.
    pub(super) early: Vec<crate::list::FileChange>,
    /// How far the picture can be trusted.
    pub freshness: Freshness,
    /// Whose lock a write of ours is waiting for.
    pub waiting_for: Option<String>,
    /// Writes that are on their way.
    pub pending: usize,
    /// Nothing may be written.
    pub read_only: bool,
    /// The columns from left to right.
    pub columns: Vec<Column>,
    /// Where the task that was asked for last stood.
    pub(super) found_at: Cell<(usize, usize)>,
    /// How the tasks are looked at.
    pub view: View,
    /// What the header says.
    pub glance: Glance,
    /// Whether the selection goes to what changes.
    pub follow: bool,
    /// What is held back while the picture holds still.
    pub frozen: Option<Vec<crate::list::FileChange>>,
    /// What changed while nobody looked.
    pub away: Away,
    /// What happened while the board was open, the latest last.
    pub happened: Vec<Happened>,
    /// When pending tasks last turned ready or blocked by what others did, as far as that was seen.
    pub(super) turned: HashMap<TaskId, i64>,
    /// How long finished tasks were in progress, in milliseconds, as far as that was seen.
    pub(super) times_seen: Vec<i64>,
    /// Whether the details show the file as it is.
    pub raw: bool,
    /// Whether the columns for deleted tasks are shown too.
    pub all_columns: bool,
    /// The selected task; the graph's selection is the same.
    pub selected: Option<TaskId>,
    /// The tasks that editing keys take instead of the selected one.
    pub marks: Marks,
    /// The column with the focus; it may be empty.
    pub column: usize,
    /// The pane with the focus.
    pub pane: Pane,
    /// Whether that pane has the whole screen.
    pub zoomed: bool,
    /// Whether the details are shown.
    pub details: bool,
    /// How far the details are scrolled, in lines.
    pub details_scroll: usize,
    /// What is shown.
    pub query: Query,
    /// The filter as it is typed; `Some` while typing.
    pub typing_filter: Option<super::TextInput>,
    /// The graph pane.
    pub graph: GraphPane,
    /// What lies over the board; the last one has the keys.
    pub layers: Vec<Layer>,
    /// Keys of a sequence that is not finished.
    pub keys: Vec<Key>,
    /// Which keys do what.
    pub keymap: Keymap,
    /// How large the person made the panes.
    pub sizes: PaneSizes,
    /// The edge that the mouse pulls.
    pub pulling: Option<Edge>,
    /// Whether the mouse is the board's; else the terminal selects text with it.
    pub mouse: bool,
    /// What was said last.
    pub notice: Option<Notice>,
    /// What changed lately, and when.
    pub changes: HashMap<TaskId, (EventKind, i64)>,
    /// The edits that can be taken back, or made again.
    pub history: History,
    /// How far agents have heard of what was done here; only those who have such a task.
    pub heard: HashMap<String, Heard>,
    /// What the worker of the selected task prints, where it has or had one.
    pub log: Option<TaskLog>,
    /// How many tasks the runner under the board works on at a time; `None` without one.
    pub jobs: Option<usize>,
    /// Columns and rows of the screen.
    pub size: (u16, u16),
    /// Milliseconds since the epoch.
    pub now_ms: i64,
    /// First visible card per column, as the view last drew it.
    pub scrolls: HashMap<usize, usize>,
    /// Tasks whose files somebody else removed, as they were last.
    pub vanished: Vec<Vanished>,
    /// What only the folder of the list shows, as it was when somebody asked.
    pub facts: Facts,
    /// All lists, as far as they were looked for.
    pub lists: Lists,
    /// A card that the mouse drags, and over which column it is.
    pub dragging: Option<(TaskId, Option<usize>)>,
}

/// Which list the board is on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// A name for people: the project or the list.
    pub name: String,
    /// The folder.
    pub dir: PathBuf,
    /// The folder, short.
    pub path: String,
    /// Why this list.
    pub reason: String,
    /// How many other lists there are.
    pub others: usize,
    /// What people should know, such as how to switch OmO's tasks on.
    pub notes: Vec<String>,
}

/// How far the picture can be trusted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Freshness {
    /// Not known yet.
    #[default]
    Unknown,
    /// Changes show within milliseconds.
    Live,
    /// Changes show within two seconds; why.
    Polling(String),
    /// It may be out of date; why.
    Stale(String),
}

/// The panes that can have the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pane {
    /// The columns.
    Board,
    /// The dependency graph.
    Graph,
    /// The details.
    Details,
}

/// Something said to the person, until the next key that says something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// How it is meant.
    pub tone: Tone,
    /// One sentence.
    pub text: String,
}

/// How a notice is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// It was done.
    Done,
    /// It was done, and there is something to know.
    Warning,
    /// It was not done.
    Error,
}

/// How long a change is marked, in milliseconds, unless another comes.
const MARKED_MS: i64 = 60_000;

impl Model {
    /// A board on a list that is not read yet.
    pub fn new(dialect: Dialect, place: Place, state: ListState, read_only: bool) -> Model {
        let list = List::new(dialect);
        let query = Query::default();
        let mut model = Model {
            columns: Vec::new(),
            found_at: Cell::default(),
            view: View::default(),
            glance: Glance::default(),
            follow: false,
            frozen: None,
            away: Away::default(),
            happened: Vec::new(),
            turned: HashMap::new(),
            times_seen: Vec::new(),
            raw: false,
            history: History::of(state.edits(dialect)),
            list,
            sizes: state.pane_sizes(),
            state,
            place,
            loading: true,
            early: Vec::new(),
            freshness: Freshness::Unknown,
            waiting_for: None,
            pending: 0,
            read_only,
            all_columns: false,
            selected: None,
            marks: Marks::default(),
            column: 0,
            pane: Pane::Board,
            zoomed: false,
            details: true,
            details_scroll: 0,
            query,
            typing_filter: None,
            graph: GraphPane::default(),
            layers: Vec::new(),
            keys: Vec::new(),
            keymap: Keymap::default(),
            mouse: true,
            pulling: None,
            notice: None,
            changes: HashMap::new(),
            heard: HashMap::new(),
            log: None,
            jobs: None,
            size: (80, 24),
            now_ms: 0,
            scrolls: HashMap::new(),
            vanished: Vec::new(),
            facts: Facts::default(),
            lists: Lists::default(),
            dragging: None,
        };
        model.rearrange();
        model
    }

    /// The selected task.
    pub fn selected_task(&self) -> Option<&Arc<Task>> {
        self.task(self.selected.as_ref()?)
    }

    /// Column and row of a task, when it is shown.
    pub fn place_of(&self, id: &TaskId) -> Option<(usize, usize)> {
        let found = columns::place_of(&self.columns, id, self.found_at.get())?;
        self.found_at.set(found);
        Some(found)
    }

    /// The layer that has the keys.
    pub fn top(&self) -> Option<&Layer> {
        self.layers.last()
    }

    /// What the availability of commands depends on.
    pub fn situation(&self) -> Situation {
        let selected = self
            .selected
            .as_ref()
            .filter(|id| self.list.get(id).is_some());
        Situation {
            selected: selected.is_some(),
            blocked: selected.is_some_and(|id| self.list.is_blocked(id)),
            unreadable: selected.is_some_and(|id| self.list.is_unreadable(id)),
            closed: selected.is_some_and(|id| {
                self.list
                    .get(id)
                    .is_some_and(|task| task.status.is_closed())
            }),
            vanished: self
                .selected
                .as_ref()
                .is_some_and(|id| self.vanished_task(id).is_some()),
            deleted: selected.is_some_and(|id| self.list.is_in(id, State::Deleted)),
            marked: self.marks.len(),
            read_only: self.read_only,
            can_undo: self.history.last().is_some(),
            can_redo: self.history.last_undone().is_some(),
            edited: self.history.all().next().is_some(),
            changed_while_away: !self.away.changed.is_empty(),
            filtered: !self.query.is_empty(),
        }
    }

    /// Whether a task changed lately, and how.
    pub fn change_of(&self, id: &TaskId) -> Option<EventKind> {
        let (kind, at) = self.changes.get(id)?;
        (self.now_ms - at < MARKED_MS).then_some(*kind)
    }

    /// Since when a task is in its status.
    pub fn since(&self, id: &TaskId) -> Option<Since> {
        let status = self.state.since(id);
        // A pending task turns from blocked to ready without a change of its own file.
        let turned = self.turned.get(id).map(|ms| Since {
            ms: *ms,
            at_least: false,
        });
        match (status, turned) {
            (Some(status), Some(turned)) if turned.ms > status.ms => Some(turned),
            (status, _) => status,
        }
    }

    /// Whether an agent that calls tools has still to hear of an edit, or to acknowledge it.
    pub fn awaits_word(&self) -> bool {
        let open = |heard: &Heard| matches!(heard, Heard::Waiting | Heard::Delivered);
        self.heard.values().any(open)
    }

    /// Agents that may hear of something while we look: the answer is out of date with the next
    /// call they make.
    pub(super) fn ask_heard(&self) -> Vec<Effect> {
        let open = |heard: &Heard| *heard != Heard::Acknowledged;
        let waiting = self.heard.iter().filter(|(_, heard)| open(heard));
        let mut names: Vec<String> = waiting.map(|(name, _)| name.clone()).collect();
        names.sort();
        if names.is_empty() {
            Vec::new()
        } else {
            vec![Effect::AskHeard(names)]
        }
    }

    /// Says something.
    pub(super) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.notice = Some(Notice {
            tone,
            text: text.into(),
        });
    }

    /// Says what was done outside, or why it was not.
    pub(super) fn tell(&mut self, told: Result<String, String>) {
        match told {
            Ok(done) => self.say(Tone::Done, done),
            Err(why) => self.say(Tone::Error, why),
        }
    }
}
