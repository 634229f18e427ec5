//! The board: what `taskdeck` without a command opens.

use std::path::Path;
use std::sync::Arc;

use super::args::Global;
use super::failure::Failure;
use super::session::{Session, fresh_thread_id, now_ms};
use crate::app::{self, BoardOptions, Opened, Shelf};
use crate::board::Place;
use crate::store::discover::{
    Discovery, Environment, Overview, PlanProgress, Wanted, active_plan, lists,
};
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
        list: Opened {
            store: session.store.clone(),
            place: place(session),
            state: session.state.clone(),
        },
        shelf: Some(Arc::new(Lists {
            global: session.global.clone(),
            env: session.env.clone(),
        })),
        theme: theme(&session.env, look)?,
        thread_id,
        watch: session.watch_mode(),
        jobs: None,
        on_end: None,
    };
    Ok(app::run(options)?)
}

/// The lists that are found from here, for the board.
struct Lists {
    global: Global,
    env: Environment,
}

impl Lists {
    fn found(&self) -> Option<Discovery> {
        let wanted = Wanted {
            dir: self.global.dir.clone(),
            list: self.global.list.clone(),
        };
        lists(&self.env, &wanted).ok()
    }
}

impl Shelf for Lists {
    fn find(&self) -> (Vec<Overview>, Option<PlanProgress>) {
        let found = self.found().map(|found| found.overviews(now_ms()));
        (found.unwrap_or_default(), active_plan(&self.env))
    }

    fn open(&self, dir: &Path) -> Result<Opened, String> {
        let mut found = self.found().ok_or("no list is found any more")?;
        let places = [vec![found.chosen], std::mem::take(&mut found.others)].concat();
        let (mut here, others): (Vec<_>, Vec<_>) = places.into_iter().partition(|p| p.dir == dir);
        let chosen = here.pop().ok_or("that list is gone")?;
        let discovery = Discovery {
            chosen,
            others,
            looked_at: found.looked_at,
            notes: Vec::new(),
        };
        let global = Global {
            dialect: None, // told from the folder: it was said of another list
            ..self.global.clone()
        };
        let opened = Session::on(&global, self.env.clone(), discovery);
        let session = opened.map_err(|failure| failure.message)?;
        Ok(Opened {
            store: session.store.clone(),
            place: place(&session),
            state: session.state,
        })
    }
}

/// Which list it is, for people.
pub fn place(session: &Session) -> Place {
    let chosen = &session.discovery.chosen;
    let mut notes = session.discovery.notes.clone();
    notes.extend(session.store.note().map(str::to_owned));
    Place {
        name: name(session),
        dir: session.store.dir().to_owned(),
        path: session.where_(),
        reason: chosen.reason.clone(),
        others: session.discovery.others.len(),
        notes,
    }
}

/// The list's title or id, or the project that its folder lies in.
fn name(session: &Session) -> String {
    let chosen = &session.discovery.chosen;
    if let Some(name) = chosen.title.as_ref().or(chosen.id.as_ref()) {
        return name.clone();
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
