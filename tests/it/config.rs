//! The person's configuration: what is written holds, what is wrong is named, nothing is stopped.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn home(config: &str) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".config/taskdeck");
    fs::create_dir_all(folder.join("themes")).unwrap();
    fs::write(folder.join("config.toml"), config).unwrap();
    home
}

fn run(home: &Path, args: &[&str], env: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_taskdeck"))
        .current_dir(home)
        .args(args)
        .env_clear()
        .env("HOME", home)
        .envs(env.iter().copied())
        .output()
        .unwrap()
}

fn json(home: &Path, args: &[&str], env: &[(&str, &str)]) -> Value {
    let out = run(home, &[&["config", "--json"], args].concat(), env);
    let answer = serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    super::shapes::fits("config", &answer);
    answer
}

fn entry<'a>(answer: &'a Value, list: &str, key: &str, name: &str) -> &'a Value {
    let entries = answer[list].as_array().unwrap();
    entries.iter().find(|entry| entry[key] == name).unwrap()
}

#[test]
fn every_value_says_where_it_comes_from() {
    let home = home("theme = 'light'\nmouse = false\n[keys]\ndelete = 'X'\n");
    let answer = json(home.path(), &["--ascii"], &[("TASKDECK_THEME", "16")]);
    let setting = |name| entry(&answer, "settings", "name", name);
    assert_eq!(setting("theme")["value"], "16");
    assert_eq!(setting("theme")["source"], "environment");
    assert_eq!(setting("ascii")["source"], "flag");
    assert_eq!(setting("mouse")["source"], "file");
    assert_eq!(setting("mouse")["line"], 2);
    assert_eq!(setting("poll")["source"], "default");
    let delete = entry(&answer, "keys", "command", "delete");
    assert_eq!(
        (&delete["keys"][0], &delete["line"]),
        (&"X".into(), &4.into())
    );
    assert_eq!(
        entry(&answer, "keys", "command", "new")["source"],
        "default"
    );
}

#[test]
fn what_is_printed_can_be_the_file() {
    let home = home("");
    let printed = run(home.path(), &["config"], &[]);
    assert!(printed.status.success(), "{printed:?}");
    let text = String::from_utf8(printed.stdout).unwrap();
    fs::write(home.path().join("mine.toml"), text).unwrap();
    let answer = json(home.path(), &[], &[("TASKDECK_CONFIG", "mine.toml")]);
    assert_eq!(answer["problems"], Value::Array(Vec::new()));
    assert_eq!(
        entry(&answer, "settings", "name", "theme")["source"],
        "file"
    );
}

#[test]
fn what_is_wrong_is_named_with_file_line_and_suggestion_and_stops_nothing() {
    let home = home("theme = 'drak'\n\n[keys]\nundoo = 'Z'\nnew = 'u'\n");
    fs::write(
        home.path().join(".config/taskdeck/themes/sea.toml"),
        "[roles]\nreddy = 'red'",
    )
    .unwrap();
    let out = run(home.path(), &["config"], &[]);
    assert_eq!(out.status.code(), Some(1));
    let talk = String::from_utf8(out.stderr).unwrap();
    for wanted in [
        ".config/taskdeck/config.toml:1: there is no theme `drak`; did you mean `dark`?",
        ".config/taskdeck/config.toml:4: there is no command `undoo`; did you mean `undo`?",
        ".config/taskdeck/config.toml:5: `u` was the key of `undo`; give `undo` another key, or none: undo = []",
    ] {
        assert!(talk.contains(wanted), "{wanted}\n{talk}");
    }
    let out = run(home.path(), &["config", "--theme", "sea"], &[]);
    let talk = String::from_utf8(out.stderr).unwrap();
    let wanted = "themes/sea.toml:2: there is no role `reddy`; did you mean `ready`?";
    assert!(talk.contains(wanted), "{talk}");
    let drawn = run(home.path(), &["--dir", ".", "snapshot"], &[]);
    assert!(drawn.status.success(), "{drawn:?}");
}

#[test]
fn a_theme_of_ones_own_is_drawn() {
    let home = home("theme = 'sea'\n");
    let theme = "base = 'dark'\n[roles]\naccent = '#010203'\n";
    fs::write(home.path().join(".config/taskdeck/themes/sea.toml"), theme).unwrap();
    let colours = [("COLORTERM", "truecolor")];
    let args = ["--dir", ".", "snapshot", "--format", "ansi"];
    let drawn = run(home.path(), &args, &colours);
    let text = String::from_utf8(drawn.stdout).unwrap();
    assert!(text.contains("38;2;1;2;3"), "{text}");
    let unknown = run(
        home.path(),
        &["--theme", "see", "--dir", ".", "snapshot"],
        &[],
    );
    assert_eq!(unknown.status.code(), Some(2), "a flag is an order");
    assert!(
        String::from_utf8(unknown.stderr)
            .unwrap()
            .contains("did you mean `sea`?")
    );
}

#[test]
fn looking_at_the_configuration_creates_nothing() {
    let home = tempfile::tempdir().unwrap();
    assert!(run(home.path(), &["config"], &[]).status.success());
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}
