//! What waits for what: `task_link`, `task_unlink`, `task_why`; and `task_delete`.

use serde_json::json;

use super::show;
use super::table::{Answer, Effect, Kind, Param, Tool};
use super::{Args, Context};
use crate::list::Op;
use crate::task::{EdgeField, Edit, Patch, TaskId};

const ID: Param = Param::required("id", Kind::Text, "The task").or(&["taskId"]);

const BLOCKED_BY: Param =
    Param::optional("blockedBy", Kind::List, "What it waits for").or(&["addBlockedBy"]);

const BLOCKS: Param = Param::optional("blocks", Kind::List, "What waits for it").or(&["addBlocks"]);

const LINKED: &[Param] = &[
    Param::required(
        "task",
        Kind::Object,
        "The task in short: id, subject, status, owner, blockedBy",
    ),
    show::WARNINGS,
];

pub(super) const TASK_LINK: Tool = Tool {
    name: "task_link",
    title: "Make tasks wait",
    description: "Make a task wait for others, or others for it; no rings.",
    params: &[ID, BLOCKED_BY, BLOCKS],
    output: LINKED,
    effect: Effect::Changes,
    waits: false,
    example: r#"{"id": "T-…", "blockedBy": ["T-…"]}"#,
    run: |context, args| relink(context, args, &TASK_LINK, Edit::AddEdge).unwrap_or_else(|a| a),
};

pub(super) const TASK_UNLINK: Tool = Tool {
    name: "task_unlink",
    title: "Stop tasks waiting",
    description: "Remove edges of a task.",
    params: &[ID, BLOCKED_BY, BLOCKS],
    output: LINKED,
    effect: Effect::Removes,
    waits: false,
    example: r#"{"id": "T-…", "blockedBy": ["T-…"]}"#,
    run: |context, args| {
        relink(context, args, &TASK_UNLINK, Edit::RemoveEdge).unwrap_or_else(|a| a)
    },
};

pub(super) const TASK_DELETE: Tool = Tool {
    name: "task_delete",
    title: "Delete tasks",
    description: "Delete tasks; unlink what waits for them first.",
    params: &[Param::required("ids", Kind::List, "The tasks").or(&["id", "taskId", "taskIds"])],
    output: &[
        Param::required("deleted", Kind::List, "The ids that were deleted"),
        show::WARNINGS,
    ],
    effect: Effect::Removes,
    waits: false,
    example: r#"{"ids": ["T-…"]}"#,
    run: |context, args| delete(context, args).unwrap_or_else(|answer| answer),
};

fn relink(
    context: &Context<'_>,
    args: &Args,
    tool: &Tool,
    edit: fn(EdgeField, TaskId) -> Edit,
) -> Result<Answer, Answer> {
    let id = show::checked(context, args.text("id").unwrap_or_default())?;
    let mut edits = Vec::new();
    for (field, key) in [
        (EdgeField::BlockedBy, "blockedBy"),
        (EdgeField::Blocks, "blocks"),
    ] {
        for other in args.list(key) {
            edits.push(edit(field, show::checked(context, other)?));
        }
    }
    if edits.is_empty() {
        return Err(show::mistake(tool, "give \"blockedBy\" or \"blocks\""));
    }
    let op = Op::Update {
        ids: vec![id.clone()],
        patch: Patch { edits },
        force: false,
    };
    let committed = show::act(context, op)?;
    let list = show::load(context)?;
    let mut answer = json!({"task": show::summary_of(&list, &id)});
    if let Some(warnings) = show::warnings(&committed) {
        answer["warnings"] = warnings;
    }
    Ok(Answer::ok(&answer))
}

fn delete(context: &Context<'_>, args: &Args) -> Result<Answer, Answer> {
    let ids = args.list("ids").iter().map(|id| show::checked(context, id));
    let ids: Vec<TaskId> = ids.collect::<Result<_, _>>()?;
    if ids.is_empty() {
        return Err(show::mistake(&TASK_DELETE, "\"ids\" holds no id"));
    }
    let committed = show::act(context, Op::Delete(ids.clone()))?;
    let ids: Vec<&str> = ids.iter().map(TaskId::as_str).collect();
    let mut answer = json!({"deleted": ids});
    if let Some(warnings) = show::warnings(&committed) {
        answer["warnings"] = warnings;
    }
    Ok(Answer::ok(&answer))
}
