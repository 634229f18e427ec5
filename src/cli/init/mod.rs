//! `taskdeck init CLIENT`: the smallest change to a client's project files that gives its agents
//! the tools. Shown unless `--write` asks for it; taken back with `--remove`.

mod client;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod instructions;
mod jsonc;
mod made;
#[cfg(test)]
mod tests;

pub use client::{Client, SERVER};
pub use made::Made;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// What `init` is asked.
#[derive(Debug, Clone, clap::Args)]
pub struct InitArgs {
    /// The client to set up
    #[arg(value_enum)]
    pub client: Client,
    /// Make the change; without this it is only shown
    #[arg(long)]
    pub write: bool,
    /// Take the set-up back (shown only, unless --write is given too)
    #[arg(long)]
    pub remove: bool,
}

/// Runs `init` in the project that the current folder belongs to.
///
/// # Errors
/// When a file cannot be read, changed safely, or written.
pub fn run(args: &InitArgs, json: bool, quiet: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let root = project_root(&std::env::current_dir()?);
    let state = crate::state::root(|name| std::env::var_os(name).map(PathBuf::from));
    let made = Made::under(state.as_deref());
    let edits = edits(&root, args.client, args.remove, &made)?;
    if args.write {
        write(&edits)?;
        made.note(&edits)
            .context("cannot remember which files were made")?;
    }
    if json {
        let files: Vec<_> = edits.iter().map(FileEdit::to_json).collect();
        let client = args.client.name();
        let answer = serde_json::json!({"client": client, "written": args.write, "files": files});
        writeln!(out, "{answer}")?;
        return Ok(());
    }
    if args.write && quiet {
        return Ok(());
    }
    show(&edits, out)?;
    if !quiet && !args.write && edits.iter().any(|edit| edit.before != edit.after) {
        out.flush()?;
        writeln!(io::stderr(), "Nothing was written; add --write to do it.")?;
    }
    Ok(())
}

/// One file before and after; `None` is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdit {
    /// The file.
    pub path: PathBuf,
    /// Its text now.
    pub before: Option<String>,
    /// Its text after the change.
    pub after: Option<String>,
}

impl FileEdit {
    fn to_json(&self) -> serde_json::Value {
        let path = self.path.display().to_string();
        serde_json::json!({"path": path, "action": self.action()})
    }

    /// What happens to the file, in a word.
    pub fn action(&self) -> &'static str {
        match (&self.before, &self.after) {
            (before, after) if before == after => "unchanged",
            (None, _) => "create",
            (_, None) => "delete",
            _ => "change",
        }
    }
}

/// The project that a folder belongs to: the nearest one above that holds `.git`, else itself.
pub fn project_root(folder: &Path) -> PathBuf {
    let root = folder.ancestors().find(|at| at.join(".git").exists());
    root.unwrap_or(folder).to_owned()
}

/// What would change in a project; nothing is written.
///
/// # Errors
/// When a file cannot be read, or is no JSON that could be changed safely.
pub fn edits(
    root: &Path,
    client: Client,
    remove: bool,
    made: &Made,
) -> anyhow::Result<Vec<FileEdit>> {
    let configs = client.configs().iter().map(|name| root.join(name));
    let config = configs
        .clone()
        .find(|path| path.exists())
        .or_else(|| configs.clone().next_back())
        .context("every client has a configuration file")?;
    let config = edit(config, made, |text| {
        let path = client.path();
        match remove {
            true => Ok(jsonc::remove(text, &path)?.ok_or("{}\n".to_owned())),
            false => Ok(Ok(jsonc::set(text, &path, &client.server())?)),
        }
    })?;
    let instructions = edit(root.join(client.instructions()), made, |text| {
        Ok(match remove {
            true => instructions::remove(text).ok_or(String::new()),
            false => Ok(instructions::add(text)),
        })
    })?;
    Ok(vec![config, instructions])
}

/// `change` makes the new text, or gives the one that says nothing when nothing is left: then a
/// file that `init` made goes, and any other says nothing.
fn edit(
    path: PathBuf,
    made: &Made,
    change: impl Fn(&str) -> anyhow::Result<Result<String, String>>,
) -> anyhow::Result<FileEdit> {
    let before = match fs::read(&path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Some(text),
            Err(_) => bail!("{} is not UTF-8; nothing was changed", path.display()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let after = change(before.as_deref().unwrap_or(""))
        .with_context(|| format!("{} was left as it is", path.display()))?;
    let after = match after {
        Ok(text) if before.is_none() && text.is_empty() => None,
        Ok(text) => Some(text),
        Err(_) if made.holds(&path) => None,
        Err(empty) => Some(empty),
    };
    Ok(FileEdit {
        path,
        before,
        after,
    })
}

/// Makes the changes.
///
/// # Errors
/// When a file cannot be written; those before it are.
pub fn write(edits: &[FileEdit]) -> anyhow::Result<()> {
    for edit in edits.iter().filter(|edit| edit.before != edit.after) {
        let done = match &edit.after {
            Some(text) => replace(&edit.path, text),
            None => fs::remove_file(&edit.path),
        };
        done.with_context(|| format!("cannot write {}", edit.path.display()))?;
    }
    Ok(())
}

/// Puts a text in a file's place as a whole, so that nobody ever finds half a configuration. A
/// link stays one, and the mode is kept.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let file = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut temp = file.clone().into_os_string();
    temp.push(format!(".{}.tmp", std::process::id()));
    let written = fs::write(&temp, text).and_then(|()| match fs::metadata(&file) {
        Ok(before) => fs::set_permissions(&temp, before.permissions()),
        Err(_) => Ok(()),
    });
    let done = written.and_then(|()| fs::rename(&temp, &file));
    if done.is_err() {
        let _ = fs::remove_file(&temp); // what went wrong is told already
    }
    done
}

/// Shows the changes as the lines that go and come.
///
/// # Errors
/// When the output is closed.
pub fn show(edits: &[FileEdit], out: &mut impl Write) -> io::Result<()> {
    for edit in edits {
        writeln!(out, "{}: {}", edit.path.display(), edit.action())?;
        let before: Vec<&str> = lines(edit.before.as_deref());
        let after: Vec<&str> = lines(edit.after.as_deref());
        let same = |(a, b): &(&&str, &&str)| a == b;
        let head = before.iter().zip(&after).take_while(same).count();
        let ends = before[head..].iter().rev().zip(after[head..].iter().rev());
        let tail = ends.take_while(same).count();
        for line in &before[head..before.len() - tail] {
            writeln!(out, "  - {line}")?;
        }
        for line in &after[head..after.len() - tail] {
            writeln!(out, "  + {line}")?;
        }
    }
    Ok(())
}

fn lines(text: Option<&str>) -> Vec<&str> {
    text.unwrap_or("").lines().collect()
}
