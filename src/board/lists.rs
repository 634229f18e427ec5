use std::path::{Path, PathBuf};

use super::{About, Action, Choice, Effect, Layer, Menu, Model, More, Tone};
use crate::store::discover::{Overview, PlanProgress};
use crate::text::{pad, width};

/// All lists that were found, for the screen of lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lists {
    /// Each summed up, the one that opens by default first.
    pub all: Vec<Overview>,
    /// OmO's active plan.
    pub plan: Option<PlanProgress>,
    /// The list that was open before this one.
    pub before: Option<PathBuf>,
}

/// Cells of a progress bar.
const BAR: usize = 10;

impl Model {
    /// Shows the lists that are known, and asks for news of them.
    pub(super) fn open_lists(&mut self) -> Vec<Effect> {
        let mut menu = self.lists_menu();
        let before = self.lists.before.as_ref();
        let last = self
            .lists
            .all
            .iter()
            .position(|list| Some(&list.place.dir) == before);
        menu.cursor = last.unwrap_or(0); // so that opening and enter go back and forth
        self.layers.push(Layer::Menu(menu));
        vec![Effect::FindLists]
    }

    /// Takes over what was found.
    pub(super) fn take_lists(&mut self, all: Vec<Overview>, plan: Option<PlanProgress>) {
        let first = self.lists.all.is_empty();
        self.lists.all = all;
        self.lists.plan = plan;
        self.refresh_menus();
        let before = self.lists.before.clone();
        if first && let Some(Layer::Menu(menu)) = self.layers.last_mut() {
            let last = |list: &Overview| Some(&list.place.dir) == before.as_ref();
            menu.cursor = self.lists.all.iter().position(last).unwrap_or(menu.cursor);
        }
    }

    /// Takes over from the board on another list what is the person's, not the list's.
    pub fn come_from(&mut self, before: &Model) {
        self.size = before.size;
        self.now_ms = before.now_ms;
        self.keymap = before.keymap.clone();
        self.mouse = before.mouse;
        self.lists = Lists {
            before: Some(before.place.dir.clone()),
            ..before.lists.clone()
        };
    }

    /// Says why something could not be done outside.
    pub fn say_error(&mut self, why: String) {
        self.say(Tone::Error, why);
    }

    /// Whether the screen of lists is open, so that news of them are wanted.
    pub fn shows_lists(&self) -> bool {
        let lists =
            |layer: &Layer| matches!(layer, Layer::Menu(menu) if menu.about == About::Lists);
        self.layers.iter().any(lists)
    }

    /// The menu of lists as they are known now.
    pub(super) fn lists_menu(&self) -> Menu {
        let lists = &self.lists;
        let names = names(&lists.all);
        let wide = names
            .iter()
            .map(|name| width(name))
            .max()
            .unwrap_or(0)
            .min(36);
        let choice = |(list, name): (&Overview, &String)| {
            let here = list.place.dir == self.place.dir;
            let mark = if here { "▶" } else { " " };
            let label = format!("{mark} {} {}", pad(name, wide), progress(list));
            Choice {
                detail: list.alive_in_words(self.now_ms),
                ..Choice::new(label, Action::Open(list.place.dir.clone()))
            }
        };
        let choices = lists.all.iter().zip(&names).map(choice).collect();
        let title = match &lists.plan {
            None => "Lists".to_owned(),
            Some(plan) => format!("Lists · {}", plan.in_words()),
        };
        let mut menu = Menu::new(title, choices);
        menu.about = About::Lists;
        menu.hint = "type to search · enter opens · esc";
        menu.more = lists.all.iter().map(more).collect();
        menu
    }

    /// Works the menus out anew that show what changes by itself; cursor and search stay.
    pub(super) fn refresh_menus(&mut self) {
        for at in 0..self.layers.len() {
            let fresh = match &self.layers[at] {
                Layer::Menu(menu) if menu.about == About::Attention => self.attention_menu(),
                Layer::Menu(menu) if menu.about == About::Problems => self.problems(),
                Layer::Menu(menu) if menu.about == About::Lists => self.lists_menu(),
                Layer::Menu(menu) if menu.about == About::Workers => self.workers_menu(),
                _ => continue,
            };
            if let Layer::Menu(menu) = &mut self.layers[at] {
                menu.replace(fresh);
            }
        }
    }
}

/// A name for each list; where two have the same, what their folders are called tells them apart.
fn names(lists: &[Overview]) -> Vec<String> {
    let plain: Vec<String> = lists.iter().map(name).collect();
    let named = |(list, name): (&Overview, &String)| {
        let twins = plain.iter().filter(|other| *other == name).count();
        match twins {
            1 => name.clone(),
            _ => format!("{name} · {}", tail(&list.place.dir)),
        }
    };
    lists.iter().zip(&plain).map(named).collect()
}

/// The last two parts of a path, as in `.omo/tasks`.
fn tail(dir: &Path) -> String {
    let parts: Vec<_> = dir.iter().map(|part| part.to_string_lossy()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

/// A list's title, else its id, else the folder's name.
fn name(list: &Overview) -> String {
    let place = &list.place;
    let parts = place.dir.iter().rev().map(|part| part.to_string_lossy());
    let mut telling = parts.filter(|part| part != "tasks" && !part.starts_with('.'));
    let name = place.title.clone().or_else(|| place.id.clone());
    let name = name.or_else(|| telling.next().map(|part| part.into_owned()));
    format!("{} · {}", name.unwrap_or_default(), list.dialect.agent())
}

fn progress(list: &Overview) -> String {
    if list.unreadable.is_some() {
        return "cannot be read".to_owned();
    }
    if list.total == 0 {
        return "empty".to_owned();
    }
    let full = list.done * BAR / list.total;
    format!(
        "{}{} {}/{}",
        "█".repeat(full),
        "░".repeat(BAR - full),
        list.done,
        list.total
    )
}

fn more(list: &Overview) -> More {
    let mut parts = vec![
        list.place.dir.display().to_string(),
        list.place.reason.clone(),
    ];
    if !list.working.is_empty() {
        parts.push(format!("at work: {}", list.working.join(", ")));
    }
    parts.extend(list.unreadable.clone());
    More {
        text: parts.join(" · "),
        also: None,
    }
}
