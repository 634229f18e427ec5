//! `graph`: the dependency graph outside the board.

mod data;
mod text;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::path::PathBuf;

use clap_complete::engine::ArgValueCompleter;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::board::{Look, picture_theme};
use super::complete::task_ids;
use super::failure::Failure;
use super::paint::glyph;
use super::session::Session;
use super::snapshot::{deliver, look};
use crate::graph::Node;
use crate::graph::layout::{self, Glyphs, Layout, Options, safe_label};
use crate::list::List;
use crate::task::{State, Status, TaskId};
use crate::text::{clean_line, truncate, width};

/// `graph`
#[derive(Debug, clap::Args)]
pub struct GraphArgs {
    /// What to write (else text; with --json, json)
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// How to draw (text only; svg and png draw the flow)
    #[arg(long, value_name = "LENS", default_value = "flow")]
    pub lens: Lens,
    /// Draw only what is near this task
    #[arg(long, value_name = "ID", add = ArgValueCompleter::new(task_ids))]
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
    /// Draw chains of finished tasks, and tasks alike, as one box each
    #[arg(long, conflicts_with = "no_reduce")]
    pub fold: bool,
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

/// The ways to look at the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Lens {
    /// Boxes and lines, everything.
    Flow,
    /// Boxes and lines, what is near the task of --focus.
    Ego,
    /// One line per level.
    Waves,
    /// A tree under the blockers that gate.
    Outline,
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
    /// How many blockers and dependants of each task a focus leaves out.
    stubs: Vec<(usize, usize)>,
    /// How many tasks each box stands for.
    alike: Vec<usize>,
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
    let format = args.format.unwrap_or(match session.global.json {
        true => Format::Json,
        false => Format::Text,
    });
    check(args, format)?;
    let list = session.load()?;
    let focus = args
        .focus
        .as_deref()
        .map(|id| session.resolve(&list, id))
        .transpose()?;
    let mut picture = Picture::of(&list, args, looks.ascii, focus.as_ref());
    if args.fold {
        picture = picture.folded();
    }
    let bytes = match format {
        Format::Text => match args.lens {
            Lens::Flow | Lens::Ego => picture.flow(args)?,
            Lens::Waves => picture.waves(),
            Lens::Outline => picture.outline(),
        },
        Format::Dot => picture.dot(),
        Format::Mermaid => picture.mermaid(),
        Format::Json => format!("{}\n", picture.json()),
        Format::Svg | Format::Png => {
            let bytes = picture.drawn(session, args, format, looks)?;
            return deliver(session, args.output.as_deref(), &bytes, out);
        }
    };
    deliver(session, args.output.as_deref(), bytes.as_bytes(), out)
}

/// What does not go together.
fn check(args: &GraphArgs, format: Format) -> Result<(), Failure> {
    if args.lens == Lens::Ego && args.focus.is_none() {
        return Err(Failure::usage("--lens ego needs --focus ID".to_owned()));
    }
    if format != Format::Text && matches!(args.lens, Lens::Waves | Lens::Outline) {
        let why = "--lens waves and --lens outline are text; leave --format and --json out";
        return Err(Failure::usage(why.to_owned()));
    }
    let boxes = matches!(args.lens, Lens::Flow | Lens::Ego) && format != Format::Json;
    if args.fold && !boxes {
        let why = "--fold draws boxes: leave --lens waves, --lens outline and JSON out";
        return Err(Failure::usage(why.to_owned()));
    }
    Ok(())
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
            let near = list.node(focus).map_or_else(Vec::new, |node| {
                list.graph().near(node, args.hops, usize::MAX, |_| true)
            });
            let near: BTreeSet<&TaskId> = near.iter().map(|node| list.id_of(*node)).collect();
            ids.retain(|id| near.contains(id));
        }
        let places: HashMap<&TaskId, u32> = ids.iter().zip(0..).collect();
        let mut edges = Vec::new();
        for (id, place) in ids.iter().zip(0_u32..) {
            for dependant in list.dependants(id) {
                edges.extend(places.get(&dependant).map(|other| (place, *other)));
            }
        }
        let left_out = |near: Vec<TaskId>| {
            let there = |id: &&TaskId| list.get(id).is_some() && !places.contains_key(*id);
            near.iter().filter(there).count()
        };
        let stubs = |id: &TaskId| (left_out(list.blockers(id)), left_out(list.dependants(id)));
        let stubs = match focus {
            Some(_) => ids.iter().map(stubs).collect(),
            None => vec![(0, 0); ids.len()],
        };
        Picture {
            list,
            edges,
            stubs,
            alike: vec![1; ids.len()],
            labels: args.labels,
            ascii,
            ids,
        }
    }

    /// Some of its tasks, with the edges between them.
    fn part(&self, places: &[u32]) -> Picture<'a> {
        let mut place_of = vec![u32::MAX; self.ids.len()];
        for (place, old) in (0..).zip(places) {
            place_of[*old as usize] = place;
        }
        let inside = |old: u32| Some(place_of[old as usize]).filter(|place| *place != u32::MAX);
        let edges = self.edges.iter();
        Picture {
            list: self.list,
            ids: places
                .iter()
                .map(|p| self.ids[*p as usize].clone())
                .collect(),
            edges: edges
                .filter_map(|(b, d)| Some((inside(*b)?, inside(*d)?)))
                .collect(),
            stubs: places.iter().map(|p| self.stubs[*p as usize]).collect(),
            alike: places.iter().map(|p| self.alike[*p as usize]).collect(),
            labels: self.labels,
            ascii: self.ascii,
        }
    }

    /// The same with chains of finished tasks, and tasks alike, as one box each.
    fn folded(self) -> Picture<'a> {
        let nodes: Vec<Node> = self
            .ids
            .iter()
            .filter_map(|id| self.list.node(id))
            .collect();
        let folded = self.list.graph().folded(&nodes);
        let places: HashMap<Node, usize> = nodes.into_iter().zip(0..).collect();
        let first = |members: &Vec<Node>| places[&members[0]];
        Picture {
            ids: folded
                .boxes
                .iter()
                .map(|b| self.ids[first(b)].clone())
                .collect(),
            stubs: folded.boxes.iter().map(|b| self.stubs[first(b)]).collect(),
            alike: folded.boxes.iter().map(Vec::len).collect(),
            edges: folded.edges,
            ..self
        }
    }

    /// What stands in a box: the id alone, or mark and subject, between how many blockers and
    /// dependants a focus leaves out.
    fn label(&self, node: u32) -> String {
        let id = &self.ids[node as usize];
        if self.labels == Labels::Id {
            return self.plain_label(id);
        }
        let (before, after) = self.stubs[node as usize];
        let (left, right) = if self.ascii {
            ("<", ">")
        } else {
            ("‹", "›")
        };
        let mut label = self.marked_label(id);
        let alike = self.alike[node as usize];
        if alike > 1 {
            label = format!("{alike}{} {label}", if self.ascii { "x" } else { "×" });
        }
        if before > 0 {
            label = format!("{before}{left} {label}");
        }
        if after > 0 {
            label = format!("{label} {right}{after}");
        }
        label
    }

    /// The state's mark and the subject; only the id where ids were asked for.
    fn marked_label(&self, id: &TaskId) -> String {
        let plain = self.plain_label(id);
        if self.labels == Labels::Id {
            return plain;
        }
        let state = self.list.state(id).unwrap_or(State::Other);
        if self.ascii {
            return format!("{} {plain}", ascii_mark(state));
        }
        let (mark, _) = glyph(state);
        format!("{} {plain}", mark.replace('▶', "»"))
    }

    fn plain_label(&self, id: &TaskId) -> String {
        if self.labels == Labels::Id {
            return safe_label(id.as_str()).into_owned();
        }
        let subject = self.subject(id);
        let mut subject = truncate(&subject, LABEL - 2).into_owned();
        if self.ascii {
            subject = subject.replace('…', ".");
        }
        safe_label(&subject).into_owned()
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
            // In ASCII corners and crossings are all `+`, which need room to be told apart.
            roomy: self.ascii,
            ..Options::default()
        };
        layout::layout(&nodes, &self.edges, &options, None)
    }

    /// The picture in the colours of a theme.
    fn drawn(
        &self,
        session: &Session,
        args: &GraphArgs,
        format: Format,
        looks: &Look,
    ) -> Result<Vec<u8>, Failure> {
        let theme = picture_theme(&session.env, looks)?;
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
        match format {
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
