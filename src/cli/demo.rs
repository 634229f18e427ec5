//! `demo`: simulated agents at work, and the board on them.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use super::board::{Look, feel, picture_theme};
use super::failure::Failure;
use super::session::{environment, fresh_thread_id, readable_path};
use crate::app::{self, BoardOptions, Opened};
use crate::board::Place;
use crate::demo::{DemoOptions, Run, is_finished};
use crate::state::ListState;
use crate::store::watch::WatchMode;
use crate::task::State;
use crate::text::count;

/// `demo`
#[derive(Debug, clap::Args)]
pub struct DemoArgs {
    /// How many agents
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub agents: usize,
    /// How fast; 2 is twice as fast
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub speed: f64,
    /// The same number gives the same run
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// webshop, compiler or incident
    #[arg(long, value_name = "NAME", default_value = "webshop")]
    pub scenario: String,
    /// Without a board; prints what happened
    #[arg(long)]
    pub headless: bool,
    /// How long, without a board
    #[arg(
        long = "for",
        value_name = "SECONDS",
        default_value_t = 10.0,
        requires = "headless"
    )]
    pub seconds: f64,
    /// Draws half a minute of the board as a moving picture (SVG) instead
    #[arg(long, value_name = "FILE", conflicts_with = "headless")]
    pub film: Option<PathBuf>,
}

/// Lets agents work, under the board or by themselves.
pub fn demo(
    args: DemoArgs,
    dir: Option<PathBuf>,
    looks: &Look,
    json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if let Some(path) = &args.film {
        return super::film::draw(&args, path, &picture_theme(&environment()?, looks)?);
    }
    let options = DemoOptions {
        agents: args.agents.min(64),
        speed: args.speed,
        seed: args.seed,
        scenario: args.scenario,
        dir,
    };
    if !args.headless {
        app::check_terminal()?;
    }
    let run = Run::start(&options)?;
    if args.headless {
        headless(run, args.seconds, json, out)
    } else {
        on_board(run, looks)
    }
}

fn headless(mut run: Run, seconds: f64, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let time = Duration::try_from_secs_f64(seconds);
    let time = time.map_err(|_| Failure::usage("--for takes seconds, such as 10"))?;
    let (send, watched) = std::sync::mpsc::channel();
    let watcher = run.store().watch(WatchMode::Auto, move |_| {
        let _ = send.send(());
    });
    let end = std::time::Instant::now() + time;
    loop {
        let left = end.saturating_duration_since(std::time::Instant::now());
        if left.is_zero() || is_finished(&run.store().load()?) {
            break;
        }
        // Whatever changed, the list is looked at again.
        let _ = watched.recv_timeout(left);
        while watched.try_recv().is_ok() {}
    }
    drop(watcher);
    run.stop();
    let list = run.store().load()?;
    let (done, all) = (list.column(State::Completed).len(), list.len());
    let (title, writes, agents) = (run.title(), run.changes(), list_agents(&list));
    if json {
        let answer = json!({
            "title": title, "completed": done, "total": all, "writes": writes, "agents": agents,
        });
        writeln!(out, "{answer}")?;
    } else {
        writeln!(
            out,
            "{title}: {done} of {} completed, {} by {}",
            count(all, "task"),
            count(writes, "write"),
            count(agents, "agent")
        )?;
    }
    Ok(())
}

fn list_agents(list: &crate::list::List) -> usize {
    let names: std::collections::BTreeSet<&str> =
        list.tasks().filter_map(|t| t.owner.as_deref()).collect();
    names.len()
}

fn on_board(run: Run, looks: &Look) -> Result<(), Failure> {
    let env = environment()?;
    let place = Place {
        name: run.title().to_owned(),
        dir: run.store().dir().to_owned(),
        path: run
            .keeps()
            .map_or_else(|| "demo".to_owned(), |dir| readable_path(&env, dir)),
        reason: "the demo's own list".to_owned(),
        others: 0,
        notes: Vec::new(),
    };
    let options = BoardOptions {
        list: Opened {
            store: run.store().clone(),
            place,
            state: ListState::open(Some(&run.state_dir()), run.store().dir()),
        },
        shelf: None,
        feel: feel(&env, looks)?,
        thread_id: fresh_thread_id(),
        watch: WatchMode::Auto,
        // Also when a signal ends the board, nothing is left behind.
        jobs: None,
        on_end: Some(Box::new(move || drop(run))),
    };
    Ok(app::run(options)?)
}
