//! Telling a folder's dialect from what is in it, else from where it lies.

use std::fs;
use std::io;
use std::path::{Component, Path};

use super::StoreError;
use super::folder::read_regular;
use super::json;
use crate::task::Dialect;

/// How many numbered files are opened to tell OmO team mode from Claude Code.
const SAMPLES: usize = 5;

/// So many names of one kind alone tell whose folder it is: with 100,000 tasks the others need not
/// be read for it.
const TELLING: usize = 500;

/// Tells whose files a folder holds, which need not be there yet: the majority counts.
pub(super) fn sniff(dir: &Path) -> Result<Dialect, StoreError> {
    let mut kinds = Kinds::default();
    for name in names(dir)? {
        kinds.count(name);
        if kinds.omo.max(kinds.numbered) >= TELLING && kinds.omo.min(kinds.numbered) == 0 {
            break;
        }
    }
    let place = place(dir);
    let has = |name: &str| dir.join(name).symlink_metadata().is_ok();
    let Kinds { omo, numbered, .. } = kinds;
    if numbered > omo || (omo == 0 && has(".highwatermark")) {
        Ok(numbered_dialect(dir, &kinds.samples, has("claims"), place))
    } else if omo > numbered {
        Ok(Dialect::Omo)
    } else {
        Ok(place.unwrap_or(Dialect::Omo))
    }
}

/// One sentence for people when a folder holds files of another dialect too. Reads every name.
pub(super) fn note(dir: &Path, dialect: Dialect) -> Option<String> {
    let mut kinds = Kinds::default();
    names(dir).ok()?.for_each(|name| kinds.count(name));
    let (own, other) = match dialect {
        Dialect::Omo => (kinds.omo, kinds.numbered),
        Dialect::OmoTeam | Dialect::Claude => (kinds.numbered, kinds.omo),
    };
    (other > 0).then(|| {
        let name = dialect.as_str();
        format!(
            "opened as {name} ({own} files); {other} files of another kind are in the folder too"
        )
    })
}

/// How many names of either kind there are, and some of the numbered ones.
#[derive(Default)]
struct Kinds {
    omo: usize,
    numbered: usize,
    samples: Vec<String>,
}

impl Kinds {
    fn count(&mut self, name: String) {
        if is_omo(&name) {
            self.omo += 1;
        } else if is_numbered(&name) {
            self.numbered += 1;
            if self.samples.len() < SAMPLES {
                self.samples.push(name);
            }
        }
    }
}

/// The names in a folder; none when there is no folder.
fn names(dir: &Path) -> Result<impl Iterator<Item = String>, StoreError> {
    let path = dir.to_owned();
    let entries = match fs::read_dir(dir) {
        Ok(entries) => Some(entries),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(StoreError::NotAFolder { path });
        }
        Err(source) => return Err(StoreError::Unreadable { path, source }),
    };
    let entries = entries.into_iter().flatten().filter_map(Result::ok);
    Ok(entries.map(|entry| entry.file_name().to_string_lossy().into_owned()))
}

fn is_omo(name: &str) -> bool {
    name.starts_with("T-") && name.ends_with(".json")
}

fn is_numbered(name: &str) -> bool {
    name.strip_suffix(".json")
        .is_some_and(|stem| Dialect::OmoTeam.check_id(stem).is_ok())
}

/// OmO team mode writes `version` and times, and keeps its claims in a folder; Claude Code
/// neither.
fn numbered_dialect(
    dir: &Path,
    numbered: &[String],
    has_claims: bool,
    place: Option<Dialect>,
) -> Dialect {
    let has_times = |name: &String| {
        let Ok(file) = read_regular(&dir.join(name.as_str()), None) else {
            return None;
        };
        let text = String::from_utf8_lossy(&file.bytes);
        let object = json::read(&text).ok()?;
        Some(object.get("version").is_some() && object.get("createdAt").is_some())
    };
    let told = numbered.iter().find_map(has_times);
    match (told, has_claims, place) {
        (Some(true), _, _) | (None, true, _) => Dialect::OmoTeam,
        (None, false, Some(Dialect::OmoTeam)) => Dialect::OmoTeam,
        _ => Dialect::Claude,
    }
}

/// What a folder's path says, for a list without tasks.
fn place(dir: &Path) -> Option<Dialect> {
    let full = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    let parts: Vec<String> = full
        .components()
        .filter(|part| matches!(part, Component::Normal(_)))
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match parts.as_slice() {
        [.., ".omo", "runtime", _, "tasks"] => Some(Dialect::OmoTeam),
        [.., ".omo" | ".sisyphus", "tasks"] | [.., "opencode", "tasks", _] => Some(Dialect::Omo),
        [.., root, "tasks", _] if root.starts_with(".claude") => Some(Dialect::Claude),
        _ => None,
    }
}
