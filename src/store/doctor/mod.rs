//! Everything wrong or suspicious in a list: what it is, where, what it means for the agent, and
//! what to do. The diagnosis is pure; what only the folder shows comes in as [`Facts`].
//!
//! A cure is an ordinary wish, planned and committed like any other, or the clearing of what a
//! writer left behind when it was stopped.

mod file;
mod folder;
mod relations;

#[cfg(test)]
mod tests;

use crate::list::{List, Op};
use crate::task::{Dialect, Position, Problem, ProblemCode, Task, TaskId};
use crate::text;

pub use folder::{Facts, TaskLock};

/// How bad a finding is; the worst sorts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The agent cannot see a task, or a task can never start.
    Error,
    /// Something may go wrong.
    Warning,
    /// Worth knowing; nothing goes wrong by it.
    Note,
}

impl Severity {
    /// The word in `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// One thing that is wrong or suspicious.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The kind, as `--json` names it.
    pub code: &'static str,
    /// The file's name in the list's folder.
    pub file: String,
    /// Where in the file, when it is one place.
    pub at: Option<Position>,
    /// The task that it is about, when there is a readable one.
    pub task: Option<TaskId>,
    /// What it is.
    pub what: String,
    /// What it means for the agent.
    pub meaning: String,
    /// What to do; with a cure, what the cure does.
    pub advice: String,
    /// What `doctor --fix` does about it; `None` where that is for a person to decide.
    pub cure: Option<Cure>,
}

/// A repair that loses nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum Cure {
    /// Edits of task files.
    Edit(Op),
    /// Takes a left temp file out of the folder.
    ClearTemp,
    /// Clears a dead lock: the list's, or that of a task.
    ClearLock(Option<TaskId>),
    /// Raises the mark of a numbered list to the highest number that a task has.
    RaiseMark(u64),
}

/// Everything to be said about a list, the worst first. A `threadID` that is missing is filled
/// with `thread`.
pub fn diagnose(list: &List, facts: &Facts, thread: &str) -> Vec<Finding> {
    let dialect = list.dialect();
    let mut findings: Vec<Finding> = Vec::new();
    findings.extend(list.problems().into_iter().map(|p| of_problem(dialect, p)));
    findings.extend(facts.findings(list));
    for task in list.tasks() {
        if !list.is_unreadable(&task.id) {
            findings.extend(file::findings(dialect, task, thread));
        }
        findings.extend(relations::findings(list, task));
    }
    findings.extend(relations::rings(list));
    findings.sort_by_key(|finding| finding.severity);
    findings
}

/// How many findings of each severity there are, in words.
pub fn in_numbers(findings: &[Finding]) -> String {
    let of = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let all = [Severity::Error, Severity::Warning, Severity::Note];
    text::counts(all.map(|severity| (of(severity), severity.as_str())))
}

/// The wish that carries out every cure of task files among the findings; `None` without one.
pub fn cure<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Option<Op> {
    let edits = findings
        .into_iter()
        .filter_map(|finding| match &finding.cure {
            Some(Cure::Edit(op)) => Some(op.clone()),
            _ => None,
        });
    let edits: Vec<Op> = edits.collect();
    (!edits.is_empty()).then_some(Op::All(edits))
}

/// A finding about a task of which nothing is said yet.
fn about(task: &Task) -> Finding {
    Finding {
        severity: Severity::Note,
        code: "",
        file: format!("{}.json", task.id),
        at: None,
        task: Some(task.id.clone()),
        what: String::new(),
        meaning: String::new(),
        advice: String::new(),
        cure: None,
    }
}

fn of_problem(dialect: Dialect, problem: &Problem) -> Finding {
    let agent = dialect.agent();
    let (severity, meaning, advice, cure) = match problem.code {
        ProblemCode::Unreadable => (
            Severity::Error,
            format!("{agent} treats the file as absent, and what waits for the task stays blocked"),
            "repair the file by hand or bring an older version back; taskdeck never overwrites it",
            None,
        ),
        ProblemCode::NotAFile => (
            Severity::Error,
            format!("{agent} finds no task in it"),
            "move it out of the folder",
            None,
        ),
        ProblemCode::BadName => (
            Severity::Warning,
            format!("{agent} may list it, but no call can name it"),
            "rename the file to an id of the list, or move it out of the folder",
            None,
        ),
        ProblemCode::TempLeft => (
            Severity::Warning,
            format!("{agent} never reads nor removes it; a write may have been lost with it"),
            "take it out of the folder (it is kept, and comes back with `doctor --undo`)",
            Some(Cure::ClearTemp),
        ),
        ProblemCode::LockStale => (
            Severity::Warning,
            format!("{agent} waits for it, or fails, until it is old enough"),
            "clear the lock",
            Some(Cure::ClearLock(None)),
        ),
    };
    Finding {
        severity,
        code: problem.code.as_str(),
        file: problem.file.clone(),
        at: problem.at,
        task: None,
        what: problem.message.clone(),
        meaning,
        advice: advice.to_owned(),
        cure,
    }
}
