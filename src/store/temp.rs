//! Temp files: written and synced beside their target, gone unless they become it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

use super::clock::milliseconds;

const PREFIX: &str = ".taskdeck-";
const SUFFIX: &str = ".tmp";

/// Whether a file name is one of ours. No agent lists such a name: it starts with a dot and does
/// not end in `.json`.
pub(super) fn is_ours(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// A name that nobody else uses, in the folder `beside`.
pub(super) fn unique(beside: &Path) -> PathBuf {
    let id = uuid::Uuid::new_v4().simple();
    beside.join(format!("{PREFIX}{id}{SUFFIX}"))
}

/// A temp file, removed when it is dropped.
pub(super) struct Temp {
    path: Option<PathBuf>,
    mtime_ms: i64,
}

impl Temp {
    /// Writes a new temp file into `folder`.
    pub(super) fn write(folder: &Path, bytes: &[u8]) -> io::Result<Temp> {
        let path = unique(folder);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)?;
        let mut temp = Temp {
            path: Some(path),
            mtime_ms: 0,
        };
        file.write_all(bytes)?;
        temp.mtime_ms = file.metadata()?.modified().map_or(0, milliseconds);
        Ok(temp)
    }

    /// When it was written, in milliseconds since the epoch.
    pub(super) fn mtime_ms(&self) -> i64 {
        self.mtime_ms
    }

    fn path(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(""))
    }

    /// Gives it the mode and, where the system lets us, the owner of the file that it replaces.
    pub(super) fn take_after(&self, old: &fs::Metadata) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, chown};
            let new = fs::metadata(self.path())?;
            if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
                // Only root may give a file away; a shared folder's group is kept if possible.
                let _ = chown(self.path(), Some(old.uid()), Some(old.gid()))
                    .or_else(|_| chown(self.path(), None, Some(old.gid())));
            }
        }
        fs::set_permissions(self.path(), old.permissions())
    }

    /// Puts it in the place of `target`.
    pub(super) fn replace(mut self, target: &Path) -> io::Result<()> {
        fs::rename(self.path(), target)?;
        self.path = None;
        Ok(())
    }

    /// Makes it appear as `target`, complete, if nothing is there.
    ///
    /// # Errors
    /// `AlreadyExists` when something is there.
    pub(super) fn appear_as(self, target: &Path) -> io::Result<()> {
        match fs::hard_link(self.path(), target) {
            Err(error) if cannot_link(&error) => self.appear_without_links(target),
            done => done,
        }
    }

    /// For file systems without hard links: the name is reserved, then taken over.
    fn appear_without_links(self, target: &Path) -> io::Result<()> {
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(target)?;
        self.replace(target)
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path); // what is left is told as `temp_left`
        }
    }
}

fn cannot_link(error: &io::Error) -> bool {
    !matches!(
        error.kind(),
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound | io::ErrorKind::StorageFull
    )
}

/// So many temp files are written through at a time.
const SIDE_BY_SIDE: usize = 16;

/// Writes temp files through to the disk itself, side by side: file systems do many at once in
/// little more than the time of one.
pub(super) fn sync_all(temps: &[&Temp]) -> io::Result<()> {
    let sync = |temp: &Temp| File::open(temp.path())?.sync_all();
    if let [only] = temps {
        return sync(only);
    }
    thread::scope(|scope| {
        let size = temps.len().div_ceil(SIDE_BY_SIDE).max(1);
        let parts = temps.chunks(size);
        let threads: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter().try_for_each(|temp| sync(temp))))
            .collect();
        let mut done = threads.into_iter().map(|thread| thread.join());
        done.try_for_each(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Makes renames in a folder survive a crash; file systems that cannot do it are left alone.
pub(super) fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}
