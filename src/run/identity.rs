use std::fs;
use std::io;

use rustix::process::{
    Pid, Signal, kill_process_group, test_kill_process, test_kill_process_group,
};

use super::record::Process;

/// The machine's name.
pub(super) fn host() -> String {
    let name = rustix::system::uname();
    name.nodename().to_string_lossy().into_owned()
}

/// What tells this boot of the machine from earlier ones; `None` where there is no such thing.
pub(super) fn boot() -> Option<String> {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned())
}

/// A process as it is now.
pub(super) fn process(pid: u32) -> Process {
    Process {
        pid,
        start: start_of(pid),
    }
}

/// When a process began, in clock ticks since boot: the 22nd field of its `stat` (proc(5)). The
/// second may hold spaces and brackets, so fields are counted behind the last bracket.
fn start_of(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, after) = stat.rsplit_once(')')?;
    after.split_whitespace().nth(19)?.parse().ok()
}

/// Whether a process is still the one that was recorded. Where that cannot be told, it counts as
/// alive.
pub(super) fn is_alive(process: &Process) -> bool {
    let Some(pid) = pid(process) else {
        return false;
    };
    match (process.start, start_of(process.pid)) {
        (Some(then), Some(now)) => then == now,
        _ => !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH)),
    }
}

/// Whether anything of a recorded process group is left. A number is not given out again while a
/// group has it; so a leader that began at another time is another group, and ours is gone.
pub(super) fn is_group_alive(group: &Process) -> bool {
    let Some(pid) = pid(group) else { return false };
    if matches!(test_kill_process_group(pid), Err(rustix::io::Errno::SRCH)) {
        return false;
    }
    match (group.start, start_of(group.pid)) {
        (Some(then), Some(now)) => then == now,
        _ => true,
    }
}

/// Sends a signal to every process of a group.
///
/// # Errors
/// When that is not allowed; a group that is gone is no error.
pub(super) fn signal_group(group: &Process, signal: Signal) -> io::Result<()> {
    match pid(group).map(|pid| kill_process_group(pid, signal)) {
        None | Some(Ok(()) | Err(rustix::io::Errno::SRCH)) => Ok(()),
        Some(Err(error)) => Err(error.into()),
    }
}

fn pid(process: &Process) -> Option<Pid> {
    Pid::from_raw(i32::try_from(process.pid).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_was_given_out_again_is_another_process() {
        let me = process(std::process::id());
        assert!(is_alive(&me));
        let earlier = Process {
            start: me.start.map(|start| start.wrapping_sub(1)),
            ..me.clone()
        };
        assert_eq!(is_alive(&earlier), me.start.is_none());
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let gone = process(child.id());
        child.wait().unwrap();
        assert!(!is_alive(&gone));
    }
}
