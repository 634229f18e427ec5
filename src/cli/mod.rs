//! One file per subcommand: arguments, human and JSON output, exit codes. Data goes to standard
//! output, talk to standard error.

mod answer;
mod args;
mod board;
mod change;
mod complete;
mod config;
mod demo;
mod doctor;
mod failure;
mod film;
mod gallery;
mod graph;
pub mod init;
mod lists;
mod look;
mod man;
mod mcp;
mod paint;
mod run;
mod session;
mod settings;
mod snapshot;
mod tool;
mod watch;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::process::ExitCode;

use clap::Parser as _;

pub use args::Cli;
use args::{Command, Global};
use failure::Failure;
use paint::Paint;
use session::Session;

use crate::task::Status;

/// Runs the command line and says how it ended: 0 done, 1 refused or failed, 2 wrong usage.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match complete::answer(&arguments) {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => return misuse(&error, false),
    }
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return misuse(&error, arguments.iter().any(|a| a == "--json")),
    };
    let json = cli.global.json;
    match dispatch(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report(&failure, json),
    }
}

/// A command line that clap cannot read, or a question for help.
fn misuse(error: &clap::Error, json: bool) -> ExitCode {
    if json && error.use_stderr() {
        let text = error.to_string();
        let text = text
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches("error: ");
        return report(&Failure::usage(text), true);
    }
    // What was typed is quoted, and may have come from a file. Help into a closed pipe is no failure.
    let text = error.to_string();
    let clean = crate::text::clean_block(&text);
    let _ = match clean == text {
        true => error.print(),
        false => write!(io::stderr(), "{clean}"),
    };
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn report(failure: &Failure, json: bool) -> ExitCode {
    if failure.code == "io_error" && failure.message == CLOSED_PIPE {
        return ExitCode::SUCCESS;
    }
    if failure.message.is_empty() {
        return ExitCode::from(failure.exit); // the answer said it
    }
    let said = if json {
        writeln!(io::stdout(), "{}", answer::failure(failure))
    } else {
        let message = crate::text::clean_line(&failure.message); // names what strangers wrote
        let hint = failure.hint.as_deref().map(crate::text::clean_line);
        let hint = hint.map_or_else(String::new, |hint| format!("\nhint: {hint}"));
        writeln!(io::stderr(), "taskdeck: {message}{hint}")
    };
    // Nobody is left to be told.
    drop(said);
    ExitCode::from(failure.exit)
}

/// How a reader that has seen enough shows up; that is the normal end of `list | head`.
const CLOSED_PIPE: &str = "closed pipe";

/// Bytes written at once: a large list is megabytes.
const BUFFERED: usize = 1 << 16;

/// Standard output that tells a closed pipe from other trouble.
struct Output(io::BufWriter<io::Stdout>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(named)
    }
}

fn named(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => io::Error::new(io::ErrorKind::BrokenPipe, CLOSED_PIPE),
        _ => error,
    }
}

fn dispatch(cli: Cli) -> Result<(), Failure> {
    let mut out = Output(io::BufWriter::with_capacity(BUFFERED, io::stdout()));
    let (global, looks) = (cli.global, cli.look);
    match cli.command {
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            complete::script(shell, &mut script)?;
            print_generated("script", &script, global.json, &mut out)?;
        }
        Some(Command::Man { command, output }) => {
            man::man(command.as_deref(), output.as_deref(), global.json, &mut out)?;
        }
        Some(Command::Config) => config::config(&global, &looks, &mut out)?,
        Some(Command::Init(args)) => init::run(&args, global.json, global.quiet, &mut out)?,
        Some(Command::Lists) => lists::lists(&global, &mut out)?,
        Some(Command::Gate) => std::process::exit(crate::run::gate()),
        Some(Command::Demo(args)) => demo::demo(args, global.dir, &looks, global.json, &mut out)?,
        command => on_list(&global, &looks, command, &mut out)?,
    }
    out.flush()?;
    Ok(())
}

/// A generated document as it is, or under a key.
fn print_generated(key: &str, text: &[u8], json: bool, out: &mut impl Write) -> io::Result<()> {
    if json {
        let text = String::from_utf8_lossy(text);
        return writeln!(out, "{}", serde_json::json!({key: text}));
    }
    out.write_all(text)
}

fn on_list(
    global: &Global,
    looks: &board::Look,
    command: Option<Command>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut session = Session::open(global)?;
    let session = &mut session;
    let paint = paint(session.colour());
    match command {
        Some(Command::Create(args)) => change::create(session, &args, out),
        Some(Command::Get { ids }) => look::get(session, &ids, paint, out),
        Some(Command::List(args)) => look::list(session, &args, paint, out),
        Some(Command::Ready) => look::ready(session, paint, out),
        Some(Command::Update(args)) => change::update(session, &args, paint, out),
        Some(Command::Start(ids)) => {
            change::set_status(session, &ids, &Status::InProgress, paint, out)
        }
        Some(Command::Done(ids)) => {
            change::set_status(session, &ids, &Status::Completed, paint, out)
        }
        Some(Command::Reopen(ids)) => {
            change::set_status(session, &ids, &Status::Pending, paint, out)
        }
        Some(Command::Delete(ids)) => change::delete(session, &ids, paint, out),
        Some(Command::Claim { id, owner }) => {
            change::claim(session, id.as_deref(), &owner, paint, out)
        }
        Some(Command::Doctor(args)) => doctor::doctor(session, args, paint, out),
        Some(Command::Why { id }) => look::why(session, &id, paint, out),
        Some(Command::Watch { jsonl, count }) => {
            watch::watch(session, &watch::Watching { jsonl, count }, paint, out)
        }
        Some(Command::Tool { name, arguments }) => {
            tool::tool(session, &name, arguments.as_deref(), out)
        }
        Some(Command::Graph(args)) => graph::graph(session, &args, looks, out),
        Some(Command::Snapshot(args)) => snapshot::snapshot(session, &args, looks, out),
        Some(Command::Run(args)) => run::run(session, &args, looks, paint, out),
        Some(Command::Mcp { owner }) => mcp::mcp(session, owner.as_deref()),
        Some(
            Command::Completions { .. }
            | Command::Config
            | Command::Man { .. }
            | Command::Lists
            | Command::Init(_)
            | Command::Gate
            | Command::Demo(_),
        ) => Ok(()),
        None => board::open(session, looks),
    }
}

fn paint(colour: bool) -> Paint {
    // Only a terminal is asked: without one crossterm starts `tput`, twice, to learn a size.
    let terminal = io::stdout().is_terminal();
    let size = terminal.then(ratatui::crossterm::terminal::size);
    let columns = size.and_then(Result::ok).map(|(columns, _)| columns.into());
    Paint { colour, columns }
}
