use std::ffi::OsString;
use std::io::{self, PipeReader, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::Sender;
use std::thread;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};

use super::gate::{GO, GO_WITHOUT_INPUT};
use super::identity::{process, signal_group};
use super::outcome::Ending;
use super::record::Process;
use super::runner::Happening;
use crate::task::TaskId;

/// What a worker is started with.
pub(super) struct Order {
    /// taskdeck itself, which waits at the gate and becomes the command.
    pub gate: Vec<OsString>,
    /// The command with its arguments.
    pub command: Vec<String>,
    /// What is added to the environment.
    pub variables: Vec<(&'static str, OsString)>,
    /// What it gets on its standard input; `None` is nothing.
    pub input: Option<Vec<u8>>,
    /// Where its output goes.
    pub log: Option<PathBuf>,
}

/// A worker that waits at the gate: its process exists, its command does not run yet. Dropping it
/// closes the gate for good.
pub(super) struct Waiting {
    child: Child,
    output: PipeReader,
    order: Order,
    /// Its process group.
    pub group: Process,
}

impl Waiting {
    /// Starts the process in a group of its own.
    ///
    /// # Errors
    /// When there are too many processes, or an argument is too long for the system.
    pub(super) fn start(order: Order) -> io::Result<Waiting> {
        let (output, input) = io::pipe()?;
        let (program, arguments) = order
            .gate
            .split_first()
            .ok_or_else(|| io::Error::other("there is no command"))?;
        let child = Command::new(program)
            .args(arguments)
            .args(&order.command)
            .envs(order.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(input.try_clone()?)
            .stderr(input)
            .process_group(0)
            .spawn()?;
        let group = process(child.id());
        Ok(Waiting {
            child,
            output,
            order,
            group,
        })
    }

    /// Opens the gate. The end is told to `happenings`.
    pub(super) fn go(self, id: TaskId, happenings: Sender<Happening>) {
        let Waiting {
            mut child,
            output,
            order,
            group,
        } = self;
        let mut gate = child.stdin.take();
        let Order { input, log, .. } = order;
        thread::spawn(move || {
            let mut bytes = vec![if input.is_some() {
                GO
            } else {
                GO_WITHOUT_INPUT
            }];
            bytes.extend(input.unwrap_or_default());
            // A command that does not read its input is no failure.
            let _ = gate.take().map(|mut gate| gate.write_all(&bytes));
        });
        let printing = thread::spawn(move || super::log::copy(output, log));
        thread::spawn(move || {
            // What the command left behind ends with it, while its number cannot be given out again.
            wait_for_end(&group);
            let _ = signal_group(&group, Signal::KILL);
            let ending = child
                .wait()
                .map_or_else(|error| Ending::NotStarted(error.to_string()), ending);
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
