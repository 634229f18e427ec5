use super::record::{Attempted, Claimed, last_attempt, run_of};
use crate::list::{List, Op};
use crate::task::{Dialect, Edit, Field, Json, Patch, Status, Task, TaskId};

/// What makes a task done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// Exit status 0.
    Exit,
    /// Only what the worker itself wrote into the task.
    Task,
    /// What the worker wrote, or a last line of output that is `{"result": …}`.
    Result,
}

/// How a worker ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// With an exit status.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// It took too long and was ended.
    TimedOut,
    /// Nobody knows: the system does not tell.
    Lost(String),
    /// The runner ended it because the task was deleted or taken over.
    Stopped,
    /// The runner itself was told to end.
    Interrupted,
}

impl Ending {
    /// As `metadata.run.exit` says it: an exit status as a number, anything else in words.
    pub fn to_value(&self) -> serde_json::Value {
        match self {
            Ending::Exit(status) => (*status).into(),
            other => other.in_words().into(),
        }
    }

    /// Whether it says something about the task; what was broken off from outside does not.
    fn counts(&self) -> bool {
        !matches!(self, Ending::Interrupted | Ending::Stopped)
    }

    /// In a word or two.
    pub fn in_words(&self) -> String {
        match self {
            Ending::Exit(status) => status.to_string(),
            Ending::Signal(signal) => format!("signal {signal}"),
            Ending::TimedOut => "timeout".to_owned(),
            Ending::Lost(why) => format!("lost: {why}"),
            Ending::Stopped => "stopped".to_owned(),
            Ending::Interrupted => "interrupted".to_owned(),
        }
    }
}

/// By what a runner judges endings.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// What makes a task done.
    pub done: Done,
    /// How many attempts may fail before the last one.
    pub retries: u32,
}

/// What an attempt came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The task is completed.
    Done,
    /// The attempt failed; the task is tried again.
    Retry,
    /// The attempt failed, and it was the last.
    Failed,
    /// The task is as the worker or somebody else left it, to be done later or never.
    Left,
}

/// One worker's end.
#[derive(Debug, Clone)]
pub struct Ended<'a> {
    /// The task.
    pub id: &'a TaskId,
    /// The name under which it was claimed.
    pub owner: &'a str,
    /// What was recorded at its claim.
    pub claimed: &'a Claimed,
    /// How it ended.
    pub ending: &'a Ending,
    /// The last line that it printed.
    pub last_line: Option<&'a str>,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// When it ended, in milliseconds since the epoch.
    pub at: i64,
}

/// What an ending means for the task, and what is to be written: never over what somebody wrote
/// meanwhile.
pub fn settle(list: &List, ended: &Ended<'_>, rules: Rules) -> (Verdict, Option<Op>) {
    let Some(task) = list.get(ended.id) else {
        return (Verdict::Left, None);
    };
    let ours = is_ours(task, ended);
    let result = ended.last_line.and_then(result_of);
    let theirs = |owner: &str| owner != ended.owner;
    match &task.status {
        // Somebody took it over: it is theirs as it stands, but no worker of ours is on it.
        Status::InProgress | Status::Claimed
            if ours && task.owner.as_deref().is_some_and(theirs) =>
        {
            let edits = note(ended, ended.claimed.attempt - 1, false, result);
            (Verdict::Left, Some(guarded(ended, task, edits)))
        }
        Status::Completed => {
            let edits = note(ended, last_attempt(task).max(1), false, result);
            (Verdict::Done, ours.then(|| guarded(ended, task, edits)))
        }
        Status::InProgress | Status::Claimed if ours => judge(list, ended, task, rules, result),
        Status::Pending if ours => given_back(list, ended, task, rules, result),
        _ => (Verdict::Left, None),
    }
}

/// Whether nobody else has claimed the task since. A worker that rewrites its whole file may have
/// dropped the record, which changes nothing about whose task it is.
fn is_ours(task: &Task, ended: &Ended<'_>) -> bool {
    match run_of(task) {
        Some(_) => Claimed::of(task).as_ref() == Some(ended.claimed),
        None => task
            .owner
            .as_deref()
            .is_none_or(|owner| owner == ended.owner),
    }
}

/// The task is still as it was claimed: exit status and output decide.
fn judge(
    list: &List,
    ended: &Ended<'_>,
    task: &Task,
    rules: Rules,
    result: Option<Json>,
) -> (Verdict, Option<Op>) {
    let done = match rules.done {
        Done::Exit => true,
        Done::Task => false,
        Done::Result => result.is_some(),
    };
    let attempt = ended.claimed.attempt;
    if *ended.ending == Ending::Exit(0) && done {
        let mut edits = vec![Edit::status(&Status::Completed)];
        edits.extend(note(ended, attempt, false, result));
        return (Verdict::Done, Some(guarded(ended, task, edits)));
    }
    let counts = ended.ending.counts();
    let last = counts && attempt > rules.retries;
    let mut edits = Vec::new();
    // OmO team mode only goes forward: there the task stays in progress and is tried again.
    if list.dialect() != Dialect::OmoTeam {
        edits.push(Edit::status(&Status::Pending));
        let owner = ended.claimed.owner.as_deref().map(Json::string);
        edits.push(Edit::Set(Field::Owner, owner));
    }
    let attempt = if counts { attempt } else { attempt - 1 };
    edits.extend(note(ended, attempt, last, result));
    let verdict = match (counts, last) {
        (false, _) => Verdict::Left,
        (true, false) => Verdict::Retry,
        (true, true) => Verdict::Failed,
    };
    (verdict, Some(guarded(ended, task, edits)))
}

/// The worker gave its task back. With new blockers that is progress; without, it would come back
/// for ever, so it counts as an attempt.
fn given_back(
    list: &List,
    ended: &Ended<'_>,
    task: &Task,
    rules: Rules,
    result: Option<Json>,
) -> (Verdict, Option<Op>) {
    let counts = ended.ending.counts() && !list.is_blocked(&task.id);
    let attempt = ended.claimed.attempt;
    let last = counts && attempt > rules.retries;
    let attempt = if counts { attempt } else { attempt - 1 };
    let edits = note(ended, attempt, last, result);
    let verdict = if last { Verdict::Failed } else { Verdict::Left };
    (verdict, Some(guarded(ended, task, edits)))
}

/// What `metadata` says of the attempt.
fn note(ended: &Ended<'_>, attempt: u32, failed: bool, result: Option<Json>) -> Vec<Edit> {
    let record = Attempted {
        attempt,
        exit: ended.ending.to_value(),
        ms: ended.ms,
        at: ended.at,
        failed,
    };
    let mut edits = vec![Edit::SetMetadata("run".to_owned(), Some(record.to_json()))];
    edits.extend(result.map(|r| Edit::SetMetadata("result".to_owned(), Some(r))));
    edits
}

/// Edits that happen only while the task is as it was judged.
fn guarded(ended: &Ended<'_>, task: &Task, edits: Vec<Edit>) -> Op {
    Op::IfHolds {
        id: ended.id.clone(),
        holds: vec![
            Edit::status(&task.status),
            Edit::Set(Field::Owner, task.owner.as_deref().map(Json::string)),
            Edit::SetMetadata("run".to_owned(), run_of(task).map(|run| Json::value(&run))),
        ],
        then: Box::new(Op::Update {
            ids: vec![ended.id.clone()],
            patch: Patch { edits },
            force: false,
        }),
    }
}

/// The value of `result` in a line like `{"result": …}`.
fn result_of(line: &str) -> Option<Json> {
    let members = Json::raw(line.trim()).members()?;
    let (_, value) = members.into_iter().find(|(key, _)| key == "result")?;
    Some(value)
}

/// Gives a task of a runner that is gone back: pending, with the owner it had before, unless
/// somebody did so already. The broken attempt does not count.
pub(super) fn release(task: &Task, claimed: &Claimed, dialect: Dialect, at: i64) -> Op {
    let ended = Ended {
        id: &task.id,
        owner: task.owner.as_deref().unwrap_or_default(),
        claimed,
        ending: &Ending::Interrupted,
        last_line: None,
        ms: u64::try_from(at - claimed.at).unwrap_or(0),
        at,
    };
    let mut edits = Vec::new();
    if dialect != Dialect::OmoTeam && task.status.is_active() {
        edits.push(Edit::status(&Status::Pending));
        let owner = claimed.owner.as_deref().map(Json::string);
        edits.push(Edit::Set(Field::Owner, owner));
    }
    edits.extend(note(&ended, claimed.attempt - 1, false, None));
    guarded(&ended, task, edits)
}
