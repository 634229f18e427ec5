use super::{Offer, TextInput};
use crate::list::{List, Refusal};
use crate::task::{EdgeField, Edit, Field, Json, Task, TaskId};

/// The fields of a task being typed. It saves the fields that were changed, not the record
/// (DESIGN decision 15).
#[derive(Debug, Clone)]
pub struct Form {
    /// The task; `None` makes a new one.
    pub task: Option<TaskId>,
    /// The fields from top to bottom.
    pub fields: Vec<FormField>,
    /// The field with the cursor.
    pub focus: usize,
    /// What `tab` puts in the place of the word with the cursor.
    pub offer: Option<Offer>,
    /// Fields that somebody changed while the form was open: what stands there now. Saving again
    /// keeps what was typed.
    pub theirs: Vec<(What, String)>,
}

/// One field of a form.
#[derive(Debug, Clone)]
pub struct FormField {
    /// Its name.
    pub title: &'static str,
    /// Which it is.
    pub what: What,
    /// What was there when the form was opened.
    pub before: String,
    /// What is typed.
    pub input: TextInput,
}

/// The fields that a form has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A top-level field.
    Field(Field),
    /// `metadata.priority`.
    Priority,
    /// The tasks that it waits for, by id.
    WaitsFor,
}

const FIELDS: [(&str, What); 7] = [
    ("Subject", What::Field(Field::Subject)),
    ("Description", What::Field(Field::Description)),
    ("Doing (active form)", What::Field(Field::ActiveForm)),
    ("Owner", What::Field(Field::Owner)),
    ("Priority (high, medium, low)", What::Priority),
    ("Waits for (ids, or part of a subject)", What::WaitsFor),
    ("Part of (parent id)", What::Field(Field::ParentId)),
];

impl Form {
    /// An empty form for a new task, or the fields of one that exists.
    pub fn of(task: Option<&Task>) -> Form {
        let field = |(title, what): (&'static str, What)| {
            let before = task.map_or_else(String::new, |task| value(task, what));
            let several = what == What::Field(Field::Description);
            let input = if several {
                TextInput::lines(&before)
            } else {
                TextInput::line(&before)
            };
            FormField {
                title,
                what,
                before,
                input,
            }
        };
        let fields = FIELDS.into_iter().map(field).collect();
        Form {
            task: task.map(|t| t.id.clone()),
            fields,
            focus: 0,
            offer: None,
            theirs: Vec::new(),
        }
    }

    /// What is typed in a field.
    pub fn typed(&self, what: What) -> &str {
        let field = self.fields.iter().find(|field| field.what == what);
        field.map_or("", |field| field.input.text())
    }

    /// The field with the cursor.
    pub fn focused(&mut self) -> Option<&mut FormField> {
        self.fields.get_mut(self.focus)
    }

    /// The fields that were changed, as edits.
    pub fn edits(&self) -> Vec<Edit> {
        let changed = self.fields.iter().filter(|field| field.is_changed());
        changed.flat_map(edits).collect()
    }

    /// Puts an offer in the place of the word with the cursor; owners are one word.
    pub(super) fn complete(&mut self, offer: &Offer) {
        if let Some(field) = self.focused() {
            let cursor = field.input.cursor();
            let start = match field.what {
                What::Field(Field::Owner) => 0,
                _ => cursor - super::prompt::word_before(field.input.text(), cursor).len(),
            };
            field.input.replace(start..cursor, &offer.word);
        }
    }

    /// Puts ids in the place of what else tasks are named by.
    ///
    /// # Errors
    /// Why a text names no task; the form stays as it is from there on.
    pub(super) fn name_tasks(&mut self, list: &List) -> Result<(), Refusal> {
        let named = [What::WaitsFor, What::Field(Field::ParentId)];
        let fields = self.fields.iter_mut().filter(|f| named.contains(&f.what));
        for field in fields.filter(|field| field.is_changed()) {
            let mut found = Vec::new();
            for text in ids(field.input.text()) {
                let known = ids(&field.before).any(|id| id == text);
                found.push(match known {
                    true => text.to_owned(), // also one that has no file any more
                    false => list.resolve_typed(text)?.to_string(),
                });
            }
            field.input = TextInput::line(&found.join(" "));
        }
        Ok(())
    }

    /// The ids that are typed as what the task waits for.
    pub fn waits_for(&self) -> Vec<TaskId> {
        ids(self.typed(What::WaitsFor)).map(TaskId::new).collect()
    }

    /// Notes which changed fields hold something else now than when the form was opened, and says
    /// whether there are new ones.
    pub fn meets_conflict(&mut self, list: &List) -> bool {
        let Some(task) = self.task.as_ref().and_then(|id| list.get(id)) else {
            return false;
        };
        let mut found = false;
        for field in self.fields.iter().filter(|field| field.is_changed()) {
            let now = value(task, field.what);
            let known = self
                .theirs
                .iter()
                .any(|(what, text)| *what == field.what && *text == now);
            if now != field.before && now != field.input.text() && !known {
                self.theirs.retain(|(what, _)| *what != field.what);
                self.theirs.push((field.what, now));
                found = true;
            }
        }
        found
    }

    /// Takes over what others wrote into fields that were not touched here.
    pub fn follow(&mut self, task: &Task) {
        for field in self.fields.iter_mut().filter(|field| !field.is_changed()) {
            let now = value(task, field.what);
            if now != field.before {
                let several = field.input.has_several_lines();
                field.input = if several {
                    TextInput::lines(&now)
                } else {
                    TextInput::line(&now)
                };
                field.before = now;
            }
        }
    }
}

impl FormField {
    /// Whether something else stands in it now than when the form was opened.
    pub fn is_changed(&self) -> bool {
        self.input.text() != self.shown_before()
    }

    /// What was there, as the input shows it.
    fn shown_before(&self) -> String {
        if self.input.has_several_lines() {
            TextInput::lines(&self.before).text().to_owned()
        } else {
            TextInput::line(&self.before).text().to_owned()
        }
    }
}

fn value(task: &Task, what: What) -> String {
    match what {
        What::Field(Field::Subject) => task.subject.clone(),
        What::Field(Field::Description) => task.description.clone(),
        What::Field(Field::ActiveForm) => task.active_form.clone().unwrap_or_default(),
        What::Field(Field::Owner) => task.owner.clone().unwrap_or_default(),
        What::Field(Field::ParentId) => task
            .parent_id
            .as_ref()
            .map_or_else(String::new, TaskId::to_string),
        What::Field(_) => String::new(),
        What::WaitsFor => {
            let ids: Vec<&str> = task.blocked_by.iter().map(TaskId::as_str).collect();
            ids.join(" ")
        }
        What::Priority => task.priority.as_str().unwrap_or_default().to_owned(),
    }
}

fn edits(field: &FormField) -> Vec<Edit> {
    let text = field.input.text();
    let given = (!text.trim().is_empty()).then(|| Json::string(text.trim()));
    match field.what {
        What::Field(name @ (Field::Subject | Field::Description)) => vec![Edit::text(name, text)],
        What::Field(name) => vec![Edit::Set(name, given)],
        What::Priority => vec![Edit::SetMetadata("priority".to_owned(), given)],
        What::WaitsFor => edges(&field.before, text),
    }
}

/// Ids with spaces or commas between them.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', ',']).filter(|id| !id.is_empty())
}

/// The edges that come and go between two texts of ids.
fn edges(before: &str, now: &str) -> Vec<Edit> {
    let field = EdgeField::BlockedBy;
    let gone = ids(before).filter(|id| !ids(now).any(|other| other == *id));
    let new = ids(now).filter(|id| !ids(before).any(|other| other == *id));
    let gone = gone.map(|id| Edit::RemoveEdge(field, TaskId::new(id)));
    let new = new.map(|id| Edit::AddEdge(field, TaskId::new(id)));
    gone.chain(new).collect()
}
