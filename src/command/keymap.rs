use super::{COMMANDS, Command, CommandId, Key};

/// Which keys do what: the defaults of the table.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<(Vec<Key>, CommandId)>,
}

/// What a sequence of keys means so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// This command.
    Command(CommandId),
    /// The beginning of these: the next key, and what it then does.
    Prefix(Vec<(Key, CommandId)>),
    /// Nothing.
    Nothing,
}

impl Default for Keymap {
    fn default() -> Keymap {
        let of = |command: &'static Command| {
            command.keys.iter().map(|keys| (sequence(keys), command.id))
        };
        Keymap {
            bindings: COMMANDS.iter().flat_map(of).collect(),
        }
    }
}

/// Keys with spaces between; what is no key is left out (a test holds that there is none).
fn sequence(keys: &str) -> Vec<Key> {
    keys.split(' ').filter_map(|key| key.parse().ok()).collect()
}

impl Keymap {
    /// What a sequence of keys means.
    pub fn find(&self, keys: &[Key]) -> Found {
        if let Some((_, id)) = self.bindings.iter().find(|(bound, _)| bound == keys) {
            return Found::Command(*id);
        }
        let after = self
            .bindings
            .iter()
            .filter(|(bound, _)| bound.starts_with(keys));
        let next: Vec<(Key, CommandId)> = after
            .filter_map(|(bound, id)| Some((*bound.get(keys.len())?, *id)))
            .collect();
        if next.is_empty() {
            Found::Nothing
        } else {
            Found::Prefix(next)
        }
    }

    /// The first binding of a command, for hints.
    pub fn key_of(&self, id: CommandId) -> String {
        let bound = self.bindings.iter().find(|(_, command)| *command == id);
        bound.map_or_else(String::new, |(keys, _)| written(keys))
    }

    /// All bindings of a command, for help.
    pub fn keys_of(&self, id: CommandId) -> Vec<String> {
        let bound = self.bindings.iter().filter(|(_, command)| *command == id);
        bound.map(|(keys, _)| written(keys)).collect()
    }
}

fn written(keys: &[Key]) -> String {
    keys.iter()
        .map(Key::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}
