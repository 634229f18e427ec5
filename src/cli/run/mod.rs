//! `run`: works the list off in parallel, one process per task.

mod under_board;
mod words;

use std::ffi::OsString;
use std::io::Write;
use std::time::Duration;

use serde_json::json;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::board::Look;
use super::failure::Failure;
use super::paint::Paint;
use super::session::{Session, now_ms};
use crate::list::{List, Query};
use crate::run::{Control, Done, Feed, Rules, RunEvent, RunOptions, Scope, Summary, waves};
use crate::task::TaskId;
use crate::text::count;
use words::{in_words, line_of, named, summary_in_words, summary_line};

/// `run`
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// How many at a time
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// In whose name tasks are claimed; tasks of others stay theirs
    #[arg(long, value_name = "NAME", default_value = "taskdeck-run")]
    pub owner: String,
    /// Only tasks that fit, in the language of `list`
    #[arg(
        long,
        value_name = "QUERY",
        default_value = "",
        allow_hyphen_values = true
    )]
    pub filter: String,
    /// End a worker that takes longer: 90, 90s, 5m, 1h
    #[arg(long, value_name = "D", value_parser = duration)]
    pub timeout: Option<Duration>,
    /// How often a failed task is tried again
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub retries: u32,
    /// What completes a task: exit status 0, the task's own status, or a result
    #[arg(long, value_name = "HOW", default_value = "exit")]
    pub done: DoneBy,
    /// Go on also when the first twenty tasks all fail
    #[arg(long)]
    pub keep_going: bool,
    /// Stay for more tasks when everything is done
    #[arg(long)]
    pub watch: bool,
    /// Say who would run when, and run nothing
    #[arg(long)]
    pub dry_run: bool,
    /// What the command gets on its standard input
    #[arg(long, value_name = "WHAT", default_value = "prompt")]
    pub stdin: Input,
    /// One JSON object per event
    #[arg(long)]
    pub jsonl: bool,
    /// Under the board: W there stops a worker, retries a task, changes how many
    #[arg(long)]
    pub board: bool,
    /// Seconds between asking a worker to end and ending it
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, hide = true)]
    pub grace: f64,
    /// The command, with {id}, {subject}, {file}, {dir} and {prompt} (a file) in its arguments
    #[arg(
        last = true,
        required_unless_present = "dry_run",
        value_name = "COMMAND"
    )]
    pub command: Vec<OsString>,
}

/// What completes a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DoneBy {
    /// Exit status 0.
    Exit,
    /// Only a status that the worker wrote (for agents, which end with 0 when they give up).
    Task,
    /// What the worker wrote, or a last line of output like {"result": …}.
    Result,
}

/// What a command gets on its standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Input {
    /// The task in words.
    Prompt,
    /// The task's file.
    Json,
    /// Nothing.
    None,
}

/// Works the list off.
pub fn run(
    session: &mut Session,
    args: &RunArgs,
    looks: &Look,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let options = options(session, args)?;
    if args.dry_run {
        return dry_run(session, &options, out);
    }
    if session.store.is_read_only() {
        return Err(crate::store::CommitError::ReadOnly.into());
    }
    let manner = Manner {
        jsonl: args.jsonl || session.global.json,
        quiet: session.global.quiet,
        paint,
    };
    let summary = if args.board {
        under_board::run(session, &options, looks, manner, out)?
    } else {
        let mut tell = |list: &List, event: RunEvent| {
            if let Some(line) = manner.line(list, &event) {
                // A reader that went away does not stop the work.
                let _ = writeln!(out, "{line}").and_then(|()| out.flush());
            }
        };
        let (store, state) = (&session.store, &session.state);
        crate::run::run(store, state, &options, now_ms, listen, &mut tell)?
    };
    if manner.jsonl || !manner.quiet {
        writeln!(out, "{}", manner.summary(&summary))?;
        out.flush()?;
    }
    verdict(&summary)
}

/// How what happens is told.
#[derive(Debug, Clone, Copy)]
struct Manner {
    jsonl: bool,
    quiet: bool,
    paint: Paint,
}

impl Manner {
    fn line(&self, list: &List, event: &RunEvent) -> Option<String> {
        match (self.jsonl, self.quiet) {
            (true, _) => Some(line_of(list, event).to_string()),
            (false, true) => None,
            (false, false) => Some(in_words(list, event, self.paint)),
        }
    }

    fn summary(&self, summary: &Summary) -> String {
        if self.jsonl {
            summary_line(summary).to_string()
        } else {
            summary_in_words(summary)
        }
    }
}

/// Tells the runner when the process is told to end.
fn listen(control: Control) {
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        std::thread::spawn(move || {
            for signal in signals.forever() {
                control.interrupt();
                // Who sends these does not come a second time.
                if signal != SIGINT {
                    control.interrupt();
                }
            }
        });
    }
}

fn options(session: &Session, args: &RunArgs) -> Result<RunOptions, Failure> {
    if args.owner.trim().is_empty() {
        return Err(Failure::usage("--owner needs a name"));
    }
    let grace = Duration::try_from_secs_f64(args.grace);
    let own = std::env::current_exe()?;
    Ok(RunOptions {
        workers: usize::from(args.jobs),
        scope: Scope {
            owner: args.owner.clone(),
            query: Query::parse(&args.filter),
        },
        rules: Rules {
            done: match args.done {
                DoneBy::Exit => Done::Exit,
                DoneBy::Task => Done::Task,
                DoneBy::Result => Done::Result,
            },
            retries: args.retries,
        },
        timeout: args.timeout,
        grace: grace.map_err(|_| Failure::usage("--grace takes seconds, such as 5"))?,
        keep_going: args.keep_going,
        stay: args.watch,
        feed: match args.stdin {
            Input::Prompt => Feed::Prompt,
            Input::Json => Feed::Json,
            Input::None => Feed::Nothing,
        },
        gate: vec![own.into(), OsString::from("gate")],
        command: args.command.clone(),
        watch: session.watch_mode(),
    })
}

/// `90`, `90s`, `1.5m`, `2h`.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, &text[number.len()..]),
        None => (text, "s"),
    };
    let factor = match unit {
        "m" => 60.0,
        "h" => 3600.0,
        _ => 1.0,
    };
    let seconds = number.parse::<f64>().ok().filter(|n| *n > 0.0);
    let time = seconds.and_then(|n| Duration::try_from_secs_f64(n * factor).ok());
    time.ok_or_else(|| "a time is a number with s, m or h behind it, such as 90s or 5m".to_owned())
}

fn dry_run(
    session: &mut Session,
    options: &RunOptions,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let list = session.load()?;
    let waves = waves(&list, &options.scope, options.workers);
    let planned: usize = waves.iter().map(Vec::len).sum();
    if session.global.json {
        let waves: Vec<Vec<&str>> = waves
            .iter()
            .map(|wave| wave.iter().map(TaskId::as_str).collect())
            .collect();
        writeln!(out, "{}", json!({"waves": waves}))?;
        return Ok(());
    }
    for (number, wave) in waves.iter().enumerate() {
        for (place, id) in wave.iter().enumerate() {
            let head = if place == 0 {
                format!("{:>3}.", number + 1)
            } else {
                "    ".to_owned()
            };
            writeln!(out, "{head} {}", named(&list, id))?;
        }
    }
    let never = list
        .tasks()
        .filter(|t| !t.status.is_closed() && !t.status.is_active())
        .count()
        .saturating_sub(planned);
    writeln!(
        session.global.talk(),
        "{} in {} of up to {}{}",
        count(planned, "task"),
        count(waves.len(), "round"),
        options.workers,
        match never {
            0 => String::new(),
            n => format!("; {n} would not run"),
        }
    )?;
    Ok(())
}

fn verdict(summary: &Summary) -> Result<(), Failure> {
    if let Some(why) = summary.stuck.first() {
        let more = match summary.stuck.len() {
            1 => String::new(),
            n => format!(" (and {} more)", count(n - 1, "reason")),
        };
        return Err(Failure::new(
            "stuck",
            format!(
                "{} cannot be done: {why}{more}",
                count(summary.open, "task")
            ),
        ));
    }
    if summary.failed > 0 {
        let what = format!("{} failed", count(summary.failed, "task"));
        return Err(Failure::new("task_failed", what));
    }
    if summary.open > 0 {
        let what = format!("ended with {} open", count(summary.open, "task"));
        return Err(Failure::new("interrupted", what));
    }
    Ok(())
}
