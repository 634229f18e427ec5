use ratatui::crossterm::event::KeyCode;

use super::keymap::{Binding, written};
use super::{COMMANDS, CommandId, Key, Keymap};
use crate::state::config::{Fault, KeyEntry};

impl Keymap {
    /// The defaults with the keys that a person wrote over them, and what is wrong with those.
    ///
    /// An entry replaces all keys of its command. Where a written key is already the default of
    /// another command, or one of them begins the other, the written one holds and the other
    /// command is named; between two written ones the first holds.
    pub fn remapped(entries: &[KeyEntry]) -> (Keymap, Vec<Fault>) {
        let mut faults = Vec::new();
        let mut written: Vec<Binding> = Vec::new();
        let mut replaced: Vec<CommandId> = Vec::new();
        for entry in entries {
            match read_entry(entry, &written) {
                Ok((id, bindings, mut wrong)) => {
                    // An entry of which nothing can be used leaves the command its defaults.
                    if !bindings.is_empty() || entry.keys.is_empty() {
                        replaced.push(id);
                        written.extend(bindings);
                    }
                    faults.append(&mut wrong);
                }
                Err(fault) => faults.push(fault),
            }
        }
        let kept = Keymap::default().bindings().to_vec().into_iter();
        let kept = kept.filter(|default| !replaced.contains(&default.id));
        let (lost, kept): (Vec<Binding>, Vec<Binding>) =
            kept.partition(|default| written.iter().any(|own| clash(own, default)));
        for own in &written {
            let lost = lost.iter().filter(|default| clash(own, default));
            faults.extend(taken_from(own, &lost.collect::<Vec<_>>()));
        }
        written.extend(kept);
        (Keymap::of(written), faults)
    }

    /// The line of the configuration that gave a command its keys; `None` where they are the
    /// defaults.
    pub fn line_of(&self, id: CommandId) -> Option<usize> {
        self.bindings().iter().find(|bound| bound.id == id)?.line
    }
}

type Read = (CommandId, Vec<Binding>, Vec<Fault>);

fn read_entry(entry: &KeyEntry, before: &[Binding]) -> Result<Read, Fault> {
    let line = entry.line;
    let known = COMMANDS.iter().find(|c| c.name == entry.command);
    let id = known.map(|command| command.id).ok_or_else(|| {
        let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
        Fault::unknown(line, "command", &entry.command, &names)
    })?;
    let (mut bindings, mut faults) = (Vec::<Binding>::new(), Vec::new());
    for text in &entry.keys {
        let keys = match sequence(text) {
            Ok(keys) => keys,
            Err(why) => {
                faults.push(Fault::at(line, why));
                continue;
            }
        };
        let own = Binding {
            keys,
            id,
            line: Some(line),
        };
        let earlier = before.iter().chain(&bindings).find(|b| clash(b, &own));
        match earlier {
            None => bindings.push(own),
            Some(earlier) if *earlier == own => {}
            Some(earlier) => faults.push(twice(&own, earlier)),
        }
    }
    Ok((id, bindings, faults))
}

/// Keys with spaces between, or why they are none.
fn sequence(text: &str) -> Result<Vec<Key>, String> {
    let keys: Result<Vec<Key>, _> = text.split_whitespace().map(str::parse::<Key>).collect();
    let keys = keys.map_err(|error| error.to_string())?;
    let leave = Key {
        ctrl: true,
        ..Key::plain(KeyCode::Char('c'))
    };
    match keys.as_slice() {
        [] => Err("an empty text is no key; [] leaves a command without one".to_owned()),
        keys if keys.contains(&Key::plain(KeyCode::Esc)) => {
            Err("`esc` always takes one step back and cannot be given away".to_owned())
        }
        [key] if *key == leave => Ok(keys),
        keys if keys.contains(&leave) => {
            Err("`ctrl-c` always leaves and cannot begin or end anything else".to_owned())
        }
        _ => Ok(keys),
    }
}

/// Whether two bindings cannot both be pressed.
fn clash(a: &Binding, b: &Binding) -> bool {
    a.keys.starts_with(&b.keys) || b.keys.starts_with(&a.keys)
}

fn name(id: CommandId) -> &'static str {
    super::command(id).name
}

fn twice(own: &Binding, earlier: &Binding) -> Fault {
    let (keys, other) = (written(&own.keys), name(earlier.id));
    let line = earlier.line.unwrap_or_default();
    let how = match own.keys == earlier.keys {
        true => format!("`{keys}` is already `{other}` (line {line})"),
        false => format!(
            "`{keys}` and `{}` of `{other}` (line {line}) cannot both be pressed",
            written(&earlier.keys)
        ),
    };
    Fault::at(own.line.unwrap_or_default(), how).hint("the first one holds")
}

/// Names what loses its default key to a written one.
fn taken_from(own: &Binding, lost: &[&Binding]) -> Option<Fault> {
    let first = lost.first()?;
    let (keys, other) = (written(&own.keys), name(first.id));
    let line = own.line.unwrap_or_default();
    let message = match lost {
        [only] if only.keys == own.keys => format!("`{keys}` was the key of `{other}`"),
        [only] => format!(
            "`{keys}` stands in the way of `{}`, the key of `{other}`",
            written(&only.keys)
        ),
        several => format!(
            "`{keys}` stands in the way of {} default keys, such as `{}` of `{other}`",
            several.len(),
            written(&first.keys)
        ),
    };
    let hint = format!("give `{other}` another key, or none: {other} = []");
    Some(Fault::at(line, message).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::super::Found;
    use super::*;

    fn entries(lines: &[(&str, &[&str])]) -> Vec<KeyEntry> {
        let entry = |(line, (command, keys)): (usize, &(&str, &[&str]))| KeyEntry {
            command: (*command).to_owned(),
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            line,
        };
        (1..).zip(lines).map(entry).collect()
    }

    fn found(keymap: &Keymap, keys: &str) -> Found {
        let keys: Vec<Key> = keys.split(' ').map(|key| key.parse().unwrap()).collect();
        keymap.find(&keys)
    }

    fn said(lines: &[(&str, &[&str])]) -> Vec<String> {
        let (_, faults) = Keymap::remapped(&entries(lines));
        let say = |fault: &Fault| format!("{}: {fault}", fault.line.unwrap());
        faults.iter().map(say).collect()
    }

    #[test]
    fn written_keys_replace_the_defaults_of_their_command_and_nothing_else() {
        let lines: &[(&str, &[&str])] =
            &[("delete", &["X", "g X"]), ("new", &[]), ("down", &["j"])];
        let (keymap, faults) = Keymap::remapped(&entries(lines));
        assert_eq!(faults, []);
        assert_eq!(found(&keymap, "X"), Found::Command(CommandId::Delete));
        assert_eq!(found(&keymap, "g X"), Found::Command(CommandId::Delete));
        assert_eq!(found(&keymap, "d"), Found::Nothing);
        assert_eq!(found(&keymap, "n"), Found::Nothing);
        assert_eq!(found(&keymap, "down"), Found::Nothing);
        assert_eq!(found(&keymap, "k"), Found::Command(CommandId::Up));
        assert_eq!(keymap.line_of(CommandId::Delete), Some(1));
        assert_eq!(keymap.line_of(CommandId::Up), None);
    }

    #[test]
    fn keys_can_change_places() {
        assert!(said(&[("delete", &["x"]), ("unblock", &["d"])]).is_empty());
    }

    #[test]
    fn conflicts_are_named() {
        for (lines, wanted) in [
            (
                &[("delete", &["x"][..])][..],
                "1: `x` was the key of `unblock`; give `unblock` another key, or none: unblock = []",
            ),
            (
                &[("delete", &["X"][..]), ("split", &["X"])],
                "2: `X` is already `delete` (line 1); the first one holds",
            ),
            (
                &[("delete", &["X"][..]), ("split", &["X y"])],
                "2: `X y` and `X` of `delete` (line 1) cannot both be pressed; the first one holds",
            ),
            (
                &[("delte", &["X"][..])],
                "1: there is no command `delte`; did you mean `delete`?",
            ),
            (
                &[("delete", &["del"][..])],
                "1: `del` is no key; write j, J, enter, tab, space, ctrl-d, alt-x or f1",
            ),
            (
                &[("delete", &["esc"][..])],
                "1: `esc` always takes one step back and cannot be given away",
            ),
        ] {
            assert_eq!(said(lines), [wanted], "{lines:?}");
        }
    }

    #[test]
    fn a_key_that_begins_sequences_holds_and_says_what_it_costs() {
        let lines: &[(&str, &[&str])] = &[("delete", &["g"])];
        let (keymap, faults) = Keymap::remapped(&entries(lines));
        assert_eq!(found(&keymap, "g"), Found::Command(CommandId::Delete));
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].message.contains("stands in the way of"));
    }

    #[test]
    fn an_entry_of_which_nothing_can_be_used_leaves_the_defaults() {
        let lines: &[(&str, &[&str])] = &[("delete", &["nokey"])];
        let (keymap, faults) = Keymap::remapped(&entries(lines));
        assert_eq!(faults.len(), 1);
        assert_eq!(found(&keymap, "d"), Found::Command(CommandId::Delete));
    }
}
