//! What the server answers: tools and resources, in the SDK's terms.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, Implementation, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter,
    Tool as ListedTool, ToolAnnotations, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use super::message::Arguments;
use super::resources;
use super::session::Session;
use super::subscribers::{self, Subscribers};
use crate::task::{Json, without_half_pairs};
use crate::tools::{Answer, Args, Context, Effect, TOOLS, Tool};

/// How to work with the list, told to every model that connects.
const INSTRUCTIONS: &str = include_str!("instructions.txt");

/// One client's server.
pub struct Server {
    session: Arc<Session>,
    /// Calls are done in the order in which they came, so that what one wrote the next one reads.
    turn: tokio::sync::Mutex<()>,
    subscribers: Subscribers,
}

impl Server {
    /// A server on a list.
    pub fn new(session: Arc<Session>) -> Server {
        Server {
            session,
            turn: tokio::sync::Mutex::new(()),
            subscribers: Subscribers::default(),
        }
    }

    fn offered(&self) -> impl Iterator<Item = &'static Tool> {
        let read_only = self.session.read_only;
        let offered = move |tool: &&Tool| !read_only || tool.effect == Effect::Reads;
        TOOLS.iter().filter(offered)
    }

    /// Does something with the list on a thread where it may block.
    async fn on_disk<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        job: impl FnOnce(&Context<'_>) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let call = self.session.call(context);
        let done = tokio::task::spawn_blocking(move || job(&call.context())).await;
        done.unwrap_or_else(|_| Err(ErrorData::internal_error("this is a bug in taskdeck", None)))
    }

    async fn call(
        &self,
        tool: &'static Tool,
        arguments: &Json,
        context: &RequestContext<RoleServer>,
    ) -> Answer {
        let args = match Args::parse(tool, arguments.as_str()) {
            Ok(args) => args,
            Err(mistake) => return Answer::error("validation_error", &mistake.to_string()),
        };
        let turn = match tool.waits {
            true => None,
            false => Some(self.turn.lock().await),
        };
        let call = self.session.call(context);
        let working = Arc::clone(&call);
        let mut work = tokio::task::spawn_blocking(move || (tool.run)(&working.context(), &args));
        let answer = tokio::select! {
            answer = &mut work => answer,
            () = context.ct.cancelled() => {
                call.cancel();
                work.await
            }
        };
        drop(turn);
        answer.unwrap_or_else(|_| {
            let message = format!("{} failed inside taskdeck; this is a bug there", tool.name);
            Answer::error("internal_error", &message)
        })
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_resources_list_changed()
            .build();
        let name = Implementation::new("taskdeck", env!("CARGO_PKG_VERSION"))
            .with_title("taskdeck task list");
        ServerConfig::new(capabilities)
            .with_server_info(name)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(
            self.offered().map(listed).collect(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.offered().find(|tool| tool.name == request.name) else {
            return Err(unknown_tool(&request.name, self.offered()));
        };
        let arguments = match context.extensions.get::<Arguments>() {
            Some(Arguments(arguments)) => arguments.clone(),
            None => Json::raw("{}"),
        };
        Ok(result(self.call(tool, &arguments, &context).await).into())
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = page.and_then(|page| page.cursor);
        self.on_disk(&context, move |c| resources::list(c, cursor.as_deref()))
            .await
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = move |c: &Context<'_>| resources::read(c, &request.uri);
        Ok(self.on_disk(&context, read).await?.into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        resources::check(&request.uri)?;
        self.subscribers
            .add(request.uri, &self.session, context.peer);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscribers.remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone()) // the SDK leaves out what get_info does not offer
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        subscribers::listen(&self.session, subscription).await;
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A known method arrives here when its parameters do not fit it.
        if request.method == "tools/call" {
            let help = r#"tools/call needs a name: {"name": "task_list", "arguments": {}}"#;
            return Err(ErrorData::invalid_params(help, None));
        }
        let message = format!("there is no method {:?}", request.method);
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }
}

/// Whether a tool writes is always told; what it does then only where it differs from what the
/// protocol takes for granted: that it destroys, and does something else each time.
fn listed(tool: &Tool) -> ListedTool {
    let annotations = ToolAnnotations::new().read_only(tool.effect == Effect::Reads);
    let annotations = match tool.effect {
        Effect::Reads => annotations,
        Effect::Adds => annotations.destructive(false),
        Effect::Changes => annotations.destructive(false).idempotent(true),
        Effect::Removes => annotations.idempotent(true),
    };
    ListedTool::new(tool.name, tool.description, Arc::new(tool.input_schema()))
        .with_raw_output_schema(Arc::new(tool.output_schema()))
        .with_annotations(annotations)
}

fn unknown_tool(name: &str, offered: impl Iterator<Item = &'static Tool>) -> ErrorData {
    let names: Vec<&str> = offered.map(|tool| tool.name).collect();
    let message = format!("there is no tool {name:?}; there are {}", names.join(", "));
    ErrorData::invalid_params(message, None)
}

/// The answer as text, exact to the digit, and beside it as structured content for clients that
/// read that.
fn result(answer: Answer) -> CallToolResult {
    let structured = structured(&Json::raw(answer.json.as_str()), LEVELS);
    let content = vec![ContentBlock::text(answer.json)];
    let mut result = match answer.is_error {
        true => CallToolResult::error(content),
        false => CallToolResult::success(content),
    };
    result.structured_content = Some(structured);
    result
}

/// How deep an answer is searched for the value that cannot be structured content.
const LEVELS: u32 = 6;

/// A value as serde_json has it. What serde_json does not take (a file's `1e400`, hundreds of
/// nested arrays) stands as its text.
fn structured(json: &Json, levels: u32) -> Value {
    if let Ok(value) = serde_json::from_str(&without_half_pairs(json.as_str())) {
        return value;
    }
    match (json.members(), json.items()) {
        (Some(members), _) if levels > 0 => members
            .into_iter()
            .map(|(key, value)| (key, structured(&value, levels - 1)))
            .collect(),
        (_, Some(items)) if levels > 0 => items
            .iter()
            .map(|item| structured(item, levels - 1))
            .collect(),
        _ => json.as_str().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{LEVELS, structured};
    use crate::task::Json;
    use serde_json::json;

    #[test]
    fn what_cannot_be_structured_stands_as_its_text() {
        let deep = format!("{}1{}", "[".repeat(300), "]".repeat(300));
        let text = format!(r#"{{"task":{{"n":1e400,"deep":{deep},"s":"\ud800","ok":[1]}}}}"#);
        let value = structured(&Json::raw(text), LEVELS);
        assert_eq!(value["task"]["n"], "1e400");
        assert_eq!(value["task"]["s"], "\u{fffd}");
        assert_eq!(value["task"]["ok"], json!([1]));
        let mut inner = &value["task"]["deep"];
        while let Some(item) = inner.get(0) {
            inner = item;
        }
        assert!(inner.as_str().is_some_and(|text| text.starts_with("[[[")));
    }
}
