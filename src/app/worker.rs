use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::clock::now_ms;
use super::desk::Mail;
use crate::board::{Message, Outcome};
use crate::list::{List, Op, RefusalCode};
use crate::state::{Heard, ListState, Notices, Repairs};
use crate::store::doctor::{Cure, Finding};
use crate::store::{CommitError, Store};
use crate::task::{Dialect, Edit, Field, NewTask, TaskId};

/// A write takes so long before the board says whom it waits for.
const PATIENCE: Duration = Duration::from_millis(150);

/// What the worker is asked to do.
enum Job {
    /// Carry a wish out.
    Act(Op),
    /// Find out how far agents have heard of what people did.
    AskHeard(Vec<String>),
    /// Find out what only the folder shows.
    Examine,
    /// Clear what a writer left behind.
    Clear(Box<Finding>),
}

/// Carries wishes out on a thread of its own, one after the other.
pub(super) struct Worker {
    jobs: Sender<Job>,
    ended: Receiver<()>,
}

impl Worker {
    pub(super) fn start(store: Store, thread_id: String, state: &ListState, mail: Mail) -> Worker {
        let (jobs, inbox) = channel();
        let (ending, ended) = channel::<()>();
        let notices = Notices::new(state.folder());
        let repairs = Repairs::of(state);
        thread::spawn(move || {
            work(&store, &thread_id, &notices, &repairs, &inbox, &mail);
            drop(ending);
        });
        Worker { jobs, ended }
    }

    pub(super) fn act(&self, op: Op) {
        // The worker ends only after us.
        let _ = self.jobs.send(Job::Act(op));
    }

    pub(super) fn ask_heard(&self, agents: Vec<String>) {
        let _ = self.jobs.send(Job::AskHeard(agents));
    }

    pub(super) fn examine(&self) {
        let _ = self.jobs.send(Job::Examine);
    }

    pub(super) fn clear(&self, finding: Box<Finding>) {
        let _ = self.jobs.send(Job::Clear(finding));
    }

    /// Waits until everything that was sent is done, but not for longer than that.
    pub(super) fn finish(self, at_most: Duration) {
        drop(self.jobs);
        // What is not done by then is not done: a write leaves the old file or the new one.
        let _ = self.ended.recv_timeout(at_most);
    }
}

fn work(
    store: &Store,
    thread_id: &str,
    notices: &Notices,
    repairs: &Repairs,
    inbox: &Receiver<Job>,
    mail: &Mail,
) {
    for job in inbox {
        let op = match job {
            Job::Act(op) => op,
            Job::AskHeard(agents) => {
                let heard = Message::Heard(heard(notices, agents));
                mail.send(heard);
                continue;
            }
            Job::Examine => {
                mail.send(Message::Facts(store.facts()));
                continue;
            }
            Job::Clear(finding) => {
                mail.send(Message::Cleared(clear(store, repairs, &finding)));
                continue;
            }
        };
        let op = named(op, store.dialect(), thread_id);
        let finished = watch_the_lock(store.clone(), mail.clone());
        let result = store.act(op.clone());
        drop(finished);
        let outcome = match result {
            Ok(done) => {
                let list = List::from_files(store.dialect(), done.files.clone());
                let news = crate::tools::notices(&done.plan, &list);
                let told = !news.is_empty();
                // A notice that cannot be kept is missed by agents, not by the list.
                let _ = notices.add(news, now_ms());
                let agents = if told { at_work(&list) } else { Vec::new() };
                Outcome::Committed {
                    plan: Box::new(done.plan),
                    files: done.files,
                    warnings: done.warnings,
                    heard: heard(notices, agents),
                }
            }
            Err(error) => failed(op, error),
        };
        // Nobody listens any more when the board is about to end; the rest is still done.
        mail.send(Message::Done(outcome));
    }
}

/// Clears what a writer left behind, as a repair that the doctor can take back.
fn clear(store: &Store, repairs: &Repairs, finding: &Finding) -> Result<String, String> {
    let at_ms = now_ms();
    let Some(done) = repairs.would_clear(finding, at_ms) else {
        return Err("without a home folder there is nowhere to keep it".to_owned());
    };
    repairs.add(store.dialect(), None, done, at_ms);
    let cleared = repairs.clear(store, finding, at_ms);
    cleared.map_err(|error| error.to_string())?;
    let file = &finding.file;
    Ok(match finding.cure {
        Some(Cure::ClearTemp) => {
            format!("{file} is out of the folder; `taskdeck doctor --undo` brings it back")
        }
        _ => format!("{file} is repaired"),
    })
}

/// The owners of the tasks that are open, in order.
fn at_work(list: &List) -> Vec<String> {
    let open = list.tasks().filter(|task| !task.status.is_closed());
    let mut owners: Vec<String> = open.filter_map(|task| task.owner.clone()).collect();
    owners.sort();
    owners.dedup();
    owners
}

fn heard(notices: &Notices, agents: Vec<String>) -> Vec<(String, Heard)> {
    let of = |agent: String| {
        let heard = notices.heard(&agent).ok()?;
        Some((agent, heard))
    };
    agents.into_iter().filter_map(of).collect()
}

/// New tasks get an id and the board's thread here, since the board knows no randomness.
fn named(op: Op, dialect: Dialect, thread_id: &str) -> Op {
    let name = |mut task: NewTask| {
        if task.id.is_none() && dialect == Dialect::Omo {
            task.id = Some(TaskId::new(format!("T-{}", uuid::Uuid::new_v4())));
        }
        if task.thread_id.is_empty() {
            task.thread_id = thread_id.to_owned();
        }
        task
    };
    let all = |tasks: Vec<NewTask>| tasks.into_iter().map(name).collect();
    match op {
        Op::Create(tasks) => Op::Create(all(tasks)),
        Op::Split { id, into } => Op::Split {
            id,
            into: all(into),
        },
        Op::All(ops) => {
            let ops = ops.into_iter().map(|op| named(op, dialect, thread_id));
            Op::All(ops.collect())
        }
        Op::IfHolds { id, holds, then } => Op::IfHolds {
            id,
            holds,
            then: Box::new(named(*then, dialect, thread_id)),
        },
        Op::Update {
            ids,
            mut patch,
            force,
        } => {
            // A repair fills in a thread without knowing which.
            let empty = Edit::text(Field::ThreadId, "");
            for edit in patch.edits.iter_mut().filter(|edit| **edit == empty) {
                *edit = Edit::text(Field::ThreadId, thread_id);
            }
            Op::Update { ids, patch, force }
        }
        op => op,
    }
}

/// Says whom a write waits for, when it waits; until what it returns is dropped.
fn watch_the_lock(store: Store, mail: Mail) -> Sender<()> {
    let (finished, waiting) = channel();
    thread::spawn(move || {
        if waiting.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout)
            && let Some(holder) = store.lock_holder()
        {
            mail.send(Message::WaitingFor(Some(holder.description)));
        }
    });
    finished
}

fn failed(op: Op, error: CommitError) -> Outcome {
    let (why, conflict) = match &error {
        CommitError::Refused(refusal) => {
            let hint = refusal
                .hint
                .as_ref()
                .map_or_else(String::new, |hint| format!("; {hint}"));
            (
                format!("{}{hint}", refusal.what),
                refusal.code == RefusalCode::Conflict,
            )
        }
        error => (error.to_string(), false),
    };
    Outcome::Failed {
        op: Box::new(op),
        why,
        conflict,
    }
}
