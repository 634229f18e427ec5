//! Other lists than the one that is shown, looked for while they are wanted.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::desk::Opened;
use super::inbox::Event;
use crate::board::Message;
use crate::store::discover::{Overview, PlanProgress};

/// Where a board finds other lists.
pub trait Shelf: Send + Sync {
    /// All lists as they are now, and OmO's active plan.
    fn find(&self) -> (Vec<Overview>, Option<PlanProgress>);

    /// Opens the list in a folder.
    ///
    /// # Errors
    /// Why it cannot be opened, for people.
    fn open(&self, dir: &Path) -> Result<Opened, String>;
}

/// While lists are shown, they are looked at so often.
const BETWEEN_LOOKS: Duration = Duration::from_secs(2);

/// Looks for lists until it is dropped, and tells what changed.
pub(super) struct Looker {
    _wanted: Sender<()>,
}

impl Looker {
    pub(super) fn start(shelf: Arc<dyn Shelf>, events: Sender<Event>) -> Looker {
        let (wanted, ended) = channel::<()>();
        thread::spawn(move || {
            let mut told = None;
            loop {
                let found = shelf.find();
                if told.as_ref() != Some(&found) {
                    told = Some(found.clone());
                    let news = Message::Lists(found.0, found.1);
                    if events.send(Event::Board(news)).is_err() {
                        return;
                    }
                }
                if ended.recv_timeout(BETWEEN_LOOKS) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        });
        Looker { _wanted: wanted }
    }
}
