//! `mcp`: the MCP server on standard input and output.

use super::failure::Failure;
use super::session::{Session, fresh_thread_id};
use crate::mcp::{Options, serve};

/// Serves one client until its input ends.
///
/// # Errors
/// When the client never gets past the handshake.
pub fn mcp(session: &Session, owner: Option<&str>) -> Result<(), Failure> {
    let named = session.env.var("TASKDECK_THREAD_ID").map(str::to_owned);
    let owner = owner.or_else(|| session.env.var("TASKDECK_OWNER"));
    let options = Options {
        store: session.store.clone(),
        state: session.state.clone(),
        owner: owner.map(str::to_owned),
        thread_id: named.unwrap_or_else(fresh_thread_id),
        read_only: session.global.read_only,
    };
    Ok(serve(options, std::io::stdin(), std::io::stdout())?)
}
