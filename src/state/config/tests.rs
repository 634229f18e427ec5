use std::fs;

use super::read::parse;
use super::*;

fn said(text: &str) -> Vec<String> {
    let faults = parse(text).faults;
    let line = |fault: &Fault| fault.line.map_or(0, |line| line);
    let say = |fault: &Fault| format!("{}: {fault}", line(fault));
    faults.iter().map(say).collect()
}

#[test]
fn what_is_written_is_read_with_its_lines() {
    let config = parse(
        "# mine\ntheme = 'light'\nmouse = false\n\n[keys]\ndelete = 'X'\nnew = [\"n\", \"g n\"]\nsplit = []\n",
    );
    assert_eq!(config.faults, []);
    assert_eq!(config.theme.as_ref().unwrap().line, 2);
    let settings = Settings::resolve(&config, &Flags::default(), |_| None);
    assert_eq!(
        settings.mouse,
        Value {
            value: false,
            source: Source::File(3)
        }
    );
    let keys: Vec<(&str, usize, usize)> = config
        .keys
        .iter()
        .map(|entry| (entry.command.as_str(), entry.keys.len(), entry.line))
        .collect();
    assert_eq!(keys, [("delete", 1, 6), ("new", 2, 7), ("split", 0, 8)]);
}

#[test]
fn what_is_wrong_is_said_with_line_and_suggestion() {
    for (text, wanted) in [
        (
            "\nthem = 'dark'",
            "2: there is no setting `them`; did you mean `theme`?",
        ),
        (
            "colours = 1",
            "1: there is no setting `colours`; there are theme, ascii, reduced-motion, mouse, poll, keys",
        ),
        ("theme = 1", "1: `theme` takes a name in quotes"),
        ("mouse = 'no'", "1: `mouse` takes true or false"),
        ("keys = 3", "1: `keys` takes a table: [keys]"),
        (
            "[keys]\nnew = 3",
            "2: `new` takes a key in quotes, or several in brackets: [\"j\", \"g x\"]",
        ),
    ] {
        assert_eq!(said(text), [wanted], "{text}");
    }
}

#[test]
fn a_file_that_is_no_toml_sets_nothing_and_names_the_line() {
    let config = parse("mouse = false\ntheme = \n");
    assert_eq!(config.switches, []);
    assert_eq!(config.faults.len(), 1);
    assert_eq!(config.faults[0].line, Some(2));
}

#[test]
fn one_wrong_line_leaves_the_others() {
    let config = parse("poll = true\nascii = 'x'\n");
    assert_eq!(config.faults.len(), 1);
    assert_eq!(config.switches.len(), 1);
}

#[test]
fn a_flag_stands_above_a_variable_above_the_file_above_the_default() {
    let config = parse("theme = 'light'\nascii = false\npoll = true");
    let flags = Flags {
        ascii: true,
        ..Flags::default()
    };
    let var = |name: &str| match name {
        "TASKDECK_THEME" => Some("16".to_owned()),
        "TASKDECK_ASCII" => Some("0".to_owned()),
        "TASKDECK_MOUSE" => Some("perhaps".to_owned()),
        "TASKDECK_POLL" => Some(" ".to_owned()),
        _ => None,
    };
    let settings = Settings::resolve(&config, &flags, var);
    assert_eq!(settings.theme.value, "16");
    assert_eq!(settings.theme.source, Source::Variable("TASKDECK_THEME"));
    assert_eq!(settings.ascii.source, Source::Flag("--ascii"));
    assert!(settings.ascii.value);
    assert_eq!(
        settings.mouse,
        Value {
            value: true,
            source: Source::Default
        }
    );
    assert_eq!(settings.poll.source, Source::File(3));
}

#[test]
fn the_place_follows_the_variables() {
    let at = |vars: &[(&str, &str)]| {
        let vars: Vec<(String, String)> = vars
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        config_path(|name| Some(vars.iter().find(|(n, _)| n == name)?.1.clone()))
    };
    assert_eq!(at(&[]), None);
    for (vars, path) in [
        (&[("HOME", "/h")][..], "/h/.config/taskdeck/config.toml"),
        (
            &[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")],
            "/x/taskdeck/config.toml",
        ),
        (
            &[("HOME", "/h"), ("XDG_CONFIG_HOME", "x")],
            "/h/.config/taskdeck/config.toml",
        ),
        (
            &[("HOME", "/h"), ("TASKDECK_CONFIG", "/mine.toml")],
            "/mine.toml",
        ),
    ] {
        assert_eq!(at(vars), Some(PathBuf::from(path)), "{vars:?}");
    }
}

#[test]
fn a_missing_file_is_a_fault_only_where_it_was_asked_for() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("config.toml");
    assert_eq!(read(Some(path.clone()), false).faults, []);
    assert_eq!(read(Some(path), true).faults.len(), 1);
    assert_eq!(
        read(Some(home.path().to_owned()), false).faults.len(),
        1,
        "a folder"
    );
    assert_eq!(read(None, false), Config::default());
}

#[test]
fn theme_files_are_those_that_end_so() {
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join("config.toml");
    assert!(theme_names(&config).is_empty());
    fs::create_dir(home.path().join("themes")).unwrap();
    for name in ["sea.toml", "notes.txt", "ash.toml"] {
        fs::write(home.path().join("themes").join(name), "[roles]").unwrap();
    }
    assert_eq!(theme_names(&config), ["ash", "sea"]);
    assert_eq!(theme_text(&config, "sea").unwrap().1.unwrap(), "[roles]");
    assert!(theme_text(&config, "../config").is_none());
}
