//! Carrying out a plan (DESIGN decision 5): everything slow happens before the lock, and under it
//! only what the plan relied on is compared and the finished files are put in place.

mod prepare;
mod publish;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::dialect::{Numbers, Scope, rules};
use super::error::CommitError;
use super::folder::{Folder, read_regular, task_path};
use super::lock::Held;
use super::temp::sync_folder;
use crate::list::{Change, FileChange, FileContent, Op, Plan, Snapshot};
use crate::task::{TaskId, Warning};
use prepare::{Write, prepare};
use publish::{Failure, publish};

/// So often a plan is made anew, even when that takes longer than the time to wait.
const FEWEST_TRIES: usize = 20;

/// A plan that was carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Committed {
    /// The plan as it was really done: made anew when the disk had changed meanwhile.
    pub plan: Plan,
    /// The files that were written, as the list reads them.
    pub files: Vec<FileChange>,
    /// What the person or agent should know although it was allowed.
    pub warnings: Vec<(TaskId, Warning)>,
}

impl Committed {
    fn of(plan: Plan, files: Vec<FileChange>) -> Committed {
        let warnings = plan.warnings.clone();
        Committed {
            plan,
            files,
            warnings,
        }
    }
}

/// Carries out `plan`, unless what it relied on has changed.
pub(super) fn once(folder: &Folder<'_>, plan: Plan) -> Result<Option<Committed>, CommitError> {
    let files = attempt(folder, &plan)?;
    Ok(files.map(|files| Committed::of(plan, files)))
}

/// Carries out `plan`; `replan` makes it anew from the disk when what it relied on has changed.
pub(super) fn commit(
    folder: &Folder<'_>,
    mut plan: Plan,
    mut replan: impl FnMut(&Op) -> Result<Plan, CommitError>,
) -> Result<Committed, CommitError> {
    let started = Instant::now();
    for tries in 1.. {
        if let Some(files) = attempt(folder, &plan)? {
            return Ok(Committed::of(plan, files));
        }
        if tries >= FEWEST_TRIES && started.elapsed() >= folder.waiting.timeout {
            break;
        }
        plan = replan(&plan.op)?;
    }
    Err(CommitError::Busy {
        holder: "writers that keep changing the same tasks".to_owned(),
        waited: started.elapsed(),
    })
}

/// One try; `None` when the disk is not as the plan thinks.
fn attempt(folder: &Folder<'_>, plan: &Plan) -> Result<Option<Vec<FileChange>>, CommitError> {
    let holds = || plan.relied_on.iter().all(|file| still_so(folder, file));
    if plan.changes.is_empty() {
        return Ok(holds().then(Vec::new)); // nothing to do, unless somebody wrote since
    }
    let new_folder = NewFolder::make(folder.dir)?;
    let Some(writes) = prepare(folder, plan)? else {
        return Ok(None);
    };
    if writes.is_empty() {
        return Ok(holds().then(Vec::new));
    }
    let files = results(folder, &writes);
    let folders = folders(&writes);
    let lock = lock(folder, plan)?;
    if !holds() {
        return Ok(None);
    }
    let counted = rules(folder.dialect).count(folder.dir, &numbers(plan));
    if !counted.map_err(|source| io_error(folder.dir, source))? {
        return Ok(None);
    }
    let published = publish(writes, &*lock);
    drop(lock);
    match published {
        Ok(()) => {}
        Err(Failure::Outdated) => return Ok(None),
        Err(Failure::Error(error)) => return Err(error),
    }
    new_folder.keep();
    folders.iter().for_each(|folder| sync_folder(folder));
    Ok(Some(files))
}

/// The list's folder, removed again when the first write does not succeed.
struct NewFolder<'a>(Option<&'a Path>);

impl<'a> NewFolder<'a> {
    fn make(dir: &'a Path) -> Result<NewFolder<'a>, CommitError> {
        if dir.is_dir() {
            return Ok(NewFolder(None));
        }
        fs::create_dir_all(dir).map_err(|source| io_error(dir, source))?;
        Ok(NewFolder(Some(dir)))
    }

    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for NewFolder<'_> {
    fn drop(&mut self) {
        if let Some(dir) = self.0 {
            let _ = fs::remove_dir(dir); // fails when somebody else uses it already
        }
    }
}

fn lock(folder: &Folder<'_>, plan: &Plan) -> Result<Box<dyn Held>, CommitError> {
    let mut changed = Vec::new();
    let mut list = false;
    for change in &plan.changes {
        match change {
            Change::Create(_) => list = true,
            Change::Patch { id, .. } => changed.push(id.clone()),
            Change::Remove { id } => {
                list = true;
                changed.push(id.clone());
            }
        }
    }
    let scope = Scope {
        changed: &changed,
        list,
    };
    Ok(rules(folder.dialect).lock(folder.dir, &scope, folder.waiting)?)
}

fn numbers(plan: &Plan) -> Numbers {
    let mut numbers = Numbers::default();
    for change in &plan.changes {
        match change {
            Change::Create(task) => {
                let number = task.id.as_ref().and_then(TaskId::number);
                numbers.created.extend(number);
            }
            Change::Remove { id } => numbers.removed.extend(id.number()),
            Change::Patch { .. } => {}
        }
    }
    numbers
}

/// Whether a file is still as the plan saw it. An id that is no file name never has a file.
fn still_so(folder: &Folder<'_>, snapshot: &Snapshot) -> bool {
    let Some(path) = task_path(folder.dir, folder.dialect, &snapshot.id) else {
        return snapshot.bytes.is_none();
    };
    match &snapshot.bytes {
        Some(bytes) => read_regular(&path, None).is_ok_and(|file| *file.bytes == **bytes),
        None => fs::symlink_metadata(&path).is_err(),
    }
}

fn path_of(folder: &Folder<'_>, id: &TaskId) -> Result<PathBuf, CommitError> {
    task_path(folder.dir, folder.dialect, id).ok_or_else(|| CommitError::Unfit {
        path: folder.dir.join(id.as_str()),
        reason: "its name is no task id".to_owned(),
    })
}

/// What was written, as the list will read it; of several writes to one file the last.
fn results(folder: &Folder<'_>, writes: &[Write]) -> Vec<FileChange> {
    let last: HashMap<&TaskId, &Write> = writes.iter().map(|write| (&write.id, write)).collect();
    let mut files: Vec<FileChange> = Vec::with_capacity(last.len());
    for write in last.into_values() {
        let name = format!("{}.json", write.id);
        let content = match &write.new {
            Some(bytes) => folder.named(&name, bytes, Some(write.mtime_ms)),
            None => FileContent::Gone,
        };
        files.push(FileChange { name, content });
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

fn folders(writes: &[Write]) -> Vec<PathBuf> {
    let parents = writes.iter().filter_map(|write| write.target.parent());
    let mut folders: Vec<PathBuf> = parents.map(Path::to_owned).collect();
    folders.sort();
    folders.dedup();
    folders
}

fn io_error(path: &Path, source: io::Error) -> CommitError {
    CommitError::Io {
        path: path.to_owned(),
        source,
    }
}
