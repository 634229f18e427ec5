//! Shell completions that know the tasks: the shell asks taskdeck itself while a person types.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;

use clap::{CommandFactory as _, Parser as _};
use clap_complete::engine::{CompletionCandidate, complete};
use clap_complete::env::{Bash, CompleteEnv, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};

use super::args::Cli;
use super::session::Session;
use crate::task::State;
use crate::text::{clean_line, truncate};
use crate::tools::TOOLS;

/// The variable by which a shell's script asks.
const ASKED: &str = "TASKDECK_COMPLETE";

/// The line that a person types, as far as it goes.
static TYPED: OnceLock<Vec<OsString>> = OnceLock::new();

/// Answers a shell that asks for completions; `false` when none did.
pub fn answer(arguments: &[OsString]) -> Result<bool, clap::Error> {
    if std::env::var_os(ASKED).is_none() {
        return Ok(false);
    }
    TYPED.get_or_init(|| arguments.to_vec());
    let here = std::env::current_dir().ok();
    let asked = CompleteEnv::with_factory(Cli::command).var(ASKED);
    asked
        .shells(SHELLS)
        .try_complete(arguments, here.as_deref())
}

/// The script that a person's shell reads at its start.
pub fn script(shell: clap_complete::Shell, out: &mut impl Write) -> io::Result<()> {
    match SHELLS.completer(&shell.to_string()) {
        Some(shell) => shell.write_registration(ASKED, "taskdeck", "taskdeck", "taskdeck", out),
        None => Err(io::Error::other("no completions for this shell")),
    }
}

const SHELLS: Shells<'static> = Shells(&[&BashWithHelp, &Elvish, &Fish, &Powershell, &Zsh]);

/// Bash lists bare words. Where several fit, what each one means stands behind it: bash then puts
/// in no more than what they begin with in common, so the explanation never lands in the line.
struct BashWithHelp;

/// Columns that an explanation may take.
const HELP: usize = 60;

impl EnvCompleter for BashWithHelp {
    fn name(&self) -> &'static str {
        Bash.name()
    }

    fn is(&self, name: &str) -> bool {
        Bash.is(name)
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        Bash.write_registration(var, name, bin, completer, out)
    }

    fn write_complete(
        &self,
        command: &mut clap::Command,
        arguments: Vec<OsString>,
        here: Option<&Path>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let told = |name: &str| std::env::var(name).ok();
        let index = told("_CLAP_COMPLETE_INDEX").and_then(|index| index.parse().ok());
        let found = complete(command, arguments, index.unwrap_or_default(), here)?;
        // Bash's codes for the ways that put a whole candidate into the line.
        let whole = ["37", "42"].map(Some);
        let whole = whole.contains(&told("_CLAP_COMPLETE_COMP_TYPE").as_deref());
        let explains = found.len() > 1 && !whole;
        let line = |candidate: &CompletionCandidate| {
            let value = candidate.get_value().to_string_lossy();
            let help = candidate
                .get_help()
                .filter(|_| explains)
                .map(ToString::to_string);
            match help.as_deref().and_then(|help| help.lines().next()) {
                Some(help) => format!("{value}  ({})", truncate(help, HELP)),
                None => value.into_owned(),
            }
        };
        let lines: Vec<String> = found.iter().map(line).collect();
        let separator = told("_CLAP_IFS").unwrap_or_else(|| "\n".to_owned());
        write!(out, "{}", lines.join(&separator))
    }
}

/// The ids of the list's open tasks that begin like this, each with its subject. Silent about a
/// list that cannot be read: a person is typing.
pub fn task_ids(current: &OsStr) -> Vec<CompletionCandidate> {
    let begun = current.to_string_lossy();
    let list = || {
        let named = Cli::try_parse_from(which_list(TYPED.get()?)).ok()?;
        Session::open(&named.global).ok()?.load().ok()
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

/// The names of the agents' tools that begin like this.
pub fn tool_names(current: &OsStr) -> Vec<CompletionCandidate> {
    let begun = current.to_string_lossy();
    let fit = TOOLS.iter().filter(|tool| tool.name.starts_with(&*begun));
    fit.map(|tool| CompletionCandidate::new(tool.name).help(Some(tool.description.into())))
        .collect()
}

/// A command line with nothing but what says which list is meant.
fn which_list(typed: &[OsString]) -> Vec<OsString> {
    const NAMES: [&str; 3] = ["--dir", "--list", "--dialect"];
    let mut line = vec![OsString::from("taskdeck")];
    let mut words = typed.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if NAMES.contains(&&*text) {
            line.extend([Some(word), words.next()].into_iter().flatten().cloned());
        } else if NAMES
            .iter()
            .any(|name| text.strip_prefix(name).is_some_and(|r| r.starts_with('=')))
        {
            line.push(word.clone());
        }
    }
    line
}
