use super::TextInput;
use crate::list::List;
use crate::task::{Edit, Field, Json, Task, TaskId};

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
}

const FIELDS: [(&str, What); 5] = [
    ("Subject", What::Field(Field::Subject)),
    ("Description", What::Field(Field::Description)),
    ("Doing (active form)", What::Field(Field::ActiveForm)),
    ("Owner", What::Field(Field::Owner)),
    ("Priority (high, medium, low)", What::Priority),
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
        changed
            .map(|field| edit(field.what, field.input.text()))
            .collect()
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
        What::Field(_) => String::new(),
        What::Priority => task.priority.as_str().unwrap_or_default().to_owned(),
    }
}

fn edit(what: What, text: &str) -> Edit {
    let given = (!text.trim().is_empty()).then(|| Json::string(text));
    match what {
        What::Field(field @ (Field::Subject | Field::Description)) => Edit::text(field, text),
        What::Field(field) => Edit::Set(field, given),
        What::Priority => Edit::SetMetadata(
            "priority".to_owned(),
            given.map(|_| Json::string(text.trim())),
        ),
    }
}
