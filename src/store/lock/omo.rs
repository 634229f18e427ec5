//! OmO's list lock: the file `.lock` with `{"id":"…","timestamp":<ms>}` on one line.
//!
//! OmO creates it empty and writes it then, and takes over what it cannot parse at once. Ours
//! appears together with its content, and an empty one is given a moment to be filled.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::file::{self, Content, FileLock, Manner, Verdict};
use super::{LockError, LockHolder, Waiting};

pub(super) const MANNER: Manner = Manner {
    stale: Duration::from_secs(30),
    content,
    stamp: |bytes| match stamp(bytes) {
        Stamp::At(stamp) => Some(stamp),
        Stamp::Unparsable | Stamp::Absent => None,
    },
    judge,
    name,
};

/// The start of ids that we give, followed by our process id.
const OURS: &str = "taskdeck-";

/// Waits for the list's lock and takes it.
pub(in crate::store) fn take(dir: &Path, waiting: &Waiting) -> Result<FileLock, LockError> {
    file::take(&dir.join(".lock"), &MANNER, waiting)
}

/// Who holds the list's lock now, if anybody.
pub(in crate::store) fn holder(dir: &Path, waiting: &Waiting) -> Option<LockHolder> {
    file::holder(&dir.join(".lock"), &MANNER, waiting)
}

fn content(now_ms: i64) -> String {
    let id = format!("{OURS}{}-{}", std::process::id(), uuid::Uuid::new_v4());
    format!(r#"{{"id":"{id}","timestamp":{now_ms}}}"#)
}

fn judge(lock: &Content<'_>) -> Verdict {
    match stamp(lock.bytes) {
        Stamp::Unparsable => Verdict::Garbage,
        Stamp::Absent => Verdict::Held,
        Stamp::At(stamp) if lock.is_older_than_stale(stamp) => Verdict::Stale,
        Stamp::At(_) => Verdict::Held,
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Stamp {
    /// Node cannot parse the content, or reads `null`.
    Unparsable,
    /// Never stale by OmO's rule: comparing with a time that is not there is always false.
    Absent,
    At(i64),
}

fn stamp(bytes: &[u8]) -> Stamp {
    match serde_json::from_slice::<Value>(bytes) {
        Err(_) | Ok(Value::Null) => Stamp::Unparsable,
        Ok(lock) => match lock.get("timestamp").and_then(number) {
            #[allow(clippy::cast_possible_truncation, reason = "the cast saturates")]
            Some(stamp) => Stamp::At(stamp as i64),
            None => Stamp::Absent,
        },
    }
}

/// What JavaScript makes of a value in a subtraction.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Null => Some(0.0),
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Value::Number(number) => number.as_f64(),
        Value::String(text) if text.trim().is_empty() => Some(0.0),
        Value::String(text) => text.trim().parse().ok().filter(|n: &f64| n.is_finite()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// The holder's name, from the id in the lock.
fn name(bytes: &[u8]) -> String {
    let lock: Value = serde_json::from_slice(bytes).unwrap_or_default();
    match lock.get("id").and_then(Value::as_str) {
        Some(id) => match id
            .strip_prefix(OURS)
            .and_then(|rest| rest.split('-').next())
        {
            Some(process) => format!("taskdeck (process {process})"),
            None => format!("an agent (lock id {id})"),
        },
        None if bytes.is_empty() => "an empty .lock".to_owned(),
        None => "a .lock without an id".to_owned(),
    }
}

#[cfg(test)]
#[path = "omo_tests.rs"]
mod tests;
