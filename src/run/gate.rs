use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

/// What opens the gate, and whether the rest of the input is the command's.
pub(super) const GO: u8 = b'g';
pub(super) const GO_WITHOUT_INPUT: u8 = b'n';

/// Exit status when the runner ended before it opened the gate.
const NEVER_OPENED: i32 = 125;

/// Exit status of a command that cannot be started, as shells have it.
const NOT_FOUND: i32 = 127;

/// Waits until the runner says that the task is claimed, then becomes the command. A runner that
/// dies first closes the pipe, so that no command ever runs for a task that nobody has claimed.
/// Gives the exit status when it does not become the command.
pub fn gate(command: &[OsString]) -> i32 {
    let mut byte = [0];
    // One byte and no more: what follows it belongs to the command.
    let read = rustix::io::read(rustix::stdio::stdin(), &mut byte);
    let mut process = match (command.split_first(), read) {
        (Some((program, arguments)), Ok(1)) => {
            let mut process = Command::new(program);
            process.args(arguments);
            process
        }
        _ => return NEVER_OPENED,
    };
    match byte[0] {
        GO => {}
        GO_WITHOUT_INPUT => {
            process.stdin(Stdio::null());
        }
        _ => return NEVER_OPENED,
    }
    let error = process.exec();
    let name = command[0].to_string_lossy();
    // The log is where people look for it.
    let _ = io::Write::write_fmt(
        &mut io::stderr(),
        format_args!("taskdeck: {name} cannot be started: {error}\n"),
    );
    NOT_FOUND
}
