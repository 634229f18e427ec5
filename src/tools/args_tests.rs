use super::args::Args;
use super::table::{Answer, Effect, Kind, Param, Tool};

const ITEM: &[Param] = &[
    Param::required("subject", Kind::Text, "what it is"),
    Param::optional("blockedBy", Kind::List, "what it waits for"),
];

const TOOL: Tool = Tool {
    name: "tool",
    title: "Tool",
    description: "for tests",
    params: &[
        Param::required("id", Kind::Text, "which task").or(&["taskId"]),
        Param::optional(
            "status",
            Kind::Choice(&["pending", "in_progress"]),
            "the status",
        ),
        Param::optional("addBlockedBy", Kind::List, "ids"),
        Param::optional("metadata", Kind::Object, "anything"),
        Param::optional("limit", Kind::Integer, "how many"),
        Param::optional("ready", Kind::Flag, "only ready ones"),
        Param::optional("tasks", Kind::Objects(ITEM), "several"),
    ],
    output: &[],
    effect: Effect::Reads,
    waits: false,
    example: r#"{"id": "T-1"}"#,
    run: |_, _| Answer::error("unused", ""),
};

fn parse(text: &str) -> Args {
    Args::parse(&TOOL, text).unwrap()
}

fn mistake(text: &str) -> String {
    Args::parse(&TOOL, text).unwrap_err().to_string()
}

#[test]
fn other_spellings_name_the_same_parameter() {
    for key in ["id", "taskId", "task_id", "taskID", "ID"] {
        assert_eq!(
            parse(&format!("{{\"{key}\": \"T-1\"}}")).text("id"),
            Some("T-1")
        );
    }
    let args = parse(r#"{"id": "1", "add_blocked_by": ["2"]}"#);
    assert_eq!(args.list("addBlockedBy"), ["2"]);
}

#[test]
fn values_with_one_meaning_are_taken() {
    let args = parse(
        r#"{"id": 7, "status": "in-progress", "addBlockedBy": "[\"a\", 2]", "metadata": "{\"n\": 1.50}",
            "limit": "20", "ready": "true", "tasks": "[{\"subject\": \"[1]\", \"blockedBy\": \"a, b\"}]"}"#,
    );
    assert_eq!(args.text("id"), Some("7"));
    assert_eq!(args.text("status"), Some("in_progress"));
    assert_eq!(args.list("addBlockedBy"), ["a", "2"]);
    let (key, value) = &args.object("metadata")[0];
    assert_eq!((key.as_str(), value.as_str()), ("n", "1.50"));
    assert_eq!(args.integer("limit"), Some(20));
    assert!(args.flag("ready"));
    let item = &args.objects("tasks")[0];
    assert_eq!(
        item.text("subject"),
        Some("[1]"),
        "text that looks like JSON stays text"
    );
    assert_eq!(item.list("blockedBy"), ["a", "b"]);
}

#[test]
fn null_is_absent_and_metadata_keeps_its_nulls() {
    let args = parse(r#"{"id": "1", "status": null, "metadata": {"gone": null}}"#);
    assert!(!args.has("status"));
    assert_eq!(args.object("metadata")[0].1.as_str(), "null");
}

#[test]
fn half_a_surrogate_pair_is_text() {
    assert_eq!(parse(r#"{"id": "a\ud800"}"#).text("id"), Some("a\u{fffd}"));
}

#[test]
fn mistakes_name_the_parameter_and_show_a_right_call() {
    let cases = [
        ("null", "\"id\" is missing: which task"),
        ("[]", "must be one JSON object"),
        ("{", "must be one JSON object"),
        (
            r#"{"id": ["T-1"]}"#,
            "\"id\" must be a string, not [\"T-1\"]",
        ),
        (
            r#"{"id": "1", "colour": 1}"#,
            "\"colour\" is unknown; there are id, status",
        ),
        (
            r#"{"id": "1", "status": "open"}"#,
            "\"status\" must be one of pending, in_progress",
        ),
        (
            r#"{"id": "1", "limit": -1}"#,
            "\"limit\" must be a whole number",
        ),
        (
            r#"{"id": "1", "addBlockedBy": [{}]}"#,
            "\"addBlockedBy\" must be an array of strings",
        ),
        (
            r#"{"id": "1", "metadata": 3}"#,
            "\"metadata\" must be an object",
        ),
        (
            r#"{"id": "1", "tasks": [{"blockedBy": []}]}"#,
            "\"tasks\", item 1: parameter \"subject\" is missing",
        ),
        (r#"{"id": "1", "taskId": "2"}"#, "\"id\" was given twice"),
    ];
    for (text, expected) in cases {
        let told = mistake(text);
        assert!(told.contains(expected), "{told}");
        assert!(
            told.ends_with(r#"A right call: tool {"id": "T-1"}"#),
            "{told}"
        );
    }
}
