use ratatui::crossterm::event::KeyCode;

use super::{Effect, Form, Layer, Model, TextInput, What};
use crate::command::Key;
use crate::task::{Edit, Field, Json, Status, TaskId};
use crate::text::clean_line;

/// So many offers are shown below a prompt.
const OFFERS: usize = 6;

/// A line to type, or several.
#[derive(Debug)]
pub struct Prompt {
    /// What is asked for.
    pub title: String,
    /// What is typed.
    pub input: TextInput,
    /// What it is for.
    pub what: PromptFor,
    /// What would complete the word with the cursor.
    pub offers: Vec<Offer>,
    /// The offer that `tab` takes.
    pub offer: usize,
}

/// Something that completes what is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// What it is, for people.
    pub label: String,
    /// What takes the place of the word with the cursor.
    pub word: String,
}

/// What a typed line is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptFor {
    /// The owner of tasks.
    Owner(Vec<TaskId>),
    /// A new task in one line.
    NewTask,
    /// What takes a task's place, one line each.
    Parts(TaskId),
    /// The name under which the filter is saved.
    FilterName,
}

impl Prompt {
    /// A prompt without offers.
    pub fn new(title: impl Into<String>, input: TextInput, what: PromptFor) -> Prompt {
        Prompt {
            title: title.into(),
            input,
            what,
            offers: Vec::new(),
            offer: 0,
        }
    }

    /// The keys that end it, for its lower edge.
    pub fn hint(&self) -> &'static str {
        match (self.input.has_several_lines(), self.offers.is_empty()) {
            (true, _) => "> waits for the line above · ctrl-s saves · esc",
            (false, true) => "enter · esc",
            (false, false) => "tab completes · enter · ctrl-s as typed · esc",
        }
    }
}

impl Model {
    pub(super) fn press_in_prompt(&mut self, mut prompt: Prompt, key: Key) -> Vec<Effect> {
        let several = prompt.input.has_several_lines();
        let last = prompt.offers.len().saturating_sub(1);
        match (key.code, key.ctrl) {
            (KeyCode::Esc, _) => return Vec::new(),
            (KeyCode::Enter, _) if !several => {
                let owner = matches!(prompt.what, PromptFor::Owner(_));
                let typed = !prompt.input.text().trim().is_empty();
                // What is typed is the start of a name: like in every other list, enter chooses.
                if let (true, true, Some(offer)) = (owner, typed, prompt.offers.get(prompt.offer)) {
                    prompt.input = TextInput::line(&offer.word);
                }
                return self.answer(prompt);
            }
            (KeyCode::Char('s'), true) => return self.answer(prompt),
            (KeyCode::Tab, _) => {
                if let Some(offer) = prompt.offers.get(prompt.offer) {
                    let at = self.word_to_complete(&prompt);
                    prompt.input.replace(at, &format!("{} ", offer.word));
                }
            }
            (KeyCode::Down, _) if !several => prompt.offer = (prompt.offer + 1).min(last),
            (KeyCode::Up, _) if !several => prompt.offer = prompt.offer.saturating_sub(1),
            _ => {
                prompt.input.press(key);
            }
        }
        self.offer_for(&mut prompt, key);
        self.layers.push(Layer::Prompt(prompt));
        Vec::new()
    }

    fn answer(&mut self, prompt: Prompt) -> Vec<Effect> {
        match prompt.what.clone() {
            PromptFor::NewTask => self.quick_add(prompt),
            PromptFor::Parts(id) => self.split(prompt, id),
            PromptFor::FilterName => {
                self.save_filter(prompt.input.text().trim());
                Vec::new()
            }
            PromptFor::Owner(ids) => {
                let text = prompt.input.text().trim();
                let owner = (!text.is_empty()).then(|| Json::string(text));
                let edits = vec![Edit::Set(Field::Owner, owner)];
                let edits = ids.into_iter().map(|id| (id, edits.clone()));
                self.edit_with_care(edits.collect())
            }
        }
    }

    /// Works the offers out anew, unless the key only went through them.
    pub(super) fn offer_for(&self, prompt: &mut Prompt, key: Key) {
        if matches!(key.code, KeyCode::Down | KeyCode::Up) && !prompt.offers.is_empty() {
            return;
        }
        prompt.offer = 0;
        prompt.offers = self.offers(prompt);
    }

    fn word_to_complete(&self, prompt: &Prompt) -> std::ops::Range<usize> {
        let cursor = prompt.input.cursor();
        let before = prompt.input.text().get(..cursor).unwrap_or_default();
        let start = match prompt.what {
            PromptFor::Owner(_) => 0,
            _ => before.rfind(char::is_whitespace).map_or(0, |at| {
                at + before[at..].chars().next().map_or(1, char::len_utf8)
            }),
        };
        start..cursor
    }

    pub(super) fn offers(&self, prompt: &Prompt) -> Vec<Offer> {
        let text = prompt.input.text();
        let word = text.get(self.word_to_complete(prompt)).unwrap_or_default();
        match (&prompt.what, word.chars().next()) {
            (PromptFor::Owner(_), _) => self.owners_like("", word),
            (_, Some('@')) => self.owners_like("@", &word[1..]),
            (_, Some('>' | '<')) => self.tasks_like(&word[..1], &word[1..]),
            (_, Some('#')) => ["high", "medium", "low"]
                .iter()
                .filter(|p| p.starts_with(&word[1..]) && **p != &word[1..])
                .map(|p| Offer {
                    label: format!("#{p}"),
                    word: format!("#{p}"),
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// What completes the word with the cursor in a form; nothing where nothing is typed yet.
    pub(super) fn offer_in_form(&self, form: &Form) -> Option<Offer> {
        let field = form.fields.get(form.focus)?;
        let word = word_before(field.input.text(), field.input.cursor());
        if word.is_empty() {
            return None;
        }
        let offers = match field.what {
            What::Field(Field::Owner) => self.owners_like("", field.input.text()),
            What::WaitsFor | What::Field(Field::ParentId) => self.tasks_like("", word),
            _ => Vec::new(),
        };
        let known = |offer: &Offer| {
            form.task
                .as_ref()
                .is_none_or(|own| offer.word != own.as_str())
        };
        offers.into_iter().find(known)
    }

    /// Owners that tasks have, those that begin with what is typed.
    fn owners_like(&self, mark: &str, typed: &str) -> Vec<Offer> {
        let typed = typed.to_lowercase();
        let mut owners: Vec<&str> = self
            .list
            .tasks()
            .filter_map(|task| task.owner.as_deref())
            .filter(|owner| owner.to_lowercase().starts_with(&typed) && *owner != typed)
            .filter(|owner| mark.is_empty() || !owner.contains(char::is_whitespace))
            .collect();
        owners.sort_unstable();
        owners.dedup();
        let offer = |owner: &&str| Offer {
            label: clean_line(owner).into_owned(),
            word: format!("{mark}{owner}"),
        };
        owners.iter().take(OFFERS).map(offer).collect()
    }

    /// Open tasks whose subject holds what is typed, or whose id begins with it.
    fn tasks_like(&self, mark: &str, typed: &str) -> Vec<Offer> {
        let typed = typed.to_lowercase();
        let open = |status: &Status| !status.is_closed();
        self.list
            .ordered()
            .into_iter()
            .filter(|task| open(&task.status) && task.id.as_str() != typed)
            .filter(|task| {
                let id = task.id.as_str().to_lowercase();
                task.subject.to_lowercase().contains(&typed) || id.starts_with(&typed)
            })
            .take(OFFERS)
            .map(|task| Offer {
                label: format!("{}  {}", clean_line(&task.subject), task.id.short()),
                word: format!("{mark}{}", task.id),
            })
            .collect()
    }
}

/// The word that ends at a place of a text.
pub(super) fn word_before(text: &str, cursor: usize) -> &str {
    let before = text.get(..cursor).unwrap_or_default();
    before
        .rsplit(|c: char| c.is_whitespace() || c == ',')
        .next()
        .unwrap_or_default()
}
