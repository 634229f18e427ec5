use std::collections::BTreeSet;

use super::*;

#[test]
fn every_key_of_the_table_is_a_key_and_means_one_thing() {
    let mut taken: Vec<Vec<Key>> = Vec::new();
    for command in COMMANDS {
        for keys in command.keys {
            let sequence: Vec<Key> = keys.split(' ').map(|k| k.parse().unwrap()).collect();
            for other in &taken {
                let clash = other.starts_with(&sequence) || sequence.starts_with(other);
                assert!(!clash, "{keys} of {} is taken", command.name);
            }
            taken.push(sequence);
        }
    }
}

#[test]
fn names_are_unique_and_every_command_has_a_key_and_a_sentence() {
    let names: BTreeSet<&str> = COMMANDS.iter().map(|c| c.name).collect();
    assert_eq!(names.len(), COMMANDS.len());
    for command in COMMANDS {
        assert!(
            !command.keys.is_empty() && command.doc.ends_with('.'),
            "{}",
            command.name
        );
    }
}

#[test]
fn keys_are_written_as_they_are_read() {
    for text in [
        "j",
        "J",
        "enter",
        "ctrl-d",
        "alt-x",
        "f1",
        "space",
        "ctrl-alt-p",
        "é",
    ] {
        assert_eq!(text.parse::<Key>().unwrap().to_string(), text);
    }
    assert!("ctrl-".parse::<Key>().is_err());
    assert!("nokey".parse::<Key>().is_err());
}

#[test]
fn a_prefix_offers_what_may_follow() {
    let keymap = Keymap::default();
    let g: Key = "g".parse().unwrap();
    match keymap.find(&[g]) {
        Found::Prefix(next) => assert!(next.iter().any(|(_, id)| *id == CommandId::GraphPane)),
        other => panic!("{other:?}"),
    }
    assert_eq!(keymap.find(&[g, g]), Found::Command(CommandId::GraphPane));
    assert_eq!(keymap.find(&[g, "q".parse().unwrap()]), Found::Nothing);
}

#[test]
fn nothing_that_writes_is_available_when_read_only() {
    let now = Situation {
        selected: true,
        read_only: true,
        can_undo: true,
        blocked: true,
        ..Situation::default()
    };
    for command in COMMANDS.iter().filter(|c| c.group == Group::Edit) {
        assert!((command.available)(&now).is_err(), "{}", command.name);
    }
}
