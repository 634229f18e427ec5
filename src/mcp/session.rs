//! What the calls of one client share, and what one call is given.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::changes::Changes;
use crate::list::List;
use crate::state::{ListState, Notices};
use crate::store::Store;
use crate::store::watch::{Bell, Woken};
use crate::task::TaskId;
use crate::tools::{Context, World};

/// What every call of a client works with.
pub struct Session {
    /// The list.
    pub store: Store,
    /// What is remembered of its tasks.
    pub state: Mutex<ListState>,
    /// What people did meanwhile.
    pub notices: Notices,
    /// The `threadID` of tasks created over this connection.
    pub thread_id: String,
    /// Who the client's agent is, from `--owner`.
    pub owner: Option<String>,
    /// Whether tools that change something are left out.
    pub read_only: bool,
    /// Rings when a file of the list may have changed, and at the end.
    pub bell: Arc<Bell>,
    /// Turns true when the client's input ends.
    pub ended: watch::Receiver<bool>,
    /// The list's changes, watched from the first time that somebody waits for them.
    pub changes: Changes,
}

impl Session {
    /// What one call needs, free to go to another thread.
    pub fn call(self: &Arc<Session>, context: &RequestContext<RoleServer>) -> Arc<Call> {
        Arc::new(Call {
            session: Arc::clone(self),
            peer: context.peer.clone(),
            progress: context.meta.get_progress_token(),
            runtime: Handle::current(),
            told: Mutex::new(0),
            cancelled: Mutex::new(false),
        })
    }
}

/// One call in the making.
pub struct Call {
    session: Arc<Session>,
    peer: Peer<RoleServer>,
    progress: Option<ProgressToken>,
    runtime: Handle,
    told: Mutex<u32>,
    cancelled: Mutex<bool>,
}

impl Call {
    /// The call as the tools see it.
    pub fn context(&self) -> Context<'_> {
        Context {
            store: &self.session.store,
            notices: &self.session.notices,
            thread_id: &self.session.thread_id,
            owner: self.session.owner.as_deref(),
            world: self,
        }
    }

    /// Ends a waiting call whose client wants no answer any more.
    pub fn cancel(&self) {
        *lock(&self.cancelled) = true;
        self.session.bell.ring();
    }
}

impl World for Call {
    fn new_id(&self) -> TaskId {
        TaskId::new(format!("T-{}", uuid::Uuid::new_v4()))
    }

    fn now_ms(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(i64::MAX))
    }

    fn remember(&self, list: &mut List) {
        let mut state = lock(&self.session.state);
        state.apply(list);
        state.remember(list, self.now_ms(), false);
    }

    fn glance(&self, look: &mut dyn FnMut(&List)) {
        if let Ok(list) = self.session.store.load() {
            look(&list);
        }
    }

    fn changes(&self) -> u64 {
        self.session.changes.follow();
        self.session.bell.rung()
    }

    fn wait_for_change(&self, since: u64, at_most: Duration) -> Woken {
        let woken = self.session.bell.wait(since, at_most);
        match *lock(&self.cancelled) {
            true => Woken::Ended,
            false => woken,
        }
    }

    fn tell(&self, message: &str) {
        let Some(token) = self.progress.clone() else {
            return;
        };
        let mut told = lock(&self.told);
        *told += 1;
        let progress =
            ProgressNotificationParam::new(token, f64::from(*told)).with_message(message);
        let peer = self.peer.clone();
        self.runtime.spawn(async move {
            let _ = peer.notify_progress(progress).await; // the answer follows in any case
        });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
