use std::path::PathBuf;

use super::{Freshness, LaidOut, LayoutJob, Model, Mouse, Tone};
use crate::command::Key;
use crate::list::{FileChange, List, Op, Plan};
use crate::run::Claimed;
use crate::state::Heard;
use crate::store::discover::{Overview, PlanProgress};
use crate::store::doctor::{Facts, Finding};
use crate::store::watch::WatchStatus;
use crate::task::{TaskId, Warning};

/// Everything that can happen to the board.
#[derive(Debug)]
pub enum Message {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted.
    Paste(String),
    /// The mouse did something to something that is drawn.
    Mouse(Mouse),
    /// The screen has this size now.
    Resize(u16, u16),
    /// The terminal has the focus again.
    FocusGained,
    /// The person looks elsewhere.
    FocusLost,
    /// The time, in milliseconds since the epoch.
    Clock(i64),
    /// The list was read for the first time, or could not be.
    Loaded(Result<Box<List>, String>),
    /// What the watcher read.
    Files(Vec<FileChange>),
    /// How far the watcher can be trusted.
    Watch(WatchStatus),
    /// A write is waiting for somebody's lock.
    WaitingFor(Option<String>),
    /// A large picture of the graph is laid out.
    LaidOut(LaidOut),
    /// A write ended.
    Done(Outcome),
    /// How far agents have heard of what people did.
    Heard(Vec<(String, Heard)>),
    /// All lists, as they are now, and OmO's plan.
    Lists(Vec<Overview>, Option<PlanProgress>),
    /// What only the folder of the list shows.
    Facts(Facts),
    /// The end of a worker's log, as it is now.
    Log(TaskId, String),
    /// What was done about workers, or why it was not.
    Told(Result<String, String>),
    /// What a writer left behind was cleared, in words, or why it was not.
    Cleared(Result<String, String>),
    /// `$EDITOR` was left: the description as it is now, or why there is none.
    Edited(TaskId, Result<String, String>),
}

/// How a write ended.
#[derive(Debug)]
pub enum Outcome {
    /// It was carried out.
    Committed {
        /// What was done.
        plan: Box<Plan>,
        /// What was written.
        files: Vec<FileChange>,
        /// What there is to know.
        warnings: Vec<(TaskId, Warning)>,
        /// How far the agents that have these tasks hear of it.
        heard: Vec<(String, Heard)>,
    },
    /// It was not: the wish and why.
    Failed {
        /// What was asked for.
        op: Box<Op>,
        /// Why it was not done, and what to do.
        why: String,
        /// Somebody changed what an undo would have taken back.
        conflict: bool,
    },
}

/// What the board wants done outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Carry a wish out. A new task without an id gets one.
    Act(Box<Op>),
    /// Find out how far these agents have heard of what people did.
    AskHeard(Vec<String>),
    /// Lay a large picture of the graph out; the latest counts.
    Layout(Box<LayoutJob>),
    /// Edit a text in `$EDITOR`.
    Edit(TaskId, String),
    /// Put a text on the clipboard.
    Copy(String),
    /// Compare the whole folder.
    Sweep,
    /// Find out what only the folder of the list shows.
    Examine,
    /// Clear what a writer left behind: a dead lock, a temp file, a mark that is behind.
    Clear(Box<Finding>),
    /// Look for all lists, and again while they are shown.
    FindLists,
    /// Open the list in this folder instead.
    Open(PathBuf),
    /// Tell the end of this task's log, now and whenever it changes; of none any more.
    FollowLog(Option<TaskId>),
    /// End a worker.
    StopWorker(Box<Claimed>),
    /// Give the tasks of runners that are gone back.
    GiveBack,
    /// Have the runner under the board work on so many tasks at a time.
    Jobs(usize),
    /// Take the mouse, or leave it to the terminal.
    TakeMouse(bool),
    /// Give the terminal back until the shell wakes us.
    Suspend,
    /// Leave.
    Quit,
}

/// The whole behaviour of the board: what a message changes, and what is to be done outside.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let mut effects = take(model, message);
    let job = model.graph.take_job();
    effects.extend(job.map(|job| Effect::Layout(Box::new(job))));
    effects.extend(model.follow_log());
    effects
}

fn take(model: &mut Model, message: Message) -> Vec<Effect> {
    match message {
        Message::Key(key) => {
            let effects = model.press(key);
            return model.sent(effects);
        }
        Message::Paste(text) => model.paste(&text),
        Message::Mouse(mouse) => return model.mouse(mouse),
        Message::Resize(columns, rows) => {
            model.size = (columns, rows);
            model.refresh_graph();
        }
        Message::FocusLost => model.look_away(),
        Message::FocusGained => {
            model.away.away = false;
            let mut effects = model.ask_heard();
            effects.push(Effect::Sweep);
            return effects;
        }
        Message::Clock(now_ms) => {
            model.now_ms = now_ms;
            return model.ask_heard();
        }
        Message::Loaded(Ok(list)) => model.take_list(*list),
        Message::Loaded(Err(why)) => {
            model.loading = false;
            model.freshness = Freshness::Stale(why.clone());
            model.say(Tone::Error, why);
        }
        Message::Files(files) => {
            model.hear(files);
            return model.ask_heard();
        }
        Message::Watch(status) => {
            model.freshness = match status {
                WatchStatus::Live => Freshness::Live,
                WatchStatus::Polling { why } => Freshness::Polling(why),
                WatchStatus::Stale { why } => Freshness::Stale(why),
            };
        }
        Message::WaitingFor(holder) => model.waiting_for = holder,
        Message::Done(outcome) => model.done(outcome),
        Message::LaidOut(done) => model.graph.take_layout(&model.list, done),
        Message::Heard(heard) => model.heard.extend(heard),
        Message::Lists(all, plan) => model.take_lists(all, plan),
        Message::Facts(facts) => model.take_facts(facts),
        Message::Log(id, text) => model.take_log(id, text),
        Message::Told(told) => model.tell(told),
        Message::Cleared(told) => {
            model.tell(told);
            return vec![Effect::Sweep, Effect::Examine];
        }
        Message::Edited(id, text) => return model.edited(&id, text),
    }
    Vec::new()
}
