use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{Environment, jsonc, places};

/// What matters to us in OmO's configuration, read the way OmO reads it: the user's files, then
/// the project's from the home folder down to here, the nearer one replacing a whole section.
#[derive(Debug, Default)]
pub(super) struct OmoConfig {
    /// `sisyphus.tasks.storage_path`.
    pub(super) storage_path: Option<String>,
    /// `sisyphus.tasks.task_list_id`.
    pub(super) list_id: Option<String>,
    /// `team_mode.base_dir`.
    pub(super) team_base: Option<String>,
    /// The file that the `sisyphus` section comes from.
    pub(super) source: PathBuf,
    /// `experimental.task_system`; absent means off.
    task_system: bool,
    files: Vec<PathBuf>,
}

/// OmO's file names, the first that exists in a folder counts.
const NAMES: [&str; 4] = [
    "oh-my-openagent.jsonc",
    "oh-my-openagent.json",
    "oh-my-opencode.jsonc",
    "oh-my-opencode.json",
];

impl OmoConfig {
    pub(super) fn read(env: &Environment) -> OmoConfig {
        let mut config = OmoConfig::default();
        for folder in folders(env) {
            let file = NAMES
                .iter()
                .map(|name| folder.join(name))
                .find(|file| file.is_file());
            if let Some(file) = file
                && let Some(sections) = sections(&file)
            {
                config.take(&file, &sections);
                config.files.push(file);
            }
        }
        config
    }

    /// Takes over the sections of a nearer file, each as a whole; one that does not fit OmO's
    /// schema is skipped, as OmO does, so that the farther one stays.
    fn take(&mut self, file: &Path, sections: &Map<String, Value>) {
        if let Some(sisyphus) = sections.get("sisyphus").and_then(Value::as_object)
            && let Some((storage_path, list_id)) = tasks_section(sisyphus)
        {
            self.storage_path = storage_path;
            self.list_id = list_id;
            self.source = file.to_owned();
        }
        if let Some(Value::String(base)) = sections.get("team_mode").and_then(|t| t.get("base_dir"))
        {
            self.team_base = Some(base.clone());
        }
        if let Some(experimental) = sections.get("experimental").and_then(Value::as_object) {
            match experimental.get("task_system") {
                Some(Value::Bool(on)) => self.task_system = *on,
                None => self.task_system = false,
                Some(_) => {}
            }
        }
    }

    /// What to do when there is no list: whether OmO's tasks are on, and the line that turns them
    /// on.
    pub(super) fn switch_on_notes(&self, env: &Environment, place: &Path) -> Vec<String> {
        let mut notes = vec![format!(
            "OmO would keep this project's tasks in {}",
            place.display()
        )];
        if self.task_system {
            notes.push("OmO's task system is on; its first task will show here".to_owned());
            return notes;
        }
        let default = places::default_opencode_config(env)
            .ok()
            .map(|dir| dir.join(NAMES[1]));
        let file = self.files.last().cloned().or(default);
        let file = file.map_or_else(|| NAMES[1].to_owned(), |file| file.display().to_string());
        let state = if self.files.is_empty() {
            "has no configuration"
        } else {
            "has it switched off"
        };
        notes.push(format!(
            "OmO {state}: to turn its task system on, put this line into {file}: \
             \"experimental\": {{ \"task_system\": true }}"
        ));
        notes
    }
}

/// `storage_path` and `task_list_id` of a `sisyphus` section; `None` when one is no text.
fn tasks_section(sisyphus: &Map<String, Value>) -> Option<(Option<String>, Option<String>)> {
    let Some(tasks) = sisyphus.get("tasks") else {
        return Some((None, None));
    };
    let tasks = tasks.as_object()?;
    let text = |key: &str| match tasks.get(key) {
        None => Some(None),
        Some(Value::String(text)) => Some(Some(text.trim().to_owned()).filter(|t| !t.is_empty())),
        Some(_) => None,
    };
    Some((text("storage_path")?, text("task_list_id")?))
}

/// The folders with a layer of configuration, the first overridden by the later ones.
fn folders(env: &Environment) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = places::default_opencode_config(env).into_iter().collect();
    if env.path("OPENCODE_CONFIG_DIR").is_some() {
        folders.extend(places::opencode_config(env));
    }
    let home = env.home();
    let below_home = home.as_ref().is_some_and(|home| env.cwd.starts_with(home));
    let mut projects: Vec<&Path> = match &home {
        Some(home) if below_home => env
            .cwd
            .ancestors()
            .take_while(|d| d.starts_with(home))
            .collect(),
        _ => vec![env.cwd.as_path()],
    };
    projects.reverse();
    folders.extend(projects.into_iter().map(|dir| dir.join(".opencode")));
    folders
}

fn sections(file: &Path) -> Option<Map<String, Value>> {
    let text = fs::read_to_string(file).ok()?;
    match serde_json::from_str(&jsonc::to_json(&text)).ok()? {
        Value::Object(sections) => Some(sections),
        _ => None,
    }
}
