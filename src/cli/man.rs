//! `man`: the manual pages, one for taskdeck and one a command.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::{Command, CommandFactory as _};
use serde_json::json;

use super::args::Cli;
use super::failure::Failure;
use super::print_generated;

/// `man`
pub fn man(
    command: Option<&str>,
    output: Option<&Path>,
    json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let pages = pages();
    if let Some(folder) = output {
        return write_all(&pages, folder, json, out);
    }
    let wanted = command.unwrap_or("taskdeck");
    let page = pages.iter().find(|page| page.get_name() == wanted);
    let page = page.ok_or_else(|| {
        let failure = Failure::usage(format!("there is no command {wanted:?}"));
        failure.hint("`taskdeck --help` lists the commands")
    })?;
    print_generated("page", &render(page)?, json, out)?;
    Ok(())
}

/// What has a page: taskdeck and its commands.
fn pages() -> Vec<Command> {
    let mut whole = Cli::command();
    whole.build(); // which names the commands as their pages are named
    let commands = whole.get_subcommands();
    let commands = commands.filter(|command| !command.is_hide_set());
    std::iter::once(&whole).chain(commands).cloned().collect()
}

/// The page's name, such as `taskdeck-run`.
fn name(page: &Command) -> &str {
    page.get_display_name().unwrap_or(page.get_name())
}

fn render(page: &Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let page = clap_mangen::Man::new(page.clone());
    let source = concat!("taskdeck ", env!("CARGO_PKG_VERSION"));
    page.source(source).render(&mut text)?;
    Ok(text)
}

fn write_all(
    pages: &[Command],
    folder: &Path,
    json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    fs::create_dir_all(folder)?;
    for page in pages {
        let path = folder.join(format!("{}.1", name(page)));
        super::snapshot::write(&path, &render(page)?)?;
        match json {
            true => writeln!(out, "{}", json!({"file": path.display().to_string()}))?,
            false => writeln!(out, "{}", path.display())?,
        }
    }
    Ok(())
}
