use std::ffi::OsString;
use std::io::{self, PipeReader, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::Sender;
use std::thread;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};

use super::gate::Pass;
use super::identity::{process, signal_group};
use super::outcome::Ending;
use super::record::Process;
use super::runner::Happening;
use crate::task::TaskId;

/// What a waiting worker is told.
pub(super) struct Order {
    /// What it is to become.
    pub pass: Pass,
    /// What the command reads.
    pub input: Vec<u8>,
    /// Where its output goes.
    pub log: Option<PathBuf>,
}

/// A worker that waits at the gate: its process exists, its command does not run yet. Dropping it
/// closes the gate for good.
pub(super) struct Waiting {
    child: Child,
    output: PipeReader,
    /// Its process group.
    pub group: Process,
}

/// A pipe takes so many bytes at least before it makes its writer wait.
const FITS_A_PIPE: usize = 4096;

impl Waiting {
    /// Starts taskdeck itself as a gate (see [`super::gate()`]) on the list in `dir`, in a group of
    /// its own.
    ///
    /// # Errors
    /// When there are too many processes or open files.
    pub(super) fn start(gate: &[OsString], dir: &Path) -> io::Result<Waiting> {
        let (output, input) = io::pipe()?;
        let (program, arguments) = gate
            .split_first()
            .ok_or_else(|| io::Error::other("there is no gate"))?;
        let child = Command::new(program)
            .args(arguments)
            .env("TASKDECK_DIR", std::path::absolute(dir)?)
            .stdin(Stdio::piped())
            .stdout(input.try_clone()?)
            .stderr(input)
            .process_group(0)
            .spawn()?;
        let group = process(child.id());
        Ok(Waiting {
            child,
            output,
            group,
        })
    }

    /// Opens the gate. The end is told to `happenings`.
    pub(super) fn go(self, order: Order, id: TaskId, happenings: Sender<Happening>) {
        let Waiting {
            mut child,
            output,
            group,
        } = self;
        let mut bytes = order.pass.to_bytes();
        bytes.extend(order.input);
        if let Some(mut gate) = child.stdin.take() {
            let waits = bytes.len() > FITS_A_PIPE;
            // A command that does not read its input is no failure.
            let mut feed = move || drop(gate.write_all(&bytes));
            if waits {
                thread::spawn(feed);
            } else {
                feed();
            }
        }
        let printing = thread::spawn(move || super::log::copy(output, order.log));
        thread::spawn(move || {
            // What the command left behind ends with it, while its number cannot be given out again.
            wait_for_end(&group);
            let _ = signal_group(&group, Signal::KILL);
            let ending = child
                .wait()
                .map_or_else(|error| Ending::Lost(error.to_string()), ending);
            let _ = happenings.send(Happening::Exited(id.clone(), ending));
            // A process that went to a group of its own may hold the output open for ever; only the
            // last line waits for it.
            let line = printing.join().unwrap_or_default();
            let _ = happenings.send(Happening::Printed(id, line));
        });
    }

    /// Closes the gate without opening it: the command never runs.
    pub(super) fn never(mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// Waits until a process has ended, and leaves it to its parent to take note.
fn wait_for_end(process: &Process) {
    let Some(pid) = i32::try_from(process.pid).ok().and_then(Pid::from_raw) else {
        return;
    };
    let how = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(pid), how), Err(Errno::INTR)) {}
}

fn ending(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exit(code),
        (None, Some(signal)) => Ending::Signal(signal),
        (None, None) => Ending::Exit(1),
    }
}
