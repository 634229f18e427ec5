use std::time::Duration;

use serde_json::json;

use super::show;
use super::table::{Answer, Effect, Kind, Param, Tool};
use super::{Args, Context};
use crate::list::List;
use crate::store::watch::Woken;
use crate::task::{State, TaskId};

/// How long a call waits when it does not say, in seconds; many clients give up on a call after a
/// minute.
const DEFAULT_SECONDS: u64 = 50;

/// The longest wait in seconds.
const LONGEST_SECONDS: u64 = 600;

/// How often a waiting client hears that it is not forgotten.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

pub(super) const TASK_WAIT: Tool = Tool {
    name: "task_wait",
    title: "Wait for tasks",
    description: "Sleep until a task is ready, done or changed.",
    params: &[
        Param::optional(
            "until",
            Kind::Choice(&["ready", "done", "changed"]),
            "Default: ready",
        ),
        Param::optional("ids", Kind::List, "Else any task").or(&["id", "taskId", "taskIds"]),
        Param::optional("timeout_seconds", Kind::Integer, "Up to 600; else 50").or(&["timeout"]),
    ],
    output: &[
        Param::required("timed_out", Kind::Flag, "Whether the time was over first"),
        Param::required(
            "tasks",
            Kind::Objects(show::SUMMARY),
            "The tasks that are ready, done or changed",
        ),
        Param::optional(
            "message",
            Kind::Text,
            "How things stand, when the time was over",
        ),
    ],
    effect: Effect::Reads,
    waits: true,
    example: r#"{"until": "ready", "timeout_seconds": 50}"#,
    run: task_wait,
};

/// What is waited for.
enum Until {
    Ready,
    Done,
    /// Compared with the list as it was.
    Changed(Box<List>),
}

fn task_wait(context: &Context<'_>, args: &Args) -> Answer {
    match wait(context, args) {
        Ok(answer) | Err(answer) => answer,
    }
}

fn wait(context: &Context<'_>, args: &Args) -> Result<Answer, Answer> {
    let seconds = args.integer("timeout_seconds").unwrap_or(DEFAULT_SECONDS);
    let timeout = Duration::from_secs(seconds.min(LONGEST_SECONDS));
    let start = context.world.now_ms();
    let mut seen = context.world.changes();
    let mut list = show::load(context)?;
    let ids = show::resolve_all(&list, args.list("ids"))?;
    let until = match args.text("until") {
        Some("done") if ids.is_empty() => {
            return Err(show::mistake(&TASK_WAIT, "until \"done\" needs \"ids\""));
        }
        Some("done") => Until::Done,
        Some("changed") => {
            let later = show::load(context)?;
            Until::Changed(Box::new(std::mem::replace(&mut list, later)))
        }
        _ => Until::Ready,
    };
    loop {
        let met = until.met(&list, &ids);
        if !met.is_empty() {
            return Ok(answer(&list, &met, None));
        }
        let waited = u64::try_from(context.world.now_ms() - start).unwrap_or(0);
        let left = timeout.saturating_sub(Duration::from_millis(waited));
        if left.is_zero() {
            return Ok(answer(&list, &[], Some(standing(&list))));
        }
        match context.world.wait_for_change(seen, left.min(SIGN_OF_LIFE)) {
            Woken::Ended => return Ok(answer(&list, &[], Some(standing(&list)))),
            Woken::TimeIsUp => context.world.tell(&standing(&list)),
            Woken::Changed => {
                seen = context.world.changes();
                list = show::load(context)?;
                if until.met(&list, &ids).is_empty() {
                    context.world.tell(&standing(&list));
                }
            }
        }
    }
}

impl Until {
    /// The tasks for which it is so; none while it is not.
    fn met(&self, list: &List, ids: &[TaskId]) -> Vec<TaskId> {
        let asked = |id: &TaskId| ids.is_empty() || ids.contains(id);
        match self {
            Until::Ready => {
                let ready = list.ready().into_iter().map(|task| task.id.clone());
                ready.filter(asked).collect()
            }
            Until::Done => {
                let closed = |id: &&TaskId| {
                    matches!(
                        list.state(id),
                        None | Some(State::Completed | State::Deleted)
                    )
                };
                let done: Vec<TaskId> = ids.iter().filter(closed).cloned().collect();
                if done.len() == ids.len() {
                    done
                } else {
                    Vec::new()
                }
            }
            Until::Changed(before) => {
                let mut all: Vec<TaskId> = before.tasks().map(|t| t.id.clone()).collect();
                all.extend(list.tasks().map(|t| t.id.clone()));
                all.sort();
                all.dedup();
                let differs = |id: &TaskId| {
                    let raw = |list: &List| list.get(id).map(|task| task.raw.clone());
                    raw(before) != raw(list) || before.state(id) != list.state(id)
                };
                all.retain(|id| asked(id) && differs(id));
                all
            }
        }
    }
}

fn answer(list: &List, met: &[TaskId], timed_out: Option<String>) -> Answer {
    let tasks: Vec<_> = met.iter().map(|id| show::summary_of(list, id)).collect();
    let mut answer = json!({"timed_out": timed_out.is_some(), "tasks": tasks});
    if let Some(message) = timed_out {
        answer["message"] = message.into();
    }
    Answer::ok(&answer)
}

/// How things stand, in a sentence.
fn standing(list: &List) -> String {
    let count = |state| list.column(state).len();
    format!(
        "{} ready, {} in progress, {} blocked, {} completed",
        count(State::Ready),
        count(State::InProgress),
        count(State::Blocked),
        count(State::Completed)
    )
}
