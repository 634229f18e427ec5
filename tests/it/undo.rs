//! Undo and redo between agents' writes, with real commits on disk: no agent's value is ever lost
//! but to a later edit of the person's own, and what undo takes back comes back to the byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use taskdeck::list::{List, Op, Plan, RefusalCode, plan};
use taskdeck::store::{CommitError, Committed, Options, Store};
use taskdeck::task::{Dialect, EdgeField, Edit, Field, Json, Patch, TaskId};

const TASKS: [&str; 2] = ["T-0", "T-1"];

/// One value in a file that somebody may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Subject(usize),
    Owner(usize),
    Metadata(usize),
    /// Whether T-1 names T-0 as its blocker.
    WaitsFor,
    /// Whether T-0 names T-1 as waiting for it.
    Blocks,
}

/// What happens.
#[derive(Debug, Clone)]
enum Step {
    /// An agent rewrites a file with a new value; of an edge, with it or without it.
    Agent(Cell),
    /// The person sets values in one edit.
    Set(usize, Vec<Cell>),
    Link(bool),
    Undo,
    /// Undo of what nobody changed since.
    UndoRest,
    Redo,
    /// The board hears of the files; until then it plans on what it knew.
    Hear,
}

fn cell() -> impl Strategy<Value = Cell> {
    let task = 0..TASKS.len();
    prop_oneof![
        task.clone().prop_map(Cell::Subject),
        task.clone().prop_map(Cell::Owner),
        task.prop_map(Cell::Metadata),
        Just(Cell::WaitsFor),
        Just(Cell::Blocks),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let cells = vec(0..3_usize, 1..4);
    prop_oneof![
        3 => cell().prop_map(Step::Agent),
        3 => (0..TASKS.len(), cells).prop_map(|(task, kinds)| {
            let kinds = kinds.into_iter();
            let cell = |kind| [Cell::Subject(task), Cell::Owner(task), Cell::Metadata(task)][kind];
            Step::Set(task, kinds.map(cell).collect())
        }),
        1 => any::<bool>().prop_map(Step::Link),
        3 => Just(Step::Undo),
        1 => Just(Step::UndoRest),
        2 => Just(Step::Redo),
        2 => Just(Step::Hear),
    ]
}

/// The values of all cells; `Null` is an absent one.
type Values = BTreeMap<Cell, Value>;

/// Values before and after an edit, in its order.
type Done = Vec<(Cell, Value, Value)>;

/// The board's side: the list as it was last heard of, and what may be taken back.
struct Desk {
    store: Store,
    list: List,
    edits: Vec<(Arc<Plan>, Done)>,
    undone: Vec<(Arc<Plan>, Done)>,
    /// What the files must hold.
    right: Values,
    turn: u32,
}

impl Desk {
    fn open(dir: &Path) -> Desk {
        for id in TASKS {
            let task = json!({"id": id, "subject": "first", "description": "", "status": "pending",
                "blocks": [], "blockedBy": [], "metadata": {}, "threadID": "ses"});
            fs::write(dir.join(format!("{id}.json")), task.to_string()).unwrap();
        }
        let store = Store::open(dir, Some(Dialect::Omo), Options::default()).unwrap();
        let list = store.load().unwrap();
        let right = stored(dir);
        Desk {
            store,
            list,
            edits: Vec::new(),
            undone: Vec::new(),
            right,
            turn: 0,
        }
    }

    fn take(&mut self, step: &Step) {
        self.turn += 1;
        match step {
            Step::Agent(cell) => self.agent(*cell),
            Step::Set(task, cells) => {
                let edits = cells.iter().map(|cell| self.edit(*cell)).collect();
                let ids = vec![TaskId::new(TASKS[*task])];
                self.person(Op::Update {
                    ids,
                    patch: Patch { edits },
                    force: false,
                });
            }
            Step::Link(add) => {
                let id = TaskId::new(TASKS[0]);
                let edit = match add {
                    true => Edit::AddEdge(EdgeField::BlockedBy, id),
                    false => Edit::RemoveEdge(EdgeField::BlockedBy, id),
                };
                let ids = vec![TaskId::new(TASKS[1])];
                let edits = vec![edit];
                self.person(Op::Update {
                    ids,
                    patch: Patch { edits },
                    force: false,
                });
            }
            Step::Undo | Step::UndoRest => {
                if let Some((plan, done)) = self.edits.pop() {
                    let rest = matches!(step, Step::UndoRest);
                    let taken = self.take_back(&plan, &done, rest);
                    match taken {
                        Taken::Back(edit) => self.undone.push(edit),
                        Taken::Nothing => {}
                        Taken::Refused => self.edits.push((plan, done)),
                    }
                }
            }
            Step::Redo => {
                if let Some((plan, done)) = self.undone.pop() {
                    match self.take_back(&plan, &done, false) {
                        Taken::Back(edit) => self.edits.push(edit),
                        Taken::Nothing => {}
                        Taken::Refused => self.undone.push((plan, done)),
                    }
                }
            }
            Step::Hear => self.list = self.store.load().unwrap(),
        }
        assert_eq!(stored(self.store.dir()), self.right, "after {step:?}");
    }

    fn new_value(&self, by: &str) -> Value {
        format!("{by}{}", self.turn).into()
    }

    /// An agent reads a file, changes one value and writes it whole.
    fn agent(&mut self, cell: Cell) {
        let path = self
            .store
            .dir()
            .join(format!("{}.json", TASKS[task_of(cell)]));
        let mut task: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let value = match cell {
            Cell::WaitsFor | Cell::Blocks => (self.right[&cell] != true).into(),
            _ => self.new_value("agent"),
        };
        match cell {
            Cell::Subject(_) => task["subject"] = value.clone(),
            Cell::Owner(_) => task["owner"] = value.clone(),
            Cell::Metadata(_) => task["metadata"]["key"] = value.clone(),
            Cell::WaitsFor | Cell::Blocks => {
                let (key, other) = edge_of(cell);
                let ids = task[key].as_array_mut().unwrap();
                ids.retain(|id| id != other);
                ids.extend((value == true).then(|| other.into()));
            }
        }
        fs::write(&path, serde_json::to_string_pretty(&task).unwrap()).unwrap();
        self.right.insert(cell, value);
    }

    fn edit(&self, cell: Cell) -> Edit {
        let value = self.new_value("person");
        let text = value.as_str().unwrap_or_default();
        match cell {
            Cell::Subject(_) => Edit::text(Field::Subject, text),
            Cell::Owner(_) => Edit::text(Field::Owner, text),
            _ => Edit::SetMetadata("key".to_owned(), Some(Json::string(text))),
        }
    }

    /// As the board does it: planned on the list as it was heard of, made anew where that is old.
    fn act(&mut self, op: Op) -> Result<Committed, CommitError> {
        let committed = match plan(&self.list, op.clone()) {
            Ok(plan) => self.store.commit(plan)?,
            Err(_) => self.store.act(op)?, // what refuses may be old
        };
        self.list.apply(committed.files.clone());
        Ok(committed)
    }

    fn person(&mut self, op: Op) {
        let before = stored(self.store.dir());
        let committed = self.act(op).unwrap();
        let after = stored(self.store.dir());
        let changed = before
            .iter()
            .filter(|(cell, value)| after[*cell] != **value);
        let done: Done = changed
            .map(|(c, v)| (*c, v.clone(), after[c].clone()))
            .collect();
        let by_person = |(_, _, now): &(Cell, Value, Value)| {
            now.is_boolean() || *now == self.new_value("person")
        };
        assert!(done.iter().all(by_person), "{done:?}");
        self.right = after;
        if !committed.plan.changes.is_empty() {
            self.undone.clear();
            self.edits.push((Arc::new(committed.plan), done));
        }
    }

    /// The rule of decision 15: a value that still is what we made of it goes back, one that is
    /// back already stays, and any other is an agent's.
    fn take_back(&mut self, plan: &Arc<Plan>, done: &Done, rest: bool) -> Taken {
        let is_ours = |(cell, _, after): &&(Cell, Value, Value)| self.right[cell] == *after;
        let agents = |(cell, before, after): &&(Cell, Value, Value)| {
            self.right[cell] != *after && self.right[cell] != *before
        };
        let refused = !rest && done.iter().any(|change| agents(&change));
        let back: Done = done
            .iter()
            .filter(is_ours)
            .map(|(cell, before, after)| (*cell, after.clone(), before.clone()))
            .collect();
        let op = match rest {
            true => Op::UndoRest(Arc::clone(plan)),
            false => Op::Undo(Arc::clone(plan)),
        };
        match self.act(op) {
            Err(CommitError::Refused(refusal)) => {
                assert!(refused, "{refusal:?} for {done:?}");
                assert_eq!(refusal.code, RefusalCode::Conflict);
                Taken::Refused
            }
            outcome => {
                let committed = outcome.unwrap();
                assert!(!refused, "an agent's value was in the way of {done:?}");
                for (cell, _, value) in &back {
                    self.right.insert(*cell, value.clone());
                }
                match committed.plan.changes.is_empty() {
                    true => Taken::Nothing,
                    false => Taken::Back((Arc::new(committed.plan), back)),
                }
            }
        }
    }
}

enum Taken {
    Back((Arc<Plan>, Done)),
    /// It was back already.
    Nothing,
    Refused,
}

fn task_of(cell: Cell) -> usize {
    match cell {
        Cell::Subject(task) | Cell::Owner(task) | Cell::Metadata(task) => task,
        Cell::WaitsFor => 1,
        Cell::Blocks => 0,
    }
}

/// The key of an edge's cell, and whom it names.
fn edge_of(cell: Cell) -> (&'static str, &'static str) {
    match cell {
        Cell::WaitsFor => ("blockedBy", TASKS[0]),
        _ => ("blocks", TASKS[1]),
    }
}

/// What the files hold.
fn stored(dir: &Path) -> Values {
    let tasks = TASKS.map(|id| -> Value {
        serde_json::from_slice(&fs::read(dir.join(format!("{id}.json"))).unwrap()).unwrap()
    });
    let mut values = Values::new();
    for (n, task) in tasks.iter().enumerate() {
        values.insert(Cell::Subject(n), task["subject"].clone());
        values.insert(Cell::Owner(n), task["owner"].clone());
        values.insert(Cell::Metadata(n), task["metadata"]["key"].clone());
    }
    for cell in [Cell::WaitsFor, Cell::Blocks] {
        let (key, other) = edge_of(cell);
        let ids = tasks[task_of(cell)][key].as_array().unwrap();
        values.insert(cell, ids.iter().any(|id| id == other).into());
    }
    values
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn undo_after_redo_after_agents_writes_loses_no_agents_write(steps in vec(step(), 1..24)) {
        let dir = tempfile::tempdir().unwrap();
        let mut desk = Desk::open(dir.path());
        steps.iter().for_each(|step| desk.take(step));
    }
}
