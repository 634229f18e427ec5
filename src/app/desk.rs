//! What serves the list that is shown: its watcher, its writer, its first reading.

use std::sync::mpsc::Sender;
use std::thread;

use super::inbox::Event;
use super::worker::Worker;
use crate::board::{Message, Model, Place};
use crate::state::ListState;
use crate::store::Store;
use crate::store::watch::{WatchEvent, WatchMode, Watcher};

/// A list that a board can show.
pub struct Opened {
    /// The list.
    pub store: Store,
    /// Which list it is, for people.
    pub place: Place,
    /// What is remembered of it.
    pub state: ListState,
}

impl Opened {
    /// A board on the list, which is not read yet.
    pub(super) fn model(&self) -> Model {
        let (place, state) = (self.place.clone(), self.state.clone());
        Model::new(
            self.store.dialect(),
            place,
            state,
            self.store.is_read_only(),
        )
    }
}

/// The threads that serve one list.
pub(super) struct Desk {
    pub(super) worker: Worker,
    pub(super) watcher: Watcher,
    pub(super) mail: Mail,
    pub(super) store: Store,
}

impl Desk {
    pub(super) fn at(
        store: &Store,
        state: &ListState,
        watch: WatchMode,
        thread_id: String,
        mail: Mail,
    ) -> Desk {
        // Watching begins before reading, so that nothing is missed in between.
        let (watched, to_read) = (mail.clone(), store.clone());
        let mut read = false;
        let watcher = store.watch_soon(watch, move |event| {
            if !std::mem::replace(&mut read, true) {
                load(to_read.clone(), watched.clone());
            }
            watched.send(match event {
                WatchEvent::Files(files) => Message::Files(files),
                WatchEvent::Status(status) => Message::Watch(status),
            });
        });
        Desk {
            worker: Worker::start(store.clone(), thread_id, state, mail.clone()),
            watcher,
            mail,
            store: store.clone(),
        }
    }
}

/// The way of what belongs to one list to the board: what comes from a list that is not shown any
/// more is not taken for news of another.
#[derive(Clone)]
pub(super) struct Mail {
    pub(super) events: Sender<Event>,
    /// Counts the lists that were opened.
    pub(super) list: u64,
}

impl Mail {
    /// Nobody listens any more when the board is about to end; the rest is still done.
    pub(super) fn send(&self, message: Message) {
        let _ = self.events.send(Event::List(self.list, message));
    }

    /// That of the list that is opened after this one.
    pub(super) fn next(&self) -> Mail {
        Mail {
            events: self.events.clone(),
            list: self.list + 1,
        }
    }
}

/// Reads the list on a thread of its own; the first frame does not wait for it.
fn load(store: Store, mail: Mail) {
    thread::spawn(move || {
        let list = store
            .load()
            .map(Box::new)
            .map_err(|error| error.to_string());
        mail.send(Message::Loaded(list));
    });
}
