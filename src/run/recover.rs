use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::identity::{boot, host, is_alive, is_group_alive, signal_group};
use super::outcome::release;
use super::record::{Claimed, Process};
use crate::list::{List, Op, plan};
use crate::store::{CommitError, Store};
use crate::task::TaskId;

/// A worker that a person stops is ended for good after this.
const GRACE: Duration = Duration::from_secs(5);

/// How often a group that is ending is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// The tasks that runners which are gone have left behind. Their workers are ended first, so
/// that no task ever runs twice at once; a runner on another machine is never presumed dead.
pub(super) fn abandoned(list: &List, grace: Duration) -> Vec<(TaskId, Claimed)> {
    let (host, boot) = (host(), boot());
    // A person may have put a task back while its worker ran on.
    let open = list.tasks().filter(|task| !task.status.is_closed());
    let claimed = open.filter_map(|task| Some((task.id.clone(), Claimed::of(task)?)));
    claimed
        .filter(|(_, claimed)| claimed.host == host)
        .filter(|(_, claimed)| {
            let rebooted = claimed.boot.is_some() && claimed.boot != boot;
            rebooted || (!is_alive(&claimed.runner) && end(&claimed.worker, grace))
        })
        .collect()
}

/// The wishes that give tasks back which runners that are gone have left behind.
pub(super) fn releases(list: &List, grace: Duration, at: i64) -> Vec<(TaskId, Op)> {
    let found = abandoned(list, grace).into_iter();
    let release = |(id, claimed): (TaskId, Claimed)| {
        let op = release(list.get(&id)?, &claimed, list.dialect(), at);
        Some((id, op))
    };
    found.filter_map(release).collect()
}

/// Gives tasks back which runners that are gone have left behind, once nothing of their workers is
/// left. `now_ms` is milliseconds since the epoch.
///
/// # Errors
/// Like [`Store::commit`].
pub fn give_back(store: &Store, now_ms: i64) -> Result<Vec<TaskId>, CommitError> {
    let list = store.load()?;
    let (ids, ops): (Vec<TaskId>, Vec<Op>) = releases(&list, GRACE, now_ms).into_iter().unzip();
    store.commit(plan(&list, Op::All(ops))?)?;
    Ok(ids)
}

/// Ends the worker of a task: told first, then ended.
///
/// # Errors
/// Why it cannot be ended, for people.
pub fn stop(claimed: &Claimed) -> Result<(), String> {
    if claimed.host != host() {
        let host = &claimed.host;
        return Err(format!("the worker is on {host}; it can be stopped there"));
    }
    if claimed.boot.is_some() && claimed.boot != boot() || !is_group_alive(&claimed.worker) {
        return Err("the worker is gone already".to_owned());
    }
    if end(&claimed.worker, GRACE) {
        Ok(())
    } else {
        Err("the worker could not be ended".to_owned())
    }
}

/// Ends a worker's group and says whether it is gone.
fn end(group: &Process, grace: Duration) -> bool {
    for signal in [Signal::TERM, Signal::KILL] {
        if !is_group_alive(group) {
            return true;
        }
        // A group that may not be signalled is found alive below, and its task stays.
        let _ = signal_group(group, signal);
        let until = Instant::now() + grace;
        while is_group_alive(group) && Instant::now() < until {
            thread::sleep(LOOK);
        }
    }
    !is_group_alive(group)
}
