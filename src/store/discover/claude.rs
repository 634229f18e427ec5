//! Claude Code's lists: where they are, which belong to a project, and what they are called.
//!
//! A list's folder is named after a session, `session-` and the start of a session's id, a team,
//! or whatever the person chose. Titles come from the session's transcript.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::places::{self, place};
use super::{Environment, Place};

/// So much of a transcript's start and end is read: titles are written again at its end.
const PART: u64 = 256 * 1024;

/// A folder name of a project stands for a path up to this many UTF-16 units.
const LONGEST_NAME: usize = 200;

/// Claude Code's own folder: `CLAUDE_CONFIG_DIR`, else `~/.claude`.
pub(super) fn root(env: &Environment) -> Option<PathBuf> {
    let named = env.path("CLAUDE_CONFIG_DIR").map(|dir| env.cwd.join(dir));
    named.or_else(|| Some(env.home()?.join(".claude")))
}

/// The list of this name, as Claude Code makes a folder name of it.
pub(super) fn named(env: &Environment, id: &str, reason: &str) -> Option<Place> {
    let name = places::sanitised(id);
    let dir = root(env)?.join("tasks").join(&name);
    dir.is_dir().then(|| place(dir, Some(name), reason))
}

/// What is known of Claude Code's sessions and teams.
pub(super) struct Claude {
    root: PathBuf,
    teams: BTreeMap<String, Team>,
    /// Sessions that run now: their id, folder and name.
    live: Vec<(String, PathBuf, Option<String>)>,
}

struct Team {
    name: String,
    lead_session: Option<String>,
    folders: Vec<PathBuf>,
    members: usize,
}

impl Claude {
    /// Looks at teams and running sessions; transcripts are read when they are asked for.
    pub(super) fn look(env: &Environment) -> Option<Claude> {
        let root = root(env)?;
        let text = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
        let folder = |value: &Value| Some(PathBuf::from(value["cwd"].as_str()?));
        let teams = names_in(&root.join("teams")).into_iter().filter_map(|id| {
            let config = json(&root.join("teams").join(&id).join("config.json"))?;
            let members = config["members"].as_array().map_or(&[][..], Vec::as_slice);
            let team = Team {
                name: text(&config, "name").unwrap_or_else(|| id.clone()),
                lead_session: text(&config, "leadSessionId"),
                folders: members.iter().filter_map(folder).collect(),
                members: members.len(),
            };
            Some((id, team))
        });
        let teams = teams.collect();
        let live = names_in(&root.join("sessions")).into_iter();
        let live = live.filter_map(|name| {
            let session = json(&root.join("sessions").join(name))?;
            let id = text(&session, "sessionId")?;
            Some((id, folder(&session)?, text(&session, "name")))
        });
        let live = live.collect();
        Some(Claude { root, teams, live })
    }

    /// All lists, by name, each with its title.
    pub(super) fn lists(&self) -> Vec<Place> {
        let names = names_in(&self.root.join("tasks")).into_iter();
        let lists = names.map(|name| Place {
            title: self.title(&name),
            ..self.list(&name, "Claude Code's list")
        });
        lists.filter(|place| place.exists).collect()
    }

    /// The lists of sessions and teams that work in one of these folders, those with tasks; their
    /// titles are not asked for.
    pub(super) fn lists_of(&self, folders: &[&Path]) -> Vec<Place> {
        let here = |path: &PathBuf| folders.contains(&path.as_path());
        let transcripts = folders.iter().flat_map(|folder| self.transcripts(folder));
        let mut sessions: Vec<String> = transcripts.map(|path| stem(&path)).collect();
        let live = self.live.iter().filter(|(_, folder, _)| here(folder));
        sessions.extend(live.map(|(id, ..)| id.clone()));
        let of_project = |name: &String| {
            let team = self.teams.get(name);
            team.is_some_and(|team| team.folders.iter().any(here))
                || sessions.iter().any(|session| belongs(name, session))
        };
        let names = names_in(&self.root.join("tasks")).into_iter();
        let lists = names.filter(of_project).filter(|name| {
            let files = names_in(&self.root.join("tasks").join(name));
            files.iter().any(|file| file.ends_with(".json"))
        });
        lists
            .map(|name| self.list(&name, "Claude Code's list for this project"))
            .collect()
    }

    fn list(&self, name: &str, reason: &str) -> Place {
        let dir = self.root.join("tasks").join(name);
        let mut place = place(dir, Some(name.to_owned()), reason);
        place.running = self.live.iter().any(|(id, ..)| belongs(name, id))
            || self.teams.get(name).is_some_and(|team| {
                let lead = team.lead_session.as_ref();
                lead.is_some_and(|lead| self.live.iter().any(|(id, ..)| id == lead))
            });
        place
    }

    /// A real team's name, else the title of the session behind the list.
    fn title(&self, name: &str) -> Option<String> {
        let team = self.teams.get(name);
        if let Some(team) = team.filter(|team| team.members > 1 || !name.starts_with("session-")) {
            return Some(team.name.clone());
        }
        let lead = team.and_then(|team| team.lead_session.as_deref());
        let session = lead.unwrap_or(name);
        let live = self.live.iter().find(|(id, ..)| belongs(session, id));
        let transcript = self.transcript(session);
        let title = transcript.and_then(|path| title_of(&path));
        title.or_else(|| live.and_then(|(_, _, name)| name.clone()))
    }

    fn transcript(&self, session: &str) -> Option<PathBuf> {
        let projects = self.root.join("projects");
        let folders = names_in(&projects).into_iter();
        let exact = |folder: &String| {
            let path = projects.join(folder).join(format!("{session}.jsonl"));
            path.is_file().then_some(path)
        };
        if let Some(path) = folders.clone().find_map(|folder| exact(&folder)) {
            return Some(path);
        }
        session.strip_prefix("session-")?;
        let files = folders.flat_map(|folder| jsonl_in(&projects.join(folder)));
        files.into_iter().find(|path| belongs(session, &stem(path)))
    }

    /// The transcripts of the sessions in a folder.
    fn transcripts(&self, folder: &Path) -> Vec<PathBuf> {
        let name = folder.to_string_lossy();
        let safe = |c: char| {
            let (keep, times) = match c.is_ascii_alphanumeric() {
                true => (c, 1),
                false => ('-', c.len_utf16()),
            };
            std::iter::repeat_n(keep, times)
        };
        let name: String = name.chars().flat_map(safe).collect();
        let projects = self.root.join("projects");
        if name.len() <= LONGEST_NAME {
            return jsonl_in(&projects.join(name));
        }
        // A longer name is cut, and a hash stands behind it.
        let start = &name[..LONGEST_NAME];
        let cut = names_in(&projects).into_iter();
        let cut = cut.filter(|other| other.starts_with(start));
        cut.flat_map(|other| jsonl_in(&projects.join(other)))
            .collect()
    }
}

/// Whether a list's name means this session: its id, or `session-` and its first 8 letters.
fn belongs(name: &str, session: &str) -> bool {
    let short = name.strip_prefix("session-");
    name == session || short.is_some_and(|short| short.len() == 8 && session.starts_with(short))
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn jsonl_in(dir: &Path) -> Vec<PathBuf> {
    let names = names_in(dir).into_iter();
    let transcripts = names.filter(|name| name.ends_with(".jsonl"));
    transcripts.map(|name| dir.join(name)).collect()
}

/// The names in a folder, in order; none when it cannot be looked at.
fn names_in(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn json(path: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// What a transcript calls its session: the person's title, the model's, the agent's name, the
/// slug, else the first prompt. Of each the last one counts, of prompts the first.
fn title_of(transcript: &Path) -> Option<String> {
    let mut file = File::open(transcript).ok()?;
    let length = file.metadata().ok()?.len();
    let mut bytes = Vec::new();
    file.by_ref().take(PART).read_to_end(&mut bytes).ok()?;
    if length > 2 * PART {
        file.seek(SeekFrom::End(-(PART as i64))).ok()?;
    }
    file.take(PART).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut found: [Option<String>; 5] = Default::default();
    for line in text.lines() {
        let telling = |word: &str| line.contains(word);
        let wanted = telling("\"customTitle\"")
            || telling("\"aiTitle\"")
            || telling("\"agentName\"")
            || (found[3].is_none() && telling("\"slug\""))
            || (found[4].is_none() && telling("\"user\""));
        if !wanted {
            continue; // a transcript is mostly messages, which are long
        }
        let Ok(line) = serde_json::from_str::<Value>(line) else {
            continue; // cut in the middle, or being written
        };
        let names = [
            (0, &line["customTitle"]),
            (1, &line["aiTitle"]),
            (2, &line["agentName"]),
            (3, &line["slug"]),
        ];
        for (rank, name) in names {
            let name = name.as_str().filter(|name| !name.trim().is_empty());
            found[rank] = name.map(str::to_owned).or(found[rank].take());
        }
        if found[4].is_none() && line["type"] == "user" {
            let prompt = line["message"]["content"].as_str();
            found[4] = prompt
                .and_then(|text| text.lines().next())
                .map(str::to_owned);
        }
    }
    found.into_iter().flatten().next()
}
