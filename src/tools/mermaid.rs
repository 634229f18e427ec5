//! The dependency graph as a Mermaid flowchart, which agents and Markdown viewers draw.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::list::List;
use crate::task::{State, TaskId};
use crate::text::clean_line;

/// The tasks that are to be shown, and what waits for what; an arrow points to what waits.
pub fn mermaid(list: &List, is_shown: impl Fn(&TaskId) -> bool) -> String {
    let shown: Vec<_> = list.tasks().filter(|task| is_shown(&task.id)).collect();
    let names: HashMap<&TaskId, usize> = shown.iter().zip(0..).map(|(t, n)| (&t.id, n)).collect();
    let rings = list.cycles();
    let of_ring = |(number, ring)| <[TaskId]>::iter(ring).map(move |id| (id, number));
    let rings = (0..).zip(rings.iter().map(Vec::as_slice));
    let ring_of: HashMap<&TaskId, usize> = rings.flat_map(of_ring).collect();
    let mut chart = String::from("flowchart LR\n");
    for (task, n) in shown.iter().zip(0..) {
        let state = list.state(&task.id).unwrap_or(State::Other);
        let label = label(&task.subject, task.id.short());
        let _ = writeln!(chart, "  n{n}[\"{label}\"]:::{}", state.as_str());
    }
    for (task, n) in shown.iter().zip(0..) {
        let waiting = list.dependants(&task.id);
        for (id, other) in waiting.iter().filter_map(|id| Some((id, names.get(id)?))) {
            let ring = ring_of.get(&task.id);
            let line = if ring.is_some() && ring == ring_of.get(id) {
                "-.->"
            } else {
                "-->"
            };
            let _ = writeln!(chart, "  n{n} {line} n{other}");
        }
    }
    for (state, look) in LOOKS {
        let _ = writeln!(chart, "  classDef {} {look}", state.as_str());
    }
    chart
}

const LOOKS: [(State, &str); 4] = [
    (State::Ready, "stroke:#2e7d32,stroke-width:2px"),
    (State::Blocked, "stroke-dasharray:4 3"),
    (State::InProgress, "stroke:#1565c0,stroke-width:3px"),
    (State::Completed, "opacity:0.6"),
];

/// A subject as a quoted label: what would end it or start markup becomes an entity.
fn label(subject: &str, id: &str) -> String {
    let text = clean_line(if subject.is_empty() { id } else { subject }).into_owned();
    let mut label = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '#' | '<' | '>' | '&' | '`' | '\\' => {
                let _ = write!(label, "#{};", u32::from(c));
            }
            c => label.push(c),
        }
    }
    label
}
