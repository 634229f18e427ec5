use std::path::PathBuf;

use ratatui::crossterm::event::KeyCode;

use super::{
    About, Action, Confirm, Form, Freshness, LaidOut, Layer, LayoutJob, Marks, Menu, Model, Mouse,
    TextInput, Tone,
};
use crate::command::{Found, Key};
use crate::list::{FileChange, List, Op, Plan, Query};
use crate::run::Claimed;
use crate::state::Heard;
use crate::store::discover::{Overview, PlanProgress};
use crate::store::doctor::Facts;
use crate::store::watch::WatchStatus;
use crate::task::{Edit, Field, Patch, TaskId, Warning};

/// Everything that can happen to the board.
#[derive(Debug)]
pub enum Message {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted.
    Paste(String),
    /// The mouse did something to something that is drawn.
    Mouse(Mouse),
    /// The screen has this size now.
    Resize(u16, u16),
    /// The terminal has the focus again.
    FocusGained,
    /// The person looks elsewhere.
    FocusLost,
    /// The time, in milliseconds since the epoch.
    Clock(i64),
    /// The list was read for the first time, or could not be.
    Loaded(Result<Box<List>, String>),
    /// What the watcher read.
    Files(Vec<FileChange>),
    /// How far the watcher can be trusted.
    Watch(WatchStatus),
    /// A write is waiting for somebody's lock.
    WaitingFor(Option<String>),
    /// A large picture of the graph is laid out.
    LaidOut(LaidOut),
    /// A write ended.
    Done(Outcome),
    /// How far agents have heard of what people did.
    Heard(Vec<(String, Heard)>),
    /// All lists, as they are now, and OmO's plan.
    Lists(Vec<Overview>, Option<PlanProgress>),
    /// What only the folder of the list shows.
    Facts(Facts),
    /// The end of a worker's log, as it is now.
    Log(TaskId, String),
    /// What was done about workers, or why it was not.
    Workers(Result<String, String>),
    /// `$EDITOR` was left: the description as it is now, or why there is none.
    Edited(TaskId, Result<String, String>),
}

/// How a write ended.
#[derive(Debug)]
pub enum Outcome {
    /// It was carried out.
    Committed {
        /// What was done.
        plan: Box<Plan>,
        /// What was written.
        files: Vec<FileChange>,
        /// What there is to know.
        warnings: Vec<(TaskId, Warning)>,
        /// How far the agents that have these tasks hear of it.
        heard: Vec<(String, Heard)>,
    },
    /// It was not: the wish and why.
    Failed {
        /// What was asked for.
        op: Box<Op>,
        /// Why it was not done, and what to do.
        why: String,
        /// Somebody changed what an undo would have taken back.
        conflict: bool,
    },
}

/// What the board wants done outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Carry a wish out. A new task without an id gets one.
    Act(Box<Op>),
    /// Find out how far these agents have heard of what people did.
    AskHeard(Vec<String>),
    /// Lay a large picture of the graph out; the latest counts.
    Layout(Box<LayoutJob>),
    /// Edit a text in `$EDITOR`.
    Edit(TaskId, String),
    /// Put a text on the clipboard.
    Copy(String),
    /// Compare the whole folder.
    Sweep,
    /// Find out what only the folder of the list shows.
    Examine,
    /// Look for all lists, and again while they are shown.
    FindLists,
    /// Open the list in this folder instead.
    Open(PathBuf),
    /// Tell the end of this task's log, now and whenever it changes; of none any more.
    FollowLog(Option<TaskId>),
    /// End a worker.
    StopWorker(Box<Claimed>),
    /// Give the tasks of runners that are gone back.
    GiveBack,
    /// Have the runner under the board work on so many tasks at a time.
    Jobs(usize),
    /// Take the mouse, or leave it to the terminal.
    TakeMouse(bool),
    /// Give the terminal back until the shell wakes us.
    Suspend,
    /// Leave.
    Quit,
}

/// The whole behaviour of the board: what a message changes, and what is to be done outside.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let mut effects = take(model, message);
    let job = model.graph.take_job();
    effects.extend(job.map(|job| Effect::Layout(Box::new(job))));
    effects.extend(model.follow_log());
    effects
}

fn take(model: &mut Model, message: Message) -> Vec<Effect> {
    match message {
        Message::Key(key) => {
            let effects = model.press(key);
            return model.sent(effects);
        }
        Message::Paste(text) => model.paste(&text),
        Message::Mouse(mouse) => return model.mouse(mouse),
        Message::Resize(columns, rows) => {
            model.size = (columns, rows);
            model.refresh_graph();
        }
        Message::FocusLost => model.look_away(),
        Message::FocusGained => {
            model.away.away = false;
            let mut effects = model.ask_heard();
            effects.push(Effect::Sweep);
            return effects;
        }
        Message::Clock(now_ms) => model.now_ms = now_ms,
        Message::Loaded(Ok(list)) => model.take_list(*list),
        Message::Loaded(Err(why)) => {
            model.loading = false;
            model.freshness = Freshness::Stale(why.clone());
            model.say(Tone::Error, why);
        }
        Message::Files(files) => {
            model.hear(files);
            return model.ask_heard();
        }
        Message::Watch(status) => {
            model.freshness = match status {
                WatchStatus::Live => Freshness::Live,
                WatchStatus::Polling { why } => Freshness::Polling(why),
                WatchStatus::Stale { why } => Freshness::Stale(why),
            };
        }
        Message::WaitingFor(holder) => model.waiting_for = holder,
        Message::Done(outcome) => model.done(outcome),
        Message::LaidOut(done) => model.graph.take_layout(&model.list, done),
        Message::Heard(heard) => model.heard.extend(heard),
        Message::Lists(all, plan) => model.take_lists(all, plan),
        Message::Facts(facts) => model.take_facts(facts),
        Message::Log(id, text) => model.take_log(id, text),
        Message::Workers(Ok(said)) => model.say(Tone::Done, said),
        Message::Workers(Err(why)) => model.say(Tone::Error, why),
        Message::Edited(id, text) => return model.edited(&id, text),
    }
    Vec::new()
}

impl Model {
    fn press(&mut self, key: Key) -> Vec<Effect> {
        if key.ctrl && key.code == KeyCode::Char('c') {
            return vec![Effect::Quit];
        }
        match self.layers.pop() {
            Some(Layer::Menu(menu)) => self.press_in_menu(menu, key),
            Some(Layer::Form(form)) => self.press_in_form(form, key),
            Some(Layer::Confirm(confirm)) => self.press_in_confirm(confirm, key),
            Some(Layer::Prompt(prompt)) => self.press_in_prompt(prompt, key),
            None if self.typing_filter.is_some() => {
                self.press_in_filter(key);
                Vec::new()
            }
            None => self.press_on_board(key),
        }
    }

    fn press_on_board(&mut self, key: Key) -> Vec<Effect> {
        if key.code == KeyCode::Esc {
            self.step_back();
            return Vec::new();
        }
        self.keys.push(key);
        match self.keymap.find(&self.keys) {
            Found::Command(id) => {
                self.keys.clear();
                self.run(id)
            }
            Found::Prefix(_) => Vec::new(),
            Found::Nothing => {
                if self.keys.len() > 1 {
                    let keys: Vec<String> = self.keys.iter().map(Key::to_string).collect();
                    self.say(
                        Tone::Warning,
                        format!("{} means nothing; ? shows every key", keys.join(" ")),
                    );
                }
                self.keys.clear();
                Vec::new()
            }
        }
    }

    /// Esc takes back one thing at a time, and never leaves the board.
    fn step_back(&mut self) {
        if !self.keys.is_empty() {
            self.keys.clear();
        } else if self.dragging.is_some() {
            self.dragging = None;
        } else if self.notice.is_some() {
            self.notice = None;
        } else if !self.marks.is_empty() {
            self.marks.clear();
        } else if self.zoomed {
            self.zoomed = false;
        } else if !self.query.is_empty() {
            self.set_query(Query::default());
        }
    }

    pub(super) fn set_query(&mut self, query: Query) {
        self.query = query;
        self.refresh_columns();
        let shown = self
            .selected
            .as_ref()
            .is_some_and(|id| self.place_of(id).is_some());
        if !shown {
            self.select_something();
            self.refresh_graph();
        }
    }

    fn press_in_filter(&mut self, key: Key) {
        let Some(input) = &mut self.typing_filter else {
            return;
        };
        match key.code {
            KeyCode::Enter => self.typing_filter = None,
            KeyCode::Esc => {
                self.typing_filter = None;
                self.set_query(Query::default());
            }
            _ => {
                input.press(key);
                let query = Query::parse_loosely(input.text());
                self.set_query(query);
            }
        }
    }

    fn press_in_menu(&mut self, mut menu: Menu, key: Key) -> Vec<Effect> {
        match (key.code, key.ctrl) {
            (KeyCode::Esc, _) => return Vec::new(),
            (KeyCode::Enter, _) => return self.choose(menu),
            (KeyCode::Down, _) | (KeyCode::Char('n' | 'j'), true) => menu.step(1),
            (KeyCode::Up, _) | (KeyCode::Char('p' | 'k'), true) => menu.step(-1),
            (KeyCode::Char('r'), true) => {
                if let Some(action) = menu.chosen_more().and_then(|more| more.also.clone()) {
                    if menu.about == About::Attention {
                        // It stays below what is asked, and shows what is left.
                        self.layers.push(Layer::Menu(menu));
                    }
                    return self.carry_out(action);
                }
            }
            (KeyCode::PageDown, _) => menu.step(10),
            (KeyCode::PageUp, _) => menu.step(-10),
            _ => {
                if menu.input.press(key) {
                    menu.narrow();
                }
            }
        }
        self.layers.push(Layer::Menu(menu));
        Vec::new()
    }

    /// Does what the chosen line says; one that is off says why and the menu stays.
    pub(super) fn choose(&mut self, menu: Menu) -> Vec<Effect> {
        let Some(choice) = menu.chosen().cloned() else {
            return Vec::new();
        };
        if let Some(why) = choice.off {
            self.say(Tone::Warning, format!("{}: {why}", choice.label));
            self.layers.push(Layer::Menu(menu));
            return Vec::new();
        }
        self.carry_out(choice.action)
    }

    pub(super) fn carry_out(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Run(id) => self.run(id),
            Action::Select(id) => {
                self.select(&id);
                Vec::new()
            }
            Action::RunOn(id, command) => {
                self.select(&id);
                self.marks = Marks::default();
                self.run(command)
            }
            Action::Act(op) => self.act(op),
            Action::Filter(text) => {
                self.set_query(Query::parse_loosely(&text));
                Vec::new()
            }
            Action::NameFilter => {
                self.ask_for_filter_name();
                Vec::new()
            }
            Action::Ask(confirm) => {
                self.layers.push(Layer::Confirm(*confirm));
                Vec::new()
            }
            Action::Open(dir) if dir == self.place.dir => Vec::new(),
            Action::Open(dir) => vec![Effect::Open(dir)],
            Action::StopWorker(claimed) => vec![Effect::StopWorker(claimed)],
            Action::GiveBack => vec![Effect::GiveBack],
            Action::Jobs(jobs) => {
                self.jobs = Some(jobs);
                vec![Effect::Jobs(jobs)]
            }
            Action::Nothing => Vec::new(),
        }
    }

    fn press_in_confirm(&mut self, confirm: Confirm, key: Key) -> Vec<Effect> {
        match key.code {
            KeyCode::Char('y' | 'Y') => self.carry_out(confirm.yes),
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => Vec::new(),
            _ => {
                self.layers.push(Layer::Confirm(confirm));
                Vec::new()
            }
        }
    }

    fn press_in_form(&mut self, mut form: Box<Form>, key: Key) -> Vec<Effect> {
        let fields = form.fields.len();
        match (key.code, key.ctrl) {
            (KeyCode::Esc, _) => {
                if !form.edits().is_empty() {
                    self.say(Tone::Warning, "the form was closed, nothing was saved");
                }
                return Vec::new();
            }
            (KeyCode::Char('s'), true) => return self.save(form),
            (KeyCode::Tab, _) => match form.offer.take() {
                Some(offer) => form.complete(&offer),
                None => form.focus = (form.focus + 1) % fields,
            },
            (KeyCode::BackTab, _) => form.focus = (form.focus + fields - 1) % fields,
            _ => {
                let several = form.focused().is_some_and(|f| f.input.has_several_lines());
                match key.code {
                    KeyCode::Enter if !several => return self.save(form),
                    KeyCode::Down if !several => form.focus = (form.focus + 1).min(fields - 1),
                    KeyCode::Up if !several => form.focus = form.focus.saturating_sub(1),
                    _ => {
                        if let Some(field) = form.focused() {
                            field.input.press(key);
                        }
                    }
                }
            }
        }
        form.offer = self.offer_in_form(&form);
        self.layers.push(Layer::Form(form));
        Vec::new()
    }

    /// A paste is text where there is something to type into, and nothing elsewhere.
    fn paste(&mut self, text: &str) {
        let typing: Option<&mut TextInput> = match self.layers.last_mut() {
            Some(Layer::Menu(menu)) => Some(&mut menu.input),
            Some(Layer::Form(form)) => form.focused().map(|field| &mut field.input),
            Some(Layer::Prompt(prompt)) => Some(&mut prompt.input),
            Some(Layer::Confirm(_)) => None,
            None => self.typing_filter.as_mut(),
        };
        match typing {
            Some(input) => input.insert(text),
            None => self.say(
                Tone::Warning,
                "a paste was ignored: nothing is being typed (n makes a task)",
            ),
        }
        if let Some(Layer::Menu(menu)) = self.layers.last_mut() {
            menu.narrow();
        } else if let Some(Layer::Prompt(mut prompt)) = self.layers.pop_if(is_prompt) {
            prompt.offers = self.offers(&prompt);
            self.layers.push(Layer::Prompt(prompt));
        } else if self.layers.is_empty()
            && let Some(input) = &self.typing_filter
        {
            let query = Query::parse_loosely(input.text());
            self.set_query(query);
        }
    }

    fn edited(&mut self, id: &TaskId, text: Result<String, String>) -> Vec<Effect> {
        match text {
            Ok(text) => {
                let now = self.list.get(id).map(|task| task.description.clone());
                // Editors end a file with a line break that the description did not have.
                let text = match &now {
                    Some(now) if !now.ends_with('\n') => {
                        text.strip_suffix('\n').unwrap_or(&text).to_owned()
                    }
                    _ => text,
                };
                if now.as_ref() == Some(&text) {
                    return Vec::new();
                }
                self.edit(id, vec![Edit::text(Field::Description, &text)])
            }
            Err(why) => {
                self.say(Tone::Error, why);
                Vec::new()
            }
        }
    }

    /// Edits one task.
    pub(super) fn edit(&mut self, id: &TaskId, edits: Vec<Edit>) -> Vec<Effect> {
        self.act(Op::Update {
            ids: vec![id.clone()],
            patch: Patch { edits },
            force: true,
        })
    }
}

fn is_prompt(layer: &mut Layer) -> bool {
    matches!(layer, Layer::Prompt(_))
}
