//! The tools on real folders: a few calls each, as an agent makes them.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Args, Context, TOOLS, World};
use crate::list::List;
use crate::state::Notices;
use crate::store::watch::Woken;
use crate::store::{Options, Store};
use crate::task::{Dialect, TaskId};

/// A folder with tools on it. Nothing ever changes by itself, and no time passes.
struct Bench {
    folder: TempDir,
    home: TempDir,
    store: Store,
}

struct Still(Store);

impl World for Still {
    fn new_id(&self) -> TaskId {
        TaskId::new(format!("T-{}", uuid::Uuid::new_v4()))
    }

    fn now_ms(&self) -> i64 {
        0
    }

    fn remember(&self, _list: &mut List) {}

    fn glance(&self, look: &mut dyn FnMut(&List)) {
        look(&self.0.load().unwrap());
    }

    fn changes(&self) -> u64 {
        0
    }

    fn wait_for_change(&self, _since: u64, _at_most: Duration) -> Woken {
        Woken::Ended
    }

    fn tell(&self, _message: &str) {}
}

impl Bench {
    fn new(dialect: Dialect) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Some(dialect), Options::default()).unwrap();
        let home = tempfile::tempdir().unwrap();
        Bench {
            folder,
            home,
            store,
        }
    }

    fn notices(&self) -> Notices {
        Notices::new(Some(self.home.path()))
    }

    fn call(&self, name: &str, args: Value) -> Value {
        self.call_as(None, name, args)
    }

    fn call_as(&self, owner: Option<&str>, name: &str, args: Value) -> Value {
        let tool = TOOLS.iter().find(|tool| tool.name == name).unwrap();
        let args = Args::parse(tool, &args.to_string()).unwrap();
        let context = Context {
            store: &self.store,
            notices: &self.notices(),
            thread_id: "ses",
            owner,
            world: &Still(self.store.clone()),
        };
        let answer = (tool.run)(&context, &args);
        let json: Value = serde_json::from_str(&answer.json).unwrap();
        assert_eq!(answer.is_error, json.get("error").is_some(), "{json}");
        json
    }

    /// Creates tasks that wait for each other by name, and gives their ids.
    fn plan(&self, tasks: &[(&str, &[&str])]) -> Vec<String> {
        let item = |(name, waits): &(&str, &[&str])| json!({"name": name, "subject": name, "blockedBy": waits});
        let tasks: Vec<Value> = tasks.iter().map(item).collect();
        let made = self.call("task_bulk_create", json!({"tasks": tasks}));
        let made = made["tasks"].as_array().unwrap_or_else(|| panic!("{made}"));
        made.iter().map(text("id")).collect()
    }
}

fn text(key: &str) -> impl Fn(&Value) -> String {
    move |value| value[key].as_str().unwrap().to_owned()
}

fn all(answer: &Value, key: &str) -> Vec<String> {
    let tasks = answer["tasks"].as_array().unwrap();
    tasks.iter().map(text(key)).collect()
}

fn file(folder: &Path, id: &str) -> Value {
    let bytes = std::fs::read(folder.join(format!("{id}.json"))).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn the_four_known_tools_answer_as_agents_expect() {
    let bench = Bench::new(Dialect::Omo);
    assert_eq!(bench.call("task_list", json!({})), json!({"tasks": []}));
    let a = bench.call("task_create", json!({"subject": "a"}));
    let a = a["task"]["id"].as_str().unwrap().to_owned();
    let b = bench.call(
        "task_create",
        json!({"subject": "b", "blockedBy": [a], "owner": "atlas"}),
    );
    let b = b["task"]["id"].as_str().unwrap().to_owned();
    let got = bench.call("task_get", json!({"id": b}));
    assert_eq!(got["task"], file(bench.folder.path(), &b));
    assert_eq!(file(bench.folder.path(), &a)["blocks"], json!([b]));
    let listed = bench.call("task_list", json!({}));
    let of_b = listed["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|t| t["id"] == *b)
        .unwrap();
    assert_eq!(
        *of_b,
        json!({"id": b, "subject": "b", "status": "pending", "owner": "atlas", "blockedBy": [a]})
    );
    let done = bench.call(
        "task_update",
        json!({"id": a, "status": "completed", "metadata": {"n": 1}}),
    );
    assert_eq!(done["task"]["metadata"], json!({"n": 1}));
    let cleared = bench.call(
        "task_update",
        json!({"id": a, "metadata": {"n": null, "m": 2}}),
    );
    assert_eq!(cleared["task"]["metadata"], json!({"m": 2}));
    let listed = bench.call("task_list", json!({}));
    assert_eq!(all(&listed, "id"), vec![b.clone()]);
    assert_eq!(listed["tasks"][0]["blockedBy"], json!([]));
    let missing = json!({"id": "T-00000000-0000-4000-8000-000000000000"});
    assert_eq!(
        bench.call("task_get", missing.clone()),
        json!({"task": null})
    );
    assert_eq!(
        bench.call("task_update", missing)["error"],
        "task_not_found"
    );
    assert_eq!(
        bench.call("task_get", json!({"id": "../x"}))["error"],
        "invalid_task_id"
    );
    let ring = bench.call("task_update", json!({"id": b, "addBlocks": [b]}));
    assert_eq!(ring["error"], "validation_error");
}

#[test]
fn the_list_is_filtered_and_paged() {
    let bench = Bench::new(Dialect::Omo);
    let ids = bench.plan(&[("api", &[]), ("api tests", &["api"]), ("docs", &[])]);
    bench.call("task_update", json!({"id": ids[2], "status": "completed"}));
    let subjects = |args: Value| all(&bench.call("task_list", args), "subject");
    assert_eq!(subjects(json!({"ready": true})), ["api"]);
    assert_eq!(subjects(json!({"status": "completed"})), ["docs"]);
    assert_eq!(subjects(json!({"text": "TESTS api"})), ["api tests"]);
    let first = bench.call("task_list", json!({"limit": 1}));
    let rest = subjects(json!({"limit": 5, "cursor": first["cursor"]}));
    assert_eq!(
        (all(&first, "subject"), rest),
        (vec!["api".into()], vec!["api tests".to_owned()])
    );
    let gone = bench.call("task_list", json!({"cursor": "T-gone"}));
    assert_eq!(gone["error"], "validation_error");
}

#[test]
fn work_is_taken_once_and_given_back() {
    let bench = Bench::new(Dialect::Omo);
    let ids = bench.plan(&[("first", &[]), ("second", &["first"])]);
    let taken = bench.call("task_claim", json!({"owner": "atlas"}));
    assert_eq!(
        (&taken["task"]["id"], &taken["task"]["owner"]),
        (&json!(ids[0]), &json!("atlas"))
    );
    assert_eq!(
        bench.call("task_claim", json!({"owner": "hera"}))["error"],
        "nothing_ready"
    );
    let taken = bench.call("task_claim", json!({"owner": "hera", "id": ids[0]}));
    assert!(
        taken["message"].as_str().unwrap().contains("atlas"),
        "{taken}"
    );
    let blocked = bench.call("task_claim", json!({"owner": "hera", "id": ids[1]}));
    assert_eq!(blocked["error"], "blocked");
    let nameless = bench.call("task_claim", json!({}));
    assert!(
        nameless["message"].as_str().unwrap().contains("\"owner\""),
        "{nameless}"
    );
    assert_eq!(
        bench.call("task_release", json!({"id": ids[0], "owner": "hera"}))["error"],
        "already_claimed"
    );
    let back = bench.call("task_release", json!({"id": ids[0], "owner": "atlas"}));
    assert_eq!(back["task"]["status"], "pending");
    let ready = bench.call("task_ready", json!({}));
    assert_eq!(
        (all(&ready, "id"), &ready["tasks"][0]["opens"]),
        (vec![ids[0].clone()], &json!(1))
    );
}

#[test]
fn edges_come_and_go_on_both_ends() {
    let bench = Bench::new(Dialect::Omo);
    let ids = bench.plan(&[("a", &[]), ("b", &["a"]), ("c", &[])]);
    let linked = bench.call("task_link", json!({"id": ids[2], "blockedBy": [ids[1]]}));
    assert_eq!(linked["task"]["blockedBy"], json!([ids[1]]));
    assert_eq!(
        file(bench.folder.path(), &ids[1])["blocks"],
        json!([ids[2]])
    );
    let ring = bench.call("task_link", json!({"id": ids[0], "blockedBy": [ids[2]]}));
    assert_eq!(ring["error"], "validation_error");
    let why = bench.call("task_why", json!({"id": ids[2]}));
    assert_eq!(
        (&why["blocked"], &why["roots"][0]["id"]),
        (&json!(true), &json!(ids[0]))
    );
    assert_eq!(why["chain"].as_array().unwrap().len(), 2);
    bench.call("task_unlink", json!({"id": ids[2], "blockedBy": ids[1]}));
    assert_eq!(
        bench.call("task_why", json!({"id": ids[2]}))["blocked"],
        false
    );
    let deleted = bench.call("task_delete", json!({"id": ids[0]}));
    assert_eq!(deleted["warnings"][0]["code"], "deleted_blocker");
}

#[test]
fn plans_are_made_and_split_in_every_dialect() {
    for dialect in [Dialect::Omo, Dialect::OmoTeam, Dialect::Claude] {
        let bench = Bench::new(dialect);
        let tasks = json!({"tasks": [
            {"name": "a", "subject": "a"},
            {"name": "w", "subject": "w", "blockedBy": ["a"]},
            {"subject": "z", "blockedBy": ["w"]},
        ]});
        let made = bench.call("task_bulk_create", tasks);
        let ids = all(&made, "id");
        let parts = json!({"id": ids[1], "into": [
            {"name": "one", "subject": "one"},
            {"subject": "two", "blockedBy": ["one"]},
        ]});
        let parts = all(&bench.call("task_split", parts), "id");
        let list = bench.store.load().unwrap();
        let waits = |id: &str| list.blockers(&TaskId::new(id));
        assert_eq!(waits(&parts[0]), [TaskId::new(&ids[0])]);
        assert_eq!(waits(&parts[1]), [TaskId::new(&parts[0])]);
        assert_eq!(waits(&ids[2]), [TaskId::new(&parts[1])]);
    }
}

#[test]
fn a_plan_with_a_mistake_creates_nothing() {
    let bench = Bench::new(Dialect::Omo);
    let cases = [
        json!([]),
        json!([{"subject": "a", "blockedBy": ["nobody"]}]),
        json!([{"name": "x", "subject": "a"}, {"name": "x", "subject": "b"}]),
        json!([{"name": "x", "subject": "a", "blockedBy": ["y"]}, {"name": "y", "subject": "b", "blockedBy": ["x"]}]),
        json!([{"subject": " "}]),
    ];
    for tasks in cases {
        let answer = bench.call("task_bulk_create", json!({"tasks": tasks}));
        assert_eq!(answer["error"], "validation_error", "{answer}");
    }
    assert_eq!(std::fs::read_dir(bench.folder.path()).unwrap().count(), 0);
}

#[test]
fn waiting_ends_at_once_when_it_is_so_already() {
    let bench = Bench::new(Dialect::Omo);
    let ids = bench.plan(&[("a", &[]), ("b", &["a"])]);
    let ready = bench.call("task_wait", json!({}));
    assert_eq!(
        (&ready["timed_out"], all(&ready, "id")),
        (&json!(false), vec![ids[0].clone()])
    );
    let blocked = bench.call("task_wait", json!({"ids": [ids[1]]}));
    assert_eq!(blocked["timed_out"], true);
    assert!(
        blocked["message"].as_str().unwrap().contains("1 blocked"),
        "{blocked}"
    );
    let done = bench.call("task_wait", json!({"until": "done"}));
    assert!(
        done["message"].as_str().unwrap().contains("\"ids\""),
        "{done}"
    );
}

#[test]
fn a_named_agent_hears_what_people_did_until_it_acknowledges() {
    let bench = Bench::new(Dialect::Omo);
    bench.plan(&[("a", &[])]);
    let ready = |args: Value| bench.call("task_ready", args)["notices"].clone();
    assert_eq!(ready(json!({"owner": "atlas"})), Value::Null);
    let did = vec![("T-1".to_owned(), "a person raised it".to_owned())];
    bench.notices().add(did, 5).unwrap();
    let heard = ready(json!({"owner": "atlas"}));
    assert_eq!(
        heard,
        json!([{"number": 1, "task": "T-1", "text": "a person raised it"}])
    );
    assert_eq!(ready(json!({"owner": "atlas"})), heard);
    assert_eq!(
        ready(json!({"owner": "atlas", "acknowledge": 1})),
        Value::Null
    );
    assert!(bench.call("task_list", json!({})).get("notices").is_none());
}

#[test]
fn a_probable_duplicate_is_created_and_named() {
    let bench = Bench::new(Dialect::Omo);
    let ids = bench.plan(&[("Ship it", &[]), ("Done before", &[])]);
    bench.call("task_update", json!({"id": ids[1], "status": "completed"}));
    let twin = bench.call("task_create", json!({"subject": " ship IT "}));
    assert_eq!(twin["warnings"][0]["code"], "probable_duplicate");
    let message = twin["warnings"][0]["message"].as_str().unwrap();
    assert!(message.contains(&ids[0]), "{message}");
    let fresh = bench.call("task_create", json!({"subject": "Done before"}));
    assert!(
        fresh.get("warnings").is_none(),
        "a finished task is no twin: {fresh}"
    );
    let bulk = json!({"tasks": [{"subject": "new"}, {"subject": "Ship it"}]});
    let bulk = bench.call("task_bulk_create", bulk);
    assert_eq!(bulk["warnings"].as_array().unwrap().len(), 1);
    assert_eq!(bulk["warnings"][0]["id"], bulk["tasks"][1]["id"]);
}

#[test]
fn a_team_member_claims_what_it_starts_and_moves_only_its_own() {
    let bench = Bench::new(Dialect::OmoTeam);
    let ids = bench.plan(&[("a", &[]), ("b", &["a"]), ("c", &[])]);
    let to = |id: &str, status: &str| json!({"id": id, "status": status});
    let nameless = bench.call("task_update", to(&ids[0], "in_progress"));
    assert_eq!(nameless["error"], "validation_error", "{nameless}");
    let blocked = bench.call_as(Some("atlas"), "task_update", to(&ids[1], "in_progress"));
    assert_eq!(blocked["error"], "blocked", "{blocked}");
    let started = bench.call_as(Some("atlas"), "task_update", to(&ids[0], "in_progress"));
    assert_eq!(started["task"], file(bench.folder.path(), &ids[0]));
    let held = (&started["task"]["status"], &started["task"]["owner"]);
    assert_eq!(held, (&json!("in_progress"), &json!("atlas")));
    assert!(started["task"]["claimedAt"].is_i64(), "{started}");
    for call in [
        bench.call_as(Some("hera"), "task_update", to(&ids[0], "completed")),
        bench.call(
            "task_update",
            json!({"id": ids[0], "status": "completed", "owner": "hera"}),
        ),
    ] {
        assert_eq!(call["error"], "already_claimed", "{call}");
    }
    let done = bench.call_as(Some("atlas"), "task_update", to(&ids[0], "completed"));
    assert_eq!(done["task"]["status"], "completed");
    let named = json!({"id": ids[2], "status": "in_progress", "owner": "hera"});
    assert_eq!(bench.call("task_update", named)["task"]["owner"], "hera");
    let deleted = bench.call_as(Some("atlas"), "task_update", to(&ids[2], "deleted"));
    let left = (&deleted["task"]["status"], &deleted["task"]["owner"]);
    assert_eq!(left, (&json!("deleted"), &json!("hera")));
}
