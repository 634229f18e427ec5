use std::collections::HashMap;
use std::io::{self, Write};

use crate::list::List;
use crate::task::{State, StoredPriority, Task, TaskId};
use crate::text::{clean_line, pad, truncate, width};

/// How to write for people: in colour or not, and how wide.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    /// Whether to colour.
    pub colour: bool,
    /// Columns of the terminal; `None` when nothing is to be cut.
    pub columns: Option<usize>,
}

/// The meanings that have a colour, as SGR codes of the terminal's own palette.
#[derive(Debug, Clone, Copy)]
pub enum Tone {
    /// Can run now.
    Good,
    /// Being worked on.
    Busy,
    /// Waits, or something odd.
    Warn,
    /// Less important.
    Dim,
    /// Stands out.
    Strong,
}

impl Paint {
    /// The text in a tone.
    pub fn tone(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Good => "32",
            Tone::Busy => "36",
            Tone::Warn => "33",
            Tone::Dim => "2",
            Tone::Strong => "1",
        };
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// Tasks as aligned lines: glyph, id, subject, and what there is to say.
    ///
    /// # Errors
    /// When the output is closed.
    pub fn tasks(self, list: &List, tasks: &[&Task], out: &mut impl Write) -> io::Result<()> {
        let short = ShortIds::of(list);
        let ids: Vec<String> = tasks.iter().map(|task| short.short(&task.id)).collect();
        let wide = ids.iter().map(|id| width(id)).max().unwrap_or(0);
        for (task, id) in tasks.iter().zip(&ids) {
            let state = list.state(&task.id).unwrap_or(State::Other);
            let (glyph, tone) = glyph(state);
            let about = about(list, task, state);
            let subject = self.subject(task, wide + 4, width(&about));
            let line = format!(
                "{} {}  {subject}{}",
                self.tone(tone, glyph),
                self.tone(Tone::Dim, &pad(id, wide)),
                if about.is_empty() {
                    about
                } else {
                    format!("  {}", self.tone(Tone::Dim, &about))
                },
            );
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn subject(self, task: &Task, before: usize, after: usize) -> String {
        let subject = clean_line(&task.subject);
        let subject = if subject.trim().is_empty() {
            "(no subject)".into()
        } else {
            subject
        };
        match self.columns {
            Some(columns) => {
                let room = columns.saturating_sub(before + after + 2).max(20);
                truncate(&subject, room).into_owned()
            }
            None => subject.into_owned(),
        }
    }
}

/// The glyph of a state, which says it without colour.
pub fn glyph(state: State) -> (&'static str, Tone) {
    match state {
        State::Ready => ("○", Tone::Good),
        State::Blocked => ("⧗", Tone::Warn),
        State::InProgress => ("▶", Tone::Busy),
        State::Completed => ("✓", Tone::Dim),
        State::Deleted => ("✗", Tone::Dim),
        State::Other => ("?", Tone::Warn),
    }
}

/// Ids in as few characters as name their tasks alone.
pub struct ShortIds<'a> {
    numbered: bool,
    /// How many ids begin with each short form.
    count: HashMap<&'a str, usize>,
}

impl<'a> ShortIds<'a> {
    /// The short forms of a list's ids.
    pub fn of(list: &'a List) -> ShortIds<'a> {
        let mut count: HashMap<&str, usize> = HashMap::new();
        for task in list.tasks() {
            *count.entry(task.id.short()).or_default() += 1;
        }
        ShortIds {
            numbered: list.dialect().is_numbered(),
            count,
        }
    }

    /// The short form of one id, cleaned for people.
    pub fn short(&self, id: &TaskId) -> String {
        let alone = self.count.get(id.short()).is_none_or(|count| *count < 2);
        let shown = if self.numbered || alone {
            id.short()
        } else {
            id.as_str()
        };
        clean_line(shown).into_owned()
    }
}

fn about(list: &List, task: &Task, state: State) -> String {
    let mut parts = Vec::new();
    match &task.priority {
        StoredPriority::Absent => {}
        stored => parts.push(format!(
            "#{}",
            clean_line(stored.as_str().unwrap_or_default())
        )),
    }
    if let Some(owner) = &task.owner {
        parts.push(format!("@{}", clean_line(owner)));
    }
    if state == State::Blocked {
        let blockers = list.open_blockers(&task.id);
        let first = blockers.first().map_or_else(String::new, |blocker| {
            let subject = list
                .get(&blocker.id)
                .map(|t| t.subject.as_str())
                .unwrap_or_default();
            let name = if subject.is_empty() {
                blocker.id.as_str()
            } else {
                subject
            };
            truncate(&clean_line(name), 30).into_owned()
        });
        let more = blockers.len().saturating_sub(1);
        let more = if more > 0 {
            format!(" +{more}")
        } else {
            String::new()
        };
        parts.push(format!("waits for {first}{more}"));
    }
    let opens = list.opens_now(&task.id).len();
    if opens > 0 && matches!(state, State::Ready | State::InProgress) {
        parts.push(format!("→ {opens}"));
    }
    if list
        .warnings(&task.id)
        .iter()
        .any(|warning| warning.code.needs_a_look())
    {
        parts.push("⚠".to_owned());
    }
    parts.join("  ")
}
