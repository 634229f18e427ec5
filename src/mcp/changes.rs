//! Follows the list's folder for one client: wakes its waiting calls and tells its subscribers.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::sync::broadcast;

use super::resources::{GRAPH, LIST, READY, task_uri};
use crate::list::{Delta, FileChange, List};
use crate::store::Store;
use crate::store::watch::{Bell, WatchEvent, WatchMode, Watcher};

/// How many changes a slow subscriber may be behind; further ones are told as one.
const BEHIND: usize = 256;

/// What subscribers hear of one change.
#[derive(Debug, Clone)]
pub struct Told {
    /// The resources that are not what they were.
    pub uris: Arc<[String]>,
    /// Whether tasks came or went.
    pub tasks_came_or_went: bool,
}

/// The changes of a list. Nothing is watched before somebody wants to know.
pub struct Changes {
    store: Store,
    bell: Arc<Bell>,
    told: broadcast::Sender<Told>,
    watcher: OnceLock<Watcher>,
}

impl Changes {
    /// The changes of a store's list; every one rings the bell.
    pub fn new(store: Store, bell: Arc<Bell>) -> Changes {
        Changes {
            store,
            bell,
            told: broadcast::channel(BEHIND).0,
            watcher: OnceLock::new(),
        }
    }

    /// Begins to watch, if nobody has yet.
    pub fn follow(&self) {
        self.watcher.get_or_init(|| self.watch());
    }

    /// Hears of every change from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<Told> {
        let told = self.told.subscribe();
        self.follow();
        told
    }

    fn watch(&self) -> Watcher {
        let list = Arc::new(Mutex::new(List::new(self.store.dialect())));
        let known = Arc::clone(&list);
        let (bell, told) = (Arc::clone(&self.bell), self.told.clone());
        let sink = move |event| {
            if let WatchEvent::Files(files) = event {
                tell(&known, files, &told);
            }
            bell.ring();
        };
        // Held while the list is loaded, so that changes told meanwhile come on top of it.
        let mut loading = list.lock().unwrap_or_else(PoisonError::into_inner);
        let watcher = self.store.watch(WatchMode::Auto, sink);
        if let Ok(loaded) = self.store.load() {
            *loading = loaded;
        }
        watcher
    }
}

fn tell(list: &Mutex<List>, files: Vec<FileChange>, told: &broadcast::Sender<Told>) {
    let delta = list
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .apply(files);
    let uris = uris(&delta);
    if !uris.is_empty() {
        let came_or_went = !(delta.added.is_empty() && delta.removed.is_empty());
        let _ = told.send(Told {
            uris: uris.into(),
            tasks_came_or_went: came_or_went,
        }); // nobody may be listening
    }
}

/// The resources that a change of the list touches.
fn uris(delta: &Delta) -> Vec<String> {
    let restated = delta.restated.iter().map(|(id, ..)| id);
    let removed = delta.removed.iter().map(|task| &task.id);
    let ids = delta
        .added
        .iter()
        .chain(&delta.changed)
        .chain(restated)
        .chain(removed);
    let mut uris: Vec<String> = ids.map(task_uri).collect();
    uris.sort();
    uris.dedup();
    if !uris.is_empty() || delta.problems_changed {
        uris.extend([LIST, READY, GRAPH].map(str::to_owned));
    }
    uris
}
