use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

/// What goes through the gate: the command that a waiting process is to become.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Pass {
    /// The command and its arguments.
    pub command: Vec<String>,
    /// What is added to the environment.
    pub variables: BTreeMap<String, String>,
    /// Whether what follows is the command's own input; else it has none.
    pub has_input: bool,
}

/// The length of a pass stands before it, in so many bytes, least significant first.
const LENGTH: usize = 8;

/// Exit status when the runner ended before it opened the gate.
const NEVER_OPENED: i32 = 125;

/// Exit status of a command that cannot be started, as shells have it.
const NOT_FOUND: i32 = 127;

impl Pass {
    /// As the gate reads it.
    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let pass = serde_json::to_vec(self)?;
        let mut bytes = (pass.len() as u64).to_le_bytes().to_vec();
        bytes.extend(pass);
        Ok(bytes)
    }

    /// Reads exactly one pass: what follows it belongs to the command.
    fn read() -> io::Result<Pass> {
        let length = u64::from_le_bytes(exactly::<LENGTH>()?);
        let mut pass = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        fill(&mut pass)?;
        Ok(serde_json::from_slice(&pass)?)
    }
}

/// Waits until the runner says what for, which it does once the task is claimed, then becomes that
/// command. A runner that dies first closes the pipe, so that no command ever runs for a task that
/// nobody has claimed. Gives the exit status when it does not become the command.
pub fn gate() -> i32 {
    let Ok(pass) = Pass::read() else {
        return NEVER_OPENED;
    };
    let Some((program, arguments)) = pass.command.split_first() else {
        return NEVER_OPENED;
    };
    let mut process = Command::new(program);
    process.args(arguments).envs(&pass.variables);
    if !pass.has_input {
        process.stdin(Stdio::null());
    }
    let error = process.exec();
    // The log is where people look for it.
    let _ = writeln!(
        io::stderr(),
        "taskdeck: {program} cannot be started: {error}"
    );
    NOT_FOUND
}

fn exactly<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    fill(&mut bytes)?;
    Ok(bytes)
}

/// Reads without a buffer, which would swallow what belongs to the command.
fn fill(mut bytes: &mut [u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::read(rustix::stdio::stdin(), &mut *bytes) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => bytes = &mut bytes[read..],
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
