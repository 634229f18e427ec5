//! Our part of a client's instructions file, between two markers, so that it can be found again.

const BEGIN: &str = "<!-- taskdeck: begin (written by `taskdeck init`) -->";
const END: &str = "<!-- taskdeck: end -->";

const TEXT: &str = "\
## Tasks

Keep the plan in taskdeck's task list (MCP server `taskdeck`); people watch it live.
Plan with `task_bulk_create`, take work with `task_claim`, say what runs with `task_update`
(`activeForm`), set `status` to `completed` as soon as a task is done, and use `task_wait`
when nothing is ready. `task_why` says what blocks a task.";

/// The text with our part at its end; one that holds it already stays as it is.
pub fn add(text: &str) -> String {
    if text.contains(BEGIN) {
        return text.to_owned();
    }
    let gap = match text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    format!("{text}{gap}{BEGIN}\n{TEXT}\n{END}\n")
}

/// The text without our part and the empty line before it; `None` when nothing is left.
pub fn remove(text: &str) -> Option<String> {
    let part = text.find(BEGIN).and_then(|start| {
        let end = text[start..].find(END)? + start + END.len();
        Some((start, end))
    });
    let Some((start, end)) = part else {
        return Some(text.to_owned());
    };
    let before = text[..start].strip_suffix('\n').unwrap_or(&text[..start]);
    let after = text[end..].strip_prefix('\n').unwrap_or(&text[end..]);
    let kept = [before, after].concat();
    (!kept.is_empty()).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::{add, remove};

    #[test]
    fn our_part_comes_once_and_goes_without_a_trace() {
        for text in ["# Rules\n\nBe kind.\n", "one line\n"] {
            let with = add(text);
            assert!(with.starts_with(text) && with.contains("task_claim"));
            assert_eq!(add(&with), with);
            assert_eq!(remove(&with).as_deref(), Some(text));
            let later = format!("{with}\nmore\n");
            assert_eq!(remove(&later).unwrap(), format!("{text}\nmore\n"));
        }
        assert_eq!(remove(&add("")), None);
        assert_eq!(remove("untouched").as_deref(), Some("untouched"));
    }
}
