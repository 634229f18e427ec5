use std::fs;

use super::*;

/// A home with a project in a repository, and a way to ask from any folder of it.
struct World {
    home: tempfile::TempDir,
    vars: BTreeMap<String, String>,
}

impl World {
    fn new() -> World {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("shop/.git")).unwrap();
        fs::create_dir_all(home.path().join("shop/src/deep")).unwrap();
        let vars = BTreeMap::from([("HOME".to_owned(), home.path().display().to_string())]);
        World { home, vars }
    }

    fn with(mut self, name: &str, value: &str) -> World {
        self.vars.insert(name.to_owned(), value.to_owned());
        self
    }

    fn path(&self, inside: &str) -> PathBuf {
        self.home.path().join(inside)
    }

    fn task(&self, folder: &str, ms: u64) {
        let dir = self.path(folder);
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("T-1.json"), "{}").unwrap();
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_millis(ms);
        for path in [dir.join("T-1.json"), dir] {
            fs::File::open(path).unwrap().set_modified(time).unwrap();
        }
    }

    fn config(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn ask(&self, cwd: &str, wanted: &Wanted) -> Result<Discovery, DiscoverError> {
        discover(
            &Environment {
                cwd: self.path(cwd),
                vars: self.vars.clone(),
            },
            wanted,
        )
    }

    fn chosen(&self, cwd: &str) -> String {
        let dir = self.ask(cwd, &Wanted::default()).unwrap().chosen.dir;
        dir.strip_prefix(self.home.path())
            .unwrap()
            .display()
            .to_string()
    }
}

#[test]
fn names_are_made_as_omo_makes_them() {
    for (id, right) in [
        ("my.list", "my-list"),
        ("über", "-ber"),
        ("🦀", "--"),
        (" a/b ", "a-b"),
        ("", "default"),
    ] {
        assert_eq!(places::sanitised(id), right, "{id}");
    }
}

#[test]
fn what_is_said_outright_wins_in_order() {
    let world = World::new().with("CLAUDE_CODE_TASK_LIST_ID", "second");
    assert_eq!(world.chosen("shop"), ".config/opencode/tasks/second");
    let world = world.with("ULTRAWORK_TASK_LIST_ID", "a/b");
    assert_eq!(world.chosen("shop"), ".config/opencode/tasks/a-b");
    let notes = world.ask("shop", &Wanted::default()).unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("a/b")), "{notes:?}");
    let list = Wanted {
        list: Some("named".to_owned()),
        ..Wanted::default()
    };
    assert!(
        world
            .ask("shop", &list)
            .unwrap()
            .chosen
            .dir
            .ends_with("tasks/named")
    );
    let world = world.with("TASKDECK_DIR", "here");
    assert_eq!(world.chosen("shop"), "shop/here");
    let dir = Wanted {
        dir: Some("there".into()),
        ..Wanted::default()
    };
    assert!(
        world
            .ask("shop", &dir)
            .unwrap()
            .chosen
            .dir
            .ends_with("shop/there")
    );
}

#[test]
fn blank_variables_count_as_unset() {
    let world = World::new()
        .with("ULTRAWORK_TASK_LIST_ID", "  ")
        .with("TASKDECK_DIR", "");
    assert_eq!(world.chosen("shop"), ".config/opencode/tasks/shop");
}

#[test]
fn the_list_written_last_opens_and_the_others_are_named() {
    let world = World::new();
    world.task("shop/.omo/tasks", 2_000);
    world.task("shop/.sisyphus/tasks", 1_000);
    world.task(".config/opencode/tasks/shop", 1_500);
    let found = world.ask("shop/src/deep", &Wanted::default()).unwrap();
    assert!(found.chosen.dir.ends_with("shop/.omo/tasks"));
    assert_eq!(found.others.len(), 2);
    assert!(
        found.chosen.reason.contains("written last"),
        "{}",
        found.chosen.reason
    );
    world.task(".config/opencode/tasks/shop", 9_000);
    assert_eq!(world.chosen("shop/src/deep"), ".config/opencode/tasks/shop");
}

#[test]
fn nothing_above_the_repository_counts() {
    let world = World::new();
    world.task(".omo/tasks", 5_000);
    assert_eq!(world.chosen("shop/src"), ".config/opencode/tasks/src");
}

#[test]
fn storage_path_is_tried_from_here_up_to_the_root() {
    let world = World::new();
    let text =
        "{ // comment\n \"sisyphus\": { \"tasks\": { \"storage_path\": \"plan/tasks\", }, }, }";
    world.config(".config/opencode/oh-my-openagent.jsonc", text);
    assert_eq!(world.chosen("shop/src"), "shop/src/plan/tasks");
    world.task("shop/plan/tasks", 1_000);
    assert_eq!(world.chosen("shop/src"), "shop/plan/tasks");
}

#[test]
fn a_nearer_file_replaces_the_whole_section() {
    let world = World::new();
    let user = r#"{"sisyphus":{"tasks":{"storage_path":"far","task_list_id":"x"}}}"#;
    world.config(".config/opencode/oh-my-opencode.json", user);
    world.config(
        "shop/.opencode/oh-my-openagent.json",
        r#"{"sisyphus":{"tasks":{"task_list_id":"mine"}}}"#,
    );
    assert_eq!(world.chosen("shop"), ".config/opencode/tasks/mine");
    world.config("shop/.opencode/oh-my-openagent.jsonc", "{ broken");
    assert_eq!(
        world.chosen("shop"),
        "shop/far",
        "a file that cannot be read is skipped"
    );
    world.config(
        "shop/.opencode/oh-my-openagent.jsonc",
        r#"{"sisyphus":{"tasks":{"storage_path":5}}}"#,
    );
    assert_eq!(
        world.chosen("shop"),
        "shop/far",
        "and so is a section that does not fit"
    );
}

#[test]
fn nothing_found_says_how_to_switch_tasks_on() {
    let world = World::new();
    let found = world.ask("shop", &Wanted::default()).unwrap();
    assert!(!found.found());
    let notes = found.notes.join("\n");
    assert!(
        notes.contains("\"experimental\": { \"task_system\": true }"),
        "{notes}"
    );
    world.config(
        "shop/.opencode/oh-my-openagent.json",
        r#"{"experimental":{"task_system":true}}"#,
    );
    let notes = world
        .ask("shop", &Wanted::default())
        .unwrap()
        .notes
        .join("\n");
    assert!(notes.contains("is on"), "{notes}");
    assert!(!world.path(".config").exists(), "looking creates nothing");
}

#[test]
fn without_a_home_only_an_explicit_folder_opens() {
    let mut world = World::new();
    world.vars.clear();
    assert!(matches!(
        world.ask("shop", &Wanted::default()),
        Err(DiscoverError::NoHome)
    ));
    let dir = Wanted {
        dir: Some("there".into()),
        ..Wanted::default()
    };
    assert!(world.ask("shop", &dir).is_ok());
}

#[test]
fn comments_and_trailing_commas_are_blanked() {
    let text = "{\"a\": \"// no, \\\" /* no */\", /* yes */ \"b\": [1, 2,], }//";
    let json: serde_json::Value = serde_json::from_str(&jsonc::to_json(text)).unwrap();
    assert_eq!(
        json,
        serde_json::json!({"a": "// no, \" /* no */", "b": [1, 2]})
    );
}
