use std::fmt::Write as _;

use crate::list::List;
use crate::task::{Json, Task};

/// What a worker gets on its standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feed {
    /// The task in words, for an agent.
    Prompt,
    /// The task's file.
    Json,
    /// Nothing.
    Nothing,
}

/// The task in words: what is to be done, and what its finished blockers left for it.
pub fn prompt(list: &List, task: &Task) -> String {
    let mut text = format!("{}\n", task.subject);
    if !task.description.trim().is_empty() {
        let _ = write!(text, "\n{}\n", task.description.trim_end());
    }
    let blockers = list.blockers(&task.id);
    let finished = blockers.iter().filter_map(|id| list.get(id));
    let results: Vec<(&str, Json)> = finished
        .filter(|blocker| blocker.status.is_closed())
        .filter_map(|blocker| Some((blocker.subject.as_str(), result_of(blocker)?)))
        .collect();
    if !results.is_empty() {
        text.push_str("\nWhat the tasks before it left for it:\n");
    }
    for (subject, result) in results {
        let value = || result.parse().map(|value| value.to_string());
        let result = result.text().or_else(value).unwrap_or_default();
        let _ = writeln!(text, "- {subject}: {result}");
    }
    let _ = write!(
        text,
        "\nThis is task {} of a task list. If it cannot be done, say why and do not complete it.\n",
        task.id
    );
    text
}

fn result_of(task: &Task) -> Option<Json> {
    let members = task.metadata.as_ref()?.members()?;
    let (_, value) = members.into_iter().find(|(key, _)| key == "result")?;
    Some(value)
}

/// Puts values in the places of `{name}` in a command's arguments. One pass: braces in a value
/// are never looked at again, and names that nobody knows stay.
pub fn fill_in(argument: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = argument;
    while let Some(open) = rest.find('{') {
        filled.push_str(&rest[..open]);
        rest = &rest[open..];
        let value = values.iter().find(|(name, _)| {
            rest[1..].starts_with(name) && rest[1 + name.len()..].starts_with('}')
        });
        match value {
            Some((name, value)) => {
                // No argument of a program can hold a NUL.
                filled.extend(
                    value
                        .chars()
                        .map(|c| if c == '\0' { '\u{fffd}' } else { c }),
                );
                rest = &rest[name.len() + 2..];
            }
            None => {
                filled.push('{');
                rest = &rest[1..];
            }
        }
    }
    filled + rest
}
