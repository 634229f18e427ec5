use super::{About, Action, Choice, Confirm, Effect, Layer, Menu, Model, Pane};
use crate::list::{Op, has_failed_run};
use crate::run::{Claimed, Record};
use crate::task::{Dialect, Edit, Field, State, Status, Task, TaskId};

/// What a worker has printed so far, as far as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskLog {
    /// The task.
    pub id: TaskId,
    /// The end of its log; empty until it is read.
    pub text: String,
}

impl Model {
    /// The workers of `run` that are at work, in the board's order; those of all runners.
    pub fn workers(&self) -> Vec<(&Task, Claimed)> {
        let running = self.list.column(State::InProgress).into_iter();
        running
            .filter_map(|task| Some((task.as_ref(), Claimed::of(task)?)))
            .collect()
    }

    /// Everything that can be done about workers and about tasks that they failed.
    pub(super) fn open_workers(&mut self) {
        let menu = self.workers_menu();
        self.layers.push(Layer::Menu(menu));
    }

    /// The menu of workers as the list is now.
    pub(super) fn workers_menu(&self) -> Menu {
        let workers = self.workers();
        let mut choices = Vec::new();
        for (task, claimed) in &workers {
            choices.push(Choice {
                detail: format!("attempt {} on {}", claimed.attempt, claimed.host),
                ..Choice::new(
                    format!("stop: {}", self.short_name(&task.id)),
                    self.ask_to_stop(task, claimed),
                )
            });
        }
        let failed = self
            .list
            .ordered()
            .into_iter()
            .filter(|t| has_failed_run(t));
        for task in failed {
            choices.push(Choice {
                detail: in_words(task),
                off: self.read_only.then_some("the list is open read-only"),
                ..Choice::new(
                    format!("retry: {}", self.short_name(&task.id)),
                    Action::Act(self.retry(task)),
                )
            });
        }
        if let Some(jobs) = self.jobs {
            let more = Choice::new("one more at a time", Action::Jobs(jobs + 1));
            let fewer = Choice::new("one fewer at a time", Action::Jobs(jobs.saturating_sub(1)));
            choices.extend([more, fewer].map(|choice| Choice {
                detail: format!("now {jobs}"),
                ..choice
            }));
        }
        if !workers.is_empty() {
            choices.push(Choice {
                off: self.read_only.then_some("the list is open read-only"),
                ..Choice::new("give back tasks whose runner is gone", Action::GiveBack)
            });
        }
        let title = match (workers.len(), choices.len()) {
            (0, 0) => "Workers: none (taskdeck run -- COMMAND starts them)".to_owned(),
            (count, _) => format!("Workers: {count} at work"),
        };
        let mut menu = Menu::new(title, choices);
        menu.about = About::Workers;
        menu
    }

    fn ask_to_stop(&self, task: &Task, claimed: &Claimed) -> Action {
        Action::Ask(Box::new(Confirm {
            title: format!("Stop the worker of “{}”?", self.short_name(&task.id)),
            lines: vec![
                "it is told to end, and ended if it does not within 5 s".to_owned(),
                "that counts as a failed attempt".to_owned(),
            ],
            yes: Action::StopWorker(Box::new(claimed.clone())),
        }))
    }

    /// Takes the record of failed attempts away, so that runners take the task again.
    pub(super) fn retry(&self, task: &Task) -> Op {
        let mut edits = vec![Edit::SetMetadata("run".to_owned(), None)];
        // There a failed task is still in progress, and nobody takes such a one.
        if self.list.dialect() == Dialect::OmoTeam && task.status.is_active() {
            edits.push(Edit::status(&Status::Pending));
            edits.push(Edit::Set(Field::Owner, None));
        }
        self.edit_op(&task.id, edits)
    }

    /// Follows the log of the task that the details show, and of no other.
    pub(super) fn follow_log(&mut self) -> Option<Effect> {
        let shown = self.details || self.pane == Pane::Details;
        let task = self.selected_task().filter(|_| shown);
        let wanted = task.filter(|task| Record::of(task).is_some());
        let wanted = wanted.map(|task| task.id.clone());
        if wanted.as_ref() == self.log.as_ref().map(|log| &log.id) {
            return None;
        }
        self.log = wanted.clone().map(|id| TaskLog {
            id,
            text: String::new(),
        });
        Some(Effect::FollowLog(wanted))
    }

    pub(super) fn take_log(&mut self, id: TaskId, text: String) {
        if let Some(log) = self.log.as_mut().filter(|log| log.id == id) {
            log.text = text;
        }
    }
}

/// How a task's attempts went.
fn in_words(task: &Task) -> String {
    match Record::of(task) {
        Some(Record::Attempted(last)) => {
            let times = match last.attempt {
                1 => "once".to_owned(),
                n => format!("{n} times"),
            };
            format!("failed {times}, {}", last.exit_in_words())
        }
        _ => String::new(),
    }
}
