use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

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
        let result = result.text().unwrap_or_else(|| result.compact());
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

/// Puts values in the places of `{name}` in a command's argument. One pass: braces in a value
/// are never looked at again, and names that nobody knows stay. Bytes, because a path need not be
/// text.
pub fn fill_in(argument: &OsStr, values: &[(&str, &OsStr)]) -> OsString {
    let mut filled = Vec::new();
    let mut rest = argument.as_bytes();
    while let Some(open) = rest.iter().position(|byte| *byte == b'{') {
        filled.extend(&rest[..open]);
        rest = &rest[open + 1..];
        let named = |(name, _): &&(&str, &OsStr)| {
            let after = rest.strip_prefix(name.as_bytes());
            after.is_some_and(|after| after.starts_with(b"}"))
        };
        match values.iter().find(named) {
            Some((name, value)) => {
                filled.extend(without_nul(value.as_bytes()));
                rest = &rest[name.len() + 1..];
            }
            None => filled.push(b'{'),
        }
    }
    filled.extend(rest);
    OsString::from_vec(filled)
}

/// No argument of a program can hold a NUL.
fn without_nul(bytes: &[u8]) -> Vec<u8> {
    let parts: Vec<&[u8]> = bytes.split(|byte| *byte == 0).collect();
    parts.join("\u{fffd}".as_bytes())
}
