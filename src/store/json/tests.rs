use proptest::collection::vec;
use proptest::prelude::*;

use super::read::{by_scanner, by_serde};
use super::*;
use crate::task::{EdgeField, Edit, Field, Json, Patch, TaskId};

const ORDER: [&str; 12] = [
    "id",
    "subject",
    "description",
    "status",
    "activeForm",
    "blocks",
    "blockedBy",
    "owner",
    "metadata",
    "repoURL",
    "parentID",
    "threadID",
];

fn edited(file: &str, edits: Vec<Edit>) -> String {
    let bytes = apply(file.as_bytes(), &Patch { edits }, &ORDER).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn status(word: &str) -> Edit {
    Edit::text(Field::Status, word)
}

fn blocked_by(id: &str) -> Edit {
    Edit::AddEdge(EdgeField::BlockedBy, TaskId::new(id))
}

fn unblocked(id: &str) -> Edit {
    Edit::RemoveEdge(EdgeField::BlockedBy, TaskId::new(id))
}

fn metadata(key: &str, value: &str) -> Edit {
    Edit::SetMetadata(key.to_owned(), Some(Json::raw(value)))
}

#[test]
fn an_edit_replaces_the_value_and_nothing_else() {
    for (before, edit, after) in [
        // the value only, whatever stands around it
        (
            "{\"status\" :\t\"a\" , \"x\":1.0}",
            status("b"),
            "{\"status\" :\t\"b\" , \"x\":1.0}",
        ),
        // of a duplicate key the last occurrence
        (
            r#"{"status":"a","status":"b"}"#,
            status("c"),
            r#"{"status":"a","status":"c"}"#,
        ),
        // a key written with escapes
        (
            r#"{"st\u0061tus":"a"}"#,
            status("b"),
            r#"{"st\u0061tus":"b"}"#,
        ),
        // the same value stays as it is written
        (
            r#"{"status":"\u0061"}"#,
            status("a"),
            r#"{"status":"\u0061"}"#,
        ),
        // line ends and indentation are the file's own
        (
            "{\r\n\t\"status\": \"a\"\r\n}\r\n",
            blocked_by("T-1"),
            "{\r\n\t\"status\": \"a\",\r\n\t\"blockedBy\": [\r\n\t\t\"T-1\"\r\n\t]\r\n}\r\n",
        ),
        // an edit drops the byte order mark, no edit keeps it
        (
            "\u{feff}{\"status\":\"a\"}",
            status("b"),
            r#"{"status":"b"}"#,
        ),
        (
            "\u{feff}{\"status\":\"a\"}",
            status("a"),
            "\u{feff}{\"status\":\"a\"}",
        ),
    ] {
        assert_eq!(edited(before, vec![edit]), after, "{before}");
    }
}

#[test]
fn a_new_key_stands_where_the_schema_has_it() {
    for (before, edit, after) in [
        ("{}", status("a"), "{\n  \"status\": \"a\"\n}"),
        (r#"{"id":"x"}"#, status("a"), r#"{"id":"x","status":"a"}"#),
        (
            r#"{"id": "x", "threadID": "s"}"#,
            status("a"),
            r#"{"id": "x", "status": "a", "threadID": "s"}"#,
        ),
        (
            r#"{"threadID": "s"}"#,
            status("a"),
            r#"{"status": "a", "threadID": "s"}"#,
        ),
        (
            "{\n  \"id\": \"x\",\n  \"status\": \"a\",\n  \"extra\": 1,\n  \"threadID\": \"s\"\n}",
            Edit::text(Field::Owner, "o"),
            "{\n  \"id\": \"x\",\n  \"status\": \"a\",\n  \"owner\": \"o\",\n  \"extra\": 1,\n  \"threadID\": \"s\"\n}",
        ),
    ] {
        assert_eq!(edited(before, vec![edit]), after, "{before}");
    }
}

#[test]
fn a_removed_key_takes_one_comma_with_it() {
    let remove = || Edit::Set(Field::Owner, None);
    for (before, after) in [
        (r#"{"owner": "o"}"#, "{}"),
        (r#"{"owner": "o", "status": "a"}"#, r#"{"status": "a"}"#),
        (
            r#"{"id": "x", "owner": "o", "status": "a"}"#,
            r#"{"id": "x", "status": "a"}"#,
        ),
        (
            "{\n  \"id\": \"x\",\n  \"owner\": \"o\"\n}",
            "{\n  \"id\": \"x\"\n}",
        ),
        // every occurrence, or an earlier one would come to life
        (r#"{"owner":"o","id":"x","owner":"p"}"#, r#"{"id":"x"}"#),
        (r#"{"id":"x"}"#, r#"{"id":"x"}"#),
    ] {
        assert_eq!(edited(before, vec![remove()]), after, "{before}");
    }
}

#[test]
fn edges_are_added_and_removed_in_place() {
    for (before, edit, after) in [
        (
            r#"{"blockedBy": []}"#,
            blocked_by("a"),
            r#"{"blockedBy": ["a"]}"#,
        ),
        (
            "{\n  \"blockedBy\": []\n}",
            blocked_by("a"),
            "{\n  \"blockedBy\": [\n    \"a\"\n  ]\n}",
        ),
        (
            "{\n  \"blockedBy\": [\n    \"a\"\n  ]\n}",
            blocked_by("b"),
            "{\n  \"blockedBy\": [\n    \"a\",\n    \"b\"\n  ]\n}",
        ),
        (
            "{\n  \"blockedBy\": [\"a\"]\n}",
            blocked_by("b"),
            "{\n  \"blockedBy\": [\"a\", \"b\"]\n}",
        ),
        (
            r#"{"blockedBy":["a","c"]}"#,
            blocked_by("b"),
            r#"{"blockedBy":["a","c","b"]}"#,
        ),
        (
            r#"{"blockedBy": ["a"]}"#,
            blocked_by("a"),
            r#"{"blockedBy": ["a"]}"#,
        ),
        (
            "{\n  \"blockedBy\": [\n    \"a\"\n  ]\n}",
            unblocked("a"),
            "{\n  \"blockedBy\": []\n}",
        ),
        (
            r#"{"blockedBy": ["a", "b", "a"]}"#,
            unblocked("a"),
            r#"{"blockedBy": ["b"]}"#,
        ),
        (
            r#"{"blockedBy": ["a"]}"#,
            unblocked("x"),
            r#"{"blockedBy": ["a"]}"#,
        ),
        // damaged fields are read with tolerance and repaired by an edit that concerns them
        (
            r#"{"blockedBy": null}"#,
            blocked_by("a"),
            r#"{"blockedBy": ["a"]}"#,
        ),
        (
            r#"{"blockedBy": "a"}"#,
            blocked_by("b"),
            r#"{"blockedBy": ["a", "b"]}"#,
        ),
        (
            r#"{"blockedBy": [1, null]}"#,
            blocked_by("2"),
            r#"{"blockedBy": ["1", "2"]}"#,
        ),
        (
            r#"{"blockedBy": "a"}"#,
            unblocked("a"),
            r#"{"blockedBy": []}"#,
        ),
        (
            r#"{"blockedBy": null}"#,
            unblocked("a"),
            r#"{"blockedBy": null}"#,
        ),
        (
            r#"{"blocks": 3, "blockedBy": []}"#,
            blocked_by("a"),
            r#"{"blocks": 3, "blockedBy": ["a"]}"#,
        ),
    ] {
        assert_eq!(edited(before, vec![edit]), after, "{before}");
    }
}

#[test]
fn metadata_keys_come_and_go() {
    for (before, edit, after) in [
        (
            r#"{"id": "x"}"#,
            metadata("k", "1"),
            r#"{"id": "x", "metadata": {"k": 1}}"#,
        ),
        (
            "{\n  \"id\": \"x\"\n}",
            metadata("k", r#"{"deep":[1,{}]}"#),
            "{\n  \"id\": \"x\",\n  \"metadata\": {\n    \"k\": {\n      \"deep\": [\n        1,\n        {}\n      ]\n    }\n  }\n}",
        ),
        (
            r#"{"metadata": {}}"#,
            metadata("k", "1"),
            r#"{"metadata": {"k": 1}}"#,
        ),
        (
            r#"{"metadata": null}"#,
            metadata("k", "1"),
            r#"{"metadata": {"k": 1}}"#,
        ),
        (
            r#"{"metadata": {"n": 10000000000000000000000, "k": 0}}"#,
            metadata("k", "1"),
            r#"{"metadata": {"n": 10000000000000000000000, "k": 1}}"#,
        ),
        (
            r#"{"metadata": {"a": 1, "b": 2}}"#,
            Edit::SetMetadata("b".into(), None),
            r#"{"metadata": {"a": 1}}"#,
        ),
        (
            r#"{"metadata": {"b": 2}}"#,
            Edit::SetMetadata("b".into(), None),
            r#"{"metadata": {}}"#,
        ),
        (
            r#"{"id": "x"}"#,
            Edit::SetMetadata("b".into(), None),
            r#"{"id": "x"}"#,
        ),
    ] {
        assert_eq!(edited(before, vec![edit]), after, "{before}");
    }
}

#[test]
fn bytes_that_are_not_utf8_survive_an_edit() {
    let before = b"{\"subject\":\"caf\xe9\",\"status\":\"a\"}";
    let patch = Patch {
        edits: vec![status("b")],
    };
    let after = apply(before, &patch, &ORDER).unwrap();
    assert_eq!(after, b"{\"subject\":\"caf\xe9\",\"status\":\"b\"}");
}

#[test]
fn an_edit_that_would_break_the_file_is_refused() {
    let patch = Patch {
        edits: vec![metadata("k", "not json")],
    };
    assert!(apply(b"{}", &patch, &ORDER).is_err());
    assert!(apply(b"[]", &patch, &ORDER).is_err());
}

#[test]
fn what_is_wrong_is_said_in_words_with_its_place() {
    let deep = "[".repeat(100_000);
    for (file, line, column, word) in [
        ("", 0, 0, "empty"),
        ("\0\0\0", 0, 0, "NUL"),
        (" \n", 0, 0, "white space"),
        ("{\"a\":\n  \"cut", 2, 7, "ends in the middle"),
        ("{\"a\":1,}", 1, 8, "comma stands before }"),
        ("{\"a\":[1,]}", 1, 9, "value is missing"),
        ("{\"é\":NaN}", 1, 6, "NaN"),
        ("[]", 1, 1, "list"),
        ("null", 1, 1, "null"),
        ("\"x\"", 1, 1, "string"),
        ("12", 1, 1, "number"),
        ("{}{}", 1, 3, "follows"),
        ("// x\n{}", 1, 1, "comment"),
        ("{\"a\":01}", 1, 7, "comma or }"),
        ("{\"a\":\"\t\"}", 1, 7, "control character"),
        ("{\"a\":\"\\x\"}", 1, 8, "escape"),
        ("{\n<<<<<<< HEAD\n\"a\":1\n}", 2, 1, "conflict markers"),
        (&deep, 1, 100_001, "ends in the middle"),
    ] {
        let fault = read(file).unwrap_err();
        assert_eq!(
            (fault.line, fault.column),
            (line, column),
            "{file:.40}: {fault}"
        );
        assert!(fault.message.contains(word), "{file:.40}: {fault}");
    }
}

#[test]
fn what_node_reads_is_read() {
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(5000), "]".repeat(5000));
    for file in [
        r#"{"a":"\ud83d","\udc00":1}"#,
        r#"{"a":1e400,"a":-0,"b":12345678901234567890123}"#,
        r#"{"__proto__":1}"#,
        &deep,
    ] {
        assert!(read(file).is_ok(), "{file:.40}");
        assert!(by_scanner(file).is_ok(), "{file:.40}");
    }
}

#[test]
fn strings_decode_as_node_decodes_them() {
    for (raw, text, lossy) in [
        (r#""plain é""#, "plain é", false),
        (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t", false),
        (r#""\u00e9\u0000""#, "é\0", false),
        (r#""\ud83d\ude00!""#, "😀!", false),
        (r#""\ud83d""#, "\u{fffd}", true),
        (r#""\ude00\ud83d x""#, "\u{fffd}\u{fffd} x", true),
        (r#""\ud83d\u0041""#, "\u{fffd}A", true),
    ] {
        assert_eq!(decode(raw), (text.into(), lossy), "{raw}");
    }
}

/// JSON values with the spellings that differ between writers.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?",
        string(),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            (vec(inner.clone(), 0..4), space())
                .prop_map(|(items, s)| { format!("[{s}{}{s}]", items.join(&format!("{s},{s}"))) }),
            (vec((string(), inner), 0..4), space()).prop_map(|(parts, s)| members(&parts, &s)),
        ]
    })
}

fn members(parts: &[(String, String)], s: &str) -> String {
    let parts: Vec<String> = parts
        .iter()
        .map(|(k, v)| format!("{k}{s}:{s}{v}"))
        .collect();
    format!("{{{s}{}{s}}}", parts.join(&format!("{s},{s}")))
}

fn space() -> impl Strategy<Value = String> {
    "[ \t\n\r]{0,3}"
}

fn string() -> impl Strategy<Value = String> {
    "\"([a-zA-Zé日😀 ]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4}){0,6}\""
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(ORDER.to_vec()).prop_map(|key| format!("\"{key}\"")),
        string(),
    ]
}

fn file() -> impl Strategy<Value = String> {
    (vec((key(), value()), 0..8), space()).prop_map(|(parts, s)| members(&parts, &s))
}

fn edit() -> impl Strategy<Value = Edit> {
    let field = || proptest::sample::select(vec![Field::Subject, Field::Status, Field::Owner]);
    let side = || proptest::sample::select(vec![EdgeField::Blocks, EdgeField::BlockedBy]);
    let id = || "[ab1]".prop_map(TaskId::new);
    prop_oneof![
        (field(), "[a-z\"\\\\é\n]{0,4}").prop_map(|(field, text)| Edit::text(field, &text)),
        field().prop_map(|field| Edit::Set(field, None)),
        ("[kq]", value()).prop_map(|(key, v)| Edit::SetKey(key, Some(Json::raw(v)))),
        "[kq]".prop_map(|key| Edit::SetKey(key, None)),
        ("[kq]", value()).prop_map(|(key, v)| Edit::SetMetadata(key, Some(Json::raw(v)))),
        "[kq]".prop_map(|key| Edit::SetMetadata(key, None)),
        (side(), id()).prop_map(|(side, id)| Edit::AddEdge(side, id)),
        (side(), id()).prop_map(|(side, id)| Edit::RemoveEdge(side, id)),
        proptest::bool::ANY.prop_map(Edit::ByteOrderMark),
    ]
}

fn touched(edit: &Edit) -> &str {
    match edit {
        Edit::SetKey(key, _) => key,
        Edit::Set(field, _) => field.key(),
        Edit::SetMetadata(..) => "metadata",
        Edit::AddEdge(side, _) | Edit::RemoveEdge(side, _) => side.key(),
        Edit::ByteOrderMark(_) => "",
    }
}

/// The members that an edit does not concern, as they are written.
fn others<'a>(object: &Object<'a>, edit: &Edit) -> Vec<(String, &'a str)> {
    let members = object.members.iter();
    let others = members.filter(|(key, _)| key != touched(edit));
    others
        .map(|(key, value)| (key.to_string(), *value))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn both_readers_agree(file in file()) {
        let scanned = by_scanner(&file).unwrap();
        if let Some(object) = by_serde(&file) {
            prop_assert_eq!(object, scanned);
        }
    }

    /// Any damage: serde_json accepts nothing that the scanner refuses.
    #[test]
    fn both_readers_refuse_alike(file in file(), at in any::<prop::sample::Index>(), with in "[\\[\\]{},:\"0a\\\\ ]?") {
        let places: Vec<usize> = file.char_indices().map(|(at, _)| at).collect();
        let at = places[at.index(places.len())];
        let next = at + file[at..].chars().next().map_or(0, char::len_utf8);
        let damaged = format!("{}{with}{}", &file[..at], &file[next..]);
        match (by_serde(&damaged), by_scanner(&damaged)) {
            (Some(object), scanned) => prop_assert_eq!(Ok(object), scanned),
            (None, Ok(object)) => {
                let half = |(key, _): &(std::borrow::Cow<str>, &str)| key.contains('\u{fffd}');
                prop_assert!(object.members.iter().any(half), "{}", damaged);
            }
            (None, Err(_)) => {}
        }
    }

    #[test]
    fn an_edit_keeps_every_other_member(file in file(), edit in edit()) {
        let patch = Patch { edits: vec![edit.clone()] };
        let after = apply(file.as_bytes(), &patch, &ORDER).unwrap();
        let after = String::from_utf8(after).unwrap();
        let text = after.strip_prefix('\u{feff}');
        prop_assert_eq!(text.is_some(), edit == Edit::ByteOrderMark(true));
        let (before, now) = (read(&file).unwrap(), read(text.unwrap_or(&after)).unwrap());
        prop_assert_eq!(others(&before, &edit), others(&now, &edit));
        prop_assert_eq!(has(&now, &edit), true, "{}", after);
    }

    #[test]
    fn an_edit_done_twice_is_done_once(file in file(), edits in vec(edit(), 1..2)) {
        let patch = Patch { edits };
        let once = apply(file.as_bytes(), &patch, &ORDER).unwrap();
        prop_assert_eq!(apply(&once, &patch, &ORDER).unwrap(), once);
    }

    #[test]
    fn no_edits_no_change(file in file()) {
        prop_assert_eq!(apply(file.as_bytes(), &Patch::default(), &ORDER).unwrap(), file.as_bytes());
    }
}

/// Whether the object now says what the edit wanted.
fn has(object: &Object<'_>, edit: &Edit) -> bool {
    let value = |object: &Object<'_>, key: &str| object.get(key).map(Json::raw);
    let same = |found: Option<Json>, wanted: &Option<Json>| match (found, wanted) {
        (Some(found), Some(wanted)) => found.same_value(wanted) || wanted.parse().is_none(),
        (found, wanted) => found.is_none() && wanted.is_none(),
    };
    match edit {
        Edit::Set(field, wanted) => same(value(object, field.key()), wanted),
        Edit::SetKey(key, wanted) => same(value(object, key), wanted),
        Edit::SetMetadata(key, wanted) => {
            let inner = object.get("metadata").and_then(|raw| read(raw).ok());
            same(inner.and_then(|inner| value(&inner, key)), wanted)
        }
        Edit::AddEdge(side, id) => names(object, side.key(), id),
        Edit::RemoveEdge(side, id) => !names(object, side.key(), id),
        Edit::ByteOrderMark(_) => true, // not the object's
    }
}

fn names(object: &Object<'_>, key: &str, id: &TaskId) -> bool {
    let ids = object.get(key).map(|raw| edge_ids(raw).ids);
    ids.is_some_and(|ids| ids.iter().any(|known| known == id.as_str()))
}
