//! What the fuzzers hold against reading and editing task files.

use std::borrow::Cow;
use std::ops::Range;

use super::read::{by_scanner, by_serde};
use super::scan;
use super::{apply, decode, read};
use crate::store::parse::parse;
use crate::task::{BYTE_ORDER_MARK, Dialect, EdgeField, Edit, Field, Json, Patch, TaskId};

const DIALECTS: [Dialect; 3] = [Dialect::Omo, Dialect::OmoTeam, Dialect::Claude];

/// A task file: both readers agree, and every dialect gives a task or a fault whose place is in
/// the file.
pub fn task(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let readable = agree(text.strip_prefix('\u{feff}').unwrap_or(&text));
    for dialect in DIALECTS {
        match parse(dialect, &TaskId::new("T-1"), data, None) {
            Ok(task) => assert!(readable && *task.raw == *data),
            Err(fault) => {
                assert!(!readable && !fault.to_string().is_empty());
                let lines = text.split('\n').count();
                assert!(
                    fault.at().is_none_or(|at| (1..=lines).contains(&at.line)),
                    "{fault}"
                );
            }
        }
    }
}

/// serde_json accepts nothing that the scanner refuses, and refuses only half surrogate pairs of
/// what the scanner accepts. Whether there is an object.
fn agree(text: &str) -> bool {
    match (by_serde(text), by_scanner(text)) {
        (Some(object), scanned) => {
            assert_eq!(Ok(object), scanned);
            true
        }
        (None, Ok(object)) => {
            let half = |(key, _): &(Cow<'_, str>, &str)| key.contains('\u{fffd}');
            assert!(
                object.members.iter().any(half),
                "serde_json refuses {text:?}"
            );
            true
        }
        (None, Err(_)) => false,
    }
}

/// The first bytes choose an edit, the rest is a file. An edit does what it says, keeps every other
/// member with the bytes between them, and done twice is done once.
pub fn edit(data: &[u8]) {
    let [kind, key, value, file @ ..] = data else {
        return;
    };
    let edit = chosen(*kind, *key, *value);
    let patch = Patch {
        edits: vec![edit.clone()],
    };
    let order = ["id", "subject", "status", "blocks", "blockedBy", "metadata"];
    let after = match apply(file, &patch, &order) {
        Ok(after) => after,
        Err(fault) => {
            assert!(
                scan::object(unmarked(file)).is_err(),
                "{edit:?} is refused: {fault}"
            );
            return;
        }
    };
    if after == file {
        return;
    }
    let (before, now) = (unmarked(file), unmarked(&after));
    let (old, new) = (runs(before, touched(&edit)), runs(now, touched(&edit)));
    let kept = is_inside(before, &old, now) || is_inside(now, &new, before);
    assert!(kept, "{edit:?} made {:?}", String::from_utf8_lossy(&after));
    assert!(
        says(&after, &edit),
        "{edit:?} made {:?}",
        String::from_utf8_lossy(&after)
    );
    assert_eq!(
        apply(&after, &patch, &order).as_ref(),
        Ok(&after),
        "{edit:?} twice"
    );
}

fn unmarked(file: &[u8]) -> &[u8] {
    file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file)
}

fn chosen(kind: u8, key: u8, value: u8) -> Edit {
    let of = |choices: &[&'static str], choice: u8| choices[usize::from(choice) % choices.len()];
    let name = of(
        &["a", "id", "status", "blocks", "metadata", "é\"\\", ""],
        key,
    );
    let id = TaskId::new(of(&["T-1", "1", "é\"\\", "T-2"], value));
    let side = [EdgeField::Blocks, EdgeField::BlockedBy][usize::from(key % 2)];
    let values = [
        "1",
        "null",
        r#""x""#,
        r#"{"a":[1,{}]}"#,
        "[]",
        "[1,[]]",
        "1e400",
        r#""\ud800""#,
    ];
    let value = Json::raw(of(&values, value));
    match kind % 8 {
        0 if kind >= 240 => Edit::ByteOrderMark(kind >= 248),
        0 => Edit::SetKey(name.to_owned(), Some(value)),
        1 => Edit::SetKey(name.to_owned(), None),
        2 => Edit::SetMetadata(name.to_owned(), Some(value)),
        3 => Edit::SetMetadata(name.to_owned(), None),
        4 => Edit::AddEdge(side, id),
        5 => Edit::RemoveEdge(side, id),
        6 => Edit::text(Field::Owner, id.as_str()),
        _ => Edit::Set(Field::Owner, None),
    }
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

fn key_of(bytes: &[u8], key: Range<usize>) -> String {
    decode(&String::from_utf8_lossy(&bytes[key])).0.into_owned()
}

/// The stretches of a file that hold neighbouring members of other names, from the first key to
/// the last value.
fn runs(bytes: &[u8], name: &str) -> Vec<Range<usize>> {
    let object = scan::object(bytes).expect("an edited file is an object");
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut goes_on = false;
    for member in object.parts {
        let other = key_of(bytes, member.key.clone()) != name;
        match runs.last_mut() {
            _ if !other => {}
            Some(run) if goes_on => run.end = member.value.end,
            _ => runs.push(member.key.start..member.value.end),
        }
        goes_on = other;
    }
    runs
}

/// Whether the stretches of one file stand in the other, byte for byte and in their order.
fn is_inside(file: &[u8], runs: &[Range<usize>], other: &[u8]) -> bool {
    let mut from = 0;
    runs.iter().all(|run| {
        let wanted = &file[run.clone()];
        let found = other[from..]
            .windows(wanted.len())
            .position(|w| w == wanted);
        from += found.map_or(0, |at| at + wanted.len());
        found.is_some()
    })
}

/// Whether a file says what an edit wanted.
fn says(bytes: &[u8], edit: &Edit) -> bool {
    let text = String::from_utf8_lossy(unmarked(bytes));
    let object = read(&text).expect("an edited file is an object");
    let is = |found: Option<&str>, wanted: &Option<Json>| match (found.map(Json::raw), wanted) {
        (Some(found), Some(wanted)) => found.same_value(wanted) || wanted.parse().is_none(),
        (found, wanted) => found.is_none() && wanted.is_none(),
    };
    let names = |side: &EdgeField, id: &TaskId| {
        let ids = super::edge_ids(object.get(side.key()).unwrap_or("[]")).ids;
        ids.iter().any(|known| known == id.as_str())
    };
    match edit {
        Edit::Set(field, wanted) => is(object.get(field.key()), wanted),
        Edit::SetKey(key, wanted) => is(object.get(key), wanted),
        Edit::SetMetadata(key, wanted) => {
            let inner = object.get("metadata").and_then(|raw| read(raw).ok());
            is(inner.and_then(|inner| inner.get(key)), wanted)
        }
        Edit::AddEdge(side, id) => names(side, id),
        Edit::RemoveEdge(side, id) => !names(side, id),
        Edit::ByteOrderMark(there) => bytes.starts_with(BYTE_ORDER_MARK) == *there,
    }
}
