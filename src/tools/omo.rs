//! The four tools that OmO's agents know, with OmO's argument names, result keys and error codes.
//! What they do besides (issue of the store: `owner` on create, edges on both ends, warnings) only
//! adds to that.

use serde_json::Value;

use super::show;
use super::table::{Answer, Effect, Kind, Param, Tool};
use super::{Args, Context};
use crate::list::Op;
use crate::task::{Dialect, EdgeField, Edit, Field, Json, NewTask, Patch, Status, Task, TaskId};

const SUBJECT: &str = "In one line";
const DESCRIPTION: Param = Param::optional("description", Kind::Text, "Details");
const ACTIVE_FORM: Param = Param::optional("activeForm", Kind::Text, "Fixing login");
const OWNER: Param = Param::optional("owner", Kind::Text, "Owner");
const METADATA: Param = Param::optional(
    "metadata",
    Kind::Object,
    "Anything; priority: high, medium, low",
);
const REPO_URL: Param = Param::optional("repoURL", Kind::Text, "URL");
const PARENT_ID: Param = Param::optional("parentID", Kind::Text, "Parent");
pub(super) const TASK_CREATE: Tool = Tool {
    name: "task_create",
    title: "Create a task",
    description: "Create a task. Several: task_bulk_create.",
    params: &[
        Param::required("subject", Kind::Text, SUBJECT).or(&["title"]),
        DESCRIPTION,
        ACTIVE_FORM,
        Param::optional("blockedBy", Kind::List, "Ids it waits for").or(&["dependsOn"]),
        Param::optional("blocks", Kind::List, "Ids that wait for it"),
        OWNER,
        METADATA,
        REPO_URL,
        PARENT_ID,
    ],
    output: &[
        Param::required("task", Kind::Object, "The new task's id and subject"),
        show::WARNINGS,
    ],
    effect: Effect::Adds,
    waits: false,
    example: r#"{"subject": "Build the API", "blockedBy": ["T-…"]}"#,
    run: |context, args| create(context, args).unwrap_or_else(|answer| answer),
};

pub(super) const TASK_GET: Tool = Tool {
    name: "task_get",
    title: "Read a task",
    description: "One task with all its fields, or null.",
    params: &[Param::required("id", Kind::Text, "Exact id").or(&["taskId"])],
    output: &[
        Param::required("task", Kind::Any, "The task, or null"),
        Param::optional(
            "problem",
            Kind::Text,
            "Why a file of that name is no task that an agent can use",
        ),
        show::WARNINGS,
    ],
    effect: Effect::Reads,
    waits: false,
    example: r#"{"id": "T-…"}"#,
    run: |context, args| get(context, args).unwrap_or_else(|answer| answer),
};

const STATUSES: &[&str] = &["pending", "in_progress", "completed", "deleted"];

pub(super) const TASK_UPDATE: Tool = Tool {
    name: "task_update",
    title: "Change a task",
    description: "Change a task; set completed once it is done.",
    params: &[
        Param::required("id", Kind::Text, "Exact id").or(&["taskId"]),
        Param::optional("subject", Kind::Text, SUBJECT).or(&["title"]),
        DESCRIPTION,
        Param::optional("status", Kind::Choice(STATUSES), "New status"),
        ACTIVE_FORM,
        OWNER,
        Param::optional("addBlocks", Kind::List, "Ids to wait for it too"),
        Param::optional("addBlockedBy", Kind::List, "Ids it waits for too"),
        Param::optional("metadata", Kind::Object, "Keys to set; null removes"),
        REPO_URL,
        PARENT_ID,
    ],
    output: &[
        Param::required(
            "task",
            Kind::Object,
            "The task as it is now, all its fields",
        ),
        show::WARNINGS,
    ],
    effect: Effect::Changes,
    waits: false,
    example: r#"{"id": "T-…", "status": "completed"}"#,
    run: |context, args| update(context, args).unwrap_or_else(|answer| answer),
};

fn create(context: &Context<'_>, args: &Args) -> Result<Answer, Answer> {
    let text = |name: &str| args.text(name).map(str::to_owned);
    let ids = |name: &str| -> Result<Vec<TaskId>, Answer> {
        args.list(name)
            .iter()
            .map(|id| show::checked(context, id))
            .collect()
    };
    let task = NewTask {
        id: context.new_id(),
        subject: text("subject").unwrap_or_default(),
        description: text("description").unwrap_or_default(),
        status: Status::Pending,
        active_form: text("activeForm"),
        owner: text("owner"),
        blocks: ids("blocks")?,
        blocked_by: ids("blockedBy")?,
        metadata: args.object("metadata").to_vec(),
        repo_url: text("repoURL"),
        parent_id: args.text("parentID").map(TaskId::new),
        thread_id: context.thread_id.to_owned(),
    };
    if task.subject.trim().is_empty() {
        return Err(show::mistake(
            &TASK_CREATE,
            "parameter \"subject\" is empty",
        ));
    }
    let twins = show::twins(context, &[&task.subject]);
    let committed = show::act(context, Op::Create(vec![task]))?;
    let id = committed.plan.subjects.first().map_or("", TaskId::as_str);
    let task = serde_json::json!({"id": id, "subject": args.text("subject")});
    let warnings = show::warnings_of_new(&committed, &twins);
    Ok(with_warnings(Json::value(&task), warnings))
}

fn get(context: &Context<'_>, args: &Args) -> Result<Answer, Answer> {
    let id = show::checked(context, args.text("id").unwrap_or_default())?;
    let list = show::load(context)?;
    let nothing = ("task", Json::raw("null"));
    let Some(task) = list.get(&id) else {
        let file = format!("{id}.json");
        let problem = list
            .problems()
            .iter()
            .find(|p| p.file == file)
            .map(|p| p.message.clone());
        let problem = problem.map(|message| ("problem", Json::string(&message)));
        return Ok(Answer::exact(
            &[nothing].into_iter().chain(problem).collect::<Vec<_>>(),
        ));
    };
    if let Some(problem) = no_task(task) {
        return Ok(Answer::exact(&[
            nothing,
            ("problem", Json::string(problem)),
        ]));
    }
    let warnings = list.warnings(&id);
    let warnings = warnings.iter().map(|w| show::warning(&id, w)).collect();
    Ok(with_warnings(show::raw(task), show::some(warnings)))
}

/// Why a file is no task in the sense of OmO's `task_get`.
fn no_task(task: &Task) -> Option<&'static str> {
    match &task.status {
        _ if task.subject.is_empty() => Some("the file has no subject"),
        Status::Other(word) if word.is_empty() => Some("the file has no status"),
        Status::Other(_) => Some("the file's status is none that agents know"),
        _ => None,
    }
}

fn update(context: &Context<'_>, args: &Args) -> Result<Answer, Answer> {
    let id = show::checked(context, args.text("id").unwrap_or_default())?;
    let fields = [
        Field::Subject,
        Field::Description,
        Field::Status,
        Field::ActiveForm,
        Field::Owner,
        Field::RepoUrl,
        Field::ParentId,
    ];
    let mut edits: Vec<Edit> = fields
        .into_iter()
        .filter_map(|field| args.text(field.key()).map(|text| Edit::text(field, text)))
        .collect();
    edits.extend(mover(context, args));
    for (key, value) in args.object("metadata") {
        let value = (value.as_str() != "null").then(|| value.clone());
        edits.push(Edit::SetMetadata(key.clone(), value));
    }
    for (field, key) in [
        (EdgeField::Blocks, "addBlocks"),
        (EdgeField::BlockedBy, "addBlockedBy"),
    ] {
        for other in args.list(key) {
            edits.push(Edit::AddEdge(field, show::checked(context, other)?));
        }
    }
    if args
        .text("subject")
        .is_some_and(|subject| subject.trim().is_empty())
    {
        return Err(show::mistake(
            &TASK_UPDATE,
            "parameter \"subject\" is empty",
        ));
    }
    let op = Op::Update {
        ids: vec![id.clone()],
        patch: Patch { edits },
        force: false,
    };
    let committed = show::act(context, op)?;
    let task = match show::written(&committed) {
        Some(task) => task,
        None => show::load(context)?
            .get(&id)
            .map_or(Json::raw("null"), |task| show::raw(task)),
    };
    Ok(with_warnings(task, show::warnings(&committed)))
}

/// In OmO team mode a task is moved by the member who calls, whose name a claim writes down.
fn mover(context: &Context<'_>, args: &Args) -> Option<Edit> {
    let moves = args
        .text("status")
        .is_some_and(|status| status != Status::Deleted.as_str());
    let named = args.text("owner").is_some();
    let team = context.store.dialect() == Dialect::OmoTeam;
    let owner = context.owner.filter(|_| team && moves && !named)?;
    Some(Edit::text(Field::Owner, owner))
}

fn with_warnings(task: Json, warnings: Option<Value>) -> Answer {
    let mut members = vec![("task", task)];
    members.extend(warnings.map(|warnings| ("warnings", Json::value(&warnings))));
    Answer::exact(&members)
}
