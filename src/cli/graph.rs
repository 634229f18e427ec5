//! `graph`: the dependency graph outside the board.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::io::{self, Write};
use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::json;

use super::board::{Look, theme};
use super::failure::Failure;
use super::paint::glyph;
use super::session::Session;
use super::snapshot::{look, write};
use crate::graph::layout::{self, Glyphs, Layout, Options, safe_label};
use crate::list::List;
use crate::task::{State, Status, TaskId};
use crate::text::{clean_line, truncate, width};

/// `graph`
#[derive(Debug, clap::Args)]
pub struct GraphArgs {
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Draw only what is near this task
    #[arg(long, value_name = "ID")]
    pub focus: Option<String>,
    /// How near, in edges
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub hops: usize,
    /// What stands in the boxes
    #[arg(long, value_name = "WHAT", default_value = "subject")]
    pub labels: Labels,
    /// Draw every edge, also those that a longer path implies
    #[arg(long)]
    pub no_reduce: bool,
    /// Draw completed tasks too (the default)
    #[arg(long, overrides_with = "no_done")]
    pub done: bool,
    /// Leave completed tasks out
    #[arg(long)]
    pub no_done: bool,
    /// The file to write (else standard output)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The kinds of graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Boxes and lines; a node is `[label]`, and nothing else is in square brackets.
    Text,
    /// For Graphviz.
    Dot,
    /// For Mermaid.
    Mermaid,
    /// Nodes, edges, cycles and the critical path.
    Json,
    /// A vector picture.
    Svg,
    /// A picture in pixels.
    Png,
}

/// What stands in the boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Labels {
    /// The state's symbol and the subject.
    Subject,
    /// The id, exactly, so that programs can read the picture back.
    Id,
}

/// The widest label with a subject.
const LABEL: usize = 40;

/// What is drawn: tasks in id order, and edges between them.
struct Picture<'a> {
    list: &'a List,
    ids: Vec<TaskId>,
    edges: Vec<(u32, u32)>,
    labels: Labels,
    ascii: bool,
}

/// `graph`
pub fn graph(
    session: &mut Session,
    args: &GraphArgs,
    looks: &Look,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let list = session.load()?;
    let focus = args
        .focus
        .as_deref()
        .map(|id| session.resolve(&list, id))
        .transpose()?;
    let picture = Picture::of(&list, args, looks.ascii, focus.as_ref());
    let bytes = match args.format {
        Format::Text => picture.text(args, looks)?,
        Format::Dot => picture.dot(),
        Format::Mermaid => picture.mermaid(),
        Format::Json => format!("{}\n", picture.json()),
        Format::Svg | Format::Png => {
            let bytes = picture.drawn(session, args, looks)?;
            return match &args.output {
                Some(path) => write(path, &bytes),
                None => Ok(out.write_all(&bytes)?),
            };
        }
    };
    match &args.output {
        Some(path) => write(path, bytes.as_bytes()),
        None => Ok(out.write_all(bytes.as_bytes())?),
    }
}

impl<'a> Picture<'a> {
    fn of(list: &'a List, args: &GraphArgs, ascii: bool, focus: Option<&TaskId>) -> Picture<'a> {
        let shown = |task: &&std::sync::Arc<crate::task::Task>| match task.status {
            Status::Completed => !args.no_done,
            // A deleted task is drawn when somebody still waits for it.
            Status::Deleted => !list.dependants(&task.id).is_empty(),
            _ => true,
        };
        let mut ids: Vec<TaskId> = list.tasks().filter(shown).map(|t| t.id.clone()).collect();
        if let Some(focus) = focus {
            let near = neighbourhood(list, focus, args.hops);
            ids.retain(|id| near.contains(id));
        }
        let places: HashMap<&TaskId, u32> = ids.iter().zip(0..).collect();
        let mut edges = Vec::new();
        for (id, place) in ids.iter().zip(0_u32..) {
            for dependant in list.dependants(id) {
                edges.extend(places.get(&dependant).map(|other| (place, *other)));
            }
        }
        Picture {
            list,
            edges,
            labels: args.labels,
            ascii,
            ids,
        }
    }

    fn label(&self, node: u32) -> String {
        let id = &self.ids[node as usize];
        if self.labels == Labels::Id {
            return safe_label(id.as_str()).into_owned();
        }
        let subject = self.subject(id);
        let state = self.list.state(id).unwrap_or(State::Other);
        let subject = truncate(&subject, LABEL - 2).into_owned();
        if self.ascii {
            let subject = subject.replace('…', ".");
            return format!("{} {}", ascii_mark(state), safe_label(&subject));
        }
        let (mark, _) = glyph(state);
        format!("{} {}", mark.replace('▶', "»"), safe_label(&subject))
    }

    fn subject(&self, id: &TaskId) -> String {
        let subject = self
            .list
            .get(id)
            .map(|t| t.subject.as_str())
            .filter(|s| !s.trim().is_empty());
        clean_line(subject.unwrap_or(id.as_str())).into_owned()
    }

    fn layout(&self, args: &GraphArgs) -> Layout {
        let node = |place: u32| layout::Node {
            key: u64::from(place),
            width: u16::try_from(width(&self.label(place))).unwrap_or(u16::MAX),
        };
        let nodes: Vec<layout::Node> = (0..self.ids.len() as u32).map(node).collect();
        let options = Options {
            reduce: !args.no_reduce,
            ..Options::default()
        };
        layout::layout(&nodes, &self.edges, &options, None)
    }

    fn text(&self, args: &GraphArgs, looks: &Look) -> Result<String, Failure> {
        let layout = self.layout(args);
        let glyphs = if looks.ascii {
            Glyphs::Ascii
        } else {
            Glyphs::Unicode
        };
        let text = layout.to_text(glyphs, &|node| Cow::Owned(self.label(node)));
        self.talk(&layout)?;
        Ok(text)
    }

    /// What a picture cannot show, in words.
    fn talk(&self, layout: &Layout) -> io::Result<()> {
        let mut talk = io::stderr().lock();
        if layout.hidden() > 0 {
            writeln!(
                talk,
                "{} edges that a longer path implies are hidden (--no-reduce shows them)",
                layout.hidden()
            )?;
        }
        if layout.undrawn() > 0 {
            writeln!(
                talk,
                "{} edges are too dense to be drawn; --focus ID shows a part",
                layout.undrawn()
            )?;
        }
        for ring in self.list.cycles() {
            let names: Vec<String> = ring
                .iter()
                .map(|id| clean_line(&self.list.name(id)).into_owned())
                .collect();
            writeln!(
                talk,
                "cycle: {} wait for each other and can never start",
                names.join(" → ")
            )?;
        }
        Ok(())
    }

    /// Whether an edge lies within a ring.
    fn closes_cycle(&self, rings: &[Vec<TaskId>], edge: (u32, u32)) -> bool {
        let (from, to) = (&self.ids[edge.0 as usize], &self.ids[edge.1 as usize]);
        rings
            .iter()
            .any(|ring| ring.contains(from) && ring.contains(to))
    }

    fn json(&self) -> serde_json::Value {
        let rings = self.list.cycles();
        let texts = |ids: &[TaskId]| ids.iter().map(TaskId::to_string).collect::<Vec<_>>();
        let node = |id: &TaskId| {
            let task = self.list.get(id);
            let subject = task.map_or("", |t| t.subject.as_str());
            json!({"id": id.as_str(), "subject": subject, "state": self.list.state(id).map(State::as_str)})
        };
        let edge = |edge: &(u32, u32)| {
            let (from, to) = (&self.ids[edge.0 as usize], &self.ids[edge.1 as usize]);
            json!({"from": from.as_str(), "to": to.as_str(), "inCycle": self.closes_cycle(&rings, *edge)})
        };
        json!({
            "nodes": self.ids.iter().map(node).collect::<Vec<_>>(),
            "edges": self.edges.iter().map(edge).collect::<Vec<_>>(),
            "cycles": rings.iter().map(|ring| texts(ring)).collect::<Vec<_>>(),
            "criticalPath": texts(&self.list.critical_path()),
        })
    }

    fn dot(&self) -> String {
        let rings = self.list.cycles();
        let mut out =
            String::from("digraph tasks {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n");
        for (id, place) in self.ids.iter().zip(0_u32..) {
            let colour = match self.list.state(id) {
                Some(State::Ready) => "#2e7d32",
                Some(State::Blocked) => "#8a6100",
                Some(State::InProgress) => "#1f5fbf",
                Some(State::Completed | State::Deleted) => "#6a717d",
                _ => "#843fa8",
            };
            let label = quoted(&self.label(place));
            out.push_str(&format!(
                "  {} [label={label}, color=\"{colour}\"];\n",
                quoted(id.as_str())
            ));
        }
        for edge in &self.edges {
            let (from, to) = (&self.ids[edge.0 as usize], &self.ids[edge.1 as usize]);
            let style = if self.closes_cycle(&rings, *edge) {
                " [style=dashed, color=\"#b82a35\"]"
            } else {
                ""
            };
            out.push_str(&format!(
                "  {} -> {}{style};\n",
                quoted(from.as_str()),
                quoted(to.as_str())
            ));
        }
        out.push_str("}\n");
        out
    }

    fn mermaid(&self) -> String {
        let shown: BTreeSet<&TaskId> = self.ids.iter().collect();
        crate::tools::mermaid(self.list, |id| shown.contains(id))
    }

    /// The picture in the colours of a theme.
    fn drawn(&self, session: &Session, args: &GraphArgs, looks: &Look) -> Result<Vec<u8>, Failure> {
        let theme = theme(&session.env, looks)?;
        let layout = self.layout(args);
        let cells = |size: i32| u16::try_from(size.max(1)).unwrap_or(u16::MAX);
        let (columns, rows) = (cells(layout.width()), cells(layout.height()));
        if u32::from(columns) * u32::from(rows) > 400_000 {
            let failure = Failure::new(
                "too_large",
                format!("a picture of {columns}×{rows} cells is too large"),
            );
            return Err(failure.hint("draw a part with --focus ID, or use --format dot"));
        }
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
        let view = layout::Rect {
            x: 0,
            y: 0,
            width: layout.width(),
            height: layout.height(),
        };
        let critical: BTreeSet<TaskId> = self.list.critical_path().into_iter().collect();
        let label = |node: u32| Cow::Owned(self.label(node));
        layout.paint(view, Glyphs::Unicode, &label, &mut |x, y, cell| {
            let (Ok(x), Ok(y)) = (u16::try_from(x), u16::try_from(y)) else {
                return;
            };
            let style = match cell.owner {
                layout::Owner::Node(node) if critical.contains(&self.ids[node as usize]) => {
                    theme.critical
                }
                layout::Owner::Node(node) => theme.state(
                    self.list
                        .state(&self.ids[node as usize])
                        .unwrap_or(State::Other),
                ),
                layout::Owner::Net { back: true, .. } => theme.error,
                layout::Owner::Net { .. } => theme.muted,
            };
            if let Some(at) = buffer.cell_mut((x, y)) {
                at.set_symbol(cell.symbol).set_style(style);
            }
        });
        self.talk(&layout)?;
        match args.format {
            Format::Png => super::snapshot::png(&buffer, &look(&theme)),
            _ => Ok(
                crate::picture::svg(&buffer, &look(&theme), crate::picture::Fonts::Shipped)
                    .into_bytes(),
            ),
        }
    }
}

/// The mark of a state where only ASCII is wanted, the same as on the board.
fn ascii_mark(state: State) -> char {
    match state {
        State::Ready => 'o',
        State::Blocked => '%',
        State::InProgress => '>',
        State::Completed => 'v',
        State::Deleted => 'x',
        State::Other => '?',
    }
}

/// The tasks within some edges of one, in either direction.
fn neighbourhood(list: &List, start: &TaskId, hops: usize) -> BTreeSet<TaskId> {
    let mut found = BTreeSet::from([start.clone()]);
    let mut waiting = VecDeque::from([(start.clone(), 0)]);
    while let Some((id, far)) = waiting.pop_front() {
        if far == hops {
            continue;
        }
        for near in list.blockers(&id).into_iter().chain(list.dependants(&id)) {
            if found.insert(near.clone()) {
                waiting.push_back((near, far + 1));
            }
        }
    }
    found
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
