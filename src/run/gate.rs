use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

/// What goes through the gate: the command that a waiting process is to become.
#[derive(Debug, PartialEq)]
pub(super) struct Pass {
    /// The command and its arguments.
    pub command: Vec<OsString>,
    /// What is added to the environment.
    pub variables: Vec<(OsString, OsString)>,
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
    /// As the gate reads it: words with a NUL behind each, which none of them can hold. First
    /// whether there is input, then the variables, names and values in turn, an empty word, and
    /// the command.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let has_input = OsString::from(if self.has_input { "input" } else { "none" });
        let end_of_variables = OsString::new();
        let variables = self
            .variables
            .iter()
            .flat_map(|(name, value)| [name, value]);
        let words = [&has_input].into_iter().chain(variables);
        let words = words.chain([&end_of_variables]).chain(&self.command);
        let mut pass = Vec::new();
        for word in words {
            pass.extend(word.as_bytes());
            pass.push(0);
        }
        let mut bytes = (pass.len() as u64).to_le_bytes().to_vec();
        bytes.extend(pass);
        bytes
    }

    fn from_words(pass: &[u8]) -> Option<Pass> {
        let words = pass.strip_suffix(&[0])?.split(|byte| *byte == 0);
        let mut words = words.map(|word| OsString::from_vec(word.to_vec()));
        let has_input = words.next()? == "input";
        let mut variables = Vec::new();
        loop {
            let name = words.next()?;
            if name.is_empty() {
                break;
            }
            variables.push((name, words.next()?));
        }
        Some(Pass {
            command: words.collect(),
            variables,
            has_input,
        })
    }

    /// Reads exactly one pass: what follows it belongs to the command.
    fn read() -> io::Result<Pass> {
        let length = u64::from_le_bytes(exactly::<LENGTH>()?);
        let mut pass = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        fill(&mut pass)?;
        let no_pass = || io::Error::other("this is no pass");
        Pass::from_words(&pass).ok_or_else(no_pass)
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
    process
        .args(arguments)
        .envs(pass.variables.iter().map(|(name, value)| (name, value)));
    if !pass.has_input {
        process.stdin(Stdio::null());
    }
    let error = process.exec();
    // The log is where people look for it.
    let _ = writeln!(
        io::stderr(),
        "taskdeck: {} cannot be started: {error}",
        program.display()
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

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;

    use super::{LENGTH, Pass};

    #[test]
    fn what_goes_through_the_gate_arrives_byte_for_byte() {
        let odd = OsString::from_vec(b"/tmp/x\xff\n{}\"".to_vec());
        for (command, variables) in [
            (vec!["true".into()], vec![]),
            (
                vec!["a".into(), OsString::new(), odd.clone()],
                vec![("N".into(), odd.clone())],
            ),
            (
                vec!["a".into(), OsString::new()],
                vec![("N".into(), OsString::new())],
            ),
        ] {
            for has_input in [true, false] {
                let (command, variables) = (command.clone(), variables.clone());
                let pass = Pass {
                    command,
                    variables,
                    has_input,
                };
                assert_eq!(Pass::from_words(&pass.to_bytes()[LENGTH..]), Some(pass));
            }
        }
        assert_eq!(Pass::from_words(b""), None);
        assert_eq!(Pass::from_words(b"input\0NAME\0"), None);
    }
}
