use std::fs;
use std::path::{Path, PathBuf};

/// Where the configuration is: `TASKDECK_CONFIG` (the file, or its folder), else
/// `taskdeck/config.toml` in `XDG_CONFIG_HOME` or `~/.config`. `None` without a home.
pub fn config_path(var: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let var = |name: &str| {
        var(name)
            .filter(|value| !value.trim().is_empty())
            .map(PathBuf::from)
    };
    if let Some(own) = var("TASKDECK_CONFIG") {
        let is_folder = own.is_dir();
        return Some(if is_folder { own.join(FILE) } else { own });
    }
    let configs = var("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
    let configs = configs.or_else(|| Some(var("HOME")?.join(".config")))?;
    Some(configs.join("taskdeck").join(FILE))
}

const FILE: &str = "config.toml";

/// The names of the theme files beside a configuration, in order.
pub fn theme_names(config: &Path) -> Vec<String> {
    let entries = folder(config).and_then(|folder| fs::read_dir(folder).ok());
    let names = entries.into_iter().flatten().filter_map(|entry| {
        let path = entry.ok()?.path();
        let is_theme = path.extension().is_some_and(|ending| ending == "toml");
        is_theme.then(|| path.file_stem()?.to_str().map(str::to_owned))?
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// A theme file beside a configuration: its path and what is in it; `None` when there is none of
/// that name.
///
/// # Errors
/// When it is there and cannot be read as text.
pub fn theme_text(config: &Path, name: &str) -> Option<(PathBuf, Result<String, String>)> {
    if !theme_names(config).iter().any(|known| known == name) {
        return None;
    }
    let path = folder(config)?.join(format!("{name}.toml"));
    let text = super::read::text_of(&path);
    Some((path, text))
}

fn folder(config: &Path) -> Option<PathBuf> {
    Some(config.parent()?.join("themes"))
}
