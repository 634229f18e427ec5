//! Which list opens: one documented order, the winner and its reason said, the others named.
//! Looking creates nothing.

mod claude;
mod config;
mod jsonc;
mod overview;
mod places;
mod plan;
mod team;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::StoreError;
use claude::Claude;
use config::OmoConfig;

pub use overview::Overview;
pub use plan::PlanProgress;

/// What a process is told by its surroundings.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// The working directory.
    pub cwd: PathBuf,
    /// The environment variables.
    pub vars: BTreeMap<String, OsString>,
}

impl Environment {
    /// A variable's value, when it is text; blank counts as unset, as OmO has it.
    pub fn var(&self, name: &str) -> Option<&str> {
        let value = self.vars.get(name)?.to_str()?.trim();
        (!value.is_empty()).then_some(value)
    }

    /// The path that a variable names, which need not be text.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        match self.vars.get(name)?.to_str() {
            Some(_) => self.var(name).map(PathBuf::from),
            None => self.vars.get(name).map(PathBuf::from),
        }
    }

    fn home(&self) -> Option<PathBuf> {
        self.path("HOME")
    }
}

/// What the person asks for.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// `--dir`.
    pub dir: Option<PathBuf>,
    /// `--list`.
    pub list: Option<String>,
}

/// A folder that may hold a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The folder.
    pub dir: PathBuf,
    /// The list id, when the folder is one of a program's own lists.
    pub id: Option<String>,
    /// What people know the list by: a session's title, a team's name.
    pub title: Option<String>,
    /// Whether a session or a team that owns it runs now.
    pub running: bool,
    /// Why this place is looked at, in words.
    pub reason: String,
    /// Whether there is such a folder.
    pub exists: bool,
    /// When the list was last written, milliseconds since the epoch.
    pub written_ms: Option<i64>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovery {
    /// The list that opens. It need not exist; a board opens on it and waits.
    pub chosen: Place,
    /// Other lists that exist.
    pub others: Vec<Place>,
    /// Every place that was looked at, in order.
    pub looked_at: Vec<PathBuf>,
    /// What people should know, such as how to switch OmO's tasks on.
    pub notes: Vec<String>,
}

impl Discovery {
    /// Whether there is a list at all.
    pub fn found(&self) -> bool {
        self.chosen.exists
    }
}

/// Why no list can be chosen.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// Nothing says where OmO keeps its lists.
    #[error(
        "HOME is not set, so taskdeck cannot tell where OmO keeps its lists; give the folder with --dir"
    )]
    NoHome,
    /// The folder cannot be looked at.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The variables that name a list, in OmO's order.
const LIST_VARIABLES: [&str; 2] = ["ULTRAWORK_TASK_LIST_ID", "CLAUDE_CODE_TASK_LIST_ID"];

/// Chooses the list: `--dir`, `TASKDECK_DIR`, `--list`, a list-id variable, OmO's `storage_path`;
/// else, of the nearest `.omo/tasks` and `.sisyphus/tasks`, OmO's default places and Claude Code's
/// lists of this project, the one that was written last.
///
/// # Errors
/// [`DiscoverError::NoHome`] when the answer depends on a home that is not known.
pub fn discover(env: &Environment, wanted: &Wanted) -> Result<Discovery, DiscoverError> {
    if let Some(dir) = &wanted.dir {
        return Ok(explicit(places::given(
            env.cwd.join(dir),
            None,
            "given with --dir",
        )));
    }
    if let Some(dir) = env.path("TASKDECK_DIR") {
        return Ok(explicit(places::given(
            env.cwd.join(dir),
            None,
            "TASKDECK_DIR names it",
        )));
    }
    let config = OmoConfig::read(env);
    let named = wanted
        .list
        .as_deref()
        .map(|id| (id, "given with --list".to_owned()));
    let by_variable = LIST_VARIABLES
        .iter()
        .find_map(|name| env.var(name).map(|id| (id, format!("{name} names it"))));
    if let Some((id, reason)) = named.or(by_variable) {
        return by_id(env, id, reason);
    }
    if let Some(path) = &config.storage_path {
        return Ok(by_storage_path(env, &config, path));
    }
    by_age(env, &config)
}

/// Every list that discovery would consider from here, chosen first.
///
/// # Errors
/// Like [`discover`].
pub fn lists(env: &Environment, wanted: &Wanted) -> Result<Discovery, DiscoverError> {
    let mut discovery = discover(env, wanted)?;
    let chosen = &mut discovery.chosen;
    if chosen.exists && chosen.written_ms.is_none() {
        chosen.written_ms = places::written(&chosen.dir);
    }
    let config = OmoConfig::read(env);
    let mut found = by_age(env, &config)
        .map(|near| [vec![near.chosen], near.others].concat())
        .unwrap_or_default();
    if let Ok(tasks) = places::opencode_tasks(env) {
        found.extend(places::lists_in(&tasks));
    }
    found.extend(team::lists(env, config.team_base.as_deref()));
    found.extend(Claude::look(env).map_or_else(Vec::new, |claude| claude.lists()));
    for place in found.into_iter().filter(|place| place.exists) {
        let Discovery { chosen, others, .. } = &mut discovery;
        if chosen.dir == place.dir {
            chosen.take_after(place);
        } else if let Some(known) = others.iter_mut().find(|known| known.dir == place.dir) {
            known.take_after(place);
        } else {
            others.push(place);
        }
    }
    Ok(discovery)
}

/// OmO's active plan of the project around here, when there is one.
pub fn active_plan(env: &Environment) -> Option<PlanProgress> {
    let root = places::repository_root(&env.cwd);
    let mut folders = places::upwards(&env.cwd, &root).into_iter();
    folders.find_map(|dir| plan::active(&dir))
}

impl Place {
    /// Takes over what another look at the same folder found out.
    fn take_after(&mut self, other: Place) {
        self.id = self.id.take().or(other.id);
        self.title = self.title.take().or(other.title);
        self.running |= other.running;
    }
}

fn explicit(chosen: Place) -> Discovery {
    let looked_at = vec![chosen.dir.clone()];
    let mut notes = Vec::new();
    if !chosen.exists {
        notes.push(format!("{} does not exist yet", chosen.dir.display()));
    }
    Discovery {
        chosen,
        others: Vec::new(),
        looked_at,
        notes,
    }
}

fn by_id(env: &Environment, id: &str, reason: String) -> Result<Discovery, DiscoverError> {
    let safe = places::sanitised(id);
    let place = places::opencode_tasks(env)
        .map(|tasks| places::place(tasks.join(&safe), Some(safe.clone()), &reason));
    // A list that only Claude Code has is meant, when OmO has none of that name.
    let place = match (place, claude::named(env, id, &reason)) {
        (Ok(omo), Some(claude)) if !omo.exists => claude,
        (Err(_), Some(claude)) => claude,
        (place, _) => place?,
    };
    let mut discovery = explicit(place);
    if safe != id {
        discovery.notes.push(format!(
            "the list id {id:?} is kept as {safe:?}, as OmO keeps it; other ids may share that folder"
        ));
    }
    Ok(discovery)
}

fn by_storage_path(env: &Environment, config: &OmoConfig, path: &str) -> Discovery {
    let root = places::repository_root(&env.cwd);
    let upwards = places::upwards(&env.cwd, &root);
    let reason = format!("storage_path in {} names it", config.source.display());
    // OmO joins a relative path to its own working directory, which may be any folder up to the
    // repository's root; the nearest that exists is the one it uses.
    let candidates: Vec<Place> = match Path::new(path) {
        path if path.is_absolute() => vec![places::place(path.to_owned(), None, &reason)],
        path => upwards
            .iter()
            .map(|dir| places::place(dir.join(path), None, &reason))
            .collect(),
    };
    let looked_at = candidates.iter().map(|place| place.dir.clone()).collect();
    let existing = candidates
        .iter()
        .position(|place| place.exists)
        .unwrap_or(0);
    let chosen = candidates.into_iter().nth(existing);
    let chosen = chosen.unwrap_or_else(|| places::place(env.cwd.join(path), None, &reason));
    let mut discovery = Discovery {
        chosen,
        others: Vec::new(),
        looked_at,
        notes: Vec::new(),
    };
    if !discovery.found() {
        discovery.notes = config.switch_on_notes(env, &discovery.chosen.dir);
    }
    discovery
}

fn by_age(env: &Environment, config: &OmoConfig) -> Result<Discovery, DiscoverError> {
    let root = places::repository_root(&env.cwd);
    let upwards = places::upwards(&env.cwd, &root);
    let mut candidates: Vec<Place> = Vec::new();
    let mut looked_at: Vec<PathBuf> = Vec::new();
    for name in [".omo/tasks", ".sisyphus/tasks"] {
        looked_at.extend(upwards.iter().map(|dir| dir.join(name)));
        let nearest = upwards
            .iter()
            .map(|dir| dir.join(name))
            .find(|dir| dir.is_dir());
        let reason = format!("the nearest {name}");
        candidates.extend(nearest.map(|dir| places::place(dir, None, &reason)));
    }
    let tasks = places::opencode_tasks(env);
    if let Ok(tasks) = &tasks {
        let configured = config.list_id.as_deref();
        for dir in [env.cwd.as_path(), root.as_path()] {
            let folder = dir.file_name().map(|n| n.to_string_lossy().into_owned());
            let id = places::sanitised(configured.unwrap_or(&folder.unwrap_or_default()));
            let reason = format!("OmO's place for {}", dir.display());
            let place = places::place(tasks.join(&id), Some(id), &reason);
            if !looked_at.contains(&place.dir) {
                looked_at.push(place.dir.clone());
                candidates.push(place);
            }
        }
    }
    if let Some(claude) = Claude::look(env) {
        candidates.extend(claude.lists_of(&[&env.cwd, &root]));
    }
    let default = candidates.iter().find(|place| place.id.is_some()).cloned();
    let (mut existing, _): (Vec<Place>, Vec<Place>) =
        candidates.into_iter().partition(|place| place.exists);
    let unreadable: HashSet<PathBuf> = existing
        .iter()
        .map(|place| place.dir.clone())
        .filter(|dir| !places::is_readable(dir))
        .collect();
    existing.sort_by_key(|place| {
        let hidden = unreadable.contains(&place.dir); // hides no list that can be read
        (hidden, std::cmp::Reverse(place.written_ms))
    });
    let mut existing = existing.into_iter();
    match (existing.next(), default) {
        (Some(mut chosen), _) => {
            let others: Vec<Place> = existing.collect();
            if !others.is_empty() {
                chosen.reason.push_str(", written last");
            }
            let passed_over = others
                .iter()
                .filter(|place| unreadable.contains(&place.dir));
            let note = |place: &Place| format!("{} cannot be read", place.dir.display());
            Ok(Discovery {
                notes: passed_over.map(note).collect(),
                chosen,
                others,
                looked_at,
            })
        }
        (None, Some(default)) => {
            let notes = config.switch_on_notes(env, &default.dir);
            Ok(Discovery {
                chosen: default,
                others: Vec::new(),
                looked_at,
                notes,
            })
        }
        (None, None) => Err(tasks.err().unwrap_or(DiscoverError::NoHome)),
    }
}
