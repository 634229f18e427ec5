//! The files of a list's folder: which names are tasks, what is noise, and what a file holds.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::clock::milliseconds;
use super::dialect::rules;
use super::error::reason;
use super::lock::Waiting;
use super::parse::parse;
use super::temp;
use crate::list::{FileChange, FileContent};
use crate::task::{Dialect, Problem, ProblemCode, TaskId};

/// How old a known writer's temp file must be to have been left behind.
const TEMP_LEFT: Duration = Duration::from_secs(60);

/// A file written less long ago may still be in the middle of it.
const FRESH: Duration = Duration::from_secs(1);

/// The largest file that is read as a task or a lock, in bytes: many times what an agent writes,
/// and little enough to hold in memory. One that grows beyond it is named, not read.
pub(super) const LARGEST_FILE: u64 = 64 * 1024 * 1024;

/// A list's folder, looked at by the rules of one dialect.
#[derive(Debug, Clone, Copy)]
pub(super) struct Folder<'a> {
    pub(super) dir: &'a Path,
    pub(super) dialect: Dialect,
    /// The clock that ages are told by, and the stale time of locks.
    pub(super) waiting: &'a Waiting,
}

/// What one name stands for.
pub(super) struct Found {
    /// For the list.
    pub(super) change: FileChange,
    /// It is broken, but so fresh that its writer may not be done.
    pub(super) unsettled: bool,
}

/// What a name says about its file.
#[derive(Debug, PartialEq, Eq)]
enum Name {
    Task(TaskId),
    NearlyTask,
    Temp,
    Lock,
    Noise,
}

fn classify(name: &str, dialect: Dialect) -> Name {
    let rules = rules(dialect);
    if name == ".lock" {
        return Name::Lock;
    }
    if temp::is_ours(name) || rules.is_temp(name) {
        return Name::Temp;
    }
    match name.strip_suffix(".json") {
        Some(stem) if dialect.check_id(stem).is_ok() => Name::Task(TaskId::new(stem)),
        Some(stem) if !stem.starts_with('.') && rules.looks_like_task(stem) => Name::NearlyTask,
        _ => Name::Noise,
    }
}

impl Folder<'_> {
    /// Whether a name may mean anything to the list; the others need no look at their files.
    pub(super) fn is_noise(&self, name: &str) -> bool {
        classify(name, self.dialect) == Name::Noise
    }

    /// Whether this is the name of a temp file that some writer makes.
    pub(super) fn is_temp(&self, name: &str) -> bool {
        classify(name, self.dialect) == Name::Temp
    }

    /// What stands under a name now. `kind` is the file's type where the folder told it.
    pub(super) fn look(&self, name: &str, kind: Option<FileType>) -> Found {
        let (content, unsettled) = match classify(name, self.dialect) {
            Name::Task(id) => self.task(name, id, kind),
            Name::NearlyTask => (self.nearly_task(name), false),
            Name::Temp => (self.temp(name), false),
            Name::Lock => (self.lock(name), false),
            Name::Noise => (FileContent::Gone, false),
        };
        let name = name.to_owned();
        let change = FileChange { name, content };
        Found { change, unsettled }
    }

    fn task(&self, name: &str, id: TaskId, kind: Option<FileType>) -> (FileContent, bool) {
        match read_regular(&self.dir.join(name), kind) {
            Ok(file) => {
                let content = self.content(name, id, &file.bytes, Some(file.mtime_ms));
                let broken = matches!(content, FileContent::Broken { .. });
                let age = self.waiting.clock.now_ms() - file.mtime_ms;
                (
                    content,
                    broken && u128::try_from(age).unwrap_or(0) < FRESH.as_millis(),
                )
            }
            Err(Obstacle::Gone) => (FileContent::Gone, false),
            Err(Obstacle::NotAFile(what)) => {
                let message = format!("{what} is named like a task");
                (
                    broken(Some(id), name, ProblemCode::NotAFile, message),
                    false,
                )
            }
            Err(obstacle @ (Obstacle::TooLarge(_) | Obstacle::Io(_))) => {
                let message = format!("it cannot be read: {obstacle}");
                (
                    broken(Some(id), name, ProblemCode::Unreadable, message),
                    false,
                )
            }
        }
    }

    /// The content of a task file whose bytes are known.
    pub(super) fn content(
        &self,
        name: &str,
        id: TaskId,
        bytes: &[u8],
        mtime_ms: Option<i64>,
    ) -> FileContent {
        match parse(self.dialect, &id, bytes, mtime_ms) {
            Ok(task) => FileContent::Task(Arc::new(task)),
            Err(fault) => {
                let code = ProblemCode::Unreadable;
                let mut content = broken(Some(id), name, code, fault.to_string());
                if let FileContent::Broken { problem, .. } = &mut content {
                    problem.at = fault.at();
                }
                content
            }
        }
    }

    /// A file of a name that may stand for a task is parsed as one, or named as broken.
    pub(super) fn named(&self, name: &str, bytes: &[u8], mtime_ms: Option<i64>) -> FileContent {
        match classify(name, self.dialect) {
            Name::Task(id) => self.content(name, id, bytes, mtime_ms),
            Name::NearlyTask => bad_name(name, self.dialect),
            _ => FileContent::Gone,
        }
    }

    fn nearly_task(&self, name: &str) -> FileContent {
        // A name that is not UTF-8 cannot be asked for again; its folder entry is proof enough.
        let lossy = name.contains(char::REPLACEMENT_CHARACTER);
        if lossy || fs::symlink_metadata(self.dir.join(name)).is_ok() {
            bad_name(name, self.dialect)
        } else {
            FileContent::Gone
        }
    }

    fn temp(&self, name: &str) -> FileContent {
        let written = fs::symlink_metadata(self.dir.join(name)).and_then(|data| data.modified());
        let Ok(written) = written else {
            return FileContent::Gone;
        };
        let age = self.waiting.clock.now_ms() - milliseconds(written);
        if u128::try_from(age).unwrap_or(0) < TEMP_LEFT.as_millis() {
            return FileContent::Gone;
        }
        let message = "a temp file that a writer left behind when it was stopped".to_owned();
        broken(None, name, ProblemCode::TempLeft, message)
    }

    fn lock(&self, name: &str) -> FileContent {
        let holder = rules(self.dialect).holder(self.dir, self.waiting);
        match holder.filter(|holder| holder.stale) {
            None => FileContent::Gone,
            Some(holder) => {
                let message = format!(
                    "{} left its lock; the next write takes it over",
                    holder.description
                );
                broken(None, name, ProblemCode::LockStale, message)
            }
        }
    }
}

fn broken(id: Option<TaskId>, name: &str, code: ProblemCode, message: String) -> FileContent {
    let file = name.to_owned();
    let problem = Problem {
        file,
        code,
        message,
        at: None,
    };
    FileContent::Broken { id, problem }
}

fn bad_name(name: &str, dialect: Dialect) -> FileContent {
    let stem = name.strip_suffix(".json").unwrap_or(name);
    let rule = match dialect.check_id(stem) {
        Err(invalid) => invalid.rule,
        Ok(()) => "",
    };
    let message = format!("the name is no task id: {rule}");
    broken(None, name, ProblemCode::BadName, message)
}

/// A regular file as it was at one moment.
pub(super) struct RegularFile {
    pub(super) bytes: Vec<u8>,
    pub(super) mtime_ms: i64,
}

/// Why there is no file to read.
#[derive(Debug, thiserror::Error)]
pub(super) enum Obstacle {
    #[error("it is not there")]
    Gone,
    /// What it is instead, in words.
    #[error("it is {0}")]
    NotAFile(&'static str),
    /// Its size in bytes.
    #[error("{}", too_large(*.0))]
    TooLarge(u64),
    #[error("{}", reason(.0))]
    Io(io::Error),
}

/// What is wrong with a file of so many bytes, in words.
pub(super) fn too_large(bytes: u64) -> String {
    const MEGABYTE: u64 = 1024 * 1024;
    format!(
        "it has {} MB, a file of a list may have {} MB",
        bytes.div_ceil(MEGABYTE),
        LARGEST_FILE / MEGABYTE
    )
}

/// Reads a regular file, through a link. Pipes and devices are never opened: that could wait for
/// ever.
pub(super) fn read_regular(path: &Path, kind: Option<FileType>) -> Result<RegularFile, Obstacle> {
    let kind = match kind {
        Some(kind) => kind,
        None => fs::symlink_metadata(path).map_err(obstacle)?.file_type(),
    };
    if !kind.is_file() {
        regular_behind(path, kind)?;
    }
    let file = File::open(path).map_err(obstacle)?;
    let data = file.metadata().map_err(obstacle)?;
    if data.len() > LARGEST_FILE {
        return Err(Obstacle::TooLarge(data.len()));
    }
    let size = usize::try_from(data.len()).unwrap_or(0);
    let mut bytes = Vec::with_capacity(size.saturating_add(1)); // one more shows the end at once
    file.take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(obstacle)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(Obstacle::TooLarge(bytes.len() as u64)); // it grew meanwhile
    }
    let mtime_ms = data.modified().map_or(0, milliseconds);
    Ok(RegularFile { bytes, mtime_ms })
}

/// Passes a link that leads to a regular file, and names everything else.
fn regular_behind(path: &Path, kind: FileType) -> Result<(), Obstacle> {
    if kind.is_dir() {
        return Err(Obstacle::NotAFile("a folder"));
    }
    if !kind.is_symlink() {
        return Err(Obstacle::NotAFile("a pipe, socket or device"));
    }
    match fs::metadata(path) {
        Ok(target) if target.is_file() => Ok(()),
        Ok(_) => Err(Obstacle::NotAFile("a link to something that is no file")),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(Obstacle::Io(error)),
        Err(_) => Err(Obstacle::NotAFile("a link that leads nowhere")),
    }
}

fn obstacle(error: io::Error) -> Obstacle {
    if error.kind() == io::ErrorKind::NotFound {
        Obstacle::Gone
    } else {
        Obstacle::Io(error)
    }
}

/// The path of a task's file, when its id may be part of a path at all.
pub(super) fn task_path(dir: &Path, dialect: Dialect, id: &TaskId) -> Option<PathBuf> {
    dialect.check_id(id.as_str()).ok()?;
    Some(dir.join(format!("{id}.json")))
}
