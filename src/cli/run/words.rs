//! What happens while a list is worked off: a line for people, an object for machines.

use serde_json::{Value, json};

use crate::cli::paint::{Paint, Tone};
use crate::cli::session::now_ms;
use crate::list::List;
use crate::run::{Ending, RunEvent, Summary, Verdict};
use crate::task::{Status, TaskId};
use crate::text::{clean_line, count};

pub(super) fn named(list: &List, id: &TaskId) -> String {
    let subject = list.get(id).map_or("", |task| &task.subject);
    let subject: String = clean_line(subject).chars().take(120).collect();
    format!("{}  {subject}", clean_line(id.short()))
}

pub(super) fn in_words(list: &List, event: &RunEvent, paint: Paint) -> String {
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
                "{}others work on {}: {}",
                word(Tone::Dim, "waiting"),
                count(ids.len(), "task"),
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

pub(super) fn line_of(list: &List, event: &RunEvent) -> Value {
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

pub(super) fn summary_line(summary: &Summary) -> Value {
    json!({
        "event": "summary", "at": now_ms(), "done": summary.done, "failed": summary.failed,
        "retried": summary.retried, "open": summary.open, "wall_ms": summary.wall_ms,
        "work_ms": summary.work_ms, "critical_ms": summary.critical_ms, "stuck": summary.stuck,
    })
}

pub(super) fn summary_in_words(summary: &Summary) -> String {
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
