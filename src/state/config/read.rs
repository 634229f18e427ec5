use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::settings::{SETTINGS, SWITCHES};
use super::{Config, Fault, KeyEntry, Placed, line_of};

/// Reads a `config.toml`. Never fails: what is wrong is in `faults`, and a file that is no TOML
/// sets nothing. A missing file is a fault only where the person `named` it.
pub fn read(path: Option<PathBuf>, named: bool) -> Config {
    let Some(path) = path else {
        return Config::default();
    };
    let whole_file = |message: String| Fault {
        line: None,
        message,
        hint: None,
    };
    let exists = path.exists();
    let mut config = match text_of(&path) {
        Ok(text) => parse(&text),
        Err(_) if !exists && !named => Config::default(),
        Err(why) => Config {
            faults: vec![whole_file(why)],
            ..Config::default()
        },
    };
    config.path = Some(path);
    config.exists = exists;
    config
}

/// No file that a person writes is longer; what is, is something else.
const LONGEST: u64 = 1 << 20;

/// A file as text, or in words why not.
pub(super) fn text_of(path: &Path) -> Result<String, String> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // A pipe of that name would be waited for without an end.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        fs::File::open(path)?
            .take(LONGEST)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error| format!("it cannot be read: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

/// Reads the text of a `config.toml`.
pub(super) fn parse(text: &str) -> Config {
    let mut config = Config::default();
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => {
            let line = error.span().map(|span| line_of(text, span.start));
            config.faults.push(Fault {
                line,
                message: error.message().to_owned(),
                hint: Some("nothing of the file is used until it is mended".to_owned()),
            });
            return config;
        }
    };
    for (name, value) in in_order(table.get_ref()) {
        let line = line_of(text, name.span().start);
        match &**name.get_ref() {
            "keys" => match value.get_ref().as_table() {
                Some(keys) => read_keys(text, keys, &mut config),
                None => config.faults.push(wrong(line, "keys", "a table: [keys]")),
            },
            name => read_setting(name, value.get_ref(), line, &mut config),
        }
    }
    config
}

fn read_setting(name: &str, value: &DeValue<'_>, line: usize, config: &mut Config) {
    let switch = SWITCHES.iter().find(|switch| **switch == name);
    match (name, switch) {
        ("theme", _) => match value.as_str() {
            Some(theme) => {
                config.theme = Some(Placed {
                    value: theme.to_owned(),
                    line,
                });
            }
            None => config.faults.push(wrong(line, name, "a name in quotes")),
        },
        (_, Some(switch)) => match value.as_bool() {
            Some(value) => config.switches.push((switch, Placed { value, line })),
            None => config.faults.push(wrong(line, name, "true or false")),
        },
        _ => {
            let known: Vec<&str> = SETTINGS.iter().map(|s| s.name).chain(["keys"]).collect();
            config
                .faults
                .push(Fault::unknown(line, "setting", name, &known));
        }
    }
}

fn read_keys(text: &str, keys: &DeTable<'_>, config: &mut Config) {
    for (name, value) in in_order(keys) {
        let line = line_of(text, name.span().start);
        match sequences(value.get_ref()) {
            Some(keys) => config.keys.push(KeyEntry {
                command: name.get_ref().to_string(),
                keys,
                line,
            }),
            None => {
                let wanted = "a key in quotes, or several in brackets: [\"j\", \"g x\"]";
                config.faults.push(wrong(line, name.get_ref(), wanted));
            }
        }
    }
}

fn sequences(value: &DeValue<'_>) -> Option<Vec<String>> {
    let one = |value: &DeValue<'_>| value.as_str().map(str::to_owned);
    match value.as_array() {
        Some(several) => several.iter().map(|key| one(key.get_ref())).collect(),
        None => one(value).map(|key| vec![key]),
    }
}

fn wrong(line: usize, name: &str, wanted: &str) -> Fault {
    Fault::at(line, format!("`{name}` takes {wanted}"))
}

/// A table in the order of its lines.
fn in_order<'a, 'i>(
    table: &'a DeTable<'i>,
) -> Vec<(
    &'a Spanned<std::borrow::Cow<'i, str>>,
    &'a Spanned<DeValue<'i>>,
)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}
