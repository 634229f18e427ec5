//! What keys and pastes mean: to the board, and to what lies over it.

use ratatui::crossterm::event::KeyCode;

use super::{About, Action, Confirm, Effect, Form, Layer, Marks, Menu, Model, TextInput, Tone};
use crate::command::{Found, Key};
use crate::list::{Op, Query};
use crate::task::{Edit, Field, Patch, TaskId};

impl Model {
    pub(super) fn press(&mut self, key: Key) -> Vec<Effect> {
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
                    if matches!(menu.about, About::Attention | About::Problems) {
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
            Action::Clear(finding) => vec![Effect::Clear(finding)],
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
    pub(super) fn paste(&mut self, text: &str) {
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

    pub(super) fn edited(&mut self, id: &TaskId, text: Result<String, String>) -> Vec<Effect> {
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
