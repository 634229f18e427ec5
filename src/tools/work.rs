//! Finding and taking work: `task_ready`, `task_claim`, `task_release`.

use serde_json::{Value, json};

use super::show;
use super::table::{Answer, Effect, Kind, Param, Tool};
use super::{Args, Context};
use crate::list::Op;
use crate::state::Notice;
use crate::task::{Json, Task};

const OWNER: Param = Param::optional("owner", Kind::Text, "Your name").or(&["agent", "name"]);

const ACKNOWLEDGE: Param = Param::optional("acknowledge", Kind::Integer, "Last notice read");

const NOTICES: Param = Param::optional(
    "notices",
    Kind::Objects(&[
        Param::required(
            "number",
            Kind::Integer,
            "Counts up; acknowledge the highest",
        ),
        Param::required("task", Kind::Text, "The task it is about"),
        Param::required("text", Kind::Text, "What a person did"),
    ]),
    "What people changed since you last acknowledged",
);

pub(super) const TASK_READY: Tool = Tool {
    name: "task_ready",
    title: "What can start now",
    description: "What can start now, best first. task_claim takes it.",
    params: &[
        OWNER,
        ACKNOWLEDGE,
        Param::optional("limit", Kind::Integer, "At most so many"),
    ],
    output: &[
        Param::required(
            "tasks",
            Kind::Objects(show::SUMMARY),
            "Ready tasks, the first to take first",
        ),
        Param::required("total", Kind::Integer, "How many are ready in all"),
        NOTICES,
    ],
    effect: Effect::Reads,
    waits: false,
    example: "{}",
    run: |context, args| ready(context, args).unwrap_or_else(|answer| answer),
};

pub(super) const TASK_CLAIM: Tool = Tool {
    name: "task_claim",
    title: "Take a task",
    description: "Take and start a task; refused when blocked or taken.",
    params: &[
        Param::optional("id", Kind::Text, "Else the first ready").or(&["taskId"]),
        OWNER,
        ACKNOWLEDGE,
    ],
    output: &[
        Param::required(
            "task",
            Kind::Object,
            "The task that is yours now, all its fields",
        ),
        NOTICES,
    ],
    effect: Effect::Changes,
    waits: false,
    example: r#"{"owner": "atlas"}"#,
    run: |context, args| claim(context, args).unwrap_or_else(|answer| answer),
};

pub(super) const TASK_RELEASE: Tool = Tool {
    name: "task_release",
    title: "Give a task back",
    description: "Give back a task you will not finish.",
    params: &[
        Param::required("id", Kind::Text, "The task").or(&["taskId"]),
        OWNER,
    ],
    output: &[Param::required(
        "task",
        Kind::Object,
        "The task, all its fields",
    )],
    effect: Effect::Changes,
    waits: false,
    example: r#"{"id": "T-…", "owner": "atlas"}"#,
    run: |context, args| release(context, args).unwrap_or_else(|answer| answer),
};

/// How many ready tasks are shown when the call does not say.
const DEFAULT_LIMIT: u64 = 20;

fn ready(context: &Context<'_>, args: &Args) -> Result<Answer, Answer> {
    let list = show::load(context)?;
    let ready = list.ready();
    let limit = args.integer("limit").unwrap_or(DEFAULT_LIMIT);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let one = |task: &Task| {
        let mut shown = show::summary(&list, task);
        if let Some(priority) = task.priority.known() {
            shown["priority"] = priority.as_str().into();
        }
        shown["opens"] = list.opens_now(&task.id).len().into();
        shown
    };
    let tasks: Vec<Value> = ready.iter().take(limit).map(|task| one(task)).collect();
    let mut answer = json!({"tasks": tasks, "total": ready.len()});
    if let Some(notices) = notices(context, args) {
        answer["notices"] = notices;
    }
    Ok(Answer::ok(&answer))
}

fn claim(context: &Context<'_>, args: &Args) -> Result<Answer, Answer> {
    let owner = show::owner(context, args, &TASK_CLAIM)?.to_owned();
    let id = match args.text("id") {
        Some(id) => Some(show::checked(context, id)?),
        None => None,
    };
    let committed = show::act(context, Op::Claim { id, owner })?;
    let mut answer = vec![(
        "task",
        show::written(&committed).unwrap_or(Json::raw("null")),
    )];
    answer.extend(notices(context, args).map(|n| ("notices", Json::value(&n))));
    Ok(Answer::exact(&answer))
}

fn release(context: &Context<'_>, args: &Args) -> Result<Answer, Answer> {
    let id = show::checked(context, args.text("id").unwrap_or_default())?;
    let owner = args.text("owner").or(context.owner).map(str::to_owned);
    let committed = show::act(context, Op::Release { id, owner })?;
    Ok(Answer::exact(&[(
        "task",
        show::written(&committed).unwrap_or(Json::raw("null")),
    )]))
}

/// What people did meanwhile, for callers with a name. News that cannot be had is no reason to
/// fail the call.
fn notices(context: &Context<'_>, args: &Args) -> Option<Value> {
    let owner = args.text("owner").or(context.owner)?;
    let open = context
        .notices
        .deliver(owner, args.integer("acknowledge"))
        .ok()?;
    let one = |n: Notice| json!({"number": n.number, "task": n.task, "text": n.text});
    let open: Vec<Value> = open.into_iter().map(one).collect();
    (!open.is_empty()).then(|| open.into())
}
