//! Reading a whole folder, or some names of it, on all cores.

use std::fs::{self, FileType};
use std::io;
use std::num::NonZero;
use std::thread;
use std::time::Duration;

use super::StoreError;
use super::folder::{Folder, Found};
use crate::list::FileChange;
use crate::task::Dialect;

/// Fewer files than this are not worth a thread.
const PER_THREAD: usize = 64;

/// How long a broken file that was just written is given before it is called broken.
const SETTLE: Duration = Duration::from_millis(25);

/// Everything in the folder that the list should know; nothing when there is no folder.
pub(super) fn load(folder: &Folder<'_>) -> Result<Vec<FileChange>, StoreError> {
    Ok(look_at(folder, &names(folder)?))
}

/// What stands under the names that are not known yet.
pub(super) fn unknown(
    folder: &Folder<'_>,
    known: impl Fn(&str) -> bool,
) -> Result<Vec<FileChange>, StoreError> {
    let mut names = names(folder)?;
    names.retain(|(name, _)| !known(name));
    Ok(look_at(folder, &names))
}

/// The names in the folder that may be the list's.
fn names(folder: &Folder<'_>) -> Result<Vec<(String, Option<FileType>)>, StoreError> {
    let unreadable = |error: io::Error| {
        let path = folder.dir.to_owned();
        match error.kind() {
            io::ErrorKind::NotADirectory => StoreError::NotAFolder { path },
            _ => StoreError::Unreadable {
                path,
                source: error,
            },
        }
    };
    let entries = match fs::read_dir(folder.dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !folder.is_noise(&name) {
            names.push((name, entry.file_type().ok()));
        }
    }
    Ok(names)
}

/// What stands under these names now.
pub(super) fn read(folder: &Folder<'_>, names: &[String]) -> Vec<FileChange> {
    let names: Vec<_> = names.iter().map(|name| (name.clone(), None)).collect();
    look_at(folder, &names)
}

/// The same without giving broken files time to settle, for callers that look again themselves.
pub(super) fn glance(folder: &Folder<'_>, names: &[String]) -> Vec<FileChange> {
    let found = on_all_cores(names, |name| folder.look(name, None));
    found.into_iter().map(|file| file.change).collect()
}

fn look_at(folder: &Folder<'_>, names: &[(String, Option<FileType>)]) -> Vec<FileChange> {
    let mut found = on_all_cores(names, |(name, kind)| folder.look(name, *kind));
    for _ in 0..looks(folder.dialect) {
        if !found.iter().any(|file| file.unsettled) {
            break;
        }
        thread::sleep(SETTLE);
        for file in found.iter_mut().filter(|file| file.unsettled) {
            *file = folder.look(&file.change.name, None);
        }
    }
    found.into_iter().map(|file| file.change).collect()
}

/// So often a fresh broken file is looked at again. Claude Code writes in place, so that a busy
/// machine may show half a file more than once; the others rename whole ones.
fn looks(dialect: Dialect) -> usize {
    match dialect {
        Dialect::Claude => 12,
        Dialect::Omo | Dialect::OmoTeam => 1,
    }
}

fn on_all_cores<T: Sync>(items: &[T], look: impl Fn(&T) -> Found + Sync) -> Vec<Found> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = cores.min(items.len().div_ceil(PER_THREAD));
    if threads <= 1 {
        return items.iter().map(look).collect();
    }
    thread::scope(|scope| {
        let chunks = items.chunks(items.len().div_ceil(threads));
        let workers: Vec<_> = chunks
            .map(|chunk| scope.spawn(|| chunk.iter().map(&look).collect::<Vec<_>>()))
            .collect();
        let done = workers.into_iter().map(|worker| worker.join());
        done.flat_map(|found| found.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}
