//! The board: what `taskdeck` without a command opens.

use std::path::Path;
use std::sync::Arc;

use super::args::Global;
use super::failure::Failure;
use super::session::{Session, fresh_thread_id, now_ms};
use super::settings::{Configured, depth};
use crate::app::{self, BoardOptions, Feel, Opened, Shelf};
use crate::board::Place;
use crate::state::config::Flags;
use crate::store::discover::{
    Discovery, Environment, Overview, PlanProgress, Wanted, active_plan, lists,
};
use crate::view::{ColorDepth, Theme};

/// How the board looks.
#[derive(Debug, Clone, clap::Args)]
pub struct Look {
    /// The theme: auto, dark, light, high-contrast, colour-blind, 16, monochrome, or one of your own
    /// (else TASKDECK_THEME, else the configuration)
    #[arg(long, global = true, value_name = "NAME")]
    pub theme: Option<String>,
    /// Lines and symbols in ASCII
    #[arg(long, global = true)]
    pub ascii: bool,
}

impl Look {
    /// The flags, as the configuration wants them.
    pub fn flags(&self, poll: bool) -> Flags {
        Flags {
            theme: self.theme.clone(),
            ascii: self.ascii,
            poll,
        }
    }
}

/// Opens the board and stays until the person leaves.
pub fn open(session: &Session, look: &Look) -> Result<(), Failure> {
    Ok(app::run(options_for(session, look)?)?)
}

/// What the board opens on.
pub fn options_for(session: &Session, look: &Look) -> Result<BoardOptions, Failure> {
    let thread_id = session
        .env
        .var("TASKDECK_THREAD_ID")
        .map_or_else(fresh_thread_id, str::to_owned);
    Ok(BoardOptions {
        list: Opened {
            store: session.store.clone(),
            place: place(session),
            state: session.state.clone(),
        },
        shelf: Some(Arc::new(Lists {
            global: session.global.clone(),
            env: session.env.clone(),
        })),
        feel: feel(&session.env, look)?,
        thread_id,
        watch: session.watch_mode(),
        jobs: None,
        on_end: None,
    })
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

/// How the board looks and feels, as the person configured it.
///
/// # Errors
/// A flag or a variable that names no theme.
pub fn feel(env: &Environment, look: &Look) -> Result<Feel, Failure> {
    Ok(Configured::read(env, &look.flags(false))?.feel(env))
}

/// The theme for a picture, which has no terminal to ask.
///
/// # Errors
/// A flag or a variable that names no theme.
pub fn theme(env: &Environment, look: &Look) -> Result<Theme, Failure> {
    theme_with(env, look, depth(env))
}

/// The theme for a picture in a file, which has all colours wherever it is made.
///
/// # Errors
/// As [`theme`].
pub fn picture_theme(env: &Environment, look: &Look) -> Result<Theme, Failure> {
    theme_with(env, look, ColorDepth::True)
}

fn theme_with(env: &Environment, look: &Look, depth: ColorDepth) -> Result<Theme, Failure> {
    let configured = Configured::read(env, &look.flags(false))?;
    Ok(configured.look(depth).on(None))
}

/// Which list it is, for people.
pub fn place(session: &Session) -> Place {
    let chosen = &session.discovery.chosen;
    let mut notes = session.discovery.notes.clone();
    notes.extend(session.store.note());
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
