use std::io::Write as _;
use std::process::Command;

use anyhow::Context as _;

/// Edits a text in `$VISUAL`, `$EDITOR` or vi, which has the terminal meanwhile.
///
/// # Errors
/// When there is no place for the file, or the editor cannot be started or fails.
pub(super) fn edit(text: &str) -> anyhow::Result<String> {
    let folder = std::env::temp_dir();
    let path = folder.join(format!("taskdeck-{}.md", uuid::Uuid::new_v4()));
    let written = private_file(&path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.with_context(|| format!("{} cannot be written", path.display()))?;
    let result = run(&path);
    let edited = std::fs::read_to_string(&path);
    // A file that cannot be removed is left to the system's own cleaning.
    let _ = std::fs::remove_file(&path);
    result?;
    edited.with_context(|| format!("{} cannot be read back", path.display()))
}

/// A description may be private: nobody else reads it while it is edited.
fn private_file(path: &std::path::Path) -> std::io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Runs the editor through a shell, as git does, so that its arguments may be quoted.
fn run(path: &std::path::Path) -> anyhow::Result<()> {
    let named = ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok());
    let editor = named.into_iter().find(|text| !text.trim().is_empty());
    let editor = editor.unwrap_or_else(|| "vi".to_owned());
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(format!("{editor} \"$@\""))
        .arg(&editor)
        .arg(path);
    let status = shell
        .status()
        .with_context(|| format!("the editor `{editor}` cannot be started"))?;
    anyhow::ensure!(
        status.success(),
        "the editor `{editor}` failed, nothing was saved; set EDITOR to another"
    );
    Ok(())
}
