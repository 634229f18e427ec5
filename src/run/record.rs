use serde::{Deserialize, Serialize};

use crate::task::{Json, Task};

/// A process, or a group of them by its leader, told from later ones of the same number.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// When it began, in the clock ticks since boot that `/proc` tells; `None` where there is no
    /// such thing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<u64>,
}

/// What `metadata.run` says of a task while it runs: enough for another runner to find out whether
/// this one is still there, and to give the task back if not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimed {
    /// The number of this attempt, from 1.
    pub attempt: u32,
    /// The machine.
    pub host: String,
    /// The machine's boot: processes of an earlier one are gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boot: Option<String>,
    /// The runner.
    pub runner: Process,
    /// The worker's process group.
    pub worker: Process,
    /// Who owned the task before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// When it was claimed, in milliseconds since the epoch.
    pub at: i64,
}

/// What `metadata.run` says after an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempted {
    /// The number of the attempt.
    pub attempt: u32,
    /// How it ended: `0`, `"signal 9"`, `"timeout"`.
    pub exit: serde_json::Value,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// When it ended, in milliseconds since the epoch.
    pub at: i64,
    /// The runner gave up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
}

impl Claimed {
    /// The record of a task that a runner has claimed.
    pub fn of(task: &Task) -> Option<Claimed> {
        serde_json::from_value(run_of(task)?).ok()
    }

    /// As `metadata.run` holds it.
    pub fn to_json(&self) -> Json {
        json(self)
    }
}

/// What `metadata.run` says: of a task that a runner has, or had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// A worker has it.
    Claimed(Claimed),
    /// A worker had it.
    Attempted(Attempted),
}

impl Record {
    /// The record of a task; `None` when no runner ever had it, or nobody can read what is there.
    pub fn of(task: &Task) -> Option<Record> {
        let run = run_of(task)?;
        let attempted = || {
            serde_json::from_value(run.clone())
                .ok()
                .map(Record::Attempted)
        };
        Claimed::of(task).map(Record::Claimed).or_else(attempted)
    }
}

impl Attempted {
    /// How it ended, for people: `exit 1`, `signal 9`, `timeout`.
    pub fn exit_in_words(&self) -> String {
        match &self.exit {
            serde_json::Value::String(words) => words.clone(),
            status => format!("exit {status}"),
        }
    }

    pub(super) fn to_json(&self) -> Json {
        json(self)
    }
}

/// The number of the last attempt that counts; 0 when the task was never tried, or somebody took
/// the record away so that it is tried anew.
pub fn last_attempt(task: &Task) -> u32 {
    let attempt = run_of(task).and_then(|run| run["attempt"].as_u64());
    attempt.and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
}

/// `metadata.run`, whatever it says.
pub(super) fn run_of(task: &Task) -> Option<serde_json::Value> {
    let metadata = task.metadata.as_ref()?;
    if !metadata.as_str().contains("\"run\"") {
        return None;
    }
    metadata.parse()?.get("run").cloned()
}

fn json(value: &impl Serialize) -> Json {
    let text = serde_json::to_string(value);
    Json::raw(text.expect("plain data can be written as JSON"))
}
