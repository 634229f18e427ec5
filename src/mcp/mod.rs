//! The MCP server on standard input and output, over the agents' tools. The only room that knows
//! tokio. Standard output carries protocol and nothing else.

mod changes;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod message;
mod resources;
mod server;
mod session;
mod subscribers;
#[cfg(test)]
mod tests;
mod transport;

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;

use crate::state::{ListState, Notices};
use crate::store::Store;
use crate::store::watch::Bell;
use changes::Changes;
use session::Session;

/// How long answers in the making may still take once the input has ended; the whole end stays
/// under a second.
const LAST_ANSWERS: Duration = Duration::from_millis(400);

/// How long calls that are told to give up may take to clear away what they prepared.
const LAST_STEPS: Duration = Duration::from_millis(200);

/// How long the last answers may take to be written.
const LAST_WRITES: Duration = Duration::from_millis(200);

/// How a server serves.
pub struct Options {
    /// The list.
    pub store: Store,
    /// What is remembered of it.
    pub state: ListState,
    /// Who the client's agent is: the owner of what it claims, and who its notices are for.
    pub owner: Option<String>,
    /// The `threadID` of tasks that it creates.
    pub thread_id: String,
    /// Whether tools that change something are left out.
    pub read_only: bool,
}

/// Serves one client until its input ends, which is the normal end, also before it said a word.
///
/// # Errors
/// When no runtime can be started, or the client never got past the handshake.
pub fn serve(
    options: Options,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    let result = runtime.block_on(session(options, input, output));
    runtime.shutdown_background(); // a call that hangs must not keep the process
    result
}

async fn session(
    options: Options,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> anyhow::Result<()> {
    let bell = Arc::new(Bell::default());
    let store = options.store.clone();
    let notices = Notices::new(options.state.folder());
    if let Some(owner) = &options.owner {
        let _ = notices.deliver(owner, None); // from now on it hears; news are no must
    }
    let (stdio, mut ends) = transport::Stdio::start(input, output);
    let session = Arc::new(Session {
        ended: ends.ended.clone(),
        changes: Changes::new(options.store.clone(), Arc::clone(&bell)),
        store: options.store,
        state: Mutex::new(options.state),
        notices,
        thread_id: options.thread_id,
        owner: options.owner,
        read_only: options.read_only,
        bell: Arc::clone(&bell),
    });
    let running = match server::Server::new(session).serve(stdio).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let serving = running.waiting();
    tokio::pin!(serving);
    tokio::select! {
        _ = &mut serving => {}
        _ = ends.ended.wait_for(|ended| *ended) => {
            bell.end();
            if tokio::time::timeout(LAST_ANSWERS, &mut serving).await.is_err() {
                store.give_up_waiting();
                let _ = tokio::time::timeout(LAST_STEPS, serving).await;
            }
        }
    }
    let _ = tokio::time::timeout(LAST_WRITES, ends.written).await;
    Ok(())
}
