//! The board: what `taskdeck` without a command opens.

use super::failure::Failure;
use super::session::{Session, fresh_thread_id};
use crate::app::{self, BoardOptions};
use crate::board::Place;
use crate::store::discover::Environment;
use crate::view::{ColorDepth, Theme};

/// How the board looks.
#[derive(Debug, Clone, clap::Args)]
pub struct Look {
    /// The theme: dark, light, high-contrast, colour-blind, 16 or monochrome (else TASKDECK_THEME)
    #[arg(long, global = true, value_name = "NAME")]
    pub theme: Option<String>,
    /// Lines and symbols in ASCII
    #[arg(long, global = true)]
    pub ascii: bool,
}

/// Opens the board and stays until the person leaves.
pub fn open(session: &Session, look: &Look) -> Result<(), Failure> {
    let thread_id = session
        .env
        .var("TASKDECK_THREAD_ID")
        .map_or_else(fresh_thread_id, str::to_owned);
    let options = BoardOptions {
        store: session.store.clone(),
        place: place(session),
        state: session.state.clone(),
        theme: theme(&session.env, look)?,
        thread_id,
        watch: session.watch_mode(),
        on_end: None,
    };
    Ok(app::run(options)?)
}

/// Which list it is, for people.
pub fn place(session: &Session) -> Place {
    let chosen = &session.discovery.chosen;
    let mut notes = session.discovery.notes.clone();
    notes.extend(session.store.note().map(str::to_owned));
    Place {
        name: name(session),
        path: session.where_(),
        reason: chosen.reason.clone(),
        others: session.discovery.others.len(),
        notes,
    }
}

/// The list's id, or the project that its folder lies in.
fn name(session: &Session) -> String {
    let chosen = &session.discovery.chosen;
    if let Some(id) = &chosen.id {
        return id.clone();
    }
    let part = |part: &std::ffi::OsStr| part.to_string_lossy().into_owned();
    let parts = chosen.dir.iter().rev().map(part);
    let mut telling = parts.filter(|part| part != "tasks" && !part.starts_with('.') && part != "/");
    telling.next().unwrap_or_else(|| "tasks".to_owned())
}

/// The theme that was asked for, in as many colours as the terminal has.
pub fn theme(env: &Environment, look: &Look) -> Result<Theme, Failure> {
    let name = look
        .theme
        .as_deref()
        .or(env.var("TASKDECK_THEME"))
        .unwrap_or("dark");
    let names = || Theme::names().collect::<Vec<_>>().join(", ");
    let theme = Theme::named(name).ok_or_else(|| {
        Failure::usage(format!("there is no theme {name}"))
            .hint(format!("the themes are {}", names()))
    })?;
    let theme = theme.for_depth(depth(env));
    Ok(if look.ascii { theme.in_ascii() } else { theme })
}

fn depth(env: &Environment) -> ColorDepth {
    let (term, colours) = (env.var("TERM").unwrap_or_default(), env.var("COLORTERM"));
    match colours {
        _ if env.var("NO_COLOR").is_some() => ColorDepth::None,
        Some("truecolor" | "24bit") => ColorDepth::True,
        _ if term.contains("256color") || term.contains("direct") => ColorDepth::Indexed,
        _ => ColorDepth::Named,
    }
}
