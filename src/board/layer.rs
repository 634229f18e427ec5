use std::path::PathBuf;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::{Form, Prompt, TextInput};
use crate::command::CommandId;
use crate::list::Op;
use crate::run::Claimed;
use crate::store::doctor::Finding;
use crate::task::TaskId;

/// Something that lies over the board and takes the keys.
#[derive(Debug)]
pub enum Layer {
    /// A list to choose from: pickers, the palette, help.
    Menu(Menu),
    /// The fields of a task.
    Form(Box<Form>),
    /// A question about one thing that happens.
    Confirm(Confirm),
    /// A line to type, or several.
    Prompt(Prompt),
}

/// A list to choose from, narrowed by typing.
#[derive(Debug)]
pub struct Menu {
    /// What it is about.
    pub title: String,
    /// What is typed.
    pub input: TextInput,
    /// The choice with the cursor, counted among those shown.
    pub cursor: usize,
    /// The choices that fit what is typed, best first.
    pub shown: Vec<usize>,
    /// All choices.
    pub choices: Vec<Choice>,
    /// What there is to say about each choice below the menu; empty where nothing is.
    pub more: Vec<More>,
    /// The keys that are told at the edge.
    pub hint: &'static str,
    /// Whether it shows what changes by itself.
    pub about: About,
}

/// More about one choice of a menu.
#[derive(Debug, Clone, Default)]
pub struct More {
    /// A sentence or two.
    pub text: String,
    /// What ctrl-r does with it.
    pub also: Option<Action>,
}

/// What a menu shows, where that changes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum About {
    /// Nothing that changes.
    #[default]
    Fixed,
    /// What wants a person's eye.
    Attention,
    /// What is wrong in the list.
    Problems,
    /// All lists.
    Lists,
    /// The workers of `run`.
    Workers,
}

/// One line of a menu.
#[derive(Debug, Clone)]
pub struct Choice {
    /// What it is.
    pub label: String,
    /// What there is to say about it: a key, a state.
    pub detail: String,
    /// Why it cannot be chosen now.
    pub off: Option<&'static str>,
    /// What choosing it does.
    pub action: Action,
}

/// What a choice or a yes does.
#[derive(Debug, Clone)]
pub enum Action {
    /// Runs a command.
    Run(CommandId),
    /// Selects a task.
    Select(TaskId),
    /// Selects a task, marks nothing, and runs a command on it.
    RunOn(TaskId, CommandId),
    /// Carries a wish out.
    Act(Op),
    /// Shows only what fits a filter.
    Filter(String),
    /// Asks for the name under which the filter is saved.
    NameFilter,
    /// Asks first.
    Ask(Box<Confirm>),
    /// Clears what a writer left behind.
    Clear(Box<Finding>),
    /// Opens the list in this folder.
    Open(PathBuf),
    /// Ends a worker.
    StopWorker(Box<Claimed>),
    /// Gives the tasks of runners that are gone back.
    GiveBack,
    /// Has the runner under the board work on so many tasks at a time.
    Jobs(usize),
    /// Closes the layer and does nothing more.
    Nothing,
}

/// A question about one thing that happens.
#[derive(Debug, Clone)]
pub struct Confirm {
    /// What happens.
    pub title: String,
    /// What follows from it, line by line.
    pub lines: Vec<String>,
    /// The answer `y`.
    pub yes: Action,
}

impl Choice {
    /// A choice that can be taken, with nothing more to say about it.
    pub fn new(label: impl Into<String>, action: Action) -> Choice {
        Choice {
            label: label.into(),
            detail: String::new(),
            off: None,
            action,
        }
    }
}

impl Menu {
    /// A menu with everything shown.
    pub fn new(title: impl Into<String>, choices: Vec<Choice>) -> Menu {
        let shown = (0..choices.len()).collect();
        Menu {
            title: title.into(),
            input: TextInput::default(),
            cursor: 0,
            shown,
            choices,
            more: Vec::new(),
            hint: "type to search · enter · esc",
            about: About::Fixed,
        }
    }

    /// More about the choice with the cursor.
    pub fn chosen_more(&self) -> Option<&More> {
        self.more.get(*self.shown.get(self.cursor)?)
    }

    /// Takes over fresh choices; what is typed and the place of the cursor stay.
    pub(super) fn replace(&mut self, fresh: Menu) {
        let (input, cursor) = (std::mem::take(&mut self.input), self.cursor);
        *self = fresh;
        self.input = input;
        if !self.input.text().is_empty() {
            self.narrow();
        }
        self.cursor = cursor.min(self.shown.len().saturating_sub(1));
    }

    /// The choice with the cursor.
    pub fn chosen(&self) -> Option<&Choice> {
        self.choices.get(*self.shown.get(self.cursor)?)
    }

    /// Moves the cursor; it stops at the ends.
    pub(super) fn step(&mut self, by: isize) {
        let last = self.shown.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
    }

    /// Narrows to what fits what is typed, by fzf's rules; equal ones keep their order.
    pub(super) fn narrow(&mut self) {
        let typed = self.input.text();
        let pattern = Pattern::parse(typed, CaseMatching::Smart, Normalization::Smart);
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut letters = Vec::new();
        let mut scored: Vec<(u32, usize)> = Vec::new();
        for (place, choice) in self.choices.iter().enumerate() {
            let text = format!("{} {}", choice.label, choice.detail);
            if let Some(score) = pattern.score(Utf32Str::new(&text, &mut letters), &mut matcher) {
                scored.push((score, place));
            }
        }
        scored.sort_by_key(|(score, place)| (std::cmp::Reverse(*score), *place));
        self.shown = scored.into_iter().map(|(_, place)| place).collect();
        self.cursor = 0;
    }
}
