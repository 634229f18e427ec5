use super::{Action, Choice, Confirm, Layer, Menu, Model};
use crate::command::{COMMANDS, CommandId};
use crate::list::{Op, plan};
use crate::task::{Dialect, EdgeField, Edit, Patch, State, TaskId};
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

    /// What the selected task waits for and what waits for it, to go there.
    pub(super) fn open_related(&mut self) {
        let Some(id) = self.selected.clone() else {
            return;
        };
        let lines = |verb: &str, ids: Vec<TaskId>| -> Vec<Choice> {
            let choice = |other: &TaskId| {
                let choice = self.task_choice(other, Action::Select(other.clone()));
                Choice {
                    label: format!("{verb} {}", choice.label),
                    ..choice
                }
            };
            ids.iter().map(choice).collect()
        };
        let mut choices = lines("waits for", self.list.blockers(&id));
        choices.extend(lines("frees", self.list.dependants(&id)));
        let title = format!("Around “{}”", self.short_name(&id));
        self.layers.push(Layer::Menu(Menu::new(title, choices)));
    }

    /// The tasks that the targets could wait for.
    pub(super) fn open_blocker_picker(&mut self) {
        let ids = self.targets();
        let known = match ids.as_slice() {
            [] => return,
            [only] => self.list.blockers(only),
            _ => Vec::new(),
        };
        let others = self.list.ordered().into_iter().map(|task| task.id.clone());
        let fit: Vec<TaskId> = others
            .filter(|other| !ids.contains(other) && !known.contains(other))
            .filter(|other| !self.list.is_in(other, State::Deleted))
            .collect();
        let choices = fit.iter().map(|blocker| {
            let edit = Edit::AddEdge(EdgeField::BlockedBy, blocker.clone());
            let op = Op::Update {
                ids: ids.clone(),
                patch: Patch { edits: vec![edit] },
                force: true,
            };
            self.task_choice(blocker, Action::Act(op))
        });
        let verb = if ids.len() == 1 { "is" } else { "are" };
        let title = format!("{} {verb} to wait for", self.in_short(&ids));
        let menu = Menu::new(title, choices.collect());
        self.layers.push(Layer::Menu(menu));
    }

    /// The open blockers of the selected task, to remove one or all; `None` when there is only
    /// one, which needs no question.
    pub(super) fn open_unblock_picker(&mut self) -> Option<Op> {
        if self.marks.len() > 1 {
            return Some(self.cut_all_open(&self.targets()));
        }
        let id = self.targets().first()?.clone();
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
            detail: "frees it at once".to_owned(),
            ..Choice::new(format!("all {} of them", all.len()), Action::Act(cut(&all)))
        });
        let title = format!("“{}” no longer waits for", self.short_name(&id));
        self.layers.push(Layer::Menu(Menu::new(title, choices)));
        None
    }

    /// Takes everything away that holds these tasks back.
    fn cut_all_open(&self, ids: &[TaskId]) -> Op {
        let cut = |id: &TaskId| {
            let blockers = self.list.open_blockers(id).into_iter();
            let edits = blockers.map(|b| Edit::RemoveEdge(EdgeField::BlockedBy, b.id));
            self.edit_op(id, edits.collect())
        };
        Op::All(ids.iter().map(cut).collect())
    }

    /// Asks before tasks are deleted, and names what that frees or leaves blocked.
    pub(super) fn ask_to_delete(&mut self) {
        let ids = self.targets();
        if ids.is_empty() {
            return;
        }
        let op = Op::Delete(ids.clone());
        let mut lines = match plan(&self.list, op.clone()) {
            Ok(plan) => self.in_words_before(&self.list.foresee(&plan)),
            Err(refusal) => vec![refusal.what],
        };
        let waiting = self.wait_for_any(&ids);
        if !waiting.is_empty() && self.list.dialect().deleted_blocks() {
            lines.push(format!("stays blocked by it: {}", self.in_short(&waiting)));
            lines.push("(x on such a task removes the edge)".to_owned());
        }
        lines.push(match self.list.dialect() {
            Dialect::Claude => "its file is removed; n makes it anew".to_owned(),
            Dialect::Omo | Dialect::OmoTeam => "u brings it back".to_owned(),
        });
        self.layers.push(Layer::Confirm(Confirm {
            title: format!("Delete {}?", self.in_short(&ids)),
            lines,
            yes: Action::Act(op),
        }));
    }

    /// Open tasks that wait for one of these and are none of them.
    fn wait_for_any(&self, ids: &[TaskId]) -> Vec<TaskId> {
        let open = |id: &TaskId| self.list.get(id).is_some_and(|t| !t.status.is_closed());
        let mut waiting: Vec<TaskId> = ids
            .iter()
            .flat_map(|id| self.list.dependants(id))
            .filter(|other| open(other) && !ids.contains(other))
            .collect();
        waiting.sort();
        waiting.dedup();
        waiting
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
        match self.task(id) {
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
