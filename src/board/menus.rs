use super::{Action, Choice, Confirm, Layer, Menu, Model};
use crate::command::{COMMANDS, CommandId};
use crate::list::Op;
use crate::task::{EdgeField, Edit, Patch, State, TaskId};
use crate::text::clean_line;

impl Model {
    /// Every command with its keys; those that are off say why.
    pub(super) fn open_palette(&mut self, title: &str) {
        let now = self.situation();
        let choices = COMMANDS.iter().map(|command| Choice {
            label: format!("{}: {}", command.title, command.doc),
            detail: self.keymap.keys_of(command.id).join(", "),
            off: (command.available)(&now).err(),
            action: Action::Run(command.id),
        });
        let choices = choices.collect();
        self.layers.push(Layer::Menu(Menu::new(title, choices)));
    }

    /// All tasks, to select one.
    pub(super) fn open_jump(&mut self) {
        let choices = self
            .list
            .ordered()
            .into_iter()
            .map(|task| self.task_choice(&task.id, Action::Select(task.id.clone())));
        let choices = choices.collect();
        self.layers
            .push(Layer::Menu(Menu::new("Go to a task", choices)));
    }

    /// The tasks that the selected one could wait for.
    pub(super) fn open_blocker_picker(&mut self) {
        let Some(id) = self.selected.clone() else {
            return;
        };
        let known = self.list.blockers(&id);
        let others = self.list.ordered().into_iter().map(|task| task.id.clone());
        let fit: Vec<TaskId> = others
            .filter(|other| *other != id && !known.contains(other))
            .filter(|other| !self.list.is_in(other, State::Deleted))
            .collect();
        let choices = fit.iter().map(|blocker| {
            let edit = Edit::AddEdge(EdgeField::BlockedBy, blocker.clone());
            self.task_choice(blocker, Action::Act(self.edit_op(&id, vec![edit])))
        });
        let title = format!("“{}” is to wait for", self.short_name(&id));
        let menu = Menu::new(title, choices.collect());
        self.layers.push(Layer::Menu(menu));
    }

    /// The open blockers of the selected task, to remove one or all; `None` when there is only
    /// one, which needs no question.
    pub(super) fn open_unblock_picker(&mut self) -> Option<Op> {
        let id = self.selected.clone()?;
        let blockers = self.list.open_blockers(&id);
        let cut = |ids: &[TaskId]| {
            let edits = ids
                .iter()
                .map(|b| Edit::RemoveEdge(EdgeField::BlockedBy, b.clone()));
            self.edit_op(&id, edits.collect())
        };
        if let [only] = blockers.as_slice() {
            return Some(cut(std::slice::from_ref(&only.id)));
        }
        let all: Vec<TaskId> = blockers.iter().map(|b| b.id.clone()).collect();
        let mut choices: Vec<Choice> = blockers
            .iter()
            .map(|b| Choice {
                label: clean_line(&self.short_name(&b.id)).into_owned(),
                detail: b.message.clone(),
                off: None,
                action: Action::Act(cut(std::slice::from_ref(&b.id))),
            })
            .collect();
        choices.push(Choice {
            label: format!("all {} of them", all.len()),
            detail: "frees it at once".to_owned(),
            off: None,
            action: Action::Act(cut(&all)),
        });
        let title = format!("“{}” no longer waits for", self.short_name(&id));
        self.layers.push(Layer::Menu(Menu::new(title, choices)));
        None
    }

    /// Asks before a task is deleted, and names what that leaves blocked.
    pub(super) fn ask_to_delete(&mut self) {
        let Some(id) = self.selected.clone() else {
            return;
        };
        let waiting = self.list.dependants(&id);
        let open = |other: &&TaskId| self.list.get(other).is_some_and(|t| !t.status.is_closed());
        let waiting: Vec<String> = waiting
            .iter()
            .filter(open)
            .map(|other| self.short_name(other))
            .collect();
        let mut lines = vec![format!("id {id}")];
        if !waiting.is_empty() && self.list.dialect().deleted_blocks() {
            lines.push(format!("stays blocked by it: {}", waiting.join(", ")));
            lines.push("(x on such a task removes the edge)".to_owned());
        }
        lines.push("u brings it back".to_owned());
        self.layers.push(Layer::Confirm(Confirm {
            title: format!("Delete “{}”?", self.short_name(&id)),
            lines,
            yes: Action::Act(Op::Delete(vec![id])),
        }));
    }

    /// Runs a command unless it is off; then it says why.
    pub(super) fn why_off(&self, id: CommandId) -> Option<&'static str> {
        (crate::command::command(id).available)(&self.situation()).err()
    }

    pub(super) fn edit_op(&self, id: &TaskId, edits: Vec<Edit>) -> Op {
        Op::Update {
            ids: vec![id.clone()],
            patch: Patch { edits },
            force: true,
        }
    }

    /// A task's subject, or its id when it has none.
    pub(super) fn short_name(&self, id: &TaskId) -> String {
        match self.list.get(id) {
            Some(task) if !task.subject.is_empty() => task.subject.clone(),
            _ => id.to_string(),
        }
    }

    fn task_choice(&self, id: &TaskId, action: Action) -> Choice {
        let state = self.list.state(id).map_or("", State::title);
        Choice {
            label: clean_line(&self.short_name(id)).into_owned(),
            detail: format!("{state} {}", id.short()),
            off: None,
            action,
        }
    }
}
