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

/// A folder's dialect, and a note when it holds files of another one too.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sniffed {
    pub(super) dialect: Dialect,
    pub(super) note: Option<String>,
}

/// Looks at a folder, which need not be there yet.
pub(super) fn sniff(dir: &Path, wanted: Option<Dialect>) -> Result<Sniffed, StoreError> {
    let names = names(dir)?;
    let omo = names.iter().filter(|name| is_omo(name)).count();
    let numbered: Vec<&String> = names.iter().filter(|name| is_numbered(name)).collect();
    let place = place(dir);
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    let guess = if numbered.len() > omo || (omo == 0 && has(".highwatermark")) {
        numbered_dialect(dir, &numbered, has("claims"), place)
    } else if omo > numbered.len() {
        Dialect::Omo
    } else {
        place.unwrap_or(Dialect::Omo)
    };
    let dialect = wanted.unwrap_or(guess);
    let (own, other) = match dialect {
        Dialect::Omo => (omo, numbered.len()),
        Dialect::OmoTeam | Dialect::Claude => (numbered.len(), omo),
    };
    let note = (other > 0).then(|| {
        let name = dialect.as_str();
        format!(
            "opened as {name} ({own} files); {other} files of another kind are in the folder too"
        )
    });
    Ok(Sniffed { dialect, note })
}

fn names(dir: &Path) -> Result<Vec<String>, StoreError> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(StoreError::NotAFolder {
                path: dir.to_owned(),
            });
        }
        Err(source) => {
            let path = dir.to_owned();
            return Err(StoreError::Unreadable { path, source });
        }
    };
    let names = entries
        .filter_map(Result::ok)
        .map(|entry| entry.file_name());
    Ok(names
        .map(|name| name.to_string_lossy().into_owned())
        .collect())
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
    numbered: &[&String],
    has_claims: bool,
    place: Option<Dialect>,
) -> Dialect {
    let has_times = |name: &&String| {
        let Ok(file) = read_regular(&dir.join(name.as_str()), None) else {
            return None;
        };
        let text = String::from_utf8_lossy(&file.bytes);
        let object = json::read(&text).ok()?;
        Some(object.get("version").is_some() && object.get("createdAt").is_some())
    };
    let told = numbered.iter().take(SAMPLES).find_map(has_times);
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
