use std::collections::HashSet;
use std::sync::Arc;

use super::{About, Action, Choice, Layer, Menu, Model, More};
use crate::command::CommandId;
use crate::list::{BlockReason, Op, Ring, has_failed_run};
use crate::task::{EdgeField, Edit, Field, State, Status, Task, TaskId, Warning, WarningCode};
use crate::text::span;

/// Something that wants a person's eye.
#[derive(Debug, Clone)]
pub struct Attention {
    /// The task to look at.
    pub id: TaskId,
    /// What it is about, for people.
    pub name: String,
    /// Why, in words.
    pub reason: String,
    /// What helps, where something does at once.
    pub help: Option<Help>,
    urgency: Urgency,
}

/// Something that helps.
#[derive(Debug, Clone)]
pub struct Help {
    /// What it does, in words.
    pub words: String,
    /// The same, done.
    pub action: Action,
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

/// For so many ready tasks it is counted how many wait for them.
const COUNTED: usize = 4;

/// So many idle tasks are named; the others follow from them.
const IDLE_NAMED: usize = 3;

impl Model {
    /// Everything that wants a person's eye, most urgent first.
    pub fn attention(&self) -> Vec<Attention> {
        let rings = self.list.rings_to_cut();
        let mut found: Vec<Attention> = rings
            .iter()
            .map(|ring| self.trouble_of_ring(ring))
            .collect();
        let in_ring: HashSet<&TaskId> = rings.iter().flat_map(|ring| &ring.members).collect();
        for task in self.list.worth_a_look() {
            found.extend(self.trouble_of(task, in_ring.contains(&task.id)));
        }
        found.extend(self.bottleneck());
        found.extend(self.left_lying());
        found.sort_by_key(|attention| attention.urgency);
        found
    }

    fn about(&self, task: &Task, urgency: Urgency, reason: impl Into<String>) -> Attention {
        Attention {
            id: task.id.clone(),
            name: self.short_name(&task.id),
            reason: reason.into(),
            help: None,
            urgency,
        }
    }

    fn trouble_of_ring(&self, ring: &Ring) -> Attention {
        let quoted = |id: &TaskId| format!("“{}”", self.short_name(id));
        let way: Vec<String> = ring
            .way
            .iter()
            .chain(ring.way.first())
            .map(quoted)
            .collect();
        let words = match ring.members.len() {
            1 => "it waits for itself, so it can never start".to_owned(),
            _ => format!("a ring, so none can ever start: {}", way.join(" → ")),
        };
        let help = ring
            .dependant()
            .zip(ring.blocker())
            .map(|(dependant, blocker)| {
                let left = if ring.opens {
                    ""
                } else {
                    "; more rings are left then"
                };
                Help {
                    words: format!(
                        "{} no longer waits for {}{left}",
                        quoted(dependant),
                        quoted(blocker)
                    ),
                    action: Action::Act(self.cut_edge(dependant, blocker)),
                }
            });
        let id = ring.dependant().or(ring.members.first()).cloned();
        let id = id.unwrap_or_else(|| TaskId::new(""));
        Attention {
            name: self.short_name(&id),
            id,
            reason: words,
            help,
            urgency: Urgency::NeverRuns,
        }
    }

    fn cut_edge(&self, dependant: &TaskId, blocker: &TaskId) -> Op {
        let edit = Edit::RemoveEdge(EdgeField::BlockedBy, blocker.clone());
        self.edit_op(dependant, vec![edit])
    }

    /// The worst that is wrong with one task by itself.
    fn trouble_of(&self, task: &Task, in_ring: bool) -> Option<Attention> {
        let list = &self.list;
        if list.is_unreadable(&task.id) {
            let reason = "its file cannot be read: what is shown is its last good content";
            return Some(self.about(task, Urgency::NeverRuns, reason));
        }
        let state = list.state(&task.id)?;
        if matches!(state, State::Completed | State::Deleted) {
            return None;
        }
        if list.is_blocked(&task.id) && !in_ring {
            let blockers = list.open_blockers(&task.id);
            if let Some(blocker) = blockers.into_iter().find(|b| is_dead_end(b.reason)) {
                let name = self.short_name(&blocker.id);
                let reason = format!("waits for “{name}”: {}", blocker.message);
                return Some(Attention {
                    help: Some(Help {
                        words: format!("it no longer waits for “{name}”"),
                        action: Action::Act(self.cut_edge(&task.id, &blocker.id)),
                    }),
                    ..self.about(task, Urgency::NeverRuns, reason)
                });
            }
        }
        let unseen = |w: &&Warning| w.code == WarningCode::AgentCannotSee;
        if let Some(unseen) = task.warnings.iter().find(unseen) {
            return Some(Attention {
                help: Some(Help {
                    words: "the problems say what can be repaired".to_owned(),
                    action: Action::Run(CommandId::Problems),
                }),
                ..self.about(task, Urgency::Unseen, unseen.message.clone())
            });
        }
        if has_failed_run(task) {
            let reason = "it failed, and the runner gave up on it";
            return Some(Attention {
                help: Some(Help {
                    words: "runners try it again".to_owned(),
                    action: Action::Act(self.retry(task)),
                }),
                ..self.about(task, Urgency::Failed, reason)
            });
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
            let reason = format!("in progress, and silent for {} (@{owner})", span(silent));
            let edits = vec![
                Edit::status(&Status::Pending),
                Edit::Set(Field::Owner, None),
            ];
            return Some(Attention {
                help: Some(Help {
                    words: "pending again and nobody's, so that others may take it".to_owned(),
                    action: Action::Act(self.edit_op(&task.id, edits)),
                }),
                ..self.about(task, Urgency::Silent, reason)
            });
        }
        if self.list.is_blocked(&task.id) {
            let reason = "in progress although it still waits for something";
            let edits = vec![Edit::status(&Status::Pending)];
            return Some(Attention {
                help: Some(Help {
                    words: "pending again until that is done".to_owned(),
                    action: Action::Act(self.edit_op(&task.id, edits)),
                }),
                ..self.about(task, Urgency::OutOfOrder, reason)
            });
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

    /// The task that half of the open ones wait for while nobody works on it. Only those with the
    /// longest chains behind them are counted through.
    fn bottleneck(&self) -> Option<Attention> {
        let open = self.glance.all.saturating_sub(self.glance.done);
        let chain = |task: &Task| {
            let node = self.list.node(&task.id);
            node.map_or(0, |node| self.list.schedule().chain(node))
        };
        let mut ready = self.list.ready();
        ready.sort_by_key(|task| std::cmp::Reverse(chain(task)));
        let waiting = |task: &Task| self.list.frees_in_all(&task.id);
        let counted = ready.iter().take(COUNTED);
        let (held, task) = counted
            .map(|task| (waiting(task), task))
            .max_by_key(|(n, _)| *n)?;
        let reason = format!("{held} of {open} open tasks wait for it, and nobody works on it");
        (held >= 3 && held * 2 >= open).then(|| Attention {
            help: Some(Help {
                words: "raises its priority".to_owned(),
                action: Action::RunOn(task.id.clone(), CommandId::Raise),
            }),
            ..self.about(task, Urgency::HoldsAllUp, reason)
        })
    }

    /// Ready tasks that nobody took for long.
    fn left_lying(&self) -> Vec<Attention> {
        let lying = |task: &Task| {
            let ms = self.now_ms - self.since(&task.id)?.ms;
            (task.owner.is_none() && ms > IDLE_MS).then_some(ms)
        };
        let ready = self.list.ready();
        let found = ready.iter().filter_map(|task| Some((task, lying(task)?)));
        let attention = |(task, ms): (&&Arc<Task>, i64)| Attention {
            help: Some(Help {
                words: "gives it to somebody".to_owned(),
                action: Action::RunOn(task.id.clone(), CommandId::OwnerOf),
            }),
            ..self.about(
                task,
                Urgency::Idle,
                format!("ready for {} and nobody took it", span(ms)),
            )
        };
        found.take(IDLE_NAMED).map(attention).collect()
    }

    /// The attention list, to go to what it names, or to mend it from there.
    pub(super) fn open_attention(&mut self) {
        let menu = self.attention_menu();
        self.layers.push(Layer::Menu(menu));
    }

    /// The same as it is now.
    pub(super) fn attention_menu(&self) -> Menu {
        let (mut choices, mut more) = (Vec::new(), Vec::new());
        for problem in self.list.problems() {
            let label = format!("{}: {}", problem.file, problem.message);
            choices.push(Choice {
                detail: problem.code.as_str().to_owned(),
                ..Choice::new(label, Action::Run(CommandId::Problems))
            });
            more.push(More {
                text: "→ enter: the problems say more".to_owned(),
                also: None,
            });
        }
        for attention in self.attention() {
            let label = format!("{}: {}", attention.name, attention.reason);
            let help = attention.help.filter(|_| !self.read_only);
            choices.push(Choice {
                detail: help.as_ref().map_or("", |_| "ctrl-r").to_owned(),
                ..Choice::new(label, Action::Select(attention.id))
            });
            let does = help
                .as_ref()
                .map(|help| format!(" → ctrl-r: {}", help.words));
            more.push(More {
                text: format!("{}{}", attention.reason, does.unwrap_or_default()),
                also: help.map(|help| help.action),
            });
        }
        let title = match choices.len() {
            0 => "Attention: all is well, nothing wants your eye".to_owned(),
            _ => "Attention, most urgent first".to_owned(),
        };
        Menu {
            about: About::Attention,
            hint: "enter goes there · ctrl-r mends · esc",
            more,
            ..Menu::new(title, choices)
        }
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
