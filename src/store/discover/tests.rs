use std::fs;

use super::*;

/// A home with a project in a repository, and a way to ask from any folder of it.
struct World {
    home: tempfile::TempDir,
    vars: BTreeMap<String, OsString>,
}

impl World {
    fn new() -> World {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("shop/.git")).unwrap();
        fs::create_dir_all(home.path().join("shop/src/deep")).unwrap();
        let vars = BTreeMap::from([("HOME".to_owned(), home.path().into())]);
        World { home, vars }
    }

    fn with(mut self, name: &str, value: &str) -> World {
        self.vars.insert(name.to_owned(), value.into());
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

const SESSION: &str = "3b0c6e4a-5a52-4d0f-9a3e-7c1f2e9b4d10";

/// Claude Code's own folder with a session of the shop, a team and a list of nobody.
fn with_claude() -> World {
    let world = World::new();
    let shop = world.path("shop").display().to_string();
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let encoded: String = shop.chars().map(letter).collect();
    let lines = [
        serde_json::json!({"type": "user", "message": {"content": "Fix it"}, "slug": "calm-otter"}),
        serde_json::json!({"type": "ai-title", "aiTitle": "Login fix"}),
        serde_json::json!({"type": "custom-title", "customTitle": "the login"}),
    ];
    let transcript: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let path = format!(".claude/projects/{encoded}/{SESSION}.jsonl");
    world.config(&path, &transcript);
    let members = serde_json::json!([{"cwd": shop}, {"cwd": "/"}]);
    let team = serde_json::json!({"name": "Review", "leadSessionId": "x", "members": members});
    world.config(".claude/teams/review/config.json", &team.to_string());
    let session = serde_json::json!({"sessionId": SESSION, "cwd": shop, "name": "shop-1"});
    world.config(".claude/sessions/7.json", &session.to_string());
    for (list, ms) in [(SESSION, 3_000), ("review", 2_000), ("elsewhere", 9_000)] {
        let folder = format!(".claude/tasks/{list}");
        world.config(&format!("{folder}/1.json"), "{}");
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_millis(ms);
        let dir = world.path(&folder);
        for path in [dir.join("1.json"), dir] {
            fs::File::open(path).unwrap().set_modified(time).unwrap();
        }
    }
    world
}

#[test]
fn claudes_list_of_this_project_is_a_candidate() {
    let world = with_claude();
    let session = format!(".claude/tasks/{SESSION}");
    assert_eq!(world.chosen("shop"), session);
    assert_eq!(
        world.chosen("shop/src"),
        session,
        "from inside the repository too"
    );
    world.task("shop/.omo/tasks", 5_000);
    let found = world.ask("shop", &Wanted::default()).unwrap();
    assert!(
        found.chosen.dir.ends_with("shop/.omo/tasks"),
        "it was written last"
    );
    let others = found.others.iter().filter_map(|p| p.id.as_deref());
    assert_eq!(others.collect::<Vec<_>>(), [SESSION, "review"]);
}

#[test]
fn every_list_is_found_with_what_people_call_it() {
    let world = with_claude();
    let run = ".omo/runtime/6f1f";
    let state = r#"{"teamName": "parsers", "status": "active"}"#;
    world.config(&format!("{run}/state.json"), state);
    world.config(&format!("{run}/tasks/1.json"), "{}");
    let env = Environment {
        cwd: world.path("shop"),
        vars: world.vars.clone(),
    };
    let found = lists(&env, &Wanted::default()).unwrap();
    let all = std::iter::once(&found.chosen).chain(&found.others);
    let known: BTreeMap<&str, (Option<&str>, bool)> = all
        .map(|p| (p.id.as_deref().unwrap(), (p.title.as_deref(), p.running)))
        .collect();
    let right = BTreeMap::from([
        (SESSION, (Some("the login"), true)),
        ("review", (Some("Review"), false)),
        ("elsewhere", (None, false)),
        ("6f1f", (Some("parsers"), true)),
    ]);
    assert_eq!(known, right);
    assert_eq!(found.others.len(), 3, "each once");
}

#[test]
fn a_name_that_only_claude_code_has_is_claudes() {
    let world = with_claude();
    let list = Wanted {
        list: Some("review".to_owned()),
        ..Wanted::default()
    };
    let dir = |world: &World| world.ask("shop", &list).unwrap().chosen.dir;
    assert!(dir(&world).ends_with(".claude/tasks/review"));
    let world = world.with("CLAUDE_CONFIG_DIR", "/nowhere");
    assert!(dir(&world).ends_with("opencode/tasks/review"));
}

#[test]
fn the_active_plan_is_found_from_inside_the_project_and_after_a_move() {
    let world = World::new();
    world.config("shop/.omo/plans/tidy.md", "- [x] one\n- [ ] two\n");
    world.config(
        "shop/.omo/boulder.json",
        r#"{"schema_version": 2, "active_work_id": "b", "works": {
            "a": {"active_plan": "gone.md", "plan_name": "a"},
            "b": {"active_plan": "/old/.omo/plans/tidy.md", "plan_name": "tidy", "status": "paused"}}}"#,
    );
    let env = Environment {
        cwd: world.path("shop/src"),
        vars: world.vars.clone(),
    };
    let plan = active_plan(&env).unwrap();
    assert_eq!(
        (plan.name.as_str(), plan.status.as_str()),
        ("tidy", "paused")
    );
    let next = plan.next.as_deref();
    assert_eq!((plan.done, plan.total, next), (1, 2, Some("two")));
    world.config("shop/.omo/boulder.json", "{ cut");
    assert_eq!(active_plan(&env), None);
}
