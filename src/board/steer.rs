use super::{Action, Confirm, Effect, Lane, Layer, Model, Prompt, PromptFor, TextInput, Tone};
use crate::list::{Foresight, Op, plan};
use crate::task::{
    Dialect, EdgeField, Edit, Field, Json, Patch, Priority, State, Status, Task, TaskId,
};

/// So many names stand in a sentence; the others are counted.
const NAMED: usize = 3;

impl Model {
    /// Pending, in progress, completed: one step on or back, for every target that can.
    pub(super) fn step_status(&mut self, by: isize) -> Vec<Effect> {
        let dialect = self.list.dialect();
        let steps: Vec<(TaskId, Result<Status, &str>)> = self
            .target_tasks()
            .map(|task| (task.id.clone(), next_status(task, by, dialect)))
            .collect();
        let edits: Vec<(TaskId, Vec<Edit>)> = steps
            .iter()
            .filter_map(|(id, next)| Some((id.clone(), vec![Edit::status(next.as_ref().ok()?)])))
            .collect();
        match steps.first() {
            Some((_, Err(why))) if edits.is_empty() => self.cannot(why),
            _ => self.edit_with_care(edits),
        }
    }

    /// Moves the card to a column: what dropping it there means.
    pub(super) fn move_to_lane(&mut self, lane: Lane) -> Vec<Effect> {
        let Some(id) = self.selected.clone() else {
            return Vec::new();
        };
        match lane {
            Lane::State(state) => self.move_to_state(state),
            Lane::Status(Status::Deleted) => {
                self.ask_to_delete();
                Vec::new()
            }
            Lane::Status(status) => self.edit_with_care(vec![(id, vec![Edit::status(&status)])]),
            Lane::Owner(owner) => {
                let owner = owner.as_deref().map(Json::string);
                self.edit(&id, vec![Edit::Set(Field::Owner, owner)])
            }
            Lane::All => Vec::new(),
            Lane::Vanished => self.cannot("only files that somebody removed stand there"),
        }
    }

    fn move_to_state(&mut self, state: State) -> Vec<Effect> {
        let Some(task) = self.selected_task() else {
            return Vec::new();
        };
        let (id, now) = (task.id.clone(), self.list.state(&task.id));
        if now == Some(state) {
            return Vec::new();
        }
        let status = match state {
            State::Ready if now == Some(State::Blocked) => {
                return self
                    .open_unblock_picker()
                    .map_or_else(Vec::new, |op| self.act(op));
            }
            State::Blocked => {
                self.open_blocker_picker();
                return Vec::new();
            }
            State::Ready => Status::Pending,
            State::InProgress => Status::InProgress,
            State::Completed => Status::Completed,
            State::Deleted => {
                self.ask_to_delete();
                return Vec::new();
            }
            State::Other => return self.cannot("that column is for statuses nobody knows"),
        };
        self.edit_with_care(vec![(id, vec![Edit::status(&status)])])
    }

    pub(super) fn cannot(&mut self, why: &str) -> Vec<Effect> {
        self.say(Tone::Warning, why);
        Vec::new()
    }

    /// Edits tasks as one plan. What reopens or deletes a task may hold others back or close a
    /// ring, so that is shown first.
    pub(super) fn edit_with_care(&mut self, edits: Vec<(TaskId, Vec<Edit>)>) -> Vec<Effect> {
        let crosses: Vec<TaskId> = edits
            .iter()
            .filter(|(id, edits)| self.goes_back(id, edits))
            .map(|(id, _)| id.clone())
            .collect();
        let completed = edits.iter().filter(|(_, edits)| completes(edits));
        let completed: Vec<TaskId> = completed.map(|(id, _)| id.clone()).collect();
        let op = one_plan(edits);
        if self.list.ends_with(&completed) {
            return self.ask_to_end(&completed, op);
        }
        let lines = if crosses.is_empty() {
            Vec::new()
        } else {
            self.consequences(&op, &crosses)
        };
        if lines.is_empty() {
            return self.act(op);
        }
        self.layers.push(Layer::Confirm(Confirm {
            title: format!("Take {} back?", self.in_short(&crosses)),
            lines,
            yes: Action::Act(op),
        }));
        Vec::new()
    }

    /// Completing the last open task lets Claude Code delete the list.
    fn ask_to_end(&mut self, ids: &[TaskId], op: Op) -> Vec<Effect> {
        self.layers.push(Layer::Confirm(Confirm {
            title: format!("Complete {}?", self.in_short(ids)),
            lines: vec![
                "it is the last open task: a running Claude Code deletes every".to_owned(),
                "file of the list five seconds later (the board keeps a copy)".to_owned(),
            ],
            yes: Action::Act(op),
        }));
        Vec::new()
    }

    /// Whether a task is opened again, or leaves the only way that OmO team mode knows.
    fn goes_back(&self, id: &TaskId, edits: &[Edit]) -> bool {
        let Some(task) = self.list.get(id) else {
            return false;
        };
        let changes_status = edits
            .iter()
            .any(|edit| matches!(edit, Edit::Set(Field::Status, _)));
        let team = self.list.dialect() == Dialect::OmoTeam;
        changes_status
            && (task.status.is_closed() || (team && task.status.is_active()))
            && !edits.contains(&Edit::status(&Status::Completed))
            && !(edits.contains(&Edit::status(&Status::InProgress))
                && task.status == Status::Claimed)
    }

    /// What a wish does to the rest of the list, in words; nothing when it does nothing.
    fn consequences(&self, op: &Op, crosses: &[TaskId]) -> Vec<String> {
        let Ok(plan) = plan(&self.list, op.clone()) else {
            return Vec::new(); // The refusal is said when it is tried.
        };
        let mut lines = self.in_words_before(&self.list.foresee(&plan));
        if self.list.dialect() == Dialect::OmoTeam {
            lines.push(format!(
                "OmO team mode only goes forward: its agents may not expect {} back",
                self.in_short(crosses)
            ));
        }
        lines
    }

    /// A foresight as lines: what can run, what has to wait, what closes a ring.
    pub(super) fn in_words_before(&self, foresight: &Foresight) -> Vec<String> {
        let mut lines = Vec::new();
        if !foresight.ready.is_empty() {
            lines.push(format!("can run then: {}", self.in_short(&foresight.ready)));
        }
        if !foresight.blocked.is_empty() {
            let names = self.in_short(&foresight.blocked);
            lines.push(format!("has to wait again: {names}"));
        }
        for ring in &foresight.rings {
            lines.push(format!("closes a ring: {}", self.in_short(ring)));
        }
        lines
    }

    /// The names of some tasks, the first few by name and the rest by number.
    pub(super) fn in_short(&self, ids: &[TaskId]) -> String {
        let named = ids.iter().take(NAMED);
        let names: Vec<String> = named
            .map(|id| format!("“{}”", self.short_name(id)))
            .collect();
        let rest = ids.len().saturating_sub(NAMED);
        match rest {
            0 => names.join(", "),
            rest => format!("{} and {rest} more", names.join(", ")),
        }
    }

    /// One place up or down among those of the same priority.
    pub(super) fn reorder(&mut self, by: isize) -> Vec<Effect> {
        let Some(id) = self.selected.clone() else {
            return Vec::new();
        };
        let peers = self.list.peers(&id);
        let Some(here) = peers.iter().position(|peer| *peer == id) else {
            return Vec::new();
        };
        let before = match by {
            1 if here + 1 < peers.len() => peers.get(here + 2).cloned(),
            -1 if here > 0 => peers.get(here - 1).cloned(),
            _ => return self.cannot("at the edge of its priority: use + / - to change that"),
        };
        self.act(Op::Move { id, before })
    }

    /// One step of priority up or down, for every target that has one left.
    pub(super) fn set_priority(&mut self, step: fn(Priority) -> Priority) -> Vec<Effect> {
        let further = |task: &Task| {
            let next = step(task.priority.rank());
            (Some(next) != task.priority.known()).then_some(next)
        };
        let edit = |next: Priority| {
            let value = Json::string(next.as_str());
            vec![Edit::SetMetadata("priority".to_owned(), Some(value))]
        };
        let edits: Vec<(TaskId, Vec<Edit>)> = self
            .target_tasks()
            .filter_map(|task| Some((task.id.clone(), edit(further(task)?))))
            .collect();
        if edits.is_empty() {
            return self.cannot("there is no further step");
        }
        self.act(one_plan(edits))
    }

    /// Asks who is to work on the targets.
    pub(super) fn ask_for_owner(&mut self) {
        let ids = self.targets();
        let owner = match self.target_tasks().next() {
            Some(task) => task.owner.clone().unwrap_or_default(),
            None => return,
        };
        let title = format!("Who works on {}? (empty releases)", self.in_short(&ids));
        let mut prompt = Prompt::new(title, TextInput::line(&owner), PromptFor::Owner(ids));
        prompt.offers = self.offers(&prompt);
        self.layers.push(Layer::Prompt(prompt));
    }

    /// The selected task waits for the marked ones; what it waits for already it no longer does.
    pub(super) fn link_marked(&mut self) -> Vec<Effect> {
        let Some(id) = self.selected.clone() else {
            return Vec::new();
        };
        let known = self.list.blockers(&id);
        let marked = self.marks.iter().filter(|other| **other != id);
        let edit = |other: &TaskId| {
            let (field, other_id) = (EdgeField::BlockedBy, other.clone());
            if known.contains(other) {
                Edit::RemoveEdge(field, other_id)
            } else {
                Edit::AddEdge(field, other_id)
            }
        };
        let edits: Vec<Edit> = marked.map(edit).collect();
        if edits.is_empty() {
            return self.cannot("mark the blockers with space, then select the task that waits");
        }
        self.edit(&id, edits)
    }

    /// Turns an edge of the selected task around: the one to the marked task, else one to choose.
    pub(super) fn reverse(&mut self) -> Vec<Effect> {
        let Some(id) = self.selected.clone() else {
            return Vec::new();
        };
        let blockers = self.list.blockers(&id);
        let dependants = self.list.dependants(&id);
        let others: Vec<TaskId> = blockers.iter().chain(&dependants).cloned().collect();
        let marked = self.marks.iter().filter(|m| others.contains(m)).cloned();
        let marked: Vec<TaskId> = marked.collect();
        match (marked.as_slice(), others.as_slice()) {
            (_, []) => self.cannot("it has no edge to turn around"),
            ([other], _) | ([], [other]) => {
                let op = turned(&id, other, blockers.contains(other));
                self.act(op)
            }
            _ => {
                let choices = others
                    .iter()
                    .map(|other| {
                        let waits = blockers.contains(other);
                        let name = self.short_name(other);
                        let label = if waits {
                            format!("“{name}” is to wait for it")
                        } else {
                            format!("it is to wait for “{name}”")
                        };
                        let op = turned(&id, other, waits);
                        super::Choice::new(label, Action::Act(op))
                    })
                    .collect();
                let title = format!("Turn an edge of “{}” around", self.short_name(&id));
                self.layers
                    .push(Layer::Menu(super::Menu::new(title, choices)));
                Vec::new()
            }
        }
    }
}

/// The step on or back from a status, or why there is none.
fn next_status(task: &Task, by: isize, dialect: Dialect) -> Result<Status, &'static str> {
    Ok(match (&task.status, by > 0) {
        (Status::Pending, true) if dialect == Dialect::OmoTeam => Status::Claimed,
        (Status::Pending | Status::Claimed, true) => Status::InProgress,
        (Status::InProgress, true) => Status::Completed,
        (Status::Completed, false) => Status::InProgress,
        (Status::InProgress | Status::Claimed | Status::Deleted | Status::Other(_), false) => {
            Status::Pending
        }
        (Status::Completed, true) => return Err("it is completed already"),
        (Status::Deleted | Status::Other(_), true) => return Err("H makes it pending"),
        (Status::Pending, false) => return Err("it is pending already"),
    })
}

fn completes(edits: &[Edit]) -> bool {
    edits.contains(&Edit::status(&Status::Completed))
}

/// Edits of several tasks as one wish; tasks that get the same edits share it.
fn one_plan(edits: Vec<(TaskId, Vec<Edit>)>) -> Op {
    let mut groups: Vec<(Vec<TaskId>, Vec<Edit>)> = Vec::new();
    for (id, edits) in edits {
        match groups.iter_mut().find(|(_, known)| *known == edits) {
            Some((ids, _)) => ids.push(id),
            None => groups.push((vec![id], edits)),
        }
    }
    let mut ops: Vec<Op> = groups
        .into_iter()
        .map(|(ids, edits)| Op::Update {
            ids,
            patch: Patch { edits },
            force: true,
        })
        .collect();
    match ops.len() {
        1 => ops.remove(0),
        _ => Op::All(ops),
    }
}

/// An edge of a task turned around; `waits` says that the task waits for the other now.
fn turned(id: &TaskId, other: &TaskId, waits: bool) -> Op {
    let (now, then) = if waits { (id, other) } else { (other, id) };
    let update = |task: &TaskId, edit| Op::Update {
        ids: vec![task.clone()],
        patch: Patch { edits: vec![edit] },
        force: true,
    };
    let field = EdgeField::BlockedBy;
    Op::All(vec![
        update(now, Edit::RemoveEdge(field, then.clone())),
        update(then, Edit::AddEdge(field, now.clone())),
    ])
}
