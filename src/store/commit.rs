//! Carrying out a plan (DESIGN decision 5): everything slow happens before the lock, and under it
//! only what the plan relied on is compared and the finished files are put in place.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::dialect::{Numbers, Scope, rules};
use super::error::CommitError;
use super::folder::{Folder, LARGEST_FILE, read_regular, task_path, too_large};
use super::json;
use super::lock::Held;
use super::temp::{Temp, sync_all, sync_folder};
use crate::list::{Change, FileChange, FileContent, Op, Plan, Snapshot};
use crate::task::{NewTask, Patch, TaskId, Warning};

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

/// One file that is ready to be put in place.
struct Write {
    id: TaskId,
    /// Where the bytes go: behind a link, when the task is one.
    target: PathBuf,
    action: Action,
    old: Option<Arc<[u8]>>,
    new: Option<Vec<u8>>,
    mtime_ms: i64,
}

enum Action {
    Appear(Temp),
    Replace(Temp),
    Remove,
}

impl Action {
    fn temp(&self) -> Option<&Temp> {
        match self {
            Action::Appear(temp) | Action::Replace(temp) => Some(temp),
            Action::Remove => None,
        }
    }
}

/// Writes and syncs the temp files; `None` when a file is not as the plan thinks. What would not
/// change a file is left out.
fn prepare(folder: &Folder<'_>, plan: &Plan) -> Result<Option<Vec<Write>>, CommitError> {
    let mut writes = Vec::with_capacity(plan.changes.len());
    let mut now: HashMap<TaskId, Option<Arc<[u8]>>> = HashMap::new();
    for Snapshot { id, bytes } in &plan.relied_on {
        now.insert(id.clone(), bytes.clone());
    }
    for change in &plan.changes {
        let write = match change {
            Change::Create(task) => Some(prepare_new(folder, task)?),
            Change::Patch { id, patch, .. } => {
                let Some(Some(old)) = now.get(id).cloned() else {
                    return Ok(None);
                };
                match prepare_patch(folder, id, old, patch)? {
                    Prepared::Write(write) => Some(*write),
                    Prepared::Nothing => None,
                    Prepared::Outdated => return Ok(None),
                }
            }
            Change::Remove { id } => Some(Write {
                id: id.clone(),
                target: path_of(folder, id)?,
                action: Action::Remove,
                old: now.get(id).cloned().flatten(),
                new: None,
                mtime_ms: 0,
            }),
        };
        if let Some(write) = write {
            now.insert(write.id.clone(), write.new.as_deref().map(Arc::from));
            writes.push(write);
        }
    }
    let temps = writes.iter().filter_map(|write| write.action.temp());
    sync_all(&temps.collect::<Vec<_>>()).map_err(|e| io_error(folder.dir, e))?;
    Ok(Some(writes))
}

fn prepare_new(folder: &Folder<'_>, task: &NewTask) -> Result<Write, CommitError> {
    let id = task.id.clone().unwrap_or_else(|| TaskId::new("")); // refused as a name
    let target = path_of(folder, &id)?;
    let new = rules(folder.dialect).create(&id, task, folder.waiting.clock.now_ms());
    fits(&target, &new)?;
    let temp = Temp::write(folder.dir, &new).map_err(|e| io_error(folder.dir, e))?;
    Ok(Write {
        id,
        target,
        mtime_ms: temp.mtime_ms(),
        action: Action::Appear(temp),
        old: None,
        new: Some(new),
    })
}

enum Prepared {
    Write(Box<Write>),
    Nothing,
    Outdated,
}

fn prepare_patch(
    folder: &Folder<'_>,
    id: &TaskId,
    old: Arc<[u8]>,
    patch: &Patch,
) -> Result<Prepared, CommitError> {
    let path = path_of(folder, id)?;
    let unfit = |fault: json::Fault| CommitError::Unfit {
        path: path.clone(),
        reason: fault.to_string(),
    };
    let rules = rules(folder.dialect);
    let new = json::apply(&old, patch, rules.order()).map_err(unfit)?;
    if *new == *old {
        return Ok(Prepared::Nothing);
    }
    let now_ms = folder.waiting.clock.now_ms();
    let new = rules.touch(new, patch, now_ms).map_err(unfit)?;
    fits(&path, &new)?;
    let Ok(target) = behind_links(&path) else {
        return Ok(Prepared::Outdated);
    };
    let Ok(data) = fs::metadata(&target) else {
        return Ok(Prepared::Outdated);
    };
    let beside = target.parent().unwrap_or(folder.dir);
    let temp = Temp::write(beside, &new).map_err(|e| io_error(beside, e))?;
    temp.take_after(&data).map_err(|e| io_error(&target, e))?;
    Ok(Prepared::Write(Box::new(Write {
        id: id.clone(),
        mtime_ms: temp.mtime_ms(),
        action: Action::Replace(temp),
        old: Some(old),
        new: Some(new),
        target,
    })))
}

/// Refuses to write a file that would be too large to read.
fn fits(path: &Path, new: &[u8]) -> Result<(), CommitError> {
    match new.len() as u64 {
        size if size > LARGEST_FILE => Err(CommitError::Unfit {
            path: path.to_owned(),
            reason: format!("with that, {}", too_large(size)),
        }),
        _ => Ok(()),
    }
}

/// The path that a rename must hit so that a link stays a link.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    if fs::symlink_metadata(path)?.is_symlink() {
        fs::canonicalize(path)
    } else {
        Ok(path.to_owned())
    }
}

fn path_of(folder: &Folder<'_>, id: &TaskId) -> Result<PathBuf, CommitError> {
    task_path(folder.dir, folder.dialect, id).ok_or_else(|| CommitError::Unfit {
        path: folder.dir.join(id.as_str()),
        reason: "its name is no task id".to_owned(),
    })
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

enum Failure {
    /// A file appeared that the plan did not know.
    Outdated,
    Error(CommitError),
}

/// Puts the files in place, in order, while the lock is safely ours; takes everything back when
/// one of them fails.
fn publish(writes: Vec<Write>, lock: &dyn Held) -> Result<(), Failure> {
    let mut done: Vec<Written> = Vec::with_capacity(writes.len());
    for write in writes {
        if !lock.is_safe() {
            return Err(undo(done, CommitError::LockLost));
        }
        let Write {
            id,
            target,
            action,
            old,
            new,
            ..
        } = write;
        let result = match action {
            Action::Appear(temp) => temp.appear_as(&target),
            Action::Replace(temp) => temp.replace(&target),
            Action::Remove => fs::remove_file(&target),
        };
        match result {
            Ok(()) => done.push(Written {
                id,
                target,
                old,
                new,
            }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let source = io::Error::from(io::ErrorKind::AlreadyExists);
                let path = target;
                return match undo(done, CommitError::Io { path, source }) {
                    Failure::Error(torn @ CommitError::Torn { .. }) => Err(Failure::Error(torn)),
                    _ => Err(Failure::Outdated),
                };
            }
            Err(source) => {
                let path = target;
                return Err(undo(done, CommitError::Io { path, source }));
            }
        }
    }
    Ok(())
}

/// A file that was put in place.
struct Written {
    id: TaskId,
    target: PathBuf,
    old: Option<Arc<[u8]>>,
    new: Option<Vec<u8>>,
}

/// Takes back what was written, last first, as far as it is still what we wrote.
fn undo(done: Vec<Written>, error: CommitError) -> Failure {
    let mut left = Vec::new();
    let mut stuck = PathBuf::new();
    for file in done.into_iter().rev() {
        if take_back(&file).is_err() {
            stuck = file.target;
            left.push(file.id);
        }
    }
    if left.is_empty() {
        return Failure::Error(error);
    }
    let (path, source) = match error {
        CommitError::Io { path, source } => (path, source),
        _ => (stuck, io::Error::other("the lock was lost")),
    };
    Failure::Error(CommitError::Torn {
        path,
        source,
        written: left,
    })
}

fn take_back(file: &Written) -> io::Result<()> {
    let now = fs::read(&file.target).ok();
    if now != file.new {
        return Ok(()); // somebody wrote since; theirs stands
    }
    let Some(old) = &file.old else {
        return fs::remove_file(&file.target);
    };
    let folder = file.target.parent().unwrap_or(Path::new("."));
    let temp = Temp::write(folder, old)?;
    match fs::metadata(&file.target) {
        Ok(data) => {
            temp.take_after(&data)?;
            temp.replace(&file.target)
        }
        Err(_) => temp.appear_as(&file.target),
    }
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
