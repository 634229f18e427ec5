//! The lists of OmO's team mode: one per run of a team.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::places::place;
use super::{Environment, Place};

/// The lists of all runs, by the run's id, each with its team's name.
pub(super) fn lists(env: &Environment, base: Option<&str>) -> Vec<Place> {
    let Some(base) = folder(env, base) else {
        return Vec::new();
    };
    let runtime = base.join("runtime");
    let entries = fs::read_dir(&runtime).into_iter().flatten().flatten();
    let mut runs: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    runs.sort();
    let list = |run: String| {
        let folder = runtime.join(&run);
        let state = fs::read(folder.join("state.json")).ok();
        let state = state.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        let state = state.unwrap_or_default();
        let mut place = place(folder.join("tasks"), Some(run), "a team's list");
        place.title = state["teamName"].as_str().map(str::to_owned);
        place.running = state["status"] == "active";
        place
    };
    runs.into_iter()
        .map(list)
        .filter(|place| place.exists)
        .collect()
}

/// `team_mode.base_dir`, else `~/.omo`.
fn folder(env: &Environment, base: Option<&str>) -> Option<PathBuf> {
    match base {
        Some("~") => env.home(),
        Some(base) => match base.strip_prefix("~/") {
            Some(below) => Some(env.home()?.join(below)),
            None => Some(env.cwd.join(base)),
        },
        None => Some(env.home()?.join(".omo")),
    }
}
