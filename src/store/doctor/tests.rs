use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Cure, Facts, Finding, Severity, cure, diagnose};
use crate::list::{FileChange, List, plan};
use crate::store::{Options, Store};
use crate::task::Dialect;

const A: &str = "T-a";
const B: &str = "T-b";

fn omo(id: &str, more: Value) -> (String, String) {
    let mut task = json!({
        "id": id, "subject": id, "description": "", "status": "pending",
        "blocks": [], "blockedBy": [], "threadID": "ses",
    });
    for (key, value) in more.as_object().unwrap() {
        match value {
            Value::String(text) if text == "(absent)" => {
                task.as_object_mut().unwrap().remove(key);
            }
            value => task[key] = value.clone(),
        }
    }
    (
        format!("{id}.json"),
        serde_json::to_string_pretty(&task).unwrap(),
    )
}

fn numbered(id: &str, more: Value) -> (String, String) {
    omo(id, more)
}

fn list(dialect: Dialect, files: &[(String, String)]) -> List {
    let store = Store::open("/nowhere".as_ref(), Some(dialect), Options::default()).unwrap();
    let parse = |(name, text): &(String, String)| store.parse_file(name, text.as_bytes(), Some(1));
    let files: Vec<FileChange> = files.iter().map(parse).collect();
    List::from_files(dialect, files)
}

fn findings(dialect: Dialect, files: &[(String, String)]) -> Vec<Finding> {
    diagnose(&list(dialect, files), &Facts::default(), "taskdeck-t")
}

/// Severity, code and whether there is a cure, in a word each.
fn in_short(findings: &[Finding]) -> Vec<String> {
    let word = |finding: &Finding| {
        let cured = if finding.cure.is_some() { " cured" } else { "" };
        format!("{} {}{cured}", finding.severity.as_str(), finding.code)
    };
    findings.iter().map(word).collect()
}

#[test]
fn what_the_strict_reader_rejects_is_named_with_its_place_and_cured_where_nothing_is_lost() {
    let cases: [(Value, &[&str]); 12] = [
        (json!({}), &[]),
        (json!({"updatedAt": 1}), &["error unknown_key cured"]),
        (
            json!({"a": 1, "metadata": {"a": 2}}),
            &["error unknown_key"],
        ),
        (
            json!({"a": 1, "metadata": "text"}),
            &["error wrong_type", "error unknown_key"],
        ),
        (
            json!({"threadID": "(absent)"}),
            &["error missing_key cured"],
        ),
        (json!({"description": null}), &["error null_key cured"]),
        (
            json!({"owner": null, "metadata": null}),
            &["error null_key cured"; 2],
        ),
        (json!({"subject": "(absent)"}), &["error missing_key"]),
        (json!({"status": "someday"}), &["error unknown_status"]),
        (
            json!({"blocks": null, "blockedBy": "(absent)"}),
            &["error null_key cured"],
        ),
        (json!({"blocks": {"x": 1}}), &["error wrong_type"]),
        (json!({"id": "T-other"}), &["warning id_mismatch"]),
    ];
    for (more, expected) in cases {
        let found = findings(Dialect::Omo, &[omo(A, more.clone())]);
        assert_eq!(in_short(&found), expected, "{more}");
    }
    let found = findings(Dialect::Omo, &[omo(A, json!({"updatedAt": 1}))]);
    let at = found[0].at.unwrap();
    assert_eq!((at.line, at.column), (9, 3), "the key's own place");
    assert!(found[0].meaning.contains("OmO does not see this task"));
}

#[test]
fn numbers_where_texts_belong_become_texts() {
    let files = [numbered(
        "7",
        json!({"id": 7, "blocks": [8], "blockedBy": "9"}),
    )];
    let found = findings(Dialect::Claude, &files);
    let cured = found
        .iter()
        .filter(|f| f.severity == Severity::Error && f.cure.is_some());
    let advice: BTreeSet<&str> = cured.map(|f| f.advice.as_str()).collect();
    let right = [
        r#"set blockedBy to ["9"]"#,
        r#"set blocks to ["8"]"#,
        r#"set id to "7""#,
    ];
    assert_eq!(advice, BTreeSet::from(right));
}

#[test]
fn edges_that_block_for_ever_are_told_by_the_dialects_rule() {
    let waits = json!({"blockedBy": ["2"]});
    let gone = numbered("2", json!({"status": "deleted"}));
    let team = json!({"blockedBy": ["2"], "version": 1, "createdAt": 1, "updatedAt": 1});
    let with = |dialect, files: &[(String, String)]| -> BTreeSet<String> {
        let found = findings(dialect, files);
        let about_edges = found
            .iter()
            .filter(|f| f.code.ends_with("_blocker"))
            .cloned();
        in_short(&about_edges.collect::<Vec<_>>())
            .into_iter()
            .collect()
    };
    let one = |word: &str| BTreeSet::from([word.to_owned()]);
    let alone = [numbered("1", waits.clone())];
    assert_eq!(
        with(Dialect::Claude, &alone),
        one("warning missing_blocker cured")
    );
    assert_eq!(
        with(Dialect::OmoTeam, &[numbered("1", team.clone())]),
        one("warning missing_blocker")
    );
    assert_eq!(
        with(Dialect::OmoTeam, &[numbered("1", team), gone]),
        one("error deleted_blocker cured")
    );
    let omo_waits = omo(A, json!({"blockedBy": [B]}));
    assert_eq!(
        with(Dialect::Omo, std::slice::from_ref(&omo_waits)),
        one("error missing_blocker")
    );
    let deleted = omo(B, json!({"status": "deleted"}));
    assert_eq!(
        with(Dialect::Omo, &[omo_waits, deleted.clone()]),
        one("error deleted_blocker cured")
    );
    let done = omo(A, json!({"blockedBy": [B], "status": "completed"}));
    assert!(
        with(Dialect::Omo, &[done, deleted]).is_empty(),
        "it holds nobody back"
    );
}

#[test]
fn a_ring_is_told_once_and_its_edges_are_mirrored_all_the_same() {
    let files = [
        omo(A, json!({"blockedBy": [B]})),
        omo(B, json!({"blockedBy": [A]})),
    ];
    let found = findings(Dialect::Omo, &files);
    assert_eq!(
        in_short(&found),
        [
            "error cycle",
            "note one_sided_edge cured",
            "note one_sided_edge cured"
        ]
    );
    let list = list(Dialect::Omo, &files);
    let plan = plan(&list, cure(&found).unwrap()).expect("no new edge, so no new ring");
    assert_eq!(plan.changes.len(), 2);
    let alone = findings(
        Dialect::Omo,
        &[omo(A, json!({"blocks": [A], "blockedBy": [A]}))],
    );
    assert_eq!(in_short(&alone), ["error self_block"]);
}

#[test]
fn a_reader_that_is_not_strict_drops_what_it_does_not_know() {
    let files = [numbered(
        "1",
        json!({"threadID": "(absent)", "colour": "red"}),
    )];
    assert_eq!(
        in_short(&findings(Dialect::Claude, &files)),
        ["warning foreign_key"]
    );
}

#[test]
fn what_only_the_folder_shows_is_told_too() {
    let team = |id| {
        numbered(
            id,
            json!({"version": 1, "createdAt": 1, "updatedAt": 1, "threadID": "(absent)"}),
        )
    };
    let list = list(Dialect::OmoTeam, &[team("1"), team("5")]);
    let told = |mark| {
        let facts = Facts {
            mark: Some(mark),
            ..Facts::default()
        };
        in_short(&diagnose(&list, &facts, ""))
    };
    assert_eq!(told(4), ["error mark_behind cured"]);
    assert!(told(5).is_empty());
}

#[test]
fn broken_files_come_with_their_place_and_without_a_cure() {
    let found = findings(
        Dialect::Omo,
        &[("T-x.json".into(), "{\n  \"id\": }".into())],
    );
    assert_eq!(in_short(&found), ["error unreadable"]);
    assert_eq!(found[0].at.map(|at| at.line), Some(2));
    assert!(!found.iter().any(|f| matches!(f.cure, Some(Cure::Edit(_)))));
}
