use super::{COMMANDS, Command, CommandId, Key};

/// Which keys do what: the defaults of the table, and over them what the person wrote.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

/// A sequence of keys and what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Binding {
    pub(super) keys: Vec<Key>,
    pub(super) id: CommandId,
    /// The line of the configuration that it comes from; `None` for a default.
    pub(super) line: Option<usize>,
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
            command.keys.iter().map(|keys| Binding {
                keys: sequence(keys),
                id: command.id,
                line: None,
            })
        };
        Keymap::of(COMMANDS.iter().flat_map(of).collect())
    }
}

/// Keys with spaces between; what is no key is left out (a test holds that there is none).
fn sequence(keys: &str) -> Vec<Key> {
    keys.split(' ').filter_map(|key| key.parse().ok()).collect()
}

impl Keymap {
    pub(super) fn of(bindings: Vec<Binding>) -> Keymap {
        Keymap { bindings }
    }

    pub(super) fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// What a sequence of keys means.
    pub fn find(&self, keys: &[Key]) -> Found {
        if let Some(found) = self.bindings.iter().find(|bound| bound.keys == keys) {
            return Found::Command(found.id);
        }
        let after = self
            .bindings
            .iter()
            .filter(|bound| bound.keys.starts_with(keys));
        let next: Vec<(Key, CommandId)> = after
            .filter_map(|bound| Some((*bound.keys.get(keys.len())?, bound.id)))
            .collect();
        if next.is_empty() {
            Found::Nothing
        } else {
            Found::Prefix(next)
        }
    }

    /// The first binding of a command, for hints; empty when it has none.
    pub fn key_of(&self, id: CommandId) -> String {
        self.keys_of(id).into_iter().next().unwrap_or_default()
    }

    /// All bindings of a command, for help.
    pub fn keys_of(&self, id: CommandId) -> Vec<String> {
        let bound = self.bindings.iter().filter(|bound| bound.id == id);
        bound.map(|bound| written(&bound.keys)).collect()
    }
}

pub(super) fn written(keys: &[Key]) -> String {
    keys.iter()
        .map(Key::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}
