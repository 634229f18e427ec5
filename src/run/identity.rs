use std::fs;
use std::io;
use std::time::Duration;

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

/// What `/proc` tells of a process (proc(5), `stat`).
struct Stat {
    /// It has ended, and its parent has not taken note yet.
    ended: bool,
    group: u32,
    /// In clock ticks since boot.
    start: u64,
}

impl Stat {
    fn of(pid: u32) -> Option<Stat> {
        Stat::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The second field may hold spaces and brackets, so fields are counted behind its end.
    fn parse(stat: &str) -> Option<Stat> {
        let (_, after) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = after.split_whitespace().collect();
        Some(Stat {
            ended: matches!(*fields.first()?, "Z" | "X"),
            group: fields.get(2)?.parse().ok()?,
            start: fields.get(19)?.parse().ok()?,
        })
    }
}

fn start_of(pid: u32) -> Option<u64> {
    Stat::of(pid).map(|stat| stat.start)
}

/// Whether a process is still the one that was recorded. Where that cannot be told, it counts as
/// alive.
pub(super) fn is_alive(process: &Process) -> bool {
    let Some(pid) = pid(process) else {
        return false;
    };
    match (process.start, Stat::of(process.pid)) {
        (Some(then), Some(now)) => then == now.start && !now.ended,
        _ => !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH)),
    }
}

/// Sleeps until a process is gone: by what the system tells, where it does, else by looking.
pub(super) fn wait_until_gone(process: &Process) {
    const BETWEEN_LOOKS: Duration = Duration::from_secs(2);
    while is_alive(process) {
        if !wait_for(process) {
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }
}

/// Sleeps until whatever has the process's number now ends; false where that cannot be waited for.
#[cfg(target_os = "linux")]
fn wait_for(process: &Process) -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{PidfdFlags, pidfd_open};
    let Some(Ok(handle)) = pid(process).map(|pid| pidfd_open(pid, PidfdFlags::empty())) else {
        return false;
    };
    // The number may have been given out again before we had hold of it.
    !is_alive(process) || poll(&mut [PollFd::new(&handle, PollFlags::IN)], None).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn wait_for(_: &Process) -> bool {
    false
}

/// Whether anything of a recorded process group is left. A number is not given out again while a
/// group has it; so a leader that began at another time is another group, and ours is gone.
pub(super) fn is_group_alive(group: &Process) -> bool {
    let Some(pid) = pid(group) else { return false };
    if matches!(test_kill_process_group(pid), Err(rustix::io::Errno::SRCH)) {
        return false;
    }
    match (group.start, start_of(group.pid)) {
        (Some(then), Some(now)) if then != now => false,
        _ => !all_have_ended(group.pid),
    }
}

/// Whether a group's processes are all waiting for their parent to take note of their end: that
/// may never happen, in a container whose first process is no init.
fn all_have_ended(group: u32) -> bool {
    let Ok(entries) = fs::read_dir("/proc") else {
        return false;
    };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let mut members = pids.filter_map(Stat::of).filter(|stat| stat.group == group);
    // Where `/proc` shows no member at all, it tells nothing.
    members
        .next()
        .is_some_and(|first| first.ended && members.all(|stat| stat.ended))
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
        while !Stat::of(gone.pid).is_some_and(|stat| stat.ended) {
            std::thread::yield_now();
        }
        assert!(!is_alive(&gone), "nobody has taken note of its end");
        child.wait().unwrap();
        assert!(!is_alive(&gone));
    }
}
