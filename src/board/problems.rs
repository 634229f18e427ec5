use super::{About, Action, Choice, Confirm, Effect, Layer, Menu, Model, More};
use crate::list::Op;
use crate::store::doctor::{Cure, Facts, Finding, Severity, diagnose};

impl Model {
    /// Everything wrong in the list, the worst first; enter goes to the task, a key repairs. What
    /// only the folder shows is asked for, and comes a moment later.
    pub(super) fn open_problems(&mut self) -> Vec<Effect> {
        let menu = self.problems();
        self.layers.push(Layer::Menu(menu));
        vec![Effect::Examine]
    }

    /// Takes over what the folder shows.
    pub(super) fn take_facts(&mut self, facts: Facts) {
        self.facts = facts;
        self.refresh_menus();
    }

    /// The menu of problems as the list is now.
    pub(super) fn problems(&self) -> Menu {
        let findings = self.findings();
        let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
        let title = match findings.len() {
            0 => "Problems: there are none".to_owned(),
            _ => format!(
                "Problems: {} errors, {} warnings, {} notes",
                count(Severity::Error),
                count(Severity::Warning),
                count(Severity::Note)
            ),
        };
        let choices = findings.iter().map(|finding| self.choice_of(finding));
        let mut menu = Menu::new(title, choices.collect());
        menu.about = About::Problems;
        menu.hint = "enter goes there · ctrl-r repairs · esc";
        menu.more = findings
            .into_iter()
            .map(|f| more(f, self.read_only))
            .collect();
        menu
    }

    /// What the doctor says; the worker gives a `threadID` that is to be filled in.
    fn findings(&self) -> Vec<Finding> {
        diagnose(&self.list, &self.facts, "")
    }

    fn choice_of(&self, finding: &Finding) -> Choice {
        let mark = match finding.severity {
            Severity::Error => "✗",
            Severity::Warning => "!",
            Severity::Note => "·",
        };
        let (name, action) = match &finding.task {
            Some(id) => (self.short_name(id), Action::Select(id.clone())),
            None => (finding.file.clone(), Action::Nothing),
        };
        Choice {
            detail: match finding.cure {
                Some(Cure::Edit(_)) => "ctrl-r".to_owned(),
                _ => String::new(),
            },
            ..Choice::new(format!("{mark} {name}: {}", finding.what), action)
        }
    }
}

/// What it means and what to do; a repair of task files is asked about, then it is an edit like
/// any other.
fn more(finding: Finding, read_only: bool) -> More {
    let repair = |op: Op| {
        Action::Ask(Box::new(Confirm {
            title: format!("Repair {}?", finding.file),
            lines: vec![finding.what.clone(), finding.advice.clone()],
            yes: Action::Act(op),
        }))
    };
    let (by, also) = match finding.cure.clone() {
        Some(Cure::Edit(op)) if !read_only => ("ctrl-r: ", Some(repair(op))),
        Some(Cure::ClearTemp | Cure::ClearLock(_) | Cure::RaiseMark(_)) => {
            ("taskdeck doctor --fix: ", None)
        }
        _ => ("", None),
    };
    let at = finding.at.map_or_else(String::new, |at| {
        format!(", line {}, column {}", at.line, at.column)
    });
    let Finding {
        file,
        meaning,
        advice,
        ..
    } = finding;
    More {
        text: format!("{meaning}. → {by}{advice} · {file}{at}"),
        also,
    }
}
