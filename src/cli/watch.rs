//! `watch`: what happens to the tasks, as it happens.

use std::io::{self, Write};
use std::sync::mpsc::channel;

use serde::Serialize;
use serde_json::value::RawValue;

use super::failure::Failure;
use super::paint::{Paint, Tone};
use super::session::{Session, now_ms};
use crate::list::{Event, EventKind};
use crate::store::watch::{WatchEvent, WatchStatus};
use crate::task::Json;
use crate::text::clean_line;

/// How to watch.
pub struct Watching {
    /// One JSON object per line.
    pub jsonl: bool,
    /// The end, after so many changes.
    pub count: Option<usize>,
}

/// `watch`
pub fn watch(
    session: &mut Session,
    how: &Watching,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (send, events) = channel();
    let mode = session.watch_mode();
    let watcher = session.store.watch(mode, move |event| {
        // The receiver is gone only when the command ends.
        let _ = send.send(event);
    });
    let mut list = session.load()?;
    writeln!(
        session.global.talk(),
        "watching {}",
        clean_line(&session.where_())
    )?;
    let mut left = how.count;
    for event in events {
        match event {
            WatchEvent::Status(status) => tell(session, &status)?,
            WatchEvent::Files(files) => {
                let delta = list.apply(files);
                let changed: Vec<_> = delta.added.iter().chain(&delta.changed).collect();
                let tasks: Vec<_> = changed
                    .iter()
                    .filter_map(|id| list.get(id))
                    .map(AsRef::as_ref)
                    .collect();
                session.state.observe(&tasks, now_ms(), true);
                for event in &delta.events {
                    if left == Some(0) {
                        break;
                    }
                    print(event, how.jsonl || session.global.json, paint, out)?;
                    left = left.map(|n| n - 1);
                }
                out.flush()?;
            }
        }
        if left == Some(0) {
            break;
        }
    }
    drop(watcher);
    Ok(())
}

fn tell(session: &Session, status: &WatchStatus) -> io::Result<()> {
    match status {
        WatchStatus::Live => Ok(()),
        WatchStatus::Polling { why } => writeln!(
            session.global.talk(),
            "looking every two seconds: {}",
            clean_line(why)
        ),
        WatchStatus::Stale { why } => writeln!(io::stderr(), "cannot look: {}", clean_line(why)),
    }
}

fn print(event: &Event, jsonl: bool, paint: Paint, out: &mut impl Write) -> io::Result<()> {
    if jsonl {
        return writeln!(out, "{}", serde_json::to_string(&line(event))?);
    }
    let tone = match event.kind {
        EventKind::Completed | EventKind::Unblocked => Tone::Good,
        EventKind::Started => Tone::Busy,
        EventKind::Blocked | EventKind::Vanished | EventKind::Problem => Tone::Warn,
        _ => Tone::Dim,
    };
    let kind = paint.tone(tone, &format!("{:<9}", event.kind.as_str()));
    let id = clean_line(event.id.short()).into_owned();
    let owner = event
        .owner
        .as_ref()
        .map_or_else(String::new, |o| format!("  @{}", clean_line(o)));
    let told = match event.kind {
        EventKind::Updated => format!("  {}", clean_line(&event.fields_in_words())),
        _ => String::new(),
    };
    writeln!(
        out,
        "{kind} {}  {}{owner}{}",
        paint.tone(Tone::Dim, &id),
        clean_line(&event.subject),
        paint.tone(Tone::Dim, &told)
    )
}

/// One line of `watch --jsonl`.
#[derive(Serialize)]
struct EventLine<'a> {
    time: String,
    event: &'static str,
    #[serde(flatten)]
    about: About<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<ChangeLine<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum About<'a> {
    Task { id: &'a str, subject: &'a str },
    File { file: &'a str, message: &'a str },
}

/// A field with its values as the file has them.
#[derive(Serialize)]
struct ChangeLine<'a> {
    field: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Box<RawValue>>,
}

fn line(event: &Event) -> EventLine<'_> {
    let (name, text) = (event.id.as_str(), event.subject.as_str());
    let about = match event.kind {
        EventKind::Problem => About::File {
            file: name,
            message: text,
        },
        _ => About::Task {
            id: name,
            subject: text,
        },
    };
    let exact = |value: &Option<Json>| {
        let text = value.as_ref()?.as_str().to_owned();
        RawValue::from_string(text).ok()
    };
    let changes = event.fields.iter().map(|change| ChangeLine {
        field: &change.field,
        from: exact(&change.from),
        to: exact(&change.to),
    });
    EventLine {
        time: rfc3339(now_ms()),
        event: event.kind.as_str(),
        about,
        from: event.from.as_deref(),
        to: event.to.as_deref(),
        owner: event.owner.as_deref(),
        actor: event.actor(),
        changes: changes.collect(),
    }
}

/// A time as RFC 3339 in UTC, to the millisecond. The date follows from the count of days by the
/// rules of the Gregorian calendar, in eras of 400 years that begin on 1 March.
fn rfc3339(ms: i64) -> String {
    let (days, of_day) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute) = (of_day / 3_600_000, of_day / 60_000 % 60);
    let (second, ms) = (of_day / 1_000 % 60, of_day % 1_000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn times_are_written_in_utc() {
        for (ms, right) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_796_083_200_123, "2026-12-01T00:00:00.123Z"),
        ] {
            assert_eq!(rfc3339(ms), right);
        }
    }
}
