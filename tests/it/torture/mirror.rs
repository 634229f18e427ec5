//! A list fed by a watcher alone, as the board's is, held against loading from scratch.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use taskdeck::list::List;
use taskdeck::store::Store;
use taskdeck::store::watch::{WatchEvent, WatchMode, Watcher};
use taskdeck::task::ProblemCode;

/// What takes longer than this is broken.
const BOUND: Duration = Duration::from_secs(30);

/// The list that the watcher's news make.
pub struct Mirror {
    store: Store,
    list: List,
    inbox: Receiver<WatchEvent>,
    watcher: Watcher,
}

impl Mirror {
    /// Begins to watch, then loads.
    pub fn open(store: &Store, mode: WatchMode) -> Mirror {
        let (send, inbox) = channel();
        let watcher = store.watch(mode, move |event| {
            let _ = send.send(event); // nobody listens any more at the end
        });
        Mirror {
            store: store.clone(),
            list: store.load().unwrap(),
            inbox,
            watcher,
        }
    }

    /// Asks for a look at the whole folder, as the board does when it gets the focus.
    pub fn sweep(&self) {
        self.watcher.sweep();
    }

    /// Takes what the watcher has told so far.
    pub fn take(&mut self) {
        while let Ok(event) = self.inbox.try_recv() {
            self.apply(event);
        }
    }

    /// Takes news until the list is what loading gives; an error when that never happens.
    pub fn catch_up(&mut self) -> Result<(), String> {
        let fresh = picture(&self.store.load().map_err(|e| e.to_string())?);
        let start = Instant::now();
        while picture(&self.list) != fresh {
            let left = BOUND.saturating_sub(start.elapsed());
            let Ok(event) = self.inbox.recv_timeout(left) else {
                return Err(difference(&picture(&self.list), &fresh));
            };
            self.apply(event);
        }
        Ok(())
    }

    fn apply(&mut self, event: WatchEvent) {
        if let WatchEvent::Files(files) = event {
            self.list.apply(files);
        }
    }
}

/// Everything that a person sees of a list.
fn picture(list: &List) -> Vec<String> {
    let tasks = list.tasks().map(|task| {
        let text = String::from_utf8_lossy(&task.raw);
        let (state, waits) = (list.state(&task.id), list.open_blockers(&task.id));
        format!("{} {state:?} {waits:?} {text}", task.id)
    });
    // A temp file becomes one that was left behind by time alone, which no event tells.
    let lasting = list.problems().into_iter();
    let lasting = lasting.filter(|p| p.code != ProblemCode::TempLeft);
    let problems = lasting.map(|p| format!("{}: {}", p.file, p.message));
    let ring = std::iter::once(format!("{:?}", list.cycles()));
    tasks.chain(problems).chain(ring).collect()
}

fn difference(fed: &[String], fresh: &[String]) -> String {
    let only = |these: &[String], those: &[String]| {
        let found = these.iter().find(|line| !those.contains(line));
        found.map_or_else(String::new, |line| line.chars().take(200).collect())
    };
    format!(
        "the watched list says {:?} where loading says {:?}",
        only(fed, fresh),
        only(fresh, fed)
    )
}
