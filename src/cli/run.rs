//! `run`: works the list off in parallel, one process per task.

use std::ffi::OsString;
use std::io::{self, Write};
use std::time::Duration;

use serde_json::{Value, json};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::failure::Failure;
use super::paint::{Paint, Tone};
use super::session::{Session, now_ms};
use crate::list::{List, Query};
use crate::run::{Done, Ending, Feed, Rules, RunEvent, RunOptions, Scope, Summary, Verdict, waves};
use crate::task::{Status, TaskId};
use crate::text::clean_line;

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
    /// Go on also when three tasks in a row fail
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
    /// Seconds between asking a worker to end and ending it
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, hide = true)]
    pub grace: f64,
    /// The command, with {id}, {subject}, {file}, {dir} and {prompt} (a file) in its arguments
    #[arg(
        last = true,
        required_unless_present = "dry_run",
        value_name = "COMMAND"
    )]
    pub command: Vec<String>,
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
    let mut broken = None;
    let jsonl = args.jsonl || session.global.json;
    let quiet = session.global.quiet;
    let mut tell = |list: &List, event: RunEvent| {
        let told = if jsonl {
            writeln!(out, "{}", line_of(list, &event))
        } else if quiet {
            Ok(())
        } else {
            writeln!(out, "{}", in_words(list, &event, paint))
        };
        if let Err(error) = told.and_then(|()| out.flush()) {
            // A reader that went away does not stop the work.
            broken.get_or_insert(error);
        }
    };
    let summary = crate::run::run(
        &session.store,
        &session.state,
        &options,
        now_ms,
        listen,
        &mut tell,
    )?;
    if jsonl {
        writeln!(out, "{}", summary_line(&summary))?;
    } else {
        writeln!(out, "{}", summary_in_words(&summary))?;
    }
    out.flush()?;
    verdict(&summary)
}

/// Calls when the process is told to end.
fn listen(interrupt: Box<dyn Fn() + Send>) {
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        std::thread::spawn(move || {
            for signal in signals.forever() {
                interrupt();
                // Who sends these does not come a second time.
                if signal != SIGINT {
                    interrupt();
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
        io::stderr(),
        "{planned} tasks in {} rounds of up to {}{}",
        waves.len(),
        options.workers,
        match never {
            0 => String::new(),
            n => format!("; {n} would not run"),
        }
    )?;
    Ok(())
}

fn named(list: &List, id: &TaskId) -> String {
    let subject = list.get(id).map_or("", |task| &task.subject);
    let subject: String = clean_line(subject).chars().take(120).collect();
    format!("{}  {subject}", clean_line(id.short()))
}

fn in_words(list: &List, event: &RunEvent, paint: Paint) -> String {
    let word = |tone, word: &str| paint.tone(tone, &format!("{word:<9}"));
    match event {
        RunEvent::Started { id, attempt } => {
            let again = match attempt {
                0 | 1 => String::new(),
                n => format!("  (attempt {n})"),
            };
            format!("{}{}{again}", word(Tone::Busy, "started"), named(list, id))
        }
        RunEvent::Ended {
            id,
            verdict,
            exit,
            ms,
            left_ms,
        } => {
            let (tone, what) = match verdict {
                Verdict::Done => (Tone::Good, "done"),
                Verdict::Retry => (Tone::Warn, "again"),
                Verdict::Failed => (Tone::Warn, "failed"),
                Verdict::Left => (Tone::Dim, "left"),
            };
            let exit = match (verdict, exit) {
                (Verdict::Done, Ending::Exit(0)) => String::new(),
                (_, Ending::Exit(status)) => format!("  (exit {status})"),
                (_, other) => format!("  ({})", other.in_words()),
            };
            let left = left_ms
                .filter(|ms| *ms >= 1000)
                .map_or_else(String::new, |ms| format!("  about {} left", time(ms)));
            let done = progress(list);
            format!(
                "{}{}  {}{exit}  {done}{left}",
                word(tone, what),
                named(list, id),
                time(*ms)
            )
        }
        RunEvent::Stopping { id, why } => {
            format!(
                "{}{}  ({why})",
                word(Tone::Warn, "stopping"),
                named(list, id)
            )
        }
        RunEvent::Released { id } => format!(
            "{}{}  (its runner is gone)",
            word(Tone::Dim, "released"),
            named(list, id)
        ),
        RunEvent::WaitsFor(ids) => {
            let names: Vec<String> = ids.iter().take(3).map(|id| named(list, id)).collect();
            format!(
                "{}others work on {} tasks: {}",
                word(Tone::Dim, "waiting"),
                ids.len(),
                names.join("; ")
            )
        }
        RunEvent::Note(text) => format!("{}{}", word(Tone::Dim, "note"), clean_line(text)),
    }
}

fn progress(list: &List) -> String {
    let is = |status: Status| list.tasks().filter(|task| task.status == status).count();
    let (done, all) = (is(Status::Completed), list.len() - is(Status::Deleted));
    format!("{done}/{all}")
}

fn line_of(list: &List, event: &RunEvent) -> Value {
    let subject = |id: &TaskId| list.get(id).map_or("", |task| &task.subject).to_owned();
    let mut line = match event {
        RunEvent::Started { id, attempt } => {
            json!({"event": "started", "id": id.as_str(), "subject": subject(id), "attempt": attempt})
        }
        RunEvent::Ended {
            id,
            verdict,
            exit,
            ms,
            left_ms,
        } => {
            let verdict = match verdict {
                Verdict::Done => "done",
                Verdict::Retry => "retry",
                Verdict::Failed => "failed",
                Verdict::Left => "left",
            };
            let mut line = json!({"event": "ended", "id": id.as_str(), "subject": subject(id), "verdict": verdict, "exit": exit.to_value(), "ms": ms});
            if let Some(left) = left_ms {
                line["left_ms"] = json!(left);
            }
            line
        }
        RunEvent::Stopping { id, why } => {
            json!({"event": "stopping", "id": id.as_str(), "why": why})
        }
        RunEvent::Released { id } => json!({"event": "released", "id": id.as_str()}),
        RunEvent::WaitsFor(ids) => {
            let ids: Vec<&str> = ids.iter().map(TaskId::as_str).collect();
            json!({"event": "waiting", "ids": ids})
        }
        RunEvent::Note(text) => json!({"event": "note", "text": text}),
    };
    line["at"] = json!(now_ms());
    line
}

fn summary_line(summary: &Summary) -> Value {
    json!({
        "event": "summary", "at": now_ms(), "done": summary.done, "failed": summary.failed,
        "retried": summary.retried, "open": summary.open, "wall_ms": summary.wall_ms,
        "work_ms": summary.work_ms, "critical_ms": summary.critical_ms, "stuck": summary.stuck,
    })
}

fn summary_in_words(summary: &Summary) -> String {
    let mut text = format!(
        "{} done, {} failed, {} tried again, {} open; {} wall, {} of work, critical path {}, speed-up {:.1}",
        summary.done,
        summary.failed,
        summary.retried,
        summary.open,
        time(summary.wall_ms),
        time(summary.work_ms),
        time(summary.critical_ms),
        summary.speed_up()
    );
    for why in &summary.stuck {
        text.push_str("\nstuck: ");
        text.push_str(&clean_line(why));
    }
    text
}

fn time(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{:.1} s", ms as f64 / 1000.0),
        60_000..3_600_000 => format!("{}m {:02}s", ms / 60_000, ms / 1000 % 60),
        _ => format!("{}h {:02}m", ms / 3_600_000, ms / 60_000 % 60),
    }
}

fn verdict(summary: &Summary) -> Result<(), Failure> {
    if let Some(why) = summary.stuck.first() {
        let more = match summary.stuck.len() {
            1 => String::new(),
            n => format!(" (and {} more reasons)", n - 1),
        };
        return Err(Failure::new(
            "stuck",
            format!("{} tasks cannot be done: {why}{more}", summary.open),
        ));
    }
    if summary.failed > 0 {
        let what = format!("{} tasks failed", summary.failed);
        return Err(Failure::new("task_failed", what));
    }
    if summary.open > 0 {
        let what = format!("ended with {} tasks open", summary.open);
        return Err(Failure::new("interrupted", what));
    }
    Ok(())
}
