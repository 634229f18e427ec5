use super::random::Random;
use super::scenario::{Planned, Scenario, blank};
use crate::list::{List, Op};
use crate::task::{Edit, Field, Json, Patch, State, Status, Task, TaskId};

/// One simulated agent: what it works on, and how far it is. It decides like an agent that only
/// knows the list: it takes what is ready, says what it does, and gives back what it cannot do.
#[derive(Debug, Clone)]
pub struct Agent {
    name: String,
    random: Random,
    task: Option<TaskId>,
    step: u32,
}

/// When the agent with this number, from 0, takes its first step, in milliseconds at normal speed.
pub(super) fn begins_ms(number: usize) -> u64 {
    250 * (number as u64 + 1)
}

/// What a step of an unplanned task takes (parts and follow-ups).
const UNPLANNED_STEPS: u32 = 2;

impl Agent {
    /// An agent that has nothing to do yet.
    pub fn new(name: &str, random: Random) -> Agent {
        Agent {
            name: name.to_owned(),
            random,
            task: None,
            step: 0,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How long it thinks before its next step, in milliseconds at normal speed.
    pub fn thinks_ms(&mut self) -> u64 {
        900 + self.random.below(1_100)
    }

    /// What it does next on the list as it is; `None` when there is nothing for it.
    pub fn next(&mut self, list: &List, scenario: &Scenario) -> Option<Op> {
        let mine = |task: &&Task| {
            task.owner.as_deref() == Some(&self.name) && task.status == Status::InProgress
        };
        let current = self
            .task
            .as_ref()
            .and_then(|id| list.get(id))
            .map(AsRef::as_ref);
        let Some(task) = current.filter(mine) else {
            return self.take(list);
        };
        let planned = scenario.planned(&task.subject);
        self.step += 1;
        let steps = planned.map_or(UNPLANNED_STEPS, |planned| planned.steps);
        Some(match planned {
            Some(planned) if self.step == 1 && !planned.split.is_empty() && !was_split(task) => {
                return self.split(task, planned);
            }
            Some(planned)
                if self.step * 2 == steps && planned.stuck.is_some() && !was_stuck(task) =>
            {
                self.step -= 1;
                self.get_stuck(task, planned)
            }
            _ if self.step > steps => return self.finish(task, planned),
            _ => self.go_on(task, planned, steps),
        })
    }

    fn take(&mut self, list: &List) -> Option<Op> {
        self.task = None;
        self.step = 0;
        let free = |task: &&std::sync::Arc<Task>| task.owner.is_none();
        let ready: Vec<_> = list.ready().into_iter().filter(free).collect();
        // Agents look at the first few, so that they do not all run for the same one.
        let choice = self.random.below(ready.len().min(3) as u64) as usize;
        let id = ready.get(choice)?.id.clone();
        self.task = Some(id.clone());
        Some(Op::Claim {
            id: Some(id),
            owner: self.name.clone(),
        })
    }

    fn go_on(&self, task: &Task, planned: Option<&Planned>, steps: u32) -> Op {
        let doing = planned.map_or_else(
            || format!("Working on {}", task.subject),
            |p| p.doing.clone(),
        );
        let percent = 100 * (self.step - 1) / steps;
        update(
            task,
            vec![
                Edit::text(Field::ActiveForm, &doing),
                Edit::SetMetadata(
                    "progress".to_owned(),
                    Some(Json::string(&format!("{percent} %"))),
                ),
            ],
        )
    }

    fn get_stuck(&self, task: &Task, planned: &Planned) -> Op {
        let reason = planned.stuck.as_deref().unwrap_or_default();
        update(
            task,
            vec![
                Edit::text(Field::ActiveForm, &format!("Stuck: {reason}")),
                Edit::SetMetadata("stuck".to_owned(), Some(Json::string(reason))),
            ],
        )
    }

    /// Makes parts of a task that is too large; it waits for them, and anybody may take them.
    fn split(&mut self, task: &Task, planned: &Planned) -> Option<Op> {
        let parts = planned.split.iter().map(|subject| {
            let mut part = blank(subject);
            part.id = Some(TaskId::new(format!("T-{}", self.random.uuid())));
            part.parent_id = Some(task.id.clone());
            part.blocks = vec![task.id.clone()];
            part
        });
        Some(Op::Create(parts.collect()))
    }

    fn finish(&mut self, task: &Task, planned: Option<&Planned>) -> Option<Op> {
        self.task = None;
        if let Some(subject) = planned.and_then(|planned| planned.then.as_deref())
            && !task
                .metadata
                .as_ref()
                .is_some_and(|m| m.as_str().contains("\"followed\""))
        {
            self.task = Some(task.id.clone());
            let mut next = blank(subject);
            next.id = Some(TaskId::new(format!("T-{}", self.random.uuid())));
            next.blocked_by = vec![task.id.clone()];
            return Some(Op::Create(vec![next]));
        }
        Some(update(
            task,
            vec![
                Edit::status(&Status::Completed),
                Edit::SetMetadata("progress".to_owned(), Some(Json::string("100 %"))),
            ],
        ))
    }

    /// What else has to be written once a wish was granted: a task that was split is given back,
    /// one with a follow-up is marked.
    pub fn afterwards(&mut self, list: &List, done: &Op) -> Option<Op> {
        let Op::Create(tasks) = done else { return None };
        let task = list.get(self.task.as_ref()?)?;
        let parts = tasks
            .iter()
            .any(|new| new.parent_id.as_ref() == Some(&task.id));
        if !parts {
            let followed = Edit::SetMetadata("followed".to_owned(), Some(Json::raw("true")));
            return Some(update(task, vec![followed]));
        }
        self.task = None;
        Some(update(
            task,
            vec![
                Edit::status(&Status::Pending),
                Edit::Set(Field::Owner, None),
                Edit::SetMetadata("split".to_owned(), Some(Json::raw("true"))),
            ],
        ))
    }
}

/// Whether every task of a list is closed.
pub fn is_finished(list: &List) -> bool {
    let open = [State::Ready, State::Blocked, State::InProgress];
    open.iter().all(|state| list.column(*state).is_empty())
}

fn was_split(task: &Task) -> bool {
    task.metadata
        .as_ref()
        .is_some_and(|m| m.as_str().contains("\"split\""))
}

fn was_stuck(task: &Task) -> bool {
    task.metadata
        .as_ref()
        .is_some_and(|m| m.as_str().contains("\"stuck\""))
}

fn update(task: &Task, edits: Vec<Edit>) -> Op {
    Op::Update {
        ids: vec![task.id.clone()],
        patch: Patch { edits },
        force: false,
    }
}
