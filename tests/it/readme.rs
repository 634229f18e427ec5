//! What the README says that the program knows better.

use std::fs;
use std::path::Path;

use taskdeck::command::{COMMANDS, Group};

const BEGIN: &str = "<!-- keys:begin -->\n";
const END: &str = "<!-- keys:end -->";

/// The keys as a table, from the one table of commands.
fn keys() -> String {
    let mut table = String::from("| keys | what they do |\n| --- | --- |\n");
    for group in Group::ALL {
        table.push_str(&format!("| **{}** | |\n", group.title()));
        for command in COMMANDS.iter().filter(|c| c.group == group) {
            let keys: Vec<String> = command
                .keys
                .iter()
                .map(|k| format!("`{}`", k.replace('|', "\\|")))
                .collect();
            table.push_str(&format!("| {} | {} |\n", keys.join(" "), command.doc));
        }
    }
    table
}

/// Run with `TASKDECK_UPDATE=1` to write the table into the README.
#[test]
fn the_readme_lists_the_keys_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).unwrap();
    let (table, after) = rest.split_once(END).unwrap();
    if std::env::var_os("TASKDECK_UPDATE").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{}{END}{after}", keys())).unwrap();
    } else {
        assert_eq!(table, keys(), "run this test with TASKDECK_UPDATE=1");
    }
}

#[test]
fn the_readme_shows_pictures_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let shown: Vec<&str> = readme
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect();
    assert!(shown.iter().any(|path| path.ends_with(".png")));
    for path in shown
        .iter()
        .filter(|path| !path.contains("://") && !path.starts_with('#'))
    {
        assert!(root.join(path).exists(), "{path}");
    }
}
