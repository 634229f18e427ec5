//! Telling a client what changed: by subscriptions, and by the listening requests that replace
//! them from the protocol of July 2026 on.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::SubscriptionContext;
use rmcp::{Peer, RoleServer};
use tokio::sync::broadcast::error::RecvError;

use super::changes::Told;
use super::session::Session;

/// The resources that a client subscribed to.
#[derive(Clone, Default)]
pub struct Subscribers {
    wanted: Arc<Mutex<Wanted>>,
}

#[derive(Default)]
struct Wanted {
    uris: HashSet<String>,
    /// Whether somebody listens on the client's behalf already.
    listening: bool,
}

impl Subscribers {
    /// Tells the client of changes of a resource from now on.
    pub fn add(&self, uri: String, session: &Arc<Session>, peer: Peer<RoleServer>) {
        let mut wanted = self.wanted();
        wanted.uris.insert(uri);
        if wanted.listening {
            return;
        }
        wanted.listening = true;
        let mut changes = session.changes.subscribe();
        let subscribers = self.clone();
        tokio::spawn(async move {
            while let Some(told) = next(&mut changes).await {
                let uris = subscribers.concerned(&told);
                for uri in uris {
                    let update = ResourceUpdatedNotificationParam::new(uri);
                    if peer.notify_resource_updated(update).await.is_err() {
                        return;
                    }
                }
                if told.tasks_came_or_went {
                    let _ = peer.notify_resource_list_changed().await; // the loop ends with the peer
                }
            }
        });
    }

    /// Stops telling of a resource.
    pub fn remove(&self, uri: &str) {
        self.wanted().uris.remove(uri);
    }

    fn concerned(&self, told: &Told) -> Vec<String> {
        let wanted = self.wanted();
        let uris = told.uris.iter().filter(|uri| wanted.uris.contains(*uri));
        uris.cloned().collect()
    }

    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The next change; `None` at the end. What a slow client missed it need not be told one by one.
async fn next(changes: &mut tokio::sync::broadcast::Receiver<Told>) -> Option<Told> {
    loop {
        match changes.recv().await {
            Ok(told) => return Some(told),
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return None,
        }
    }
}

/// Serves one listening request until it is cancelled or the client is gone. The sink leaves out what was not asked.
pub async fn listen(session: &Arc<Session>, subscription: SubscriptionContext) {
    let mut changes = session.changes.subscribe();
    let mut ended = session.ended.clone();
    let sink = subscription.sink();
    loop {
        let told = tokio::select! {
            told = next(&mut changes) => told,
            () = subscription.cancelled() => None,
            _ = ended.wait_for(|ended| *ended) => None,
        };
        let Some(told) = told else {
            return;
        };
        for uri in told.uris.iter() {
            let _ = sink.notify_resource_updated(uri).await;
        }
        if told.tasks_came_or_went {
            let _ = sink.notify_resource_list_changed().await;
        }
    }
}
