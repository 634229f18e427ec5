//! Random days at a board that really writes: keys, agents that write whole files or break them, a
//! disk. Whatever a day brings, no agent's write is lost to an edit, an undo or a redo, and the board
//! shows in the end what a fresh one shows. Each day has a seed, so that a bad one can be lived again;
//! `TASKDECK_DAYS` asks for more of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use taskdeck::board::{Effect, Message, Model, Outcome, Place, update};
use taskdeck::command::{COMMANDS, CommandId, Key};
use taskdeck::list::{FileChange, FileContent, List, Op};
use taskdeck::state::ListState;
use taskdeck::store::{Options, Store};
use taskdeck::task::{Dialect, NewTask, TaskId};

const DAYS: u64 = 8;
const STEPS: usize = 120;
const TASKS: usize = 8;

/// A linear congruential generator (Knuth's MMIX constants): the same days on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// What is typed besides commands.
const LOOSE: [&str; 9] = [
    "esc", "enter", "enter", "y", "tab", "down", "ctrl-s", "a", "日",
];

/// The keys that edit, so that a day is not spent on looking only.
const EDITS: [&str; 14] = [
    "L", "H", "J", "K", "+", "-", "u", "u", "U", "d", "x", "m", "space", "R",
];

struct Day {
    dice: Dice,
    folder: tempfile::TempDir,
    store: Store,
    model: Model,
    /// The last mark that an agent left in each task, as long as its file is there.
    marks: BTreeMap<String, usize>,
    made: usize,
    /// What agents wrote and the board did not hear of yet.
    unheard: Vec<String>,
    acknowledged: usize,
}

impl Day {
    fn begin(seed: u64) -> Day {
        let folder = tempfile::tempdir().unwrap();
        let tasks = folder.path().join(".omo/tasks");
        fs::create_dir_all(&tasks).unwrap();
        let store = Store::open(&tasks, Some(Dialect::Omo), Options::default()).unwrap();
        let place = Place::default();
        let mut day = Day {
            dice: Dice(seed),
            folder,
            model: Model::new(Dialect::Omo, place, ListState::default(), false),
            store,
            marks: BTreeMap::new(),
            made: 0,
            unheard: Vec::new(),
            acknowledged: 0,
        };
        for number in 0..TASKS {
            day.agent_writes(number, 0);
        }
        day.unheard.clear();
        update(&mut day.model, Message::Resize(120, 40));
        let list = Box::new(day.store.load().unwrap());
        update(&mut day.model, Message::Loaded(Ok(list)));
        day
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(".omo/tasks").join(name)
    }

    /// An agent writes a task anew by OmO's temp and rename: its own mark, and what it pleases.
    fn agent_writes(&mut self, number: usize, mark: usize) {
        let name = format!("T-task000{number}.json");
        let old = fs::read_to_string(self.path(&name)).unwrap_or_default();
        let old: serde_json::Value = serde_json::from_str(&old).unwrap_or_default();
        let status = self
            .dice
            .of(&["pending", "pending", "in_progress", "completed"]);
        let blocker = format!("T-task000{}", self.dice.below(TASKS));
        let mut task = serde_json::json!({
            "id": format!("T-task000{number}"), "subject": format!("Task {number}.{mark}"),
            "description": "", "status": status, "blocks": [], "blockedBy": [blocker],
            "threadID": "ses", "metadata": {},
        });
        // As agents do, it keeps what else the file has.
        if let Some(metadata) = old["metadata"].as_object() {
            task["metadata"] = metadata.clone().into();
        }
        task["metadata"]["mark"] = mark.into();
        let temp = self.path(".agent.tmp");
        fs::write(&temp, serde_json::to_string_pretty(&task).unwrap()).unwrap();
        fs::rename(&temp, self.path(&name)).unwrap();
        self.marks.insert(name.clone(), mark);
        self.unheard.push(name);
    }

    fn agents(&mut self, step: usize) {
        let number = self.dice.below(TASKS);
        let name = format!("T-task000{number}.json");
        match self.dice.below(8) {
            0 => {
                // Half a file; whoever looks now must neither trust nor replace it.
                fs::write(self.path(&name), "{\"id\": \"T-ta").unwrap();
                self.marks.remove(&name);
                self.unheard.push(name);
            }
            1 => {
                let _ = fs::remove_file(self.path(&name));
                self.marks.remove(&name);
                self.unheard.push(name);
            }
            _ => self.agent_writes(number, step + 1),
        }
    }

    /// The watcher tells of what agents wrote, now or later.
    fn hear(&mut self) {
        let names = std::mem::take(&mut self.unheard);
        let loaded = self.store.load_files().unwrap();
        let files = names.into_iter().map(|name| {
            let found = loaded.iter().find(|file| file.name == name).cloned();
            found.unwrap_or(FileChange {
                name,
                content: FileContent::Gone,
            })
        });
        let files = Message::Files(files.collect());
        self.take(files);
    }

    /// One thing happens at the board, with all that it leads to.
    fn take(&mut self, message: Message) {
        let mut effects = update(&mut self.model, message);
        while let Some(effect) = effects.pop() {
            let answer = match effect {
                Effect::Act(op) => self.write(*op),
                Effect::Layout(job) => Message::LaidOut(job.run()),
                _ => continue,
            };
            effects.extend(update(&mut self.model, answer));
        }
    }

    fn write(&mut self, mut op: Op) -> Message {
        name(&mut op, &mut self.made);
        Message::Done(match self.store.act(op.clone()) {
            Ok(done) => {
                self.acknowledged += done.files.len();
                Outcome::Committed {
                    plan: Box::new(done.plan),
                    files: done.files,
                    warnings: done.warnings,
                    heard: Vec::new(),
                }
            }
            Err(error) => Outcome::Failed {
                op: Box::new(op),
                why: error.to_string(),
                conflict: error.to_string().contains("since"),
            },
        })
    }

    fn keys(&mut self) {
        let leaves = [CommandId::Quit, CommandId::Suspend, CommandId::Description];
        let text = match self.dice.below(5) {
            0 => self.dice.of(&LOOSE),
            1 | 2 => self.dice.of(&EDITS),
            _ => loop {
                let command = &COMMANDS[self.dice.below(COMMANDS.len())];
                if !leaves.contains(&command.id) {
                    break command.keys[0];
                }
            },
        };
        for word in text.split(' ') {
            let key: Key = word.parse().unwrap();
            self.take(Message::Key(key));
        }
    }

    /// What agents wrote last is still there, whatever was edited, taken back and made again.
    fn no_write_is_lost(&self, when: &str) {
        for (name, mark) in &self.marks {
            let text = fs::read_to_string(self.path(name)).unwrap_or_default();
            let task: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            assert_eq!(task["metadata"]["mark"], *mark, "{when}: {name}\n{text}");
        }
    }

    fn is_like_a_fresh_start(&mut self, when: &str) {
        // Of a broken file the board knows the last good content, and a fresh one nothing: agents
        // finish what they began.
        for number in 0..TASKS {
            let text = fs::read_to_string(self.path(&format!("T-task000{number}.json")));
            if text.is_ok_and(|text| !text.ends_with('}')) {
                self.agent_writes(number, STEPS + 1);
            }
        }
        self.hear();
        for _ in 0..10 {
            self.take(Message::Key("esc".parse().unwrap()));
        }
        if self.model.frozen.is_some() {
            self.take(Message::Key("F".parse().unwrap()));
        }
        let fresh = self.store.load().unwrap();
        let said = |list: &List| -> Vec<String> {
            let line = |task: &std::sync::Arc<taskdeck::task::Task>| {
                let text = String::from_utf8_lossy(&task.raw).into_owned();
                format!("{} {:?} {text}", task.id, list.state(&task.id))
            };
            list.tasks()
                .filter(|t| !list.is_unreadable(&t.id))
                .map(line)
                .collect()
        };
        let (ours, theirs) = (said(&self.model.list), said(&fresh));
        let other: Vec<&String> = ours.iter().filter(|line| !theirs.contains(line)).collect();
        let lacking: Vec<&String> = theirs.iter().filter(|line| !ours.contains(line)).collect();
        assert!(
            other.is_empty() && lacking.is_empty(),
            "{when}: shown, but not so: {other:#?}; so, but not shown: {lacking:#?}"
        );
    }
}

/// New tasks get ids, as the board's writer gives them.
fn name(op: &mut Op, made: &mut usize) {
    let mut tasks: Vec<&mut NewTask> = Vec::new();
    match op {
        Op::Create(new) | Op::Split { into: new, .. } => tasks.extend(new),
        Op::All(ops) => ops.iter_mut().for_each(|op| name(op, made)),
        _ => {}
    }
    for task in tasks {
        *made += 1;
        let id = TaskId::new(format!("T-made{made:04}"));
        task.id.get_or_insert(id);
    }
}

#[test]
fn no_write_is_lost_on_any_day() {
    let days = std::env::var("TASKDECK_DAYS")
        .ok()
        .and_then(|n| n.parse().ok());
    let mut acknowledged = 0;
    for seed in 1..=days.unwrap_or(DAYS) {
        let mut day = Day::begin(seed);
        for step in 0..STEPS {
            match day.dice.below(6) {
                0 => day.agents(step),
                1 => day.hear(),
                _ => day.keys(),
            }
            day.no_write_is_lost(&format!("day {seed}, step {step}"));
        }
        day.is_like_a_fresh_start(&format!("day {seed}"));
        acknowledged += day.acknowledged;
    }
    assert!(acknowledged > 40, "edits were made: {acknowledged}");
}
