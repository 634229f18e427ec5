use super::{About, Action, Choice, Confirm, Effect, Layer, Menu, Model, More};
use crate::store::doctor::{Cure, Facts, Finding, Severity, diagnose, in_numbers};

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
        let title = match findings.len() {
            0 => "Problems: there are none".to_owned(),
            _ => format!("Problems: {}", in_numbers(&findings)),
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
            detail: match mends(finding, self.read_only) {
                true => "ctrl-r".to_owned(),
                false => String::new(),
            },
            ..Choice::new(format!("{mark} {name}: {}", finding.what), action)
        }
    }
}

/// What it means and what to do; a repair is asked about, and one of task files is then an edit
/// like any other.
fn more(finding: Finding, read_only: bool) -> More {
    let also = mends(&finding, read_only).then(|| {
        let yes = match finding.cure.clone() {
            Some(Cure::Edit(op)) => Action::Act(op),
            _ => Action::Clear(Box::new(finding.clone())),
        };
        Action::Ask(Box::new(Confirm {
            title: format!("Repair {}?", finding.file),
            lines: vec![finding.what.clone(), finding.advice.clone()],
            yes,
        }))
    });
    let by = also.as_ref().map_or("", |_| "ctrl-r: ");
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

fn mends(finding: &Finding, read_only: bool) -> bool {
    finding.cure.is_some() && !read_only
}
