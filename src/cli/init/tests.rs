use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::{Client, FileEdit, Made, edits, project_root, show, write};

fn tree(root: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(root).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.path().is_file());
    files
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read_to_string(entry.path()).unwrap())
        })
        .collect()
}

/// What was made is remembered in a folder of the project's own.
fn made(root: &Path) -> Made {
    Made::under(Some(&root.join("state")))
}

fn planned(root: &Path, client: Client, remove: bool) -> anyhow::Result<Vec<FileEdit>> {
    edits(root, client, remove, &made(root))
}

fn apply(root: &Path, client: Client, remove: bool) {
    let edits = planned(root, client, remove).unwrap();
    write(&edits).unwrap();
    made(root).note(&edits).unwrap();
}

#[test]
fn a_file_that_was_there_is_never_deleted() {
    for client in [Client::Claude, Client::Opencode] {
        let config = client.configs().last().unwrap();
        for text in ["{}\n", "{}", "{\n}\n"] {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path();
            fs::write(root.join(config), text).unwrap();
            fs::write(root.join(client.instructions()), "").unwrap();
            apply(root, client, false);
            apply(root, client, true);
            let left = tree(root);
            let value: serde_json::Value = serde_json::from_str(&left[*config]).unwrap();
            assert_eq!(value, serde_json::json!({}));
            assert_eq!(left[client.instructions()], "");
        }
    }
}

#[test]
fn what_init_writes_it_takes_back_to_the_byte() {
    let configs = [
        (Client::Claude, ".mcp.json"),
        (Client::Opencode, "opencode.jsonc"),
        (Client::Opencode, "opencode.json"),
    ];
    for (client, name) in configs {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::write(root.join(name), "{\n  // mine\n  \"theme\": \"dark\",\n}\n").unwrap();
        fs::write(root.join(client.instructions()), "# Rules\n").unwrap();
        let before = tree(root);
        apply(root, client, false);
        let with = tree(root);
        assert!(with[name].contains("// mine") && with[name].contains("\"taskdeck\""));
        assert!(with[client.instructions()].starts_with("# Rules\n"));
        assert_eq!(with.len(), before.len(), "no second configuration");
        apply(root, client, false);
        assert_eq!(tree(root), with, "twice is once");
        apply(root, client, true);
        assert_eq!(tree(root), before);
    }
}

#[test]
fn an_empty_project_gets_both_files_and_loses_them_again() {
    for client in [Client::Claude, Client::Opencode] {
        let folder = tempfile::tempdir().unwrap();
        apply(folder.path(), client, false);
        let made = tree(folder.path());
        assert_eq!(made.len(), 2, "{made:?}");
        let config = made
            .iter()
            .find(|(name, _)| name.ends_with(".json"))
            .unwrap();
        let config: serde_json::Value = serde_json::from_str(config.1).unwrap();
        let [servers, name] = client.path();
        assert_eq!(config[servers][name], client.server());
        apply(folder.path(), client, true);
        assert!(tree(folder.path()).is_empty());
        apply(folder.path(), client, true);
        assert!(
            tree(folder.path()).is_empty(),
            "removing nothing makes nothing"
        );
    }
}

#[test]
fn showing_writes_nothing_and_names_the_lines() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join(".mcp.json"),
        "{\n  \"mcpServers\": {\n    \"x\": {}\n  }\n}\n",
    )
    .unwrap();
    let before = tree(folder.path());
    let mut out = Vec::new();
    show(
        &planned(folder.path(), Client::Claude, false).unwrap(),
        &mut out,
    )
    .unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(
        out.contains(".mcp.json: change\n  -     \"x\": {}\n  +     \"x\": {},\n"),
        "{out}"
    );
    assert!(out.contains("CLAUDE.md: create\n"), "{out}");
    assert_eq!(tree(folder.path()), before);
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".mcp.json"), "{\n  oops\n}").unwrap();
    let error = planned(folder.path(), Client::Claude, false).unwrap_err();
    let error = format!("{error:#}");
    assert!(
        error.contains(".mcp.json") && error.contains("line 2"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_the_mode_is_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let (link, real) = (
        folder.path().join(".mcp.json"),
        folder.path().join("mine.json"),
    );
    fs::write(&real, "{}").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink("mine.json", &link).unwrap();
    apply(folder.path(), Client::Claude, false);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("taskdeck"));
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(tree(folder.path()).len(), 3, "no temp file is left");
}

#[test]
fn a_project_is_the_nearest_repository() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b");
    fs::create_dir_all(&deep).unwrap();
    assert_eq!(project_root(&deep), deep);
    fs::create_dir(folder.path().join(".git")).unwrap();
    assert_eq!(project_root(&deep), folder.path());
}
