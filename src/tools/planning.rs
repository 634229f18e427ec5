//! Laying out work: `task_bulk_create` and `task_split`, whose tasks name each other before they
//! have ids.

use std::collections::HashMap;

use super::show;
use super::table::{Answer, Effect, Kind, Param, Tool};
use super::{Args, Context};
use crate::list::{Op, local_id};
use crate::task::{Json, NewTask, Status, TaskId};

/// One new task of several.
const ITEM: &[Param] = &[
    Param::optional("name", Kind::Text, "For edges").or(&["key", "localId"]),
    Param::required("subject", Kind::Text, "In one line").or(&["title"]),
    Param::optional("description", Kind::Text, "Details"),
    Param::optional("activeForm", Kind::Text, "Fixing login"),
    Param::optional("blockedBy", Kind::List, "Names or ids").or(&["dependsOn", "dependencies"]),
    Param::optional("blocks", Kind::List, "Names or ids"),
    Param::optional("owner", Kind::Text, "Owner"),
    Param::optional(
        "priority",
        Kind::Choice(&["high", "medium", "low"]),
        "Its rank",
    ),
    Param::optional("parentID", Kind::Text, "Parent"),
    Param::optional("metadata", Kind::Object, "Anything else"),
];

const CREATED: &[Param] = &[
    Param::optional("name", Kind::Text, "The name it had in the call"),
    Param::required("id", Kind::Text, "Its id"),
    Param::required("subject", Kind::Text, "What is to be done"),
];

const CREATED_ALL: &[Param] = &[
    Param::required(
        "tasks",
        Kind::Objects(CREATED),
        "The new tasks, in the order of the call",
    ),
    show::WARNINGS,
];

pub(super) const TASK_BULK_CREATE: Tool = Tool {
    name: "task_bulk_create",
    title: "Create a whole plan",
    description: "Create a whole plan, all or nothing.",
    params: &[Param::required("tasks", Kind::Objects(ITEM), "The tasks")],
    output: CREATED_ALL,
    effect: Effect::Adds,
    waits: false,
    example: r#"{"tasks": [{"name": "api", "subject": "Build the API"}, {"subject": "Test the API", "blockedBy": ["api"]}]}"#,
    run: |context, args| bulk_create(context, args).unwrap_or_else(|answer| answer),
};

pub(super) const TASK_SPLIT: Tool = Tool {
    name: "task_split",
    title: "Split a task",
    description: "Replace a task by several, which inherit its edges.",
    params: &[
        Param::required("id", Kind::Text, "The task").or(&["taskId"]),
        Param::required("into", Kind::LikeObjects(ITEM), "As in task_bulk_create")
            .or(&["tasks", "parts"]),
    ],
    output: CREATED_ALL,
    effect: Effect::Removes,
    waits: false,
    example: r#"{"id": "T-…", "into": [{"name": "schema", "subject": "Write the schema"}, {"subject": "Migrate the data", "blockedBy": ["schema"]}]}"#,
    run: |context, args| split(context, args).unwrap_or_else(|answer| answer),
};

fn bulk_create(context: &Context<'_>, args: &Args) -> Result<Answer, Answer> {
    let items = args.objects("tasks");
    if items.is_empty() {
        return Err(show::mistake(&TASK_BULK_CREATE, "\"tasks\" holds no task"));
    }
    let tasks = new_tasks(context, items, &TASK_BULK_CREATE)?;
    created(context, items, Op::Create(tasks))
}

fn split(context: &Context<'_>, args: &Args) -> Result<Answer, Answer> {
    let items = args.objects("into");
    if items.is_empty() {
        return Err(show::mistake(&TASK_SPLIT, "\"into\" holds no task"));
    }
    let id = show::checked(context, args.text("id").unwrap_or_default())?;
    let into = new_tasks(context, items, &TASK_SPLIT)?;
    created(context, items, Op::Split { id, into })
}

fn new_tasks(context: &Context<'_>, items: &[Args], tool: &Tool) -> Result<Vec<NewTask>, Answer> {
    let mut names = HashMap::new();
    for (at, item) in items.iter().enumerate() {
        if let Some(name) = item.text("name")
            && names.insert(name, at).is_some()
        {
            return Err(show::mistake(
                tool,
                &format!("two tasks are named {name:?}"),
            ));
        }
    }
    let named = |text: &String| match names.get(text.as_str()) {
        Some(at) => Ok(local_id(*at)),
        None => show::checked(context, text).map_err(|_| {
            let what = format!("{text:?} is neither a name from this call nor a task id");
            show::mistake(tool, &what)
        }),
    };
    let all = |item: &Args, key: &str| -> Result<Vec<TaskId>, Answer> {
        item.list(key).iter().map(named).collect()
    };
    let one = |item: &Args| {
        let text = |key: &str| item.text(key).map(str::to_owned);
        let parent: Option<Result<TaskId, Answer>> = text("parentID").as_ref().map(named);
        Ok(NewTask {
            id: context.new_id(),
            subject: text("subject").unwrap_or_default(),
            description: text("description").unwrap_or_default(),
            status: Status::Pending,
            active_form: text("activeForm"),
            owner: text("owner"),
            blocks: all(item, "blocks")?,
            blocked_by: all(item, "blockedBy")?,
            metadata: metadata(item),
            repo_url: None,
            parent_id: parent.transpose()?,
            thread_id: context.thread_id.to_owned(),
        })
    };
    items.iter().map(one).collect()
}

/// The item's metadata; `priority` beside it stands for `metadata.priority`.
fn metadata(item: &Args) -> Vec<(String, Json)> {
    let mut members = item.object("metadata").to_vec();
    if let Some(priority) = item.text("priority") {
        members.retain(|(key, _)| key != "priority");
        members.push(("priority".to_owned(), Json::string(priority)));
    }
    members
}

fn created(context: &Context<'_>, items: &[Args], op: Op) -> Result<Answer, Answer> {
    let subjects: Vec<&str> = items
        .iter()
        .filter_map(|item| item.text("subject"))
        .collect();
    let twins = show::twins(context, &subjects);
    let committed = show::act(context, op)?;
    let one = |(item, id): (&Args, &TaskId)| {
        let mut shown = serde_json::Map::new();
        shown.extend(
            item.text("name")
                .map(|name| ("name".to_owned(), name.into())),
        );
        shown.insert("id".to_owned(), id.as_str().into());
        shown.insert("subject".to_owned(), item.text("subject").into());
        serde_json::Value::Object(shown)
    };
    let tasks: Vec<_> = items
        .iter()
        .zip(&committed.plan.subjects)
        .map(one)
        .collect();
    let mut answer = serde_json::json!({"tasks": tasks});
    if let Some(warnings) = show::warnings_of_new(&committed, &twins) {
        answer["warnings"] = warnings;
    }
    Ok(Answer::ok(&answer))
}
