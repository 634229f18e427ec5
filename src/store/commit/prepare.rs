//! Everything slow, before the lock: the finished files under temp names, written and synced.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{io_error, path_of};
use crate::list::{Change, Plan, Snapshot};
use crate::store::dialect::rules;
use crate::store::error::CommitError;
use crate::store::folder::{Folder, LARGEST_FILE, too_large};
use crate::store::json;
use crate::store::temp::{Temp, sync_all};
use crate::task::{NewTask, Patch, TaskId};

/// One file that is ready to be put in place.
pub(super) struct Write {
    pub(super) id: TaskId,
    /// Where the bytes go: behind a link, when the task is one.
    pub(super) target: PathBuf,
    pub(super) action: Action,
    pub(super) old: Option<Arc<[u8]>>,
    pub(super) new: Option<Vec<u8>>,
    pub(super) mtime_ms: i64,
}

pub(super) enum Action {
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
pub(super) fn prepare(folder: &Folder<'_>, plan: &Plan) -> Result<Option<Vec<Write>>, CommitError> {
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
