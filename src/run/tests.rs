//! The decisions of a runner, without processes.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Arc;

use super::*;
use crate::list::{FileChange, FileContent, List, Query, plan};
use crate::task::{Dialect, Json, Status, Task, TaskId};

fn id(name: &str) -> TaskId {
    TaskId::new(format!("T-{name}"))
}

/// `"a; b<a @hera in_progress"`
fn list(text: &str) -> List {
    let file = |text: &str| {
        let mut words = text.split_whitespace();
        let (name, blockers) = words
            .next()
            .map(|w| w.split_once('<').unwrap_or((w, "")))
            .unwrap();
        let mut task = Task::new(id(name));
        task.subject = name.to_owned();
        task.blocked_by = blockers
            .split(',')
            .filter(|b| !b.is_empty())
            .map(id)
            .collect();
        for word in words {
            match word.strip_prefix('@') {
                Some(owner) => task.owner = Some(owner.to_owned()),
                None if word == "failed" => {
                    let failed = r#"{"run":{"failed":true,"attempt":1}}"#;
                    task.metadata = Some(Json::raw(failed));
                }
                None => task.status = Status::parse(word, Dialect::Omo),
            }
        }
        task.raw = Arc::from(text.as_bytes());
        FileChange {
            name: format!("T-{name}.json"),
            content: FileContent::Task(Arc::new(task)),
        }
    };
    List::from_files(
        Dialect::Omo,
        text.split(';').map(|t| file(t.trim())).collect(),
    )
}

fn scope(query: &str) -> Scope {
    Scope {
        owner: "me".to_owned(),
        query: Query::parse(query),
    }
}

fn short(ids: &[TaskId]) -> String {
    let ids: Vec<&str> = ids.iter().map(|id| &id.as_str()[2..]).collect();
    ids.join(" ")
}

#[test]
fn what_is_ready_free_and_in_scope_is_taken() {
    let list = list("a; b<a; c @hera; d @me; e failed; f");
    let busy = HashSet::from([id("f")]);
    assert_eq!(short(&takeable(&list, &scope(""), &busy)), "a d");
    assert_eq!(short(&takeable(&list, &scope("-a"), &busy)), "d");
}

#[test]
fn a_list_that_does_not_move_says_why() {
    let why = |text: &str, query: &str| match standing(&list(text), &scope(query)) {
        Standing::Stuck(why) => why.join(" | "),
        other => format!("{other:?}"),
    };
    assert_eq!(why("a completed; b deleted", ""), "Finished");
    assert_eq!(why("a in_progress @hera; b<a", ""), r#"WaitsFor(["T-a"])"#);
    assert_eq!(
        why("a in_progress @hera; b<a; c<b", "c"),
        r#"WaitsFor(["T-a"])"#
    );
    for (text, query, part) in [
        ("a<b; b<a; c<b", "", "a ring of tasks"),
        ("a<gone", "", "gone"),
        ("a deleted; b<a", "", "deleted"),
        ("a failed; b<a", "", "failed and was given up on"),
        ("a @hera; b<a", "", "assigned to hera"),
        ("a; b<a", "b", "which the filter leaves out"),
        ("a odd", "", "unknown status"),
    ] {
        let why = why(text, query);
        assert!(why.contains(part), "{text}: {why}");
    }
}

#[test]
fn waves_have_room_for_so_many() {
    let list = list("a; b; c; d<a; e<d,b; f<gone");
    let waves = |width| {
        let waves = waves(&list, &scope(""), width);
        waves
            .iter()
            .map(|wave| short(wave))
            .collect::<Vec<_>>()
            .join(" | ")
    };
    assert_eq!(waves(9), "a b c | d | e");
    assert_eq!(waves(1).matches('|').count(), 4);
    assert_eq!(waves(2), "a b | c d | e");
}

fn claimed(attempt: u32) -> Claimed {
    let process = Process {
        pid: 1,
        start: None,
    };
    Claimed {
        attempt,
        host: "h".to_owned(),
        boot: None,
        runner: process.clone(),
        worker: process,
        owner: None,
        at: 5,
    }
}

/// What an ending comes to for a task that stands like this, and the fields written.
fn settled(status: &str, ending: &Ending, line: &str, rules: (Done, u32)) -> (Verdict, String) {
    let claimed = claimed(1);
    let mut task = Task::new(id("a"));
    task.status = Status::parse(status, Dialect::Omo);
    task.owner = Some("me".to_owned());
    let metadata = format!("{{\"run\":{}}}", claimed.to_json());
    task.metadata = Some(Json::raw(&metadata));
    task.raw = Arc::from(
        format!("{{\"status\":\"{status}\",\"owner\":\"me\",\"metadata\":{metadata}}}")
            .into_bytes(),
    );
    let file = FileChange {
        name: "T-a.json".to_owned(),
        content: FileContent::Task(Arc::new(task)),
    };
    let list = List::from_files(Dialect::Omo, vec![file]);
    let ended = super::outcome::Ended {
        id: &id("a"),
        owner: "me",
        claimed: &claimed,
        ending,
        last_line: Some(line),
        ms: 7,
        at: 9,
    };
    let rules = Rules {
        done: rules.0,
        retries: rules.1,
    };
    let (verdict, op) = settle(&list, &ended, rules);
    let written = op.map(|op| plan(&list, op).unwrap());
    let written = written.map_or_else(String::new, |plan| format!("{:?}", plan.changes));
    (verdict, written)
}

#[test]
fn endings_are_judged_by_the_rules_and_the_file_has_the_last_word() {
    let zero = Ending::Exit(0);
    let result = r#"{"result": [1]}"#;
    for (status, ending, line, rules, verdict, written) in [
        (
            "in_progress",
            &zero,
            "",
            (Done::Exit, 0),
            Verdict::Done,
            "completed",
        ),
        (
            "in_progress",
            &zero,
            "",
            (Done::Task, 0),
            Verdict::Failed,
            "\"failed\":true",
        ),
        (
            "in_progress",
            &zero,
            "",
            (Done::Result, 0),
            Verdict::Failed,
            "pending",
        ),
        (
            "in_progress",
            &zero,
            result,
            (Done::Result, 0),
            Verdict::Done,
            "[1]",
        ),
        (
            "in_progress",
            &Ending::Exit(3),
            result,
            (Done::Exit, 1),
            Verdict::Retry,
            "\"exit\":3",
        ),
        (
            "in_progress",
            &Ending::Signal(9),
            "",
            (Done::Exit, 0),
            Verdict::Failed,
            "signal 9",
        ),
        (
            "in_progress",
            &Ending::Interrupted,
            "",
            (Done::Exit, 0),
            Verdict::Left,
            "\"attempt\":0",
        ),
        (
            "completed",
            &Ending::Exit(1),
            "",
            (Done::Exit, 0),
            Verdict::Done,
            "\"exit\":1",
        ),
        ("deleted", &zero, "", (Done::Exit, 0), Verdict::Left, ""),
        (
            "pending",
            &zero,
            "",
            (Done::Exit, 0),
            Verdict::Failed,
            "\"failed\":true",
        ),
        (
            "pending",
            &zero,
            "",
            (Done::Exit, 1),
            Verdict::Left,
            "\"attempt\":1",
        ),
    ] {
        let found = settled(status, ending, line, rules);
        assert_eq!(found.0, verdict, "{status} {ending:?}");
        assert!(
            found.1.contains(written),
            "{status} {ending:?}: {}",
            found.1
        );
    }
}

#[test]
fn values_are_put_in_once_and_never_read_again() {
    let odd = OsStr::from_bytes(b"/x\xff");
    let values = [
        ("id", OsStr::new("T-1")),
        ("subject", OsStr::new("{id} $(x)\0")),
        ("file", odd),
    ];
    assert_eq!(fill_in(OsStr::new("{file}"), &values), odd);
    for (argument, right) in [
        ("{id}", "T-1"),
        ("a{subject}b", "a{id} $(x)\u{fffd}b"),
        ("{unknown} {", "{unknown} {"),
        ("{{id}}", "{T-1}"),
        ("{id", "{id"),
    ] {
        assert_eq!(fill_in(OsStr::new(argument), &values), right);
    }
}

#[test]
fn the_critical_path_is_the_longest_chain_by_time() {
    let list = list("a completed; b<a completed; c<a completed; d<b,c completed; e");
    let mut spent = Spent::default();
    for (name, ms) in [("a", 10), ("b", 50), ("c", 20), ("d", 5)] {
        spent.note(&id(name), ms);
    }
    assert_eq!(spent.critical_ms(&list), 65);
    assert_eq!(spent.estimate_ms(3, 2), Some(42));
}
