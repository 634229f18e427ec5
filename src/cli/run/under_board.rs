//! `run --board`: the runner at work under the board. Leaving the board leaves the runner at work;
//! what it tells is printed then.

use std::io::Write;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::{Manner, listen};
use crate::app::{self, Jobs};
use crate::cli::board::{Look, options_for};
use crate::cli::failure::Failure;
use crate::cli::session::{Session, now_ms};
use crate::list::List;
use crate::run::{Control, RunEvent, RunOptions, Summary};

/// After a signal the runner is waited for so long beyond the grace that its workers get.
const LAST_WORDS: Duration = Duration::from_secs(1);

pub(super) fn run(
    session: &Session,
    options: &RunOptions,
    looks: &Look,
    manner: Manner,
    out: &mut impl Write,
) -> Result<Summary, Failure> {
    app::check_terminal()?;
    let (lines, told) = channel();
    let (handed, control) = channel();
    let (store, state) = (session.store.clone(), session.state.clone());
    let chosen = options.clone();
    let runner = thread::spawn(move || {
        let mut tell = |list: &List, event: RunEvent| {
            if let Some(line) = manner.line(list, &event) {
                // Nobody listens any more when a signal ends us.
                let _ = lines.send(line);
            }
        };
        let take = |control: Control| drop(handed.send(control));
        crate::run::run(&store, &state, &chosen, now_ms, take, &mut tell)
    });
    let control = control
        .recv()
        .map_err(|_| Failure::new("failed", "the runner did not start"))?;
    let told = Arc::new(Mutex::new(told));
    let mut board = options_for(session, looks)?;
    let set = control.clone();
    board.jobs = Some(Jobs {
        count: options.workers,
        set: Box::new(move |jobs| set.set_workers(jobs)),
    });
    listen(control.clone());
    let (last, grace) = (Arc::clone(&told), options.grace);
    board.on_end = Some(Box::new(move || {
        if !control.is_interrupted() {
            return;
        }
        // A signal ends the process after this: no worker outlives us then.
        control.interrupt();
        let told = last.lock().unwrap_or_else(PoisonError::into_inner);
        while told.recv_timeout(grace + LAST_WORDS).is_ok() {}
    }));
    app::run(board)?;
    let told = told.lock().unwrap_or_else(PoisonError::into_inner);
    for line in told.iter() {
        writeln!(out, "{line}")?;
        out.flush()?;
    }
    let summary = runner
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    Ok(summary?)
}
