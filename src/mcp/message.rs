//! One line of standard input as protocol messages.
//!
//! The SDK reads a line with serde_json, which knows less JSON than the programs that write to
//! us: half a surrogate pair, deep nesting and huge numbers are errors to it, and what it cannot
//! read it leaves without an answer, so that the client waits for ever. Here every request gets
//! through, or is refused with its own id; the arguments of a tool call travel beside the message
//! as the exact text that the client sent.

use std::collections::BTreeMap;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetExtensions};

use crate::task::{Json, without_half_pairs};

/// The arguments of a tool call as the client wrote them, handed to the server in the request's
/// extensions.
#[derive(Debug, Clone)]
pub struct Arguments(pub Json);

/// What a line asks for.
#[derive(Debug)]
pub enum Incoming {
    /// A message that the SDK understands.
    Message(Box<ClientJsonRpcMessage>),
    /// A request that it cannot take: the line that answers it.
    Refused(String),
}

/// Reads one line. Blank lines, and noise in which no request can be seen, give nothing: an
/// answer to noise would start a storm between two confused programs.
pub fn decode(line: &[u8]) -> Vec<Incoming> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_start_matches('\u{feff}').trim();
    let text = Json::raw(text);
    // The protocol of March 2025 allows batches.
    let batch = text.items().unwrap_or_else(|| vec![text]);
    batch.iter().filter_map(message).collect()
}

/// An object's members; of a key that comes twice the last, as in every reader that clients have.
type Members = BTreeMap<String, Json>;

fn message(text: &Json) -> Option<Incoming> {
    let mut members = Members::from_iter(text.members()?);
    let (arguments, params) = take_arguments(&mut members).unzip();
    let plain = object(&members, params.as_ref());
    match serde_json::from_str(&without_half_pairs(&plain)) {
        Ok(mut message) => {
            if let (Some(arguments), ClientJsonRpcMessage::Request(request)) =
                (arguments, &mut message)
                && let ClientRequest::CallToolRequest(call) = &mut request.request
            {
                call.extensions.insert(Arguments(arguments));
            }
            Some(Incoming::Message(Box::new(message)))
        }
        Err(error) => refusal(&members, &error.to_string()).map(Incoming::Refused),
    }
}

/// Takes the arguments out of a tool call: their text, and the parameters without them.
fn take_arguments(members: &mut Members) -> Option<(Json, Json)> {
    if members.get("method")?.as_str() != r#""tools/call""# {
        return None;
    }
    let mut params = Members::from_iter(members.get("params")?.members()?);
    let arguments = params.remove("arguments")?;
    members.remove("params");
    Some((arguments, Json::raw(object(&params, None))))
}

fn object(members: &Members, params: Option<&Json>) -> String {
    let params = params.map(|params| format!("\"params\":{params}"));
    let rest = members
        .iter()
        .map(|(key, value)| format!("{}:{value}", Json::string(key)));
    format!("{{{}}}", rest.chain(params).collect::<Vec<_>>().join(","))
}

/// The answer to a request that cannot be read: JSON-RPC's "invalid request" (-32600), with the
/// request's own id. What is no request, or hides its id, gets none.
fn refusal(members: &Members, reason: &str) -> Option<String> {
    members.get("method")?;
    let id = members.get("id")?;
    let answerable = id.text().is_some() || id.as_str().parse().is_ok_and(f64::is_finite);
    let id = if answerable { id.as_str() } else { "null" };
    let message = Json::string(&format!("this request cannot be read: {reason}"));
    Some(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32600,"message":{message}}}}}"#
    ))
}

/// Whether a request opens the session for the SDK, after which it takes every kind of message;
/// before, a stray notification would end it.
pub fn opens_session(message: &ClientJsonRpcMessage) -> bool {
    let ClientJsonRpcMessage::Request(request) = message else {
        return false;
    };
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => other
            .extensions()
            .get::<rmcp::model::RequestMetaObject>()
            .is_some_and(|meta| meta.protocol_version().is_some()),
    }
}
