use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::identity::{boot, host, is_alive, is_group_alive, signal_group};
use super::record::{Claimed, Process};
use crate::list::List;
use crate::task::TaskId;

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
