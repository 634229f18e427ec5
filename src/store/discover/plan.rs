//! OmO's active plan, read only: `boulder.json` says which, the plan's checklist says how far.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// How far the plan is that OmO works on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanProgress {
    /// The plan's name.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// `active`, `paused` and so on, as `boulder.json` has it.
    pub status: String,
    /// Checked items of the checklist.
    pub done: usize,
    /// All of them.
    pub total: usize,
    /// The first that is open.
    pub next: Option<String>,
}

impl PlanProgress {
    /// The plan for people, in one line.
    pub fn in_words(&self) -> String {
        let PlanProgress {
            name,
            status,
            done,
            total,
            next,
            ..
        } = self;
        let next = next
            .as_ref()
            .map_or_else(String::new, |n| format!(", next: {n}"));
        format!("OmO's plan {name} ({status}): {done}/{total}{next}")
    }
}

/// The active plan of a project, when there is one whose file can be read. OmO keeps its state in
/// `.omo`; before version 4.2 it was `.sisyphus`.
pub(super) fn active(project: &Path) -> Option<PlanProgress> {
    let read = |folder: &str| {
        let bytes = fs::read(project.join(folder).join("boulder.json")).ok()?;
        serde_json::from_slice::<Value>(&bytes).ok()
    };
    let state = read(".omo").or_else(|| read(".sisyphus"))?;
    let work = shown(&state);
    let path = PathBuf::from(work["active_plan"].as_str()?);
    let file = plan_file(project, &path, work["worktree_path"].as_str())?;
    let (done, total, next) = checklist(&fs::read_to_string(&file).ok()?);
    let name = work["plan_name"].as_str().map(str::to_owned);
    Some(PlanProgress {
        name: name.unwrap_or_else(|| {
            path.file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into()
        }),
        file,
        status: work["status"].as_str().unwrap_or("active").to_owned(),
        done,
        total,
        next,
    })
}

/// The work that OmO shows: the active one, else the newest; before version 2 there is only one.
fn shown(state: &Value) -> &Value {
    let Some(works) = state["works"].as_object().filter(|works| !works.is_empty()) else {
        return state;
    };
    let active = state["active_work_id"]
        .as_str()
        .and_then(|id| works.get(id));
    let time = |work: &&Value| {
        let at = work["updated_at"].as_str().or(work["started_at"].as_str());
        at.unwrap_or_default().to_owned()
    };
    active
        .or_else(|| works.values().max_by_key(time))
        .unwrap_or(state)
}

/// In the work's own worktree when the plan is there too, else as it says. A project that was
/// moved since finds the plan under its own folder.
fn plan_file(project: &Path, plan: &Path, worktree: Option<&str>) -> Option<PathBuf> {
    let inside = plan.strip_prefix(project).unwrap_or(plan);
    let in_worktree = worktree.map(|tree| Path::new(tree).join(inside));
    let in_folder = |folder: &str| Some(project.join(folder).join("plans").join(plan.file_name()?));
    let places = [
        in_worktree,
        Some(project.join(plan)),
        in_folder(".omo"),
        in_folder(".sisyphus"),
    ];
    places.into_iter().flatten().find(|path| path.is_file())
}

/// Checked, all, and the first open item of a plan, by OmO's rule: the numbered items under
/// `## TODOs` and `## Final Verification Wave` when there is such a heading, else every checkbox
/// at the start of a line. Code blocks do not count.
fn checklist(text: &str) -> (usize, usize, Option<String>) {
    let lines: Vec<&str> = outside_code(text);
    let structured = lines
        .iter()
        .any(|line| Section::of(line).is_some_and(Section::counts));
    let mut section = if structured {
        Section::Other
    } else {
        Section::Any
    };
    let (mut done, mut total, mut next) = (0, 0, None);
    for line in lines {
        if structured && let Some(new) = Section::of(line) {
            section = new;
            continue;
        }
        let Some((checked, title)) = checkbox(line).filter(|(_, title)| section.takes(title))
        else {
            continue;
        };
        total += 1;
        if checked {
            done += 1;
        } else if next.is_none() {
            next = Some(title.to_owned());
        }
    }
    (done, total, next)
}

fn outside_code(text: &str) -> Vec<&str> {
    let mut fence: Option<&str> = None;
    let outside = |line: &&str| {
        let start = line.trim_start();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, Some(mark)) => fence = Some(mark),
            (None, None) => return true,
            (Some(_), _) => {}
        }
        false
    };
    text.lines().filter(outside).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// There are no sections; every item counts.
    Any,
    Todos,
    Wave,
    Other,
}

impl Section {
    /// The section that a heading of the first two levels starts.
    fn of(line: &str) -> Option<Section> {
        let title = line
            .strip_prefix("## ")
            .or_else(|| line.strip_prefix("# "))?;
        let (title, second) = (title.trim().to_lowercase(), line.starts_with("## "));
        Some(match title.as_str() {
            "todos" if second => Section::Todos,
            "final verification wave" if second => Section::Wave,
            _ => Section::Other,
        })
    }

    fn counts(self) -> bool {
        matches!(self, Section::Todos | Section::Wave)
    }

    /// Whether an item counts here: `1. title` among the todos, `F1. title` in the wave.
    fn takes(self, title: &str) -> bool {
        let numbered = |title: &str| {
            let digits = title.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
            digits > 0 && title[digits..].starts_with(". ")
        };
        match self {
            Section::Any => true,
            Section::Todos => numbered(title),
            Section::Wave => title.strip_prefix(['F', 'f']).is_some_and(numbered),
            Section::Other => false,
        }
    }
}

fn checkbox(line: &str) -> Option<(bool, &str)> {
    let item = line
        .strip_prefix("- ")
        .or_else(|| line.strip_prefix("* "))?;
    let (mark, title) = (item.get(..4)?, item.get(4..)?);
    match mark {
        "[ ] " => Some((false, title.trim())),
        "[x] " | "[X] " => Some((true, title.trim())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::checklist;

    #[test]
    fn the_checklist_counts_as_omo_counts_it() {
        let plain =
            "# Plan\n- [x] one\n- [ ] two\n  - [ ] nested\n```\n- [ ] code\n```\n* [X] three\n";
        assert_eq!(checklist(plain), (2, 3, Some("two".to_owned())));
        let structured = "## TODOs\n- [x] 1. one\n- [ ] loose\n- [ ] 2. two\n### still\n- [ ] 3. three\n\
                          ## Notes\n- [ ] 4. no\n## Final Verification Wave\n- [x] F1. all\n- [ ] 5. no\n";
        assert_eq!(checklist(structured), (2, 4, Some("2. two".to_owned())));
        assert_eq!(checklist("nothing to do"), (0, 0, None));
    }
}
