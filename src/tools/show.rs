//! What the tools' answers are made of.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::table::{Answer, Kind, Param, Tool};
use super::{Args, Context};
use crate::list::{FileContent, List, Needs, Op, Refusal, Resolve, plan};
use crate::store::{CommitError, Committed};
use crate::task::{Json, Task, TaskId, Warning};

/// What went along with what was done.
pub(super) const WARNINGS: Param = Param::optional(
    "warnings",
    Kind::Objects(WARNING),
    "What you should know although it was done",
);

/// A task in a list of tasks.
pub(super) const SUMMARY: &[Param] = &[
    Param::required("id", Kind::Text, "Exact id"),
    Param::required("subject", Kind::Text, "In one line"),
    Param::required(
        "status",
        Kind::Text,
        "pending, in_progress, completed or deleted",
    ),
    Param::optional("owner", Kind::Text, "Its owner"),
    Param::required(
        "blockedBy",
        Kind::List,
        "The open tasks it waits for; empty when it can start",
    ),
    Param::optional("priority", Kind::Text, "Its rank"),
    Param::optional(
        "opens",
        Kind::Integer,
        "How many tasks become ready when it is completed",
    ),
    Param::optional("warnings", Kind::List, "Codes of what is odd about it"),
];

/// A warning beside an answer.
const WARNING: &[Param] = &[
    Param::required("id", Kind::Text, "The task it is about"),
    Param::required("code", Kind::Text, "What kind it is"),
    Param::required("message", Kind::Text, "What it means"),
];

/// A task as tools that list tasks show it. `blockedBy` holds the open blockers only.
pub(super) fn summary(list: &List, task: &Task) -> Value {
    let mut shown = json!({
        "id": task.id.as_str(),
        "subject": task.subject,
        "status": task.status.as_str(),
    });
    if let Some(owner) = &task.owner {
        shown["owner"] = owner.as_str().into();
    }
    let open = list.open_blockers(&task.id);
    shown["blockedBy"] = open.iter().map(|b| b.id.as_str()).collect();
    let codes: Vec<&str> = list
        .warnings(&task.id)
        .iter()
        .map(|w| w.code.as_str())
        .collect();
    if !codes.is_empty() {
        shown["warnings"] = codes.into();
    }
    shown
}

/// The same by id; a task that is gone is its id and the status `deleted`.
pub(super) fn summary_of(list: &List, id: &TaskId) -> Value {
    match list.get(id) {
        Some(task) => summary(list, task),
        None => json!({"id": id.as_str(), "subject": "", "status": "deleted", "blockedBy": []}),
    }
}

/// The warnings of a commit beside its answer, each with its task; nothing when there is none.
pub(super) fn warnings(committed: &Committed) -> Option<Value> {
    let all = committed.warnings.iter().map(|(id, w)| warning(id, w));
    some(all.collect())
}

/// The warnings of a commit that created tasks, and what their subjects look like.
pub(super) fn warnings_of_new(committed: &Committed, twins: &[Option<TaskId>]) -> Option<Value> {
    let twin = |(id, twin): (&TaskId, &Option<TaskId>)| {
        let twin = twin.as_ref()?;
        let message = format!("the open task {twin} has the same subject; is this one needed?");
        Some(json!({"id": id.as_str(), "code": "probable_duplicate", "message": message}))
    };
    let mut all: Vec<Value> = committed
        .warnings
        .iter()
        .map(|(id, w)| warning(id, w))
        .collect();
    all.extend(committed.plan.subjects.iter().zip(twins).filter_map(twin));
    some(all)
}

/// A list that is left out when it is empty.
pub(super) fn some(all: Vec<Value>) -> Option<Value> {
    (!all.is_empty()).then(|| all.into())
}

/// For each subject an open task that has it already, where somebody looks.
pub(super) fn twins(context: &Context<'_>, subjects: &[&str]) -> Vec<Option<TaskId>> {
    let plain = |subject: &str| subject.trim().to_lowercase();
    let mut twins = vec![None; subjects.len()];
    context.world.glance(&mut |list| {
        let open: HashMap<String, &TaskId> = list
            .tasks()
            .filter(|task| !task.status.is_closed())
            .map(|task| (plain(&task.subject), &task.id))
            .collect();
        for (twin, subject) in twins.iter_mut().zip(subjects) {
            *twin = open.get(&plain(subject)).map(|id| (*id).clone());
        }
    });
    twins
}

/// A warning about a task.
pub(super) fn warning(id: &TaskId, warning: &Warning) -> Value {
    json!({"id": id.as_str(), "code": warning.code.as_str(), "message": warning.message})
}

/// The list as it is on disk now.
pub(super) fn load(context: &Context<'_>) -> Result<List, Answer> {
    let loaded = context.store.load();
    let mut list = loaded.map_err(|error| Answer::error("internal_error", &error.to_string()))?;
    context.world.remember(&mut list);
    Ok(list)
}

/// The task that an exact id names.
pub(super) fn resolve(list: &List, id: &str) -> Result<TaskId, Answer> {
    list.resolve(id, Resolve::Exact)
        .map_err(|refusal| refused(&refusal))
}

/// The tasks that exact ids name.
pub(super) fn resolve_all(list: &List, ids: &[String]) -> Result<Vec<TaskId>, Answer> {
    ids.iter().map(|id| resolve(list, id)).collect()
}

/// An id that may become part of a path. Whether the task is there the plan will say.
pub(super) fn checked(context: &Context<'_>, id: &str) -> Result<TaskId, Answer> {
    match context.store.dialect().check_id(id) {
        Ok(()) => Ok(TaskId::new(id)),
        Err(invalid) => {
            let message = format!("{invalid}; copy ids exactly as task_list gives them");
            Err(Answer::error("invalid_task_id", &message))
        }
    }
}

/// Carries out a wish; what is first in the order of work is the same as in every list shown.
pub(super) fn act(context: &Context<'_>, op: Op) -> Result<Committed, Answer> {
    let done = match op.needs() {
        Needs::Nothing => context.store.act(op),
        Needs::Everything => {
            let planned = plan(&load(context)?, op).map_err(|refusal| refused(&refusal))?;
            let remembered = |list: &mut List| context.world.remember(list);
            context.store.commit_with(planned, remembered)
        }
    };
    done.map_err(|error| failed(&error))
}

/// The task that a wish was about as its file now is; `None` when nothing had to be written.
pub(super) fn written(committed: &Committed) -> Option<Json> {
    let subjects = &committed.plan.subjects;
    committed.files.iter().find_map(|file| match &file.content {
        FileContent::Task(task) if subjects.contains(&task.id) => Some(raw(task)),
        _ => None,
    })
}

/// A task's file as it is, as one JSON value.
pub(super) fn raw(task: &Task) -> Json {
    Json::raw(
        String::from_utf8_lossy(&task.raw)
            .trim_start_matches('\u{feff}')
            .trim(),
    )
}

/// A refusal as an answer.
pub(super) fn refused(refusal: &Refusal) -> Answer {
    let message = match &refusal.hint {
        Some(hint) => format!("{}; {hint}", refusal.what),
        None => refusal.what.clone(),
    };
    Answer::error(refusal.code.as_str(), &message)
}

/// Why nothing was written, as an answer.
pub(super) fn failed(error: &CommitError) -> Answer {
    match error {
        CommitError::Refused(refusal) => refused(refusal),
        CommitError::Busy { .. } => Answer::error("task_lock_unavailable", &error.to_string()),
        _ => Answer::error("internal_error", &error.to_string()),
    }
}

/// A mistake in the arguments that only the tool itself can see.
pub(super) fn mistake(tool: &Tool, what: &str) -> Answer {
    let message = format!("{what}. A right call: {} {}", tool.name, tool.example);
    Answer::error("validation_error", &message)
}

/// A text that must be there although the schema cannot say so.
pub(super) fn owner<'a>(
    context: &'a Context<'_>,
    args: &'a Args,
    tool: &Tool,
) -> Result<&'a str, Answer> {
    let given = args.text("owner").or(context.owner).map(str::trim);
    match given {
        Some(owner) if !owner.is_empty() => Ok(owner),
        _ => Err(mistake(tool, "parameter \"owner\" is missing: your name")),
    }
}
