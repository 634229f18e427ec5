use std::collections::HashMap;
use std::fs::Metadata;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A file changed this shortly before it was stamped may change again without a visible trace,
/// because file systems count time in steps (git calls such an entry racy).
const RACY: Duration = Duration::from_secs(2);

/// What a file's directory entry says, enough to tell without reading that it did not change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stamp {
    /// Of size, times and inode: they are only ever compared, and a folder may have 100,000 files.
    digest: u64,
    /// The file was changed just before.
    racy: bool,
}

impl Stamp {
    pub(super) fn of(meta: &Metadata) -> Stamp {
        let modified = meta.modified().ok();
        let mut digest = DefaultHasher::new();
        (meta.len(), modified, node(meta)).hash(&mut digest);
        let age = modified.and_then(|at| SystemTime::now().duration_since(at).ok());
        Stamp {
            digest: digest.finish(),
            racy: age.is_some_and(|age| age < RACY),
        }
    }

    pub(super) fn read(path: &Path) -> Option<Stamp> {
        std::fs::metadata(path).ok().map(|meta| Stamp::of(&meta))
    }

    /// Whether a later stamp of the same name proves that nothing changed.
    pub(super) fn still_holds(&self, later: &Stamp) -> bool {
        self.digest == later.digest && !self.racy
    }
}

/// Inode and change time, where there are such: a rename gives another inode, and the change time
/// tells of a writer that put the modification time back.
#[cfg(unix)]
fn node(meta: &Metadata) -> (u64, i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (meta.ino(), meta.ctime(), meta.ctime_nsec())
}

#[cfg(not(unix))]
fn node(_: &Metadata) -> (u64, i64, i64) {
    (0, 0, 0)
}

/// All names in a folder that `wanted` lets through.
///
/// # Errors
/// When the folder cannot be read.
pub(super) fn names(folder: &Path, wanted: impl Fn(&str) -> bool) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        found.extend(entry?.file_name().into_string());
    }
    found.retain(|name| wanted(name));
    Ok(found)
}

/// The stamps of all names in a folder that `wanted` lets through.
///
/// # Errors
/// When the folder cannot be read.
pub(super) fn survey(
    folder: &Path,
    wanted: impl Fn(&str) -> bool,
) -> io::Result<HashMap<String, Stamp>> {
    let stamp = |name: String| {
        let path = folder.join(&name);
        // A link's target is what a reader gets; a broken link is still a name.
        let meta = std::fs::metadata(&path).or_else(|_| std::fs::symlink_metadata(&path));
        Some((name, Stamp::of(&meta.ok()?)))
    };
    Ok(names(folder, wanted)?
        .into_iter()
        .filter_map(stamp)
        .collect())
}
