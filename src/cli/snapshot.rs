//! `snapshot`: the board as a picture, drawn without a terminal by the same code.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap_complete::engine::ArgValueCompleter;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use serde_json::json;

use super::board::{Look, picture_theme, place, theme};
use super::complete::task_ids;
use super::failure::Failure;
use super::gallery;
use super::session::{Session, now_ms};
use crate::board::{Effect, Message, Model, Pane, update};
use crate::command::Key;
use crate::list::List;
use crate::picture;
use crate::state::ListState;
use crate::task::TaskId;
use crate::view::{Theme, draw_into};

/// `snapshot`
#[derive(Debug, clap::Args)]
pub struct SnapshotArgs {
    /// Columns and rows
    #[arg(long, value_name = "COLUMNSxROWS", default_value = "120x36")]
    pub size: String,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// What to show
    #[arg(long, value_name = "VIEW", default_value = "board")]
    pub view: View,
    /// The task to select
    #[arg(long, value_name = "ID", add = ArgValueCompleter::new(task_ids))]
    pub select: Option<String>,
    /// Keys to press first, with spaces between: "j enter" or "/ l o g"
    #[arg(long, value_name = "KEYS")]
    pub keys: Option<String>,
    /// The file to write (else standard output)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Draws every picture of the README into a folder, with fixed times
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub gallery: Option<PathBuf>,
}

/// The kinds of picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// The letters.
    Text,
    /// The letters with colours, for a terminal.
    Ansi,
    /// A vector picture.
    Svg,
    /// A picture in pixels.
    Png,
}

/// The parts of the board that can be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum View {
    /// The board as it opens.
    Board,
    /// The dependency graph alone.
    Graph,
    /// The details alone.
    Details,
    /// Help.
    Help,
}

/// `snapshot`
pub fn snapshot(
    session: &mut Session,
    args: &SnapshotArgs,
    looks: &Look,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let list = session.load()?;
    if let Some(folder) = &args.gallery {
        return gallery::draw(session, &list, folder);
    }
    let size = size(&args.size)?;
    let mut model = open(session, list, size, now_ms(), session.state.clone());
    if let Some(text) = &args.select {
        let id = session.resolve(&model.list, text)?;
        select(&mut model, &id);
    }
    press(&mut model, args.view.keys())?;
    press(&mut model, args.keys.as_deref().unwrap_or_default())?;
    let theme = match args.format {
        Format::Text | Format::Ansi => theme(&session.env, looks)?,
        Format::Svg | Format::Png => picture_theme(&session.env, looks)?,
    };
    let picture = render(&model, &theme, size, args.format)?;
    if session.global.json && args.output.is_none() {
        return as_json(args.format, size, &picture, out);
    }
    deliver(session, args.output.as_deref(), &picture, out)
}

/// The board's lines as an answer; other kinds of picture are no JSON.
fn as_json(
    format: Format,
    size: (u16, u16),
    picture: &[u8],
    out: &mut impl Write,
) -> Result<(), Failure> {
    if format != Format::Text {
        let why = "--json answers with the text; name a file with --output for another format";
        return Err(Failure::usage(why));
    }
    let text = String::from_utf8_lossy(picture);
    let lines: Vec<&str> = text.lines().collect();
    writeln!(
        out,
        "{}",
        json!({"columns": size.0, "rows": size.1, "lines": lines})
    )?;
    Ok(())
}

/// Puts what was made into the file that was named, and with `--json` says so; else prints it.
pub(super) fn deliver(
    session: &Session,
    output: Option<&Path>,
    bytes: &[u8],
    out: &mut impl Write,
) -> Result<(), Failure> {
    let Some(path) = output else {
        return Ok(out.write_all(bytes)?);
    };
    write(path, bytes)?;
    if session.global.json {
        writeln!(out, "{}", json!({"file": path.display().to_string()}))?;
    }
    Ok(())
}

impl View {
    fn keys(self) -> &'static str {
        match self {
            View::Board => "",
            View::Graph => "tab z",
            View::Details => "tab tab z",
            View::Help => "?",
        }
    }
}

fn size(text: &str) -> Result<(u16, u16), Failure> {
    let parts = text
        .split_once('x')
        .and_then(|(c, r)| Some((c.parse().ok()?, r.parse().ok()?)));
    let fits = parts.filter(|(c, r): &(u16, u16)| (1..=500).contains(c) && (1..=300).contains(r));
    fits.ok_or_else(|| {
        Failure::usage(format!(
            "--size {text}: give columns and rows, such as 120x36"
        ))
    })
}

pub(super) fn open(
    session: &Session,
    list: List,
    size: (u16, u16),
    now_ms: i64,
    state: ListState,
) -> Model {
    let mut model = Model::new(
        session.store.dialect(),
        place(session),
        state,
        session.store.is_read_only(),
    );
    model.now_ms = now_ms;
    update(&mut model, Message::Resize(size.0, size.1));
    update(&mut model, Message::Loaded(Ok(Box::new(list))));
    model
}

fn select(model: &mut Model, id: &TaskId) {
    let at = crate::board::MouseAt::Node(id.clone());
    update(model, Message::Mouse(crate::board::Mouse::Press(at)));
    model.pane = Pane::Board;
}

/// Presses keys on a board that nothing stands behind.
pub(super) fn press(model: &mut Model, keys: &str) -> Result<(), Failure> {
    for word in keys.split_whitespace() {
        let key: Key = word
            .parse()
            .map_err(|e: crate::command::BadKey| Failure::usage(e.to_string()))?;
        // What the keys want done outside is not done, since a picture changes nothing; large
        // pictures of the graph are laid out here.
        for effect in update(model, Message::Key(key)) {
            if let Effect::Layout(job) = effect {
                update(model, Message::LaidOut(job.run()));
            }
        }
    }
    Ok(())
}

pub(super) fn render(
    model: &Model,
    theme: &Theme,
    size: (u16, u16),
    format: Format,
) -> Result<Vec<u8>, Failure> {
    let mut buffer = Buffer::empty(Rect::new(0, 0, size.0, size.1));
    draw_into(model, theme, &mut buffer);
    let look = look(theme);
    match format {
        Format::Text => Ok(picture::text(&buffer).into_bytes()),
        Format::Ansi => Ok(picture::ansi(&buffer).into_bytes()),
        Format::Svg => Ok(picture::svg(&buffer, &look, picture::Fonts::Shipped).into_bytes()),
        Format::Png => png(&buffer, &look),
    }
}

/// The colours that a theme was made for.
pub(super) fn look(theme: &Theme) -> picture::Look {
    let (r, g, b) = theme.background;
    let light = u32::from(r) + u32::from(g) + u32::from(b) > 384;
    let base = if light {
        picture::Look::light()
    } else {
        picture::Look::dark()
    };
    picture::Look {
        background: theme.background,
        foreground: theme.foreground,
        ..base
    }
}

/// A picture in pixels.
#[cfg(feature = "pictures")]
pub(super) fn png(buffer: &Buffer, look: &picture::Look) -> Result<Vec<u8>, Failure> {
    picture::png(buffer, look, 1.5).map_err(|e| Failure::new("failed", e.to_string()))
}

/// A picture in pixels, which this build cannot draw.
#[cfg(not(feature = "pictures"))]
pub(super) fn png(_: &Buffer, _: &picture::Look) -> Result<Vec<u8>, Failure> {
    Err(Failure::new(
        "unsupported",
        "this taskdeck was built without pictures; use --format svg",
    ))
}

/// Writes a picture where it was asked for.
pub(super) fn write(path: &Path, picture: &[u8]) -> Result<(), Failure> {
    fs::write(path, picture)
        .map_err(|e| Failure::new("io_error", format!("{}: {e}", path.display())))
}
