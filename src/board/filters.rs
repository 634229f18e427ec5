use super::{Action, Choice, Layer, Menu, Model, Prompt, PromptFor, TextInput, Tone};
use crate::task::TaskId;

impl Model {
    /// Whether the filter leaves a task out.
    pub fn is_hidden(&self, id: &TaskId) -> bool {
        let task = self.list.get(id);
        !self.query.is_empty() && !task.is_some_and(|task| self.query.matches(&self.list, task))
    }

    /// The saved filters to choose from, and the filter that is set to save.
    pub(super) fn open_filters(&mut self) {
        let saved = self.state.filters();
        let mut choices: Vec<Choice> = saved
            .into_iter()
            .map(|(name, filter)| Choice {
                detail: filter.clone(),
                ..Choice::new(name, Action::Filter(filter))
            })
            .collect();
        let now = self.query.to_string();
        choices.push(Choice {
            detail: now.clone(),
            off: now.is_empty().then_some("/ sets a filter first"),
            ..Choice::new("save the filter that is set", Action::NameFilter)
        });
        self.layers
            .push(Layer::Menu(Menu::new("Saved filters", choices)));
    }

    pub(super) fn ask_for_filter_name(&mut self) {
        let title = format!("Save “{}” as", self.query);
        let prompt = Prompt::new(title, TextInput::line(""), PromptFor::FilterName);
        self.layers.push(Layer::Prompt(prompt));
    }

    pub(super) fn save_filter(&mut self, name: &str) {
        if !name.is_empty() {
            self.state.keep_filter(name, &self.query.to_string());
            self.say(Tone::Done, format!("saved as “{name}”: S finds it"));
        }
    }
}
