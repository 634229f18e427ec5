use std::sync::Arc;

use super::{Action, Choice, Effect, Form, Layer, Menu, Model, Outcome, Tone};
use crate::list::{Change, Op, Plan};
use crate::state::Heard;
use crate::task::{Edit, Field, TaskId, Warning};

impl Model {
    /// Sends a wish out. A write never makes the screen wait.
    pub(super) fn act(&mut self, op: Op) -> Vec<Effect> {
        self.pending += 1;
        vec![Effect::Act(Box::new(op))]
    }

    /// A write ended: what was written is taken over, and undo knows of it.
    pub(super) fn done(&mut self, outcome: Outcome) {
        self.pending = self.pending.saturating_sub(1);
        self.waiting_for = None;
        match outcome {
            Outcome::Committed {
                plan,
                files,
                warnings,
                heard,
            } => {
                if let Some(held) = &mut self.frozen {
                    // What was written here is seen at once, and newer than what was held back.
                    held.retain(|earlier| files.iter().all(|file| file.name != earlier.name));
                }
                self.take_files(files);
                self.forget_vanished(&plan);
                self.tell_done(&plan, &warnings, &heard);
                self.heard.extend(heard);
                let what = self.in_words(&plan);
                self.note_edit(*plan, what);
            }
            Outcome::Failed { op, why, conflict } => self.failed(*op, why, conflict),
        }
    }

    fn tell_done(
        &mut self,
        plan: &Plan,
        warnings: &[(TaskId, Warning)],
        heard: &[(String, Heard)],
    ) {
        if let Some((id, warning)) = warnings.first() {
            let text = format!("{}: {}", self.list.name(id), warning.message);
            self.say(Tone::Warning, text);
        } else if plan.changes.is_empty() {
            self.say(Tone::Done, "nothing to change: it is so already");
        } else {
            let reach = heard
                .iter()
                .map(|(name, heard)| reach_in_words(name, *heard));
            let text = self.in_words(plan) + &reach.collect::<String>();
            self.say(Tone::Done, text);
        }
        if let Op::Create(_) | Op::Split { .. } = plan.op
            && let Some(id) = plan.subjects.first()
        {
            self.select(&id.clone());
        }
    }

    fn in_words(&self, plan: &Plan) -> String {
        let name = self.in_short(&plan.subjects);
        match &plan.op {
            Op::Create(_) => format!("made {name}"),
            Op::Delete(_) => format!("deleted {name} (u brings it back)"),
            Op::Split { into, .. } => format!("split into {}", into.len()),
            Op::Undo(_) | Op::UndoRest(_) => format!("taken back: {name}"),
            Op::Move { .. } => format!("moved {name} (steers taskdeck's tools at once)"),
            _ => format!("saved {name}{}", edited(plan)),
        }
    }

    fn failed(&mut self, op: Op, why: String, conflict: bool) {
        if let (Op::Undo(plan), true) = (&op, conflict) {
            let rest = Action::Act(Op::UndoRest(Arc::clone(plan)));
            let choices = vec![
                Choice::new("Keep everything as it is", Action::Nothing),
                Choice::new("Take back only what still stands", rest),
            ];
            self.layers.push(Layer::Menu(Menu::new(why, choices)));
            return;
        }
        self.say(Tone::Error, why);
    }

    /// Saves a form: a new task, or the fields that were changed. What an agent wrote meanwhile
    /// into one of them is shown first.
    pub(super) fn save(&mut self, mut form: Box<Form>) -> Vec<Effect> {
        if form
            .typed(super::form::What::Field(Field::Subject))
            .trim()
            .is_empty()
        {
            self.say(Tone::Error, "a task needs a subject");
            self.layers.push(Layer::Form(form));
            return Vec::new();
        }
        if form.meets_conflict(&self.list) {
            self.say(
                Tone::Warning,
                "somebody changed this meanwhile: ctrl-s keeps yours, esc keeps theirs",
            );
            self.layers.push(Layer::Form(form));
            return Vec::new();
        }
        if let Err(refusal) = form.name_tasks(&self.list) {
            self.say(Tone::Error, format!("{}; tab completes", refusal.what));
            self.layers.push(Layer::Form(form));
            return Vec::new();
        }
        match form.task.clone() {
            None => {
                let task = super::create::new_task(&form);
                self.act(Op::Create(vec![task]))
            }
            Some(id) => {
                let edits = form.edits();
                if edits.is_empty() {
                    Vec::new()
                } else {
                    self.edit(&id, edits)
                }
            }
        }
    }
}

/// Whether an edit reaches an agent at work, which does not see a file change by itself.
fn reach_in_words(agent: &str, heard: Heard) -> String {
    match heard {
        Heard::DoesNotUseTools => {
            format!(" · @{agent} does not use taskdeck's tools and sees it when it next reads")
        }
        _ => format!(" · @{agent} hears of it at its next call"),
    }
}

/// Which values a plan sets in the tasks that the person named: `: status in_progress`.
fn edited(plan: &Plan) -> String {
    let mut words: Vec<String> = Vec::new();
    let own = plan.changes.iter().filter_map(|change| match change {
        Change::Patch { id, patch, .. } if plan.subjects.contains(id) => Some(patch),
        _ => None,
    });
    for edit in own.flat_map(|patch| &patch.edits) {
        let word = match edit {
            Edit::Set(Field::Status | Field::Owner, Some(value)) => {
                let value = value.text().unwrap_or_default();
                format!("{} {value}", set_by(edit))
            }
            Edit::Set(Field::Owner, None) => "no owner".to_owned(),
            Edit::SetMetadata(key, Some(value)) if key == "priority" => {
                format!("priority {}", value.text().unwrap_or_default())
            }
            Edit::AddEdge(..) => "an edge more".to_owned(),
            Edit::RemoveEdge(..) => "an edge less".to_owned(),
            edit => set_by(edit).to_owned(),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    match words.is_empty() {
        true => String::new(),
        false => format!(": {}", words.join(", ")),
    }
}

fn set_by(edit: &Edit) -> &str {
    match edit {
        Edit::Set(field, _) => field.key(),
        Edit::SetMetadata(key, _) | Edit::SetKey(key, _) => key,
        Edit::AddEdge(field, _) | Edit::RemoveEdge(field, _) => field.key(),
        Edit::ByteOrderMark(_) => "byte order mark",
    }
}
