use std::collections::HashMap;

use serde::Deserialize;

use super::agent::Agent;
use super::random::Random;
use crate::task::{Json, NewTask, Task, TaskId};

/// A plan that simulated agents work through, as data.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The project, for people.
    pub title: String,
    /// Names for the agents, more than are usually asked for.
    pub agents: Vec<String>,
    /// The tasks in the order in which they were thought of.
    pub task: Vec<Planned>,
}

/// One task of a plan.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// How other tasks of the plan name it.
    pub key: String,
    /// One line.
    pub subject: String,
    /// What an agent is doing while it works on it.
    pub doing: String,
    /// Markdown.
    #[serde(default)]
    pub description: String,
    /// Tasks that must be completed first, by key.
    #[serde(default)]
    pub needs: Vec<String>,
    /// high, medium or low.
    pub priority: Option<String>,
    /// Steps of work until it is done.
    #[serde(default = "usual_steps")]
    pub steps: u32,
    /// What an agent gets stuck on in the middle.
    pub stuck: Option<String>,
    /// Parts that an agent makes of it when it begins; it waits for them then.
    #[serde(default)]
    pub split: Vec<String>,
    /// What is found to be done when it is done.
    pub then: Option<String>,
}

fn usual_steps() -> u32 {
    3
}

/// The plans that come with the program, by name; the first is the default.
const BUILT_IN: [(&str, &str); 3] = [
    (
        "webshop",
        include_str!("../../assets/scenarios/webshop.toml"),
    ),
    (
        "compiler",
        include_str!("../../assets/scenarios/compiler.toml"),
    ),
    (
        "incident",
        include_str!("../../assets/scenarios/incident.toml"),
    ),
];

/// A plan that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// No plan of this name.
    #[error("there is no scenario {0}; there are webshop, compiler and incident")]
    Unknown(String),
    /// A file that is no plan; the parser's message has the line.
    #[error("the scenario cannot be read: {0}")]
    Toml(#[from] toml::de::Error),
}

impl Scenario {
    /// The names of the built-in plans.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// A built-in plan.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn named(name: &str) -> Result<Scenario, ScenarioError> {
        let found = BUILT_IN.iter().find(|(known, _)| *known == name);
        let (_, text) = found.ok_or_else(|| ScenarioError::Unknown(name.to_owned()))?;
        Ok(toml::from_str(text)?)
    }

    /// The plan as new tasks, ids from the seed.
    pub fn tasks(&self, random: &mut Random) -> Vec<NewTask> {
        let ids: HashMap<&str, TaskId> = self
            .task
            .iter()
            .map(|planned| {
                (
                    planned.key.as_str(),
                    TaskId::new(format!("T-{}", random.uuid())),
                )
            })
            .collect();
        let new = |planned: &Planned| {
            let needs = planned.needs.iter().filter_map(|key| ids.get(key.as_str()));
            NewTask {
                id: ids.get(planned.key.as_str()).cloned(),
                description: planned.description.clone(),
                blocked_by: needs.cloned().collect(),
                metadata: priority(planned.priority.as_deref()),
                ..blank(&planned.subject)
            }
        };
        self.task.iter().map(new).collect()
    }

    /// The agent with this number, from 0.
    pub fn agent(&self, number: usize, seed: u64) -> Agent {
        let name = self.agents.get(number).cloned();
        let name = name.unwrap_or_else(|| format!("agent-{}", number + 1));
        Agent::new(&name, Random::new(seed))
    }

    /// What the plan says of the task with this subject.
    pub fn planned(&self, subject: &str) -> Option<&Planned> {
        self.task.iter().find(|planned| planned.subject == subject)
    }
}

/// A pending task with a subject and nothing else.
/// The thread of every task that a demo makes.
const THREAD: &str = "taskdeck-demo";

/// Whether a demo made a task.
pub(super) fn is_ours(task: &Task) -> bool {
    task.thread_id.as_deref() == Some(THREAD)
}

pub(super) fn blank(subject: &str) -> NewTask {
    NewTask {
        thread_id: THREAD.to_owned(),
        ..NewTask::pending(subject)
    }
}

fn priority(word: Option<&str>) -> Vec<(String, Json)> {
    word.map(|word| ("priority".to_owned(), Json::string(word)))
        .into_iter()
        .collect()
}
