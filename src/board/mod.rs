//! The board as a pure state machine: messages in, effects out. No clock, no disk, no terminal.

mod act;
mod attention;
mod columns;
mod commands;
mod create;
mod filters;
mod form;
mod glance;
mod graph_job;
mod graph_keys;
mod graph_pane;
mod history;
mod layer;
mod lists;
mod marks;
mod menus;
mod model;
mod mouse;
mod owners;
mod problems;
mod prompt;
mod refresh;
mod sizes;
mod sorting;
mod steer;
mod text_input;
mod tree;
mod update;
mod vanished;
mod watching;
mod workers;

#[cfg(test)]
mod tests;

pub use attention::Attention;
pub use columns::{Column, Lane, View};
pub use form::{Form, FormField, What};
pub use glance::Glance;
pub use graph_job::{LaidOut, LayoutJob};
pub use graph_pane::{GraphPane, Lens};
pub use history::History;
pub use layer::{About, Action, Choice, Confirm, Layer, Menu, More};
pub use lists::Lists;
pub use marks::Marks;
pub use model::{Freshness, Model, Notice, Pane, Place, Tone};
pub use mouse::{Mouse, MouseAt};
pub use owners::Doing;
pub use prompt::{Offer, Prompt, PromptFor};
pub use sizes::{Edge, ROOM_BELOW};
pub use sorting::{Sort, Sorting};
pub use text_input::TextInput;
pub use tree::Branch;
pub use update::{Effect, Message, Outcome, update};
pub use vanished::Vanished;
pub use watching::{Away, Happened};
pub use workers::TaskLog;
