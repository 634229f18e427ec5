//! One table of the board's commands: keymap, hints, help, palette and key docs come from it. A
//! key has one meaning in all panes (DESIGN decision 19).

mod key;
mod keymap;
mod remap;
mod table;
#[cfg(test)]
mod tests;

pub use key::{BadKey, Key};
pub use keymap::{Found, Keymap};
pub use table::{COMMANDS, CommandId};

/// One thing that the board can do.
#[derive(Debug)]
pub struct Command {
    /// Which.
    pub id: CommandId,
    /// The name in configuration and palette.
    pub name: &'static str,
    /// A word or two for hints.
    pub title: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// Where it stands in help.
    pub group: Group,
    /// The default keys, in the notation of [`Key`], several ones with a space between.
    pub keys: &'static [&'static str],
    /// Whether it can be done now, and why not.
    pub available: fn(&Situation) -> Result<(), &'static str>,
}

/// The chapters of help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Going about.
    Move,
    /// Changing tasks.
    Edit,
    /// What is shown.
    View,
    /// The dependency graph.
    Graph,
    /// The program.
    Program,
}

impl Group {
    /// All chapters in order.
    pub const ALL: [Group; 5] = [
        Group::Move,
        Group::Edit,
        Group::View,
        Group::Graph,
        Group::Program,
    ];

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Group::Move => "Move",
            Group::Edit => "Edit",
            Group::View => "View",
            Group::Graph => "Graph",
            Group::Program => "Program",
        }
    }
}

/// What the availability of commands depends on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Situation {
    /// A task is selected.
    pub selected: bool,
    /// The selected task waits for something.
    pub blocked: bool,
    /// Its file cannot be read now.
    pub unreadable: bool,
    /// It is completed or deleted.
    pub closed: bool,
    /// It is deleted.
    pub deleted: bool,
    /// The selected card is that of a task whose file is gone.
    pub vanished: bool,
    /// How many tasks are marked.
    pub marked: usize,
    /// Nothing may be written.
    pub read_only: bool,
    /// There is something to undo.
    pub can_undo: bool,
    /// There is something to redo.
    pub can_redo: bool,
    /// There is an edit to look at.
    pub edited: bool,
    /// Something changed while nobody looked.
    pub changed_while_away: bool,
    /// A filter is set.
    pub filtered: bool,
}

/// A command by its id.
pub fn command(id: CommandId) -> &'static Command {
    COMMANDS
        .iter()
        .find(|command| command.id == id)
        .unwrap_or(&COMMANDS[0])
}
