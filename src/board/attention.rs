use super::{Action, Choice, Layer, Menu, Model};
use crate::command::CommandId;
use crate::list::{BlockReason, has_failed_run};
use crate::task::{State, Task, TaskId, WarningCode};

/// Something that wants a person's eye.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attention {
    /// The task.
    pub id: TaskId,
    /// Why, in words.
    pub reason: String,
    /// The command that helps, where one does.
    pub fix: Option<CommandId>,
    urgency: Urgency,
}

/// What comes first: what cannot get better by itself, and holds most up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    NeverRuns,
    Unseen,
    Failed,
    Silent,
    OutOfOrder,
    HoldsAllUp,
    Idle,
}

/// A running task is silent for long after this time, as long as nothing is known of the list's
/// usual times, in milliseconds.
const SILENT_MS: i64 = 20 * 60_000;

/// A silence is long from so many times the list's usual time on.
const TIMES_USUAL: i64 = 3;

/// A ready task waits for long after this time, in milliseconds.
const IDLE_MS: i64 = 10 * 60_000;

/// So many idle tasks are named; the others follow from them.
const IDLE_NAMED: usize = 3;

impl Model {
    /// Everything that wants a person's eye, most urgent first.
    pub fn attention(&self) -> Vec<Attention> {
        let mut found: Vec<Attention> = Vec::new();
        for task in self.list.tasks() {
            found.extend(self.trouble_of(task));
        }
        found.extend(self.bottleneck());
        found.extend(self.left_lying());
        found.sort_by_key(|attention| attention.urgency);
        found
    }

    /// The worst that is wrong with one task.
    fn trouble_of(&self, task: &Task) -> Option<Attention> {
        let list = &self.list;
        let state = list.state(&task.id)?;
        if list.is_unreadable(&task.id) {
            let reason = "its file cannot be read: what is shown is its last good content";
            return Some(attention(task, Urgency::NeverRuns, reason, None));
        }
        if matches!(state, State::Completed | State::Deleted) {
            return None;
        }
        let warnings = list.warnings(&task.id);
        let warned = |code: WarningCode| warnings.iter().find(|w| w.code == code);
        if let Some(ring) = warned(WarningCode::Cycle) {
            return Some(attention(
                task,
                Urgency::NeverRuns,
                &ring.message,
                Some(CommandId::Unblock),
            ));
        }
        if let Some(blocker) = list
            .open_blockers(&task.id)
            .into_iter()
            .find(|b| is_dead_end(b.reason))
        {
            let reason = format!("waits for {}: {}", list.name(&blocker.id), blocker.message);
            return Some(attention(
                task,
                Urgency::NeverRuns,
                &reason,
                Some(CommandId::Unblock),
            ));
        }
        if let Some(unseen) = warned(WarningCode::AgentCannotSee) {
            return Some(attention(task, Urgency::Unseen, &unseen.message, None));
        }
        if has_failed_run(task) {
            let reason = "failed and was given up on";
            return Some(attention(task, Urgency::Failed, reason, None));
        }
        if state == State::InProgress {
            return self.trouble_of_running(task);
        }
        None
    }

    fn trouble_of_running(&self, task: &Task) -> Option<Attention> {
        let silent = self.silence_ms(task)?;
        if silent > self.usual_ms() {
            let owner = task.owner.as_deref().unwrap_or("nobody named");
            let reason = format!(
                "in progress, and silent for {}m (@{owner})",
                silent / 60_000
            );
            return Some(attention(
                task,
                Urgency::Silent,
                &reason,
                Some(CommandId::StatusBack),
            ));
        }
        if self.list.is_blocked(&task.id) {
            let reason = "in progress although it still waits for something";
            return Some(attention(
                task,
                Urgency::OutOfOrder,
                reason,
                Some(CommandId::StatusBack),
            ));
        }
        None
    }

    /// How long nothing was heard of a running task, in milliseconds.
    fn silence_ms(&self, task: &Task) -> Option<i64> {
        let since = self.since(&task.id)?.ms;
        let changed = self.changes.get(&task.id).map_or(since, |(_, at)| *at);
        Some(self.now_ms - since.max(changed))
    }

    /// From when on a silence is longer than usual here.
    fn usual_ms(&self) -> i64 {
        let mut times = self.times_seen.clone();
        times.sort_unstable();
        match times.get(times.len() / 2) {
            Some(median) => (median * TIMES_USUAL).max(SILENT_MS / 4),
            None => SILENT_MS,
        }
    }

    /// The task that half of the open ones wait for while nobody works on it.
    fn bottleneck(&self) -> Option<Attention> {
        let open = self.glance.all.saturating_sub(self.glance.done);
        let ready = self.list.ready();
        let waiting = |task: &Task| self.list.frees_in_all(&task.id);
        let task = ready.iter().max_by_key(|task| waiting(task))?;
        let held = waiting(task);
        let reason = format!("{held} of {open} open tasks wait for it, and nobody works on it");
        (held >= 3 && held * 2 >= open)
            .then(|| attention(task, Urgency::HoldsAllUp, &reason, Some(CommandId::Raise)))
    }

    /// Ready tasks that nobody took for long.
    fn left_lying(&self) -> Vec<Attention> {
        let lying = |task: &Task| {
            let ms = self.now_ms - self.since(&task.id)?.ms;
            (task.owner.is_none() && ms > IDLE_MS).then_some(ms)
        };
        let ready = self.list.ready();
        let found = ready.iter().filter_map(|task| Some((task, lying(task)?)));
        found
            .take(IDLE_NAMED)
            .map(|(task, ms)| {
                let reason = format!("ready for {}m and nobody took it", ms / 60_000);
                attention(task, Urgency::Idle, &reason, Some(CommandId::OwnerOf))
            })
            .collect()
    }

    /// The attention list, to go to what it names.
    pub(super) fn open_attention(&mut self) {
        let problems = self.list.problems().into_iter().map(|problem| Choice {
            detail: problem.code.as_str().to_owned(),
            ..Choice::new(
                format!("{}: {}", problem.file, problem.message),
                Action::Nothing,
            )
        });
        let tasks = self.attention();
        let tasks = tasks.into_iter().map(|attention| {
            let help = attention.fix.map_or_else(String::new, |fix| {
                let title = crate::command::command(fix).title;
                format!("then {} {title}", self.keymap.key_of(fix))
            });
            Choice {
                detail: help,
                ..Choice::new(
                    format!("{}: {}", self.short_name(&attention.id), attention.reason),
                    Action::Select(attention.id),
                )
            }
        });
        let choices: Vec<Choice> = problems.chain(tasks).collect();
        let title = if choices.is_empty() {
            "Attention: nothing wants your eye"
        } else {
            "Attention, most urgent first: enter goes there"
        };
        self.layers.push(Layer::Menu(Menu::new(title, choices)));
    }
}

fn attention(task: &Task, urgency: Urgency, reason: &str, fix: Option<CommandId>) -> Attention {
    Attention {
        id: task.id.clone(),
        reason: reason.to_owned(),
        fix,
        urgency,
    }
}

/// Whether a blocker will never be completed by anybody's work.
fn is_dead_end(reason: BlockReason) -> bool {
    use BlockReason::{Deleted, Itself, Missing, OtherStatus, Unreadable};
    matches!(
        reason,
        Deleted | Itself | Missing | OtherStatus | Unreadable
    )
}
