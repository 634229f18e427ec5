use super::{Effect, Form, Layer, Model, Prompt, PromptFor, TextInput, Tone, What};
use crate::list::{Op, Refusal, local_id};
use crate::task::{Edit, Field, Json, NewTask, State, Status, Task, TaskId};

impl Model {
    /// Asks for a task in one line.
    pub(super) fn ask_for_new_task(&mut self) {
        let title = "New: subject  >waits for  <comes before  @owner  #priority";
        self.layers.push(Layer::Prompt(Prompt::new(
            title,
            TextInput::line(""),
            PromptFor::NewTask,
        )));
    }

    /// Asks for what takes the selected task's place, one line each.
    pub(super) fn ask_for_parts(&mut self) {
        let Some(id) = self.selected.clone() else {
            return;
        };
        let title = format!("Split “{}”: one task a line", self.short_name(&id));
        self.layers.push(Layer::Prompt(Prompt::new(
            title,
            TextInput::lines(""),
            PromptFor::Parts(id),
        )));
    }

    /// Makes the task that a line describes; a line that names no task stays, with the reason.
    pub(super) fn quick_add(&mut self, prompt: Prompt) -> Vec<Effect> {
        if prompt.input.text().trim().is_empty() {
            return Vec::new();
        }
        match self.list.quick_add(prompt.input.text()) {
            Ok(task) => self.act(Op::Create(vec![task])),
            Err(refusal) => self.refused(prompt, &refusal),
        }
    }

    /// Splits a task into the lines; one that begins with `>` waits for the line above it.
    pub(super) fn split(&mut self, prompt: Prompt, id: TaskId) -> Vec<Effect> {
        let lines = prompt.input.text().lines().map(str::trim);
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        let mut into: Vec<NewTask> = Vec::new();
        for line in lines {
            let after = line.strip_prefix("> ");
            match self.list.quick_add(after.unwrap_or(line)) {
                Ok(mut task) => {
                    if after.is_some() && !into.is_empty() {
                        task.blocked_by.push(local_id(into.len() - 1));
                    }
                    into.push(task);
                }
                Err(refusal) => return self.refused(prompt, &refusal),
            }
        }
        if into.is_empty() {
            return Vec::new();
        }
        self.act(Op::Split { id, into })
    }

    fn refused(&mut self, prompt: Prompt, refusal: &Refusal) -> Vec<Effect> {
        self.say(Tone::Error, refusal.what.clone());
        self.layers.push(Layer::Prompt(prompt));
        Vec::new()
    }

    /// Pending copies of the targets, with their blockers, and nobody's yet.
    pub(super) fn duplicate(&mut self) -> Vec<Effect> {
        let copies: Vec<NewTask> = self.target_tasks().map(|task| self.copy_of(task)).collect();
        self.act(Op::Create(copies))
    }

    fn copy_of(&self, task: &Task) -> NewTask {
        let metadata = task.metadata.as_ref().and_then(Json::members);
        // What taskdeck's runner noted is about the original's attempts.
        let kept = metadata
            .unwrap_or_default()
            .into_iter()
            .filter(|(key, _)| key != "run" && key != "result");
        NewTask {
            description: task.description.clone(),
            active_form: task.active_form.clone(),
            blocked_by: self.list.blockers(&task.id),
            metadata: kept.collect(),
            parent_id: task.parent_id.clone(),
            ..NewTask::pending(task.subject.clone())
        }
    }

    /// Makes deleted tasks pending again.
    pub(super) fn restore(&mut self) -> Vec<Effect> {
        if let Some(id) = self
            .selected
            .clone()
            .filter(|id| self.vanished_task(id).is_some())
        {
            return self.bring_back(&id);
        }
        let deleted = self
            .target_tasks()
            .filter(|task| self.list.is_in(&task.id, State::Deleted));
        let edits = deleted
            .map(|task| (task.id.clone(), vec![Edit::status(&Status::Pending)]))
            .collect();
        self.edit_with_care(edits)
    }
}

/// The task that a form describes.
pub(super) fn new_task(form: &Form) -> NewTask {
    let text = |field| form.typed(What::Field(field)).to_owned();
    let given = |field| Some(text(field)).filter(|t| !t.trim().is_empty());
    let metadata = match form.typed(What::Priority).trim() {
        "" => Vec::new(),
        word => vec![("priority".to_owned(), Json::string(word))],
    };
    NewTask {
        description: text(Field::Description),
        active_form: given(Field::ActiveForm),
        owner: given(Field::Owner),
        parent_id: given(Field::ParentId).map(|id| TaskId::new(id.trim())),
        blocked_by: form.waits_for(),
        metadata,
        ..NewTask::pending(text(Field::Subject))
    }
}
