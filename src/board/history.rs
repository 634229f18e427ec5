use std::sync::Arc;

use super::{Action, Choice, Effect, Layer, Menu, Model};
use crate::list::{Op, Plan};
use crate::state::KeptEdit;

/// The edits of this board and its earlier runs, oldest first. Undo takes the latest back that
/// stands; redo makes the latest again that was taken back since.
#[derive(Debug, Clone, Default)]
pub struct History {
    edits: Vec<KeptEdit>,
    redo: Vec<KeptEdit>,
}

impl History {
    /// The edits of earlier runs.
    pub(super) fn of(kept: Vec<KeptEdit>) -> History {
        let (redo, edits) = kept.into_iter().partition(|edit| edit.undone);
        History { edits, redo }
    }

    /// The edit that undo takes back.
    pub fn last(&self) -> Option<&KeptEdit> {
        self.edits.last()
    }

    /// The edit that redo makes again.
    pub fn last_undone(&self) -> Option<&KeptEdit> {
        self.redo.last()
    }

    /// All edits: those that stand, oldest first, then those taken back.
    pub fn all(&self) -> impl Iterator<Item = &KeptEdit> {
        self.edits.iter().chain(&self.redo)
    }

    /// Notes what was carried out: an edit, or what takes one back or makes it again.
    fn note(&mut self, plan: Plan, what: String, at_ms: i64) {
        let target = match &plan.op {
            Op::Undo(done) | Op::UndoRest(done) => Some(Arc::clone(done)),
            _ => None,
        };
        let place = |edits: &[KeptEdit]| {
            let target = target.as_ref()?;
            edits
                .iter()
                .position(|edit| Arc::ptr_eq(&edit.plan, target))
        };
        let plan = Arc::new(Plan {
            relied_on: Vec::new(), // what it was planned on need not be kept
            ..plan
        });
        if let Some(at) = place(&self.edits) {
            let old = self.edits.remove(at);
            self.redo.push(KeptEdit {
                plan,
                undone: true,
                ..old
            });
        } else if let Some(at) = place(&self.redo) {
            let old = self.redo.remove(at);
            self.edits.push(KeptEdit {
                plan,
                undone: false,
                at_ms,
                ..old
            });
        } else {
            self.redo.clear();
            self.edits.push(KeptEdit {
                plan,
                what,
                at_ms,
                undone: false,
            });
        }
    }
}

impl Model {
    pub(super) fn note_edit(&mut self, plan: Plan, what: String) {
        if plan.changes.is_empty() {
            return;
        }
        self.history.note(plan, what, self.now_ms);
        self.state.keep_edits(self.history.all());
    }

    pub(super) fn undo(&mut self) -> Vec<Effect> {
        let last = self.history.last().map(|edit| Arc::clone(&edit.plan));
        last.map_or_else(Vec::new, |plan| self.act(Op::Undo(plan)))
    }

    pub(super) fn redo(&mut self) -> Vec<Effect> {
        let last = self
            .history
            .last_undone()
            .map(|edit| Arc::clone(&edit.plan));
        last.map_or_else(Vec::new, |plan| self.act(Op::Undo(plan)))
    }

    /// Every edit, the latest first; choosing one takes it back, or makes it again.
    pub(super) fn open_edits(&mut self) {
        let choice = |edit: &KeptEdit| {
            let minutes = (self.now_ms - edit.at_ms).max(0) / 60_000;
            let age = match (minutes, minutes / 60) {
                (0, _) => "just now".to_owned(),
                (minutes, 0) => format!("{minutes}m ago"),
                (_, hours @ 1..48) => format!("{hours}h ago"),
                (_, hours) => format!("{}d ago", hours / 24),
            };
            let state = if edit.undone { "taken back  " } else { "" };
            Choice {
                detail: format!("{state}{age}"),
                ..Choice::new(
                    edit.what.clone(),
                    Action::Act(Op::Undo(Arc::clone(&edit.plan))),
                )
            }
        };
        let mut edits: Vec<&KeptEdit> = self.history.all().collect();
        edits.reverse();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.at_ms));
        let choices: Vec<Choice> = edits.into_iter().map(choice).collect();
        let title = "Edits: enter takes one back, or makes it again";
        self.layers.push(Layer::Menu(Menu::new(title, choices)));
    }
}
