//! One question, one answer: the command line, the agents' tools over MCP, and the board say the
//! same of every task of a list.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use taskdeck::board::{Lane, Message, Model, Place, update};
use taskdeck::state::ListState;
use taskdeck::store::{Options, Store};
use taskdeck::task::{Dialect, Json};

use super::client::Client;

/// The tasks of an answer that are asked for one by one: all of a short list, a few of a long one.
fn some_tasks(answer: &Value) -> impl Iterator<Item = &Value> {
    let all = tasks(answer);
    let step = if all.len() <= 50 { 1 } else { all.len() / 3 };
    all.iter().step_by(step)
}

/// A list as its surfaces are asked for it.
struct Asked<'a> {
    dir: &'a Path,
    dialect: &'a str,
    state: &'a Path,
}

/// Asks every surface about the list in a folder, and holds each answer against the one of `list`
/// and `ready`.
pub fn agree(dir: &Path, dialect: &str, state: &Path) {
    let asked = Asked {
        dir,
        dialect,
        state,
    };
    let all = asked.cli(&["list", "--all"]);
    let ready = asked.cli(&["ready"]);
    asked.get(&all);
    asked.mcp(&all, &ready);
    asked.board(&all, &ready);
}

impl Asked<'_> {
    fn cli(&self, args: &[&str]) -> Value {
        let out = Command::new(env!("CARGO_BIN_EXE_taskdeck"))
            .args(["--json", "--dialect", self.dialect, "--dir"])
            .arg(self.dir)
            .args(args)
            .env_clear()
            .env("HOME", self.state)
            .env("TASKDECK_STATE_DIR", self.state)
            .output()
            .unwrap();
        let talk = String::from_utf8_lossy(&out.stderr);
        object(&String::from_utf8(out.stdout).unwrap())
            .unwrap_or_else(|| panic!("{args:?}: {talk}"))
    }

    fn get(&self, all: &Value) {
        for task in some_tasks(all) {
            let got = self.cli(&["get", "--", id(task)]);
            assert_eq!(got["state"], task["state"], "{task}");
            let blockers = got["openBlockers"].as_array().unwrap();
            let blockers: BTreeSet<&str> = blockers.iter().map(id).collect();
            assert_eq!(blockers, texts(&task["blockedBy"]), "{task}");
        }
    }

    fn mcp(&self, all: &Value, ready: &Value) {
        let mut client = Client::connect_to(self.dir, self.state, &["--dialect", self.dialect]);
        let statuses: Vec<&Value> = tasks(all).iter().map(|task| &task["status"]).collect();
        let listed = match statuses.is_empty() {
            true => client.call("task_list", json!({})),
            false => client.call("task_list", json!({"status": statuses})),
        };
        let facts = |task: &Value| (task["status"].clone(), texts_of(&task["blockedBy"]));
        let of = |answer: &Value| -> BTreeMap<String, _> {
            let tasks = tasks(answer).iter();
            tasks
                .map(|task| (id(task).to_owned(), facts(task)))
                .collect()
        };
        assert_eq!(of(&listed), of(all), "task_list");
        let answer = client.call("task_ready", json!({"limit": 1_000_000}));
        let order = |answer: &Value| tasks(answer).iter().map(|t| id(t).to_owned()).collect();
        let (told, right): (Vec<String>, Vec<String>) = (order(&answer), order(ready));
        assert_eq!(told, right, "task_ready");
        let problems = listed["problems"].to_string();
        for problem in all["problems"].as_array().unwrap() {
            let file = problem["file"].as_str().unwrap();
            assert!(problems.contains(file), "{file}: {problems}");
        }
        for task in some_tasks(all) {
            let got = client.call("task_get", json!({"id": task["id"]}));
            let told = got["problem"].is_string() || got["task"]["status"] == task["status"];
            assert!(told, "{task}: {got}");
            let why = client.call("task_why", json!({"id": task["id"]}));
            let first = why["chain"].as_array().unwrap().iter();
            let first = first.filter(|link| link["depth"] == 1).map(id).collect();
            assert_eq!(texts(&task["blockedBy"]), first, "why {task}");
        }
        client.end();
    }

    fn board(&self, all: &Value, ready: &Value) {
        let dialects = [Dialect::Omo, Dialect::OmoTeam, Dialect::Claude];
        let named = |dialect: &Dialect| dialect.as_str() == self.dialect;
        let dialect = dialects.into_iter().find(named).unwrap_or(Dialect::OmoTeam);
        let store = Store::open(self.dir, Some(dialect), Options::default()).unwrap();
        let state = ListState::open(Some(self.state), store.dir());
        let mut board = Model::new(dialect, Place::default(), state, true);
        let list = store.load().unwrap();
        update(&mut board, Message::Loaded(Ok(Box::new(list))));
        update(&mut board, Message::Key("a".parse().unwrap())); // deleted ones too
        let mut shown = BTreeMap::new();
        for column in &board.columns {
            let Lane::State(state) = column.lane else {
                panic!("a column of {:?}", column.lane);
            };
            let ids = column.ids.iter().map(|id| (id.to_string(), state.as_str()));
            shown.extend(ids);
            if state.as_str() == "ready" {
                let order: Vec<&str> = column.ids.iter().map(|id| id.as_str()).collect();
                let right: Vec<&str> = tasks(ready).iter().map(id).collect();
                assert_eq!(order, right, "the column of what is ready");
            }
        }
        let state = |task: &Value| {
            (
                id(task).to_owned(),
                task["state"].as_str().unwrap().to_owned(),
            )
        };
        let right: BTreeMap<String, String> = tasks(all).iter().map(state).collect();
        let shown: BTreeMap<String, String> = shown
            .into_iter()
            .map(|(id, state)| (id, state.to_owned()))
            .collect();
        assert_eq!(shown, right, "the board");
        let problems = board.list.problems();
        let files: BTreeSet<&str> = problems
            .iter()
            .map(|problem| problem.file.as_str())
            .collect();
        let told = all["problems"].as_array().unwrap().iter();
        let told: BTreeSet<&str> = told.map(|p| p["file"].as_str().unwrap()).collect();
        assert_eq!(files, told, "the board's problems");
    }
}

/// An answer; a member that holds what serde_json does not read (a file's half a surrogate pair,
/// hundreds of nested arrays) as its text.
fn object(text: &str) -> Option<Value> {
    let members = Json::raw(text.trim()).members()?.into_iter();
    let value = |json: Json| json.parse().unwrap_or_else(|| json.as_str().into());
    Some(members.map(|(key, json)| (key, value(json))).collect())
}

fn tasks(answer: &Value) -> &Vec<Value> {
    answer["tasks"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"))
}

fn id(task: &Value) -> &str {
    task["id"].as_str().unwrap()
}

fn texts(list: &Value) -> BTreeSet<&str> {
    let items = list.as_array().unwrap().iter();
    items.map(|text| text.as_str().unwrap()).collect()
}

fn texts_of(list: &Value) -> BTreeSet<String> {
    texts(list).into_iter().map(str::to_owned).collect()
}

/// Folders of odd files, made by chance from a seed: whatever is in them, the surfaces agree.
#[test]
fn surfaces_agree_about_whatever_lies_in_a_folder() {
    for dialect in ["omo", "omo-team", "claude"] {
        for seed in 0..2 {
            let home = tempfile::tempdir().unwrap();
            let dir = home.path().join("tasks");
            std::fs::create_dir(&dir).unwrap();
            let mut odd = Odd(seed);
            for number in 1..=8 {
                let (name, bytes) = odd.file(dialect, number);
                std::fs::write(dir.join(name), bytes).unwrap();
            }
            println!("{dialect}, seed {seed}"); // told when it fails
            agree(&dir, dialect, &home.path().join("state"));
        }
    }
}

/// A source of odd files: the same ones for the same seed.
struct Odd(u64);

impl Odd {
    /// One of these, by chance (a linear congruential generator with Knuth's numbers).
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        of[(self.0 >> 33) as usize % of.len()]
    }

    fn file(&mut self, dialect: &str, number: u32) -> (String, Vec<u8>) {
        let id = |n: &str| match dialect {
            "omo" => format!("T-{n}"),
            _ => n.to_owned(),
        };
        let own = id(&number.to_string());
        let other = id(self.one(&["1", "2", "3", "4", "5", "6", "7", "8", "99"]));
        let status = self.one(&[
            r#""pending""#,
            r#""pending""#,
            r#""pending""#,
            r#""in_progress""#,
            r#""completed""#,
            r#""deleted""#,
            r#""claimed""#,
            r#""someday""#,
            "7",
            "null",
            r#""""#,
        ]);
        let edges = [
            "[]".to_owned(),
            format!("[\"{other}\"]"),
            format!("\"{other}\""),
            "null".to_owned(),
            format!("[1, null, \"{other}\", \"{other}\"]"),
            format!("{{\"a\": \"{other}\"}}"),
            format!("[\"{own}\"]"),
            "[\"../../x\"]".to_owned(),
        ];
        let edges: Vec<&str> = edges.iter().map(String::as_str).collect();
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let text = [
            r#""plain""#,
            r#""""#,
            "null",
            "12",
            r#""half \ud800 a pair""#,
            r#"["x"]"#,
            r#""\u0000\u001b[31m\u202e""#,
            "1e400",
            "123456789012345678901234",
            deep.as_str(),
        ];
        let mut members = format!(r#""id": "{own}", "subject": "Task {number}", "version": 1"#);
        members += &format!(r#", "status": {status}, "createdAt": 1, "updatedAt": 1"#);
        for key in ["blocks", "blockedBy"] {
            members += &format!(r#", "{key}": {}"#, self.one(&edges));
        }
        for key in [
            "description",
            "threadID",
            "owner",
            "metadata",
            "subject",
            "extra",
        ] {
            if self.one(&["", "", "put"]) == "put" {
                members += &format!(r#", "{key}": {}"#, self.one(&text));
            }
        }
        let bytes = match self.one(&[
            "", "", "", "", "", "bom", "crlf", "cut", "latin", "nul", "empty", "marks",
        ]) {
            "bom" => format!("\u{feff}{{{members}}}").into_bytes(),
            "crlf" => format!("{{\r\n{members}\r\n}}\r\n").into_bytes(),
            "cut" => format!("{{{members}").into_bytes(),
            "latin" => [b"{\"activeForm\": \"caf\xe9\", ", members.as_bytes(), b"}"].concat(),
            "nul" => vec![0; 300],
            "empty" => Vec::new(),
            "marks" => format!("{{\n<<<<<<< HEAD\n{members}\n=======\n>>>>>>> b\n}}").into_bytes(),
            _ => format!("{{{members}}}").into_bytes(),
        };
        (format!("{own}.json"), bytes)
    }
}
