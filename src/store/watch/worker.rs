use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use crate::list::{FileChange, FileContent};
use crate::task::ProblemCode;

use super::coalesce::Coalescer;
use super::hints::{Hints, Identity, Signal};
use super::mount::silent_file_system;
use super::seen::Seen;
use super::stamp::{Stamp, names, survey};
use super::{WatchEvent, WatchMode, WatchStatus};

/// So long after the beginning it is noted how the files look.
const FIRST_NOTE: Duration = Duration::from_secs(1);

/// With notifications, the whole folder is compared this often, in case one was lost.
const CALM: Duration = Duration::from_secs(60);

/// Without notifications, the whole folder is compared this often.
const POLL: Duration = Duration::from_secs(2);

/// Where the watcher reads.
pub(super) trait Source: Send + 'static {
    /// Whether a name in the folder may mean anything at all.
    fn concerns(&self, name: &str) -> bool;

    /// Reads the files of these names: what is there now, or that nothing is.
    fn read(&self, names: &[String]) -> Vec<FileChange>;
}

/// The watcher's thread: waits for signals and for the next deadline, whichever comes first.
pub(super) struct Worker<R, S> {
    folder: PathBuf,
    mode: WatchMode,
    source: R,
    sink: S,
    signals: Sender<Signal>,
    hints: Hints,
    coalescer: Coalescer,
    seen: Seen,
    status: Option<WatchStatus>,
    had_folder: bool,
    /// Whether it is noted how every file looks, so that a sweep can tell what changed.
    noted: bool,
    /// Why the folder's content is not known, if so.
    blind: Option<String>,
    next_sweep: Instant,
    next_attempt: Instant,
}

impl<R: Source, S: FnMut(WatchEvent)> Worker<R, S> {
    /// Arms the notifications, so that whatever is read after this call is followed without a gap.
    ///
    /// How the files look is noted a little later, to leave the machine to whoever reads them now:
    /// from here on notifications tell of every change. Without notifications only the looks tell,
    /// so that they are noted at once.
    pub(super) fn new(
        folder: PathBuf,
        mode: WatchMode,
        source: R,
        sink: S,
        signals: Sender<Signal>,
    ) -> Worker<R, S> {
        let now = Instant::now();
        let mut worker = Worker {
            hints: Hints::none(&folder),
            folder,
            mode,
            source,
            sink,
            signals,
            coalescer: Coalescer::default(),
            seen: Seen::default(),
            status: None,
            had_folder: false,
            noted: false,
            blind: None,
            next_sweep: now,
            next_attempt: now,
        };
        worker.arm(now);
        worker.next_sweep = now + FIRST_NOTE;
        worker.had_folder = worker.hints.identity.is_some();
        if worker.polling().is_some() {
            worker.note();
        } else {
            match names(&worker.folder, |name| worker.source.concerns(name)) {
                Ok(names) => worker.seen.note_names(names),
                Err(error) => worker.blind = worker.not_readable(&error),
            }
        }
        worker
    }

    /// Notes how every file looks.
    fn note(&mut self) {
        let (found, blind) = self.survey();
        self.seen.note(found.unwrap_or_default());
        self.blind = blind;
        self.noted = true;
        self.next_sweep = Instant::now() + self.pace();
    }

    pub(super) fn run(mut self, inbox: &Receiver<Signal>) {
        self.report();
        loop {
            let due = self.coalescer.due();
            let deadline = due.map_or(self.next_sweep, |due| due.min(self.next_sweep));
            let wait = deadline.saturating_duration_since(Instant::now());
            match inbox.recv_timeout(wait) {
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Signal::Name(name)) => self.hint(name),
                Ok(Signal::Folder) => self.look_at_folder(),
                Ok(Signal::Sweep) => self.sweep(),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = Instant::now();
            if now >= self.next_sweep {
                if self.noted {
                    self.sweep();
                } else {
                    self.note();
                }
            }
            self.tell_what_is_due(now);
        }
    }

    fn hint(&mut self, name: String) {
        if is_task_file(&name) && self.source.concerns(&name) {
            self.coalescer.hint(name, Instant::now());
        }
    }

    fn pace(&self) -> Duration {
        if self.polling().is_some() { POLL } else { CALM }
    }

    /// Why the folder is polled, if it is.
    fn polling(&self) -> Option<String> {
        match self.mode {
            WatchMode::Poll => Some("asked for".to_owned()),
            WatchMode::Auto => self.hints.trouble.clone(),
        }
    }

    fn arm(&mut self, now: Instant) {
        if self.mode == WatchMode::Poll {
            self.hints = Hints::none(&self.folder);
            return;
        }
        self.hints = Hints::start(&self.folder, &self.signals);
        self.next_attempt = now + CALM;
        if let Some(kind) = silent_file_system(&self.folder) {
            // Hints stay on: they tell at least of this machine's own writers.
            let why = format!("a {kind} file system does not tell of other machines' changes");
            self.hints.trouble.get_or_insert(why);
        }
    }

    fn look_at_folder(&mut self) {
        self.arm(Instant::now());
        self.sweep();
    }

    /// Compares the whole folder with what was read and hints at what differs.
    fn sweep(&mut self) {
        let now = Instant::now();
        let identity = Identity::read(&self.folder);
        let moved = identity.is_none() || identity != self.hints.identity;
        if moved || (self.hints.trouble.is_some() && now >= self.next_attempt) {
            self.arm(now);
        }
        let (found, blind) = self.survey();
        self.blind = blind;
        // What was not noted yet differs, and is read: hints may have been lost.
        self.noted = true;
        if let Some(found) = found {
            for name in self.seen.differing(&found) {
                self.coalescer.hint(name, now);
            }
            // Locks and temp files become a problem by age, without a change.
            for name in found.into_keys().filter(|name| !is_task_file(name)) {
                self.coalescer.hint(name, now);
            }
        }
        self.next_sweep = now + self.pace();
        self.report();
    }

    /// What is in the folder, and why that may not be the truth. No folder is an empty one; one
    /// that may not be read keeps what was told about it.
    fn survey(&mut self) -> (Option<HashMap<String, Stamp>>, Option<String>) {
        match survey(&self.folder, |name| self.source.concerns(name)) {
            Ok(found) => {
                self.had_folder = true;
                (Some(found), None)
            }
            Err(error) => {
                let gone = error.kind() == ErrorKind::NotFound;
                (gone.then(HashMap::new), self.not_readable(&error))
            }
        }
    }

    /// Why what is shown may not be the truth, when the folder cannot be read. One that never was
    /// there is an empty list.
    fn not_readable(&self, error: &io::Error) -> Option<String> {
        let folder = self.folder.display();
        if error.kind() == ErrorKind::NotFound {
            let why = format!("{folder} was removed; waiting for it to come back");
            return self.had_folder.then_some(why);
        }
        Some(format!("cannot read {folder}: {error}"))
    }

    /// Tells the status when it changed.
    fn report(&mut self) {
        let status = match (self.blind.clone(), self.polling()) {
            (Some(why), _) => WatchStatus::Stale { why },
            (None, Some(why)) => WatchStatus::Polling { why },
            (None, None) => WatchStatus::Live,
        };
        if self.status.as_ref() != Some(&status) {
            self.status = Some(status.clone());
            (self.sink)(WatchEvent::Status(status));
        }
    }

    /// Reads the names that are due and tells what is new about them.
    fn tell_what_is_due(&mut self, now: Instant) {
        let batch = self.coalescer.take(now);
        let mut news = self.look(&batch.second, None);
        news.extend(self.look(&batch.first, Some(now)));
        if !news.is_empty() {
            (self.sink)(WatchEvent::Files(news));
        }
    }

    /// Reads names. With a time, what may be half done is not news yet but looked at again later.
    fn look(&mut self, names: &[String], first_look: Option<Instant>) -> Vec<FileChange> {
        if names.is_empty() {
            return Vec::new();
        }
        let stamp = |name: &String| (name.clone(), Stamp::read(&self.folder.join(name)));
        let stamps: HashMap<String, Option<Stamp>> = names.iter().map(stamp).collect();
        let mut news = Vec::new();
        for change in self.source.read(names) {
            let stamp = stamps.get(&change.name).copied().flatten();
            match first_look {
                _ if !self.seen.is_news(&change) => self.seen.still(&change.name, stamp),
                Some(now) if may_be_half_done(&change.content) => {
                    self.coalescer.look_again(change.name, now);
                }
                _ => {
                    self.seen.tell(&change, stamp);
                    news.push(change);
                }
            }
        }
        news
    }
}

/// Whether a name may be a task's. Leaves out locks and temp files (ours and the agents'), of which
/// every write makes some.
pub(super) fn is_task_file(name: &str) -> bool {
    name.ends_with(".json") && !name.starts_with('.')
}

/// What a writer between two steps looks like: half a file, or none for a moment.
fn may_be_half_done(content: &FileContent) -> bool {
    match content {
        FileContent::Task(_) => false,
        FileContent::Broken { problem, .. } => problem.code == ProblemCode::Unreadable,
        FileContent::Gone => true,
    }
}
