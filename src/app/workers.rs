//! What the board does outside about `run`'s workers: following their logs, ending them.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use super::clock::now_ms;
use super::desk::Mail;
use crate::board::Message;
use crate::run::{Claimed, give_back, stop};
use crate::store::Store;
use crate::task::TaskId;
use crate::text::count;

/// So much of a log's end is shown.
const SHOWN: u64 = 16 * 1024;

/// A log that grows without pause is read at most so often.
const PACE: Duration = Duration::from_millis(40);

/// Follows one log for as long as this value lives.
pub(super) struct LogFollower {
    _notify: Option<RecommendedWatcher>,
}

impl LogFollower {
    /// Tells the end of the log now, and with every change of it.
    pub(super) fn start(id: TaskId, path: PathBuf, mail: Mail) -> LogFollower {
        let (changed, changes) = channel();
        let notify = watch(&path, changed.clone());
        // The first look; the other end is there.
        let _ = changed.send(());
        drop(changed);
        thread::spawn(move || tell(&id, &path, &changes, &mail));
        LogFollower {
            _notify: notify.ok(),
        }
    }
}

/// Watches the folder, since a log is begun anew under its name.
fn watch(path: &Path, changed: Sender<()>) -> notify::Result<RecommendedWatcher> {
    let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
    let name = path.file_name().map(ToOwned::to_owned);
    let mut notify = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let concerns = |event: &notify::Event| {
            let mut paths = event.paths.iter();
            paths.any(|path| path.file_name() == name.as_deref())
        };
        if event.is_ok_and(|event| !event.kind.is_access() && concerns(&event)) {
            // Nobody listens any more when the follower is being dropped.
            let _ = changed.send(());
        }
    })?;
    notify.watch(&folder, RecursiveMode::NonRecursive)?;
    Ok(notify)
}

fn tell(id: &TaskId, path: &Path, changes: &Receiver<()>, mail: &Mail) {
    while changes.recv().is_ok() {
        while changes.try_recv().is_ok() {}
        // No log yet is an empty one.
        let text = end_of(path).unwrap_or_default();
        mail.send(Message::Log(id.clone(), text));
        thread::sleep(PACE);
    }
}

fn end_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let skipped = file.metadata()?.len().saturating_sub(SHOWN);
    file.seek(SeekFrom::Start(skipped))?;
    let mut bytes = Vec::new();
    file.take(SHOWN).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // Half a line says nothing.
    Ok(match text.split_once('\n') {
        Some((_, whole)) if skipped > 0 => whole.to_owned(),
        _ => text,
    })
}

/// Ends a worker, on a thread of its own: it is given time to end by itself.
pub(super) fn stop_worker(claimed: Claimed, mail: Mail) {
    thread::spawn(move || {
        let said = stop(&claimed).map(|()| "the worker has ended".to_owned());
        mail.send(Message::Told(said));
    });
}

/// Gives the tasks of runners that are gone back, on a thread of its own.
pub(super) fn give_back_tasks(store: Store, mail: Mail) {
    thread::spawn(move || {
        let said = match give_back(&store, now_ms()) {
            Ok(ids) if ids.is_empty() => Ok("every runner is still there".to_owned()),
            Ok(ids) => Ok(format!("given back: {}", count(ids.len(), "task"))),
            Err(error) => Err(error.to_string()),
        };
        mail.send(Message::Told(said));
    });
}
