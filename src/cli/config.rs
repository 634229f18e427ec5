//! `config`: the configuration that holds, and where each value comes from.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::args::Global;
use super::board::Look;
use super::failure::Failure;
use super::session::{environment, readable_path};
use super::settings::Configured;
use crate::command::{COMMANDS, Group};
use crate::state::config::{SETTINGS, Source};
use crate::text::{clean_line, pad};

/// `config`
pub fn config(global: &Global, looks: &Look, out: &mut impl Write) -> Result<(), Failure> {
    let env = environment()?;
    let configured = Configured::read(&env, &looks.flags(global.poll))?;
    if global.json {
        writeln!(out, "{}", answer(&configured))?;
    } else {
        let path = configured.config.path.as_deref();
        let place = match path {
            Some(path) if configured.config.exists => readable_path(&env, path),
            Some(path) => format!("{} (not there)", readable_path(&env, path)),
            None => "no home, so no file".to_owned(),
        };
        print(&configured, &clean_line(&place), out)?;
        let mut talk = io::stderr().lock();
        for complaint in configured.complaints(&env) {
            writeln!(talk, "taskdeck: {complaint}")?;
        }
    }
    if configured.faults.is_empty() {
        Ok(())
    } else {
        out.flush()?;
        Err(Failure::said())
    }
}

/// In the form in which the file is written, so that lines can be taken over.
fn print(configured: &Configured, place: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "# {place}")?;
    for ((name, value, source), setting) in settings(configured).into_iter().zip(SETTINGS) {
        let line = pad(&format!("{name} = {value}"), 28);
        writeln!(out, "{line} # {}: {}", source_in_words(source), setting.doc)?;
    }
    writeln!(out, "\n[keys]")?;
    for group in Group::ALL {
        writeln!(out, "# {}", group.title())?;
        for command in COMMANDS.iter().filter(|command| command.group == group) {
            let keys = configured.keymap.keys_of(command.id);
            let line = pad(&format!("{} = {}", command.name, json!(keys)), 40);
            let source = configured.keymap.line_of(command.id);
            let source = source_in_words(source.map_or(Source::Default, Source::File));
            writeln!(out, "{line} # {source}: {}", command.doc)?;
        }
    }
    Ok(())
}

fn settings(configured: &Configured) -> [(&'static str, Value, Source); 5] {
    let held = &configured.settings;
    let theme = json!(held.theme.value);
    let switch = |value: &crate::state::config::Value<bool>| (json!(value.value), value.source);
    let values = [
        (theme, held.theme.source),
        switch(&held.ascii),
        switch(&held.reduced_motion),
        switch(&held.mouse),
        switch(&held.poll),
    ];
    let mut names = SETTINGS.iter().map(|setting| setting.name);
    values.map(|(value, source)| (names.next().unwrap_or_default(), value, source))
}

fn source_in_words(source: Source) -> String {
    match source {
        Source::Default => "default".to_owned(),
        Source::File(line) => format!("line {line}"),
        Source::Variable(name) | Source::Flag(name) => name.to_owned(),
    }
}

fn answer(configured: &Configured) -> Value {
    let path = configured.config.path.as_deref();
    let settings = settings(configured).map(|(name, value, source)| {
        let mut entry = json!({"name": name, "value": value});
        say_source(&mut entry, source);
        entry
    });
    let keys: Vec<Value> = COMMANDS
        .iter()
        .map(|command| {
            let keys = configured.keymap.keys_of(command.id);
            let mut entry = json!({"command": command.name, "keys": keys});
            let line = configured.keymap.line_of(command.id);
            say_source(&mut entry, line.map_or(Source::Default, Source::File));
            entry
        })
        .collect();
    let problems: Vec<Value> = configured
        .faults
        .iter()
        .map(|(file, fault)| {
            let mut entry = json!({"file": file.display().to_string(), "message": fault.message});
            if let Some(line) = fault.line {
                entry["line"] = json!(line);
            }
            if let Some(hint) = &fault.hint {
                entry["hint"] = json!(hint);
            }
            entry
        })
        .collect();
    let mut answer = json!({
        "exists": configured.config.exists,
        "settings": settings,
        "keys": keys,
        "problems": problems,
    });
    if let Some(path) = path {
        answer["file"] = json!(path.display().to_string());
    }
    answer
}

fn say_source(entry: &mut Value, source: Source) {
    let (kind, by) = match source {
        Source::Default => ("default", None),
        Source::File(line) => ("file", Some(("line", json!(line)))),
        Source::Variable(name) => ("environment", Some(("by", json!(name)))),
        Source::Flag(name) => ("flag", Some(("by", json!(name)))),
    };
    entry["source"] = json!(kind);
    if let Some((key, value)) = by {
        entry[key] = value;
    }
}
