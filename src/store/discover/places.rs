use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::{DiscoverError, Environment, Place};

/// A folder with what can be told by a glance at it.
pub(super) fn place(dir: PathBuf, id: Option<String>, reason: &str) -> Place {
    let mut place = given(dir, id, reason);
    place.written_ms = place.exists.then(|| written(&place.dir)).flatten();
    place
}

/// A folder that is compared with no other, so that its files need not be looked at.
pub(super) fn given(dir: PathBuf, id: Option<String>, reason: &str) -> Place {
    Place {
        exists: dir.is_dir(),
        dir,
        id,
        title: None,
        running: false,
        reason: reason.to_owned(),
        written_ms: None,
    }
}

/// When a list was last written: the newest of the folder and its task files, since an in-place
/// write does not touch the folder.
pub(super) fn written(dir: &Path) -> Option<i64> {
    let own = fs::metadata(dir).ok().and_then(|data| ms(&data));
    let files = fs::read_dir(dir).into_iter().flatten().flatten();
    let tasks = files.filter(|entry| entry.file_name().to_string_lossy().ends_with(".json"));
    let newest = tasks.filter_map(|entry| ms(&entry.metadata().ok()?)).max();
    own.max(newest)
}

/// Whether the names in a folder can be told.
pub(super) fn is_readable(dir: &Path) -> bool {
    fs::read_dir(dir).is_ok()
}

fn ms(data: &fs::Metadata) -> Option<i64> {
    let age = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(age.as_millis()).ok()
}

/// The folder with `.git` at or above `from`; `from` itself when there is none.
pub(super) fn repository_root(from: &Path) -> PathBuf {
    let root = from.ancestors().find(|dir| dir.join(".git").exists());
    root.unwrap_or(from).to_owned()
}

/// The folders from `from` up to `root`, nearest first.
pub(super) fn upwards(from: &Path, root: &Path) -> Vec<PathBuf> {
    let below = from.ancestors().take_while(|dir| dir.starts_with(root));
    below.map(Path::to_owned).collect()
}

/// OpenCode's configuration folder, as OmO finds it: `OPENCODE_CONFIG_DIR`, else `opencode` in
/// `XDG_CONFIG_HOME` or `~/.config`.
pub(super) fn opencode_config(env: &Environment) -> Result<PathBuf, DiscoverError> {
    if let Some(dir) = env.path("OPENCODE_CONFIG_DIR") {
        return Ok(env.cwd.join(dir));
    }
    default_opencode_config(env)
}

/// The same without `OPENCODE_CONFIG_DIR`: the place of the user's own layer.
pub(super) fn default_opencode_config(env: &Environment) -> Result<PathBuf, DiscoverError> {
    let xdg = env.path("XDG_CONFIG_HOME");
    let base = xdg
        .or_else(|| Some(env.home()?.join(".config")))
        .ok_or(DiscoverError::NoHome)?;
    Ok(base.join("opencode"))
}

/// Where OmO keeps its lists by default.
pub(super) fn opencode_tasks(env: &Environment) -> Result<PathBuf, DiscoverError> {
    Ok(opencode_config(env)?.join("tasks"))
}

/// All lists in OmO's folder, by name.
pub(super) fn lists_in(tasks: &Path) -> Vec<Place> {
    let entries = fs::read_dir(tasks).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let found = |name: String| place(tasks.join(&name), Some(name), "in OmO's folder of lists");
    names.into_iter().map(found).collect()
}

/// A list id as OmO makes a folder name of it: every UTF-16 unit outside `[A-Za-z0-9_-]` becomes
/// `-`, nothing becomes `default`.
pub(super) fn sanitised(id: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name: String = id
        .trim()
        .chars()
        .flat_map(|c| {
            let (keep, times) = if safe(c) {
                (c, 1)
            } else {
                ('-', c.len_utf16())
            };
            std::iter::repeat_n(keep, times)
        })
        .collect();
    if name.is_empty() {
        "default".to_owned()
    } else {
        name
    }
}
