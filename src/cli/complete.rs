//! Shell completions that know the tasks: the shell asks taskdeck itself while a person types.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};

use clap::{CommandFactory as _, Parser as _};
use clap_complete::engine::CompletionCandidate;
use clap_complete::env::{CompleteEnv, Shells};

use super::args::Cli;
use super::session::Session;
use crate::task::State;
use crate::text::clean_line;

/// The variable by which a shell's script asks.
const ASKED: &str = "TASKDECK_COMPLETE";

/// Answers a shell that asks for completions; `false` when none did.
pub fn answer(arguments: &[OsString]) -> Result<bool, clap::Error> {
    if std::env::var_os(ASKED).is_none() {
        return Ok(false);
    }
    let here = std::env::current_dir().ok();
    let asked = CompleteEnv::with_factory(Cli::command).var(ASKED);
    asked.try_complete(arguments, here.as_deref())
}

/// The script that a person's shell reads at its start.
pub fn script(shell: clap_complete::Shell, out: &mut impl Write) -> io::Result<()> {
    let shells = Shells::builtins();
    match shells.completer(&shell.to_string()) {
        Some(shell) => shell.write_registration(ASKED, "taskdeck", "taskdeck", "taskdeck", out),
        None => Err(io::Error::other("no completions for this shell")),
    }
}

/// The ids of the list's open tasks that begin like this, each with its subject. Silent about a
/// list that cannot be read: a person is typing.
pub fn task_ids(current: &OsStr) -> Vec<CompletionCandidate> {
    let begun = current.to_string_lossy();
    let list = || {
        let nothing_asked = Cli::try_parse_from(["taskdeck"]).ok()?;
        Session::open(&nothing_asked.global).ok()?.load().ok()
    };
    let Some(list) = list() else {
        return Vec::new();
    };
    let open = list.ordered().into_iter().filter(|task| {
        let closed = matches!(
            list.state(&task.id),
            Some(State::Completed | State::Deleted)
        );
        !closed && task.id.as_str().starts_with(&*begun)
    });
    open.map(|task| {
        let subject = clean_line(&task.subject).into_owned();
        CompletionCandidate::new(task.id.as_str()).help(Some(subject.into()))
    })
    .collect()
}
