//! `task_list`, whose bare form is OmO's.

use serde_json::Value;

use super::show;
use super::table::{Answer, Effect, Kind, Param, Tool};
use super::{Args, Context};
use crate::list::List;
use crate::task::{State, Task};

pub(super) const TASK_LIST: Tool = Tool {
    name: "task_list",
    title: "List tasks",
    description: "Open tasks, best first; blockedBy: what still blocks.",
    params: &[
        Param::optional("status", Kind::List, "Only these statuses"),
        Param::optional("owner", Kind::Text, "Only this owner's"),
        Param::optional("parentID", Kind::Text, "Only parts of it"),
        Param::optional("ready", Kind::Flag, "Only ready ones"),
        Param::optional("text", Kind::Text, "Words in it").or(&["query", "search"]),
        Param::optional("limit", Kind::Integer, "At most so many"),
        Param::optional("cursor", Kind::Text, "From the last answer"),
    ],
    output: &[
        Param::required("tasks", Kind::Objects(show::SUMMARY), "The tasks"),
        Param::optional("cursor", Kind::Text, "There are more: call again with it"),
        Param::optional(
            "problems",
            Kind::List,
            "Files that should be tasks and cannot be read",
        ),
        Param::optional("reminder", Kind::Text, "What to remember"),
    ],
    effect: Effect::Reads,
    waits: false,
    example: r#"{"status": ["pending"], "limit": 20}"#,
    run: |context, args| list(context, args).unwrap_or_else(|answer| answer),
};

const REMINDER: &str =
    "Start only tasks whose blockedBy is empty, and set a task to completed as soon as it is done.";

fn list(context: &Context<'_>, args: &Args) -> Result<Answer, Answer> {
    let list = show::load(context)?;
    let wanted = list
        .ordered()
        .into_iter()
        .filter(|task| wanted(&list, task, args));
    let wanted: Vec<&Task> = wanted.map(|task| &**task).collect();
    let start = match args.text("cursor") {
        None => 0,
        Some(cursor) => match wanted.iter().position(|task| task.id.as_str() == cursor) {
            Some(at) => at + 1,
            None => {
                let gone = "\"cursor\" is out of date; leave it out to list from the start";
                return Err(show::mistake(&TASK_LIST, gone));
            }
        },
    };
    let limit = args
        .integer("limit")
        .and_then(|limit| usize::try_from(limit).ok());
    let end = wanted
        .len()
        .min(start.saturating_add(limit.unwrap_or(usize::MAX)));
    let page = &wanted[start..end];
    let tasks: Vec<Value> = page.iter().map(|task| show::summary(&list, task)).collect();
    let mut answer = serde_json::json!({"tasks": tasks});
    if let (true, Some(last)) = (end < wanted.len(), page.last()) {
        answer["cursor"] = last.id.as_str().into();
    }
    let problems: Vec<String> = list
        .problems()
        .iter()
        .map(|problem| format!("{}: {}", problem.file, problem.message))
        .collect();
    if !problems.is_empty() {
        answer["problems"] = problems.into();
    }
    if !page.is_empty() {
        answer["reminder"] = REMINDER.into();
    }
    Ok(Answer::ok(&answer))
}

fn wanted(list: &List, task: &Task, args: &Args) -> bool {
    let statuses = args.list("status");
    let status = match statuses {
        [] => !task.status.is_closed(),
        _ => statuses.iter().any(|status| status == task.status.as_str()),
    };
    let text = |text: &str| {
        let hay = format!("{}\n{}", task.subject, task.description).to_lowercase();
        text.to_lowercase()
            .split_whitespace()
            .all(|word| hay.contains(word))
    };
    status
        && args
            .text("owner")
            .is_none_or(|owner| task.owner.as_deref() == Some(owner))
        && args
            .text("parentID")
            .is_none_or(|id| task.parent_id.as_ref().is_some_and(|p| p.as_str() == id))
        && (!args.flag("ready") || list.state(&task.id) == Some(State::Ready))
        && args.text("text").is_none_or(text)
}
