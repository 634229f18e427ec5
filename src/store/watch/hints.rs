use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::SystemTime;

use notify::event::ModifyKind;
use notify::{
    Config, ErrorKind, EventKind, EventKindMask, RecommendedWatcher, RecursiveMode, Watcher as _,
};

/// What wakes the watcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Signal {
    /// The file of this name may have changed.
    Name(String),
    /// The folder itself came, went or was replaced: watch it anew.
    Folder,
    /// Hints were lost, or somebody wants to be sure: compare the whole folder.
    Sweep,
    /// The watcher is being dropped.
    Stop,
}

/// The system's notifications about one folder, for as long as this value lives.
///
/// Watched are the folder and its parent, because a folder that was removed or replaced says
/// nothing any more; where the folder does not exist, its nearest existing ancestor. Never
/// anything recursively.
pub(super) struct Hints {
    /// Dropping it ends the notifications.
    _notify: Option<RecommendedWatcher>,
    /// Which folder is watched, `None` while there is none.
    pub(super) identity: Option<Identity>,
    /// Why there are no notifications, in words.
    pub(super) trouble: Option<String>,
}

impl Hints {
    /// No notifications at all.
    pub(super) fn none(folder: &Path) -> Hints {
        Hints {
            _notify: None,
            identity: Identity::read(folder),
            trouble: None,
        }
    }

    /// Starts notifications about a folder that may not exist yet.
    pub(super) fn start(folder: &Path, signals: &Sender<Signal>) -> Hints {
        let identity = Identity::read(folder);
        let scope = Scope::of(folder);
        let mut hints = match listen(scope.clone(), signals.clone()) {
            Ok(notify) => Hints {
                _notify: Some(notify),
                identity,
                trouble: None,
            },
            Err(error) => Hints {
                _notify: None,
                identity,
                trouble: Some(in_words(&error)),
            },
        };
        if Identity::read(folder) != hints.identity || Scope::of(folder) != scope {
            // Something came, went or was replaced while we looked: the watcher begins again.
            hints.identity = None;
            let _ = signals.send(Signal::Folder);
        }
        hints
    }
}

fn listen(scope: Scope, signals: Sender<Signal>) -> notify::Result<RecommendedWatcher> {
    let places = scope.places();
    // Without our own reads: those of 100,000 files overflow the kernel's queue.
    let changes = Config::default().with_event_kinds(EventKindMask::CORE);
    let tell = move |event| {
        for signal in scope.signals(event) {
            // Nobody listens any more when the watcher is being dropped.
            let _ = signals.send(signal);
        }
    };
    let mut notify = RecommendedWatcher::new(tell, changes)?;
    for place in places {
        match notify.watch(&place, RecursiveMode::NonRecursive) {
            // It went meanwhile, or may not be looked into: the sweep will say so.
            Err(error) if !is_a_limit(&error) => {}
            outcome => outcome?,
        }
    }
    Ok(notify)
}

fn is_a_limit(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => false,
        ErrorKind::Io(error) => !matches!(
            error.kind(),
            std::io::ErrorKind::NotFound | std::io::ErrorKind::PermissionDenied
        ),
        _ => true,
    }
}

fn in_words(error: &notify::Error) -> String {
    match &error.kind {
        ErrorKind::MaxFilesWatch => {
            "the system's limit of watched folders is reached (fs.inotify.max_user_watches)".into()
        }
        ErrorKind::Io(error) => format!("the system lets us watch no folder: {error}"),
        _ => format!("the system lets us watch no folder: {error}"),
    }
}

/// Which paths of a notification concern us.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scope {
    /// The folder with its links resolved, which is how notifications name it.
    folder: Option<PathBuf>,
    /// Paths whose coming and going means that the folder came, went or was replaced.
    landmarks: Vec<PathBuf>,
}

impl Scope {
    pub(super) fn of(folder: &Path) -> Scope {
        let resolved = folder.canonicalize().ok();
        let landmarks = [Some(folder), resolved.as_deref()]
            .into_iter()
            .flatten()
            .map(first_to_appear)
            .collect();
        Scope {
            folder: resolved,
            landmarks,
        }
    }

    /// The folders to watch, the parents first so that nothing slips through between.
    pub(super) fn places(&self) -> Vec<PathBuf> {
        let parents = self.landmarks.iter().filter_map(|path| path.parent());
        let mut places: Vec<PathBuf> = parents.map(Path::to_owned).collect();
        places.extend(self.folder.clone());
        places.dedup();
        places
    }

    pub(super) fn signals(&self, event: notify::Result<notify::Event>) -> Vec<Signal> {
        let Ok(event) = event else {
            return vec![Signal::Sweep];
        };
        if event.kind.is_access() {
            return Vec::new(); // our own reads among them
        }
        if event.need_rescan() {
            return vec![Signal::Sweep];
        }
        event
            .paths
            .iter()
            .filter_map(|path| self.signal(path, event.kind))
            .collect()
    }

    fn signal(&self, path: &Path, kind: EventKind) -> Option<Signal> {
        let moved = matches!(
            kind,
            EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
        );
        if self.folder.as_deref() == Some(path) || self.landmarks.iter().any(|l| l == path) {
            return Some(if moved { Signal::Folder } else { Signal::Sweep });
        }
        if self.landmarks.iter().any(|l| l.parent() == Some(path)) {
            return moved.then_some(Signal::Folder);
        }
        if self.folder.is_some() && path.parent() == self.folder.as_deref() {
            let name = path.file_name()?.to_string_lossy().into_owned();
            return Some(Signal::Name(name));
        }
        None
    }
}

/// The first part of a path that does not exist yet, below a folder with its links resolved; the
/// path itself when all of it exists.
fn first_to_appear(path: &Path) -> PathBuf {
    let mut awaited = path;
    while let (Some(parent), Some(name)) = (awaited.parent(), awaited.file_name()) {
        if let Ok(parent) = parent.canonicalize() {
            return parent.join(name);
        }
        awaited = parent;
    }
    path.to_owned()
}

/// Tells one folder from another that took its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    node: (u64, u64),
    created: Option<SystemTime>,
}

impl Identity {
    pub(super) fn read(folder: &Path) -> Option<Identity> {
        let meta = std::fs::metadata(folder).ok()?;
        meta.is_dir().then(|| Identity {
            node: node(&meta),
            created: meta.created().ok(),
        })
    }
}

#[cfg(unix)]
fn node(meta: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino())
}

#[cfg(not(unix))]
fn node(_: &Metadata) -> (u64, u64) {
    (0, 0)
}
