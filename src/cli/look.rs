//! The commands that only look at one list: `list`, `ready`, `get`, `why`.

use std::io::{self, Write};
use std::mem::ManuallyDrop;

use serde_json::{Value, json};

use super::answer;
use super::args::ListArgs;
use super::change::resolve_all;
use super::failure::Failure;
use super::paint::{Paint, ShortIds, Tone, glyph};
use super::session::Session;
use crate::list::{List, Query};
use crate::task::{State, Task, TaskId};
use crate::text::{clean_block, clean_line};

/// `list`
pub fn list(
    session: &mut Session,
    args: &ListArgs,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    // The process is about to end: it need not take the list apart first.
    let list = ManuallyDrop::new(session.load()?);
    let query = Query::parse(&args.filter.join(" "));
    let wanted = |task: &&Task| {
        let closed = task.status.is_closed();
        let status = match args.status.as_slice() {
            [] => args.all || !closed || query.asks_for_closed(),
            statuses => statuses.iter().any(|s| s == task.status.as_str()),
        };
        let owner = args
            .owner
            .as_deref()
            .is_none_or(|o| task.owner.as_deref() == Some(o));
        status && owner && query.matches(&list, task)
    };
    let tasks: Vec<&Task> = list
        .ordered()
        .into_iter()
        .map(AsRef::as_ref)
        .filter(wanted)
        .collect();
    print_tasks(session, &list, &tasks, "no tasks", paint, out)
}

/// `ready`
pub fn ready(session: &mut Session, paint: Paint, out: &mut impl Write) -> Result<(), Failure> {
    let list = ManuallyDrop::new(session.load()?);
    let tasks: Vec<&Task> = list.ready().into_iter().map(AsRef::as_ref).collect();
    print_tasks(session, &list, &tasks, "nothing is ready", paint, out)
}

fn print_tasks(
    session: &Session,
    list: &List,
    tasks: &[&Task],
    none: &str,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if session.global.json {
        let answer = answer::Tasks::of(session, list, tasks);
        serde_json::to_writer(&mut *out, &answer).map_err(io::Error::from)?;
        return Ok(writeln!(out)?);
    }
    paint.tasks(list, tasks, out)?;
    let (mut talk, mut trouble) = (session.global.talk(), io::stderr().lock());
    if tasks.is_empty() {
        writeln!(
            talk,
            "{none} in {} ({})",
            clean_line(&session.where_()),
            session.discovery.chosen.reason
        )?;
    }
    let notes = session
        .discovery
        .notes
        .iter()
        .cloned()
        .chain(session.store.note());
    for note in notes {
        writeln!(talk, "note: {}", clean_line(&note))?;
    }
    for problem in list.problems() {
        let (file, message) = (clean_line(&problem.file), clean_line(&problem.message));
        writeln!(trouble, "problem: {file}: {message} ({})", problem.code)?;
    }
    for ring in list.cycles() {
        let names: Vec<String> = ring
            .iter()
            .map(|id| clean_line(&list.name(id)).into_owned())
            .collect();
        writeln!(
            trouble,
            "cycle: {} wait for each other and can never start",
            names.join(", ")
        )?;
    }
    Ok(())
}

/// `get`
pub fn get(
    session: &mut Session,
    texts: &[String],
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let list = session.load()?;
    let ids = resolve_all(session, &list, texts)?;
    for (place, task) in ids.iter().filter_map(|id| list.get(id)).enumerate() {
        if session.global.json {
            writeln!(out, "{}", get_json(&list, task))?;
            continue;
        }
        if place > 0 {
            writeln!(out)?;
        }
        get_text(&list, task, paint, out)?;
    }
    Ok(())
}

/// The file's own fields pass as they are; only invalid UTF-8 becomes U+FFFD.
fn get_json(list: &List, task: &Task) -> String {
    let own = String::from_utf8_lossy(&task.raw);
    let own = own.trim_start_matches('\u{feff}').trim();
    let blockers: Vec<Value> = list
        .open_blockers(&task.id)
        .iter()
        .map(|b| json!({"id": b.id.as_str(), "reason": format!("{}: {}", list.name(&b.id), b.message)}))
        .collect();
    let warnings: Vec<Value> = list
        .warnings(&task.id)
        .iter()
        .map(|w| json!({"code": w.code.as_str(), "message": w.message}))
        .collect();
    let state = list.state(&task.id).map_or("other", State::as_str);
    let unblocks = json!(answer::texts(&list.opens_now(&task.id)));
    format!(
        "{{\"task\":{own},\"state\":{},\"openBlockers\":{},\"unblocks\":{unblocks},\"warnings\":{}}}",
        json!(state),
        json!(blockers),
        json!(warnings),
    )
}

fn get_text(list: &List, task: &Task, paint: Paint, out: &mut impl Write) -> io::Result<()> {
    let state = list.state(&task.id).unwrap_or(State::Other);
    let (mark, tone) = glyph(state);
    let subject = clean_line(&task.subject);
    writeln!(
        out,
        "{} {}",
        paint.tone(tone, mark),
        paint.tone(Tone::Strong, &subject)
    )?;
    let mut line = |name: &str, value: &str| {
        writeln!(
            out,
            "  {} {}",
            paint.tone(Tone::Dim, &format!("{name:<12}")),
            clean_line(value)
        )
    };
    line("id", task.id.as_str())?;
    line(
        "status",
        &format!(
            "{} ({})",
            task.status.as_str(),
            state.title().to_lowercase()
        ),
    )?;
    let parent = task.parent_id.as_ref().map(TaskId::as_str);
    for (name, value) in [
        ("doing", task.active_form.as_deref()),
        ("owner", task.owner.as_deref()),
        ("priority", task.priority.as_str()),
        ("parent", parent),
        ("repository", task.repo_url.as_deref()),
        ("thread", task.thread_id.as_deref()),
        ("metadata", task.metadata.as_ref().map(|m| m.as_str())),
    ] {
        if let Some(value) = value {
            line(name, value)?;
        }
    }
    for blocker in list.open_blockers(&task.id) {
        line(
            "waits for",
            &format!("{}: {}", list.name(&blocker.id), blocker.message),
        )?;
    }
    for id in list.dependants(&task.id) {
        line("blocks", &list.name(&id))?;
    }
    for id in list.opens_now(&task.id) {
        line("will free", &list.name(&id))?;
    }
    for warning in list.warnings(&task.id) {
        line(
            "warning",
            &format!("{} ({})", warning.message, warning.code),
        )?;
    }
    if !task.description.is_empty() {
        writeln!(out)?;
        for text in clean_block(&task.description).lines() {
            writeln!(out, "  {text}")?;
        }
    }
    Ok(())
}

/// So many levels of a chain are indented; a line far down would be mostly space, and a chain of
/// 100,000 tasks gigabytes of it.
const DEEPEST: usize = 40;

/// `why`
pub fn why(
    session: &mut Session,
    text: &str,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let list = session.load()?;
    let id = session.resolve(&list, text)?;
    let why = list.why(&id);
    if session.global.json {
        let lines: Vec<Value> = why
            .lines
            .iter()
            .map(|l| {
                let subject = list.get(&l.id).map(|t| t.subject.as_str()).unwrap_or_default();
                json!({"id": l.id.as_str(), "subject": subject, "depth": l.depth, "reason": l.reason, "seen": l.seen})
            })
            .collect();
        writeln!(out, "{}", json!({"id": id.as_str(), "chain": lines}))?;
        return Ok(());
    }
    let short = ShortIds::of(&list);
    let mut open_branches: Vec<bool> = Vec::new();
    for line in &why.lines {
        open_branches.truncate(line.depth.saturating_sub(1));
        let left_out = open_branches.len().saturating_sub(DEEPEST);
        let start = if left_out > 0 { "… " } else { "" };
        let stem = open_branches[left_out..]
            .iter()
            .fold(start.to_owned(), |stem, open| {
                stem + if *open { "│  " } else { "   " }
            });
        let branch = match (line.depth, line.last) {
            (0, _) => "",
            (_, true) => "└─ ",
            (_, false) => "├─ ",
        };
        let subject = list
            .get(&line.id)
            .map_or_else(|| "(no such file)".to_owned(), |t| t.subject.clone());
        let id = short.short(&line.id);
        let reason = if line.reason.is_empty() {
            String::new()
        } else {
            format!("  {}", line.reason)
        };
        let seen = if line.seen { "  (shown above)" } else { "" };
        let about = paint.tone(Tone::Dim, &clean_line(&format!("{id}{reason}{seen}")));
        let (mark, tone) = glyph(list.state(&line.id).unwrap_or(State::Other));
        writeln!(
            out,
            "{stem}{branch}{} {}  {about}",
            paint.tone(tone, mark),
            clean_line(&subject)
        )?;
        if line.depth > 0 {
            open_branches.push(!line.last);
        }
    }
    if why.lines.len() == 1 {
        writeln!(session.global.talk(), "nothing blocks it")?;
    }
    Ok(())
}
