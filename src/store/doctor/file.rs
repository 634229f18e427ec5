//! What one task's file shows by itself: what its agent's reader demands and does not find.

use super::super::dialect::rules;
use super::super::json::{self, Object, edge_ids};
use super::super::schema::{FaultKind, KeyFault};
use super::{Cure, Finding, Severity};
use crate::list::Op;
use crate::task::{
    BYTE_ORDER_MARK, Dialect, Edit, Field, Json, Patch, Position, Task, WarningCode,
};

pub(super) fn findings(dialect: Dialect, task: &Task, thread: &str) -> Vec<Finding> {
    let bytes = task.raw.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&task.raw);
    let text = String::from_utf8_lossy(bytes);
    let Ok(object) = json::read(&text) else {
        return Vec::new(); // a task is an object
    };
    let file = TaskFile {
        dialect,
        task,
        bytes,
        object: &object,
        thread,
    };
    let mut findings = Vec::new();
    if bytes.len() < task.raw.len() {
        findings.push(file.byte_order_mark());
    }
    let faults = rules(dialect).faults(&object);
    findings.extend(faults.iter().map(|fault| file.fault(fault)));
    findings.extend(file.foreign_keys());
    findings.extend(file.oddities());
    findings
}

struct TaskFile<'a> {
    dialect: Dialect,
    task: &'a Task,
    bytes: &'a [u8],
    object: &'a Object<'a>,
    thread: &'a str,
}

impl TaskFile<'_> {
    fn fault(&self, fault: &KeyFault) -> Finding {
        let code = match &fault.kind {
            FaultKind::Missing => "missing_key",
            FaultKind::Null => "null_key",
            FaultKind::Wrong(_) if fault.key == "status" => WarningCode::UnknownStatus.as_str(),
            FaultKind::Wrong(_) => "wrong_type",
            FaultKind::Unknown => "unknown_key",
        };
        let agent = self.dialect.agent();
        let edits = self.cure(fault);
        Finding {
            severity: Severity::Error,
            code,
            at: self.place_of(&fault.key),
            what: fault.to_string(),
            meaning: format!("{agent} does not see this task, and says nothing about it"),
            advice: match &edits {
                Some((_, advice)) => advice.clone(),
                None => self.advice(fault),
            },
            cure: edits.map(|(edits, _)| self.edit(edits)),
            ..self.blank()
        }
    }

    fn advice(&self, fault: &KeyFault) -> String {
        let (id, key) = (&self.task.id, &fault.key);
        match (key.as_str(), &fault.kind) {
            ("status" | "subject", _) => format!("set one: taskdeck update {id} --{key} …"),
            (_, FaultKind::Unknown) => {
                format!("move {key} by hand: metadata has no room for it under that name")
            }
            _ => format!("put {key} right in the file by hand"),
        }
    }

    /// The edits that let the agent see the task again without losing anything, and what they do.
    fn cure(&self, fault: &KeyFault) -> Option<(Vec<Edit>, String)> {
        let key = fault.key.as_str();
        let stored = self.object.get(key);
        let set = |value: Json| {
            let advice = format!("set {key} to {value}");
            let edit = match Field::named(key) {
                Some(field) => Edit::Set(field, Some(value)),
                None => Edit::SetKey(key.to_owned(), Some(value)),
            };
            Some((vec![edit], advice))
        };
        let own_id = || Json::string(self.task.id.as_str());
        match (key, &fault.kind) {
            (_, FaultKind::Unknown) => self.move_to_metadata(key),
            ("description", FaultKind::Missing | FaultKind::Null) => set(Json::string("")),
            ("threadID", FaultKind::Missing | FaultKind::Null) => {
                let (edits, _) = set(Json::string(self.thread))?;
                Some((edits, "fill threadID in".to_owned()))
            }
            ("id", FaultKind::Missing | FaultKind::Null) => set(own_id()),
            ("id", FaultKind::Wrong(_)) if stored == Some(self.task.id.as_str()) => set(own_id()),
            ("blocks" | "blockedBy", FaultKind::Missing | FaultKind::Null) => set(Json::raw("[]")),
            ("blocks" | "blockedBy", FaultKind::Wrong(_)) => set(as_list(stored?)?),
            (
                "activeForm" | "owner" | "repoURL" | "parentID" | "metadata" | "claimedAt",
                FaultKind::Null,
            ) => {
                let edit = match Field::named(key) {
                    Some(field) => Edit::Set(field, None),
                    None => Edit::SetKey(key.to_owned(), None),
                };
                Some((vec![edit], format!("take {key} out")))
            }
            _ => None,
        }
    }

    /// Where the agent's reader allows anything. A name that is taken there stays.
    fn move_to_metadata(&self, key: &str) -> Option<(Vec<Edit>, String)> {
        let value = Json::raw(self.object.get(key)?);
        let room = match self.object.get("metadata") {
            None => true,
            Some(raw) => json::read(raw).is_ok_and(|members| members.get(key).is_none()),
        };
        let edits = vec![
            Edit::SetMetadata(key.to_owned(), Some(value)),
            Edit::SetKey(key.to_owned(), None),
        ];
        room.then(|| (edits, format!("move {key} into metadata")))
    }

    /// A reader that is not strict takes unknown keys, but its next write leaves them out.
    fn foreign_keys(&self) -> Option<Finding> {
        if self.dialect == Dialect::Omo {
            return None; // its reader is strict; that is a fault
        }
        let known = rules(self.dialect).order();
        let foreign = self.object.members.iter().map(|(key, _)| key.as_ref());
        let foreign: Vec<&str> = foreign.filter(|key| !known.contains(key)).collect();
        let agent = self.dialect.agent();
        let first = foreign.first()?;
        Some(Finding {
            severity: Severity::Warning,
            code: "foreign_key",
            at: self.place_of(first),
            what: format!("keys that {agent} does not know: {}", foreign.join(", ")),
            meaning: format!("{agent} drops them when it writes the task next"),
            advice: "keep what you need in metadata".to_owned(),
            ..self.blank()
        })
    }

    fn byte_order_mark(&self) -> Finding {
        let agent = self.dialect.agent();
        Finding {
            severity: Severity::Error,
            code: "byte_order_mark",
            at: Some(Position { line: 1, column: 1 }),
            what: "the file starts with a byte order mark".to_owned(),
            meaning: format!("{agent} cannot read the file and treats it as absent"),
            advice: "take the mark out".to_owned(),
            cure: Some(self.edit(vec![Edit::ByteOrderMark(false)])),
            ..self.blank()
        }
    }

    fn oddities(&self) -> impl Iterator<Item = Finding> {
        let odd = |warning: &crate::task::Warning| {
            let (meaning, advice) = match warning.code {
                WarningCode::IdMismatch => (
                    "an agent that goes by the id inside finds another task, or none",
                    "make the id inside and the file's name the same",
                ),
                WarningCode::NotUtf8 => (
                    "the agent reads \u{fffd} there, and its next write makes that permanent",
                    "save the file as UTF-8",
                ),
                WarningCode::LossyText => (
                    "the text is whole in the file; only programs like this one cannot show it",
                    "nothing, unless you want the text back: then write it anew",
                ),
                _ => return None, // a fault of the schema
            };
            Some(Finding {
                severity: match warning.code {
                    WarningCode::LossyText => Severity::Note,
                    _ => Severity::Warning,
                },
                code: warning.code.as_str(),
                at: (warning.code == WarningCode::IdMismatch)
                    .then(|| self.place_of("id"))
                    .flatten(),
                what: warning.message.clone(),
                meaning: meaning.to_owned(),
                advice: advice.to_owned(),
                ..self.blank()
            })
        };
        self.task.warnings.iter().filter_map(odd)
    }

    fn place_of(&self, key: &str) -> Option<Position> {
        json::place_of(self.bytes, key)
    }

    fn edit(&self, edits: Vec<Edit>) -> Cure {
        Cure::Edit(Op::Update {
            ids: vec![self.task.id.clone()],
            patch: Patch { edits },
            force: true,
        })
    }

    fn blank(&self) -> Finding {
        super::about(self.task)
    }
}

/// An edge field as the list of strings that the schema wants, when that says all that it said.
fn as_list(raw: &str) -> Option<Json> {
    let found = edge_ids(raw);
    let said = match raw.starts_with('[') {
        true => Json::raw(raw).items()?.len(),
        false => 1,
    };
    let ids: Vec<String> = found
        .ids
        .iter()
        .map(|id| Json::string(id).to_string())
        .collect();
    (!found.lossy && ids.len() == said).then(|| Json::raw(format!("[{}]", ids.join(","))))
}
