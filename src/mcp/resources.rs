//! The list as resources: each task, the whole list, what is ready, and the graph as Mermaid.

use rmcp::ErrorData;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};

use crate::list::List;
use crate::task::{State, TaskId};
use crate::tools::{Answer, Args, Context, TOOLS, mermaid};

/// The open tasks, as `task_list` gives them.
pub const LIST: &str = "taskdeck://list";
/// What can start now, as `task_ready` gives it.
pub const READY: &str = "taskdeck://ready";
/// The dependency graph of the open tasks.
pub const GRAPH: &str = "taskdeck://graph";

const TASK: &str = "task://";
const JSON: &str = "application/json";
const MERMAID: &str = "text/vnd.mermaid";

/// Tasks on one page of the listing.
const PAGE: usize = 100;

/// The URI of a task.
pub fn task_uri(id: &TaskId) -> String {
    format!("{TASK}{id}")
}

/// One page of the resources: the three views first, then the tasks that are not closed.
pub fn list(context: &Context<'_>, cursor: Option<&str>) -> Result<ListResourcesResult, ErrorData> {
    let list = load(context)?;
    let open = |task: &&std::sync::Arc<crate::task::Task>| {
        !matches!(
            list.state(&task.id),
            Some(State::Completed | State::Deleted)
        )
    };
    let tasks: Vec<_> = list.ordered().into_iter().filter(open).collect();
    let start = match cursor {
        None => 0,
        Some(id) => match tasks.iter().position(|task| task.id.as_str() == id) {
            Some(at) => at + 1,
            None => {
                return Err(ErrorData::invalid_params(
                    "the cursor is out of date; list from the start",
                    None,
                ));
            }
        },
    };
    let page = &tasks[start..tasks.len().min(start + PAGE)];
    let mut resources = match cursor {
        None => views(),
        Some(_) => Vec::new(),
    };
    resources.extend(page.iter().map(|task| {
        Resource::new(task_uri(&task.id), task.id.as_str())
            .with_title(task.subject.as_str())
            .with_mime_type(JSON)
    }));
    let mut result = ListResourcesResult::with_all_items(resources);
    if start + PAGE < tasks.len() {
        result.next_cursor = page.last().map(|task| task.id.to_string());
    }
    Ok(result)
}

fn views() -> Vec<Resource> {
    let view = |uri, name, description, kind| {
        Resource::new(uri, name)
            .with_description(description)
            .with_mime_type(kind)
    };
    vec![
        view(LIST, "list", "The open tasks", JSON),
        view(
            READY,
            "ready",
            "The tasks that can start now, the first to take first",
            JSON,
        ),
        view(
            GRAPH,
            "graph",
            "What waits for what, as a Mermaid flowchart",
            MERMAID,
        ),
    ]
}

/// The template of the tasks' URIs.
pub fn templates() -> ListResourceTemplatesResult {
    let task = ResourceTemplate::new(format!("{TASK}{{id}}"), "task")
        .with_description("One task, all its fields")
        .with_mime_type(JSON);
    ListResourceTemplatesResult::with_all_items(vec![task])
}

/// Checks that a URI is one of ours, so that it can be subscribed to.
///
/// # Errors
/// The answer that names those that there are.
pub fn check(uri: &str) -> Result<(), ErrorData> {
    let ours = [LIST, READY, GRAPH].contains(&uri) || uri.starts_with(TASK);
    if ours { Ok(()) } else { Err(missing(uri)) }
}

/// The content of a resource. Tasks and views are what the tools answer.
pub fn read(context: &Context<'_>, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let (kind, text) = match uri {
        LIST => (JSON, tool(context, "task_list", "{}")?),
        READY => (JSON, tool(context, "task_ready", "{}")?),
        GRAPH => {
            let list = load(context)?;
            let shown = |id: &TaskId| !list.is_in(id, State::Deleted);
            (MERMAID, mermaid(&list, shown))
        }
        _ => {
            let id = uri.strip_prefix(TASK).ok_or_else(|| missing(uri))?;
            let args = serde_json::json!({"id": id}).to_string();
            (JSON, tool(context, "task_get", &args)?)
        }
    };
    let contents = ResourceContents::text(text, uri).with_mime_type(kind);
    Ok(ReadResourceResult::new(vec![contents]))
}

fn tool(context: &Context<'_>, name: &str, args: &str) -> Result<String, ErrorData> {
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| ErrorData::internal_error("a tool is missing", None))?;
    let args = Args::parse(tool, args)
        .map_err(|mistake| ErrorData::invalid_params(mistake.to_string(), None))?;
    let Answer { json, is_error } = (tool.run)(context, &args);
    match is_error || json == r#"{"task":null}"# {
        true => Err(ErrorData::resource_not_found(json, None)),
        false => Ok(json),
    }
}

fn load(context: &Context<'_>) -> Result<List, ErrorData> {
    let loaded = context.store.load();
    let mut list = loaded.map_err(|e| ErrorData::internal_error(e.to_string(), None))?;
    context.world.remember(&mut list);
    Ok(list)
}

fn missing(uri: &str) -> ErrorData {
    let message =
        format!("there is no resource {uri:?}; there are task://<id>, {LIST}, {READY} and {GRAPH}");
    ErrorData::resource_not_found(message, None)
}
