//! The graph as text: the picture, the waves, the outline.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};

use super::{GraphArgs, Labels, Picture};
use crate::graph::layout::{Glyphs, Layout};
use crate::graph::{Node, Wave, guides};
use crate::text::{clean_line, count};

/// The widest bar of the waves, in columns.
const BAR: usize = 40;

/// How many tasks of a wave are named.
const NAMED: usize = 3;

/// The deepest level of the outline that is indented in full.
const LEVELS: usize = 40;

impl Picture<'_> {
    /// Boxes and lines; a part that is too large to be drawn follows as an outline.
    pub(super) fn flow(&self, args: &GraphArgs) -> io::Result<String> {
        let layout = self.layout(args);
        self.talk(&layout)?;
        if layout.undrawn() == 0 {
            return Ok(self.drawn_as_text(&layout));
        }
        let dense: HashSet<u32> = layout.undrawn_nodes().iter().copied().collect();
        let (dense, drawn): (Vec<u32>, Vec<u32>) =
            (0..self.ids.len() as u32).partition(|place| dense.contains(place));
        let mut out = String::new();
        if !drawn.is_empty() {
            let rest = self.part(&drawn);
            out = rest.drawn_as_text(&rest.layout(args));
            out.push('\n');
        }
        Ok(out + &self.part(&dense).outline())
    }

    fn drawn_as_text(&self, layout: &Layout) -> String {
        let glyphs = if self.ascii {
            Glyphs::Ascii
        } else {
            Glyphs::Unicode
        };
        layout.to_text(glyphs, &|node| Cow::Owned(self.label(node)))
    }

    /// A tree in which each task stands under the blocker that gates it.
    pub(super) fn outline(&self) -> String {
        let lines = self.list.graph().outline(&self.nodes());
        let mut out = String::new();
        for (at, line) in lines.iter().enumerate() {
            let id = self.list.id_of(line.node);
            let mut text = guides(&lines, at, LEVELS);
            if line.repeat {
                text.push_str("↗ ");
                text.push_str(&self.plain_label(id));
            } else {
                text.push_str(&self.marked_label(id));
                if line.others > 0 && self.labels == Labels::Subject {
                    text.push_str(&format!("  ⇠+{}", line.others));
                }
            }
            out.push_str(&self.in_glyphs(&text));
            out.push('\n');
        }
        out
    }

    /// One line per level.
    pub(super) fn waves(&self) -> String {
        let graph = self.list.graph();
        let waves = graph.waves(&self.nodes(), self.list.schedule());
        let widest = waves.iter().map(|w| w.tasks.len()).max().unwrap_or(0);
        let mut out = String::new();
        for (level, wave) in (1..).zip(&waves) {
            let named = wave.tasks.iter().take(NAMED);
            let names: Vec<String> = named
                .map(|node| self.marked_label(self.list.id_of(*node)))
                .collect();
            let bar = bar(wave, widest);
            let fill = " ".repeat(BAR.min(widest).saturating_sub(bar.chars().count()));
            let counts = counts(wave);
            let line = format!(
                "{level:<4}{:>6}  {bar}{fill}  {counts:<44}  {}",
                wave.tasks.len(),
                names.join(", ")
            );
            out.push_str(self.in_glyphs(&line).trim_end());
            out.push('\n');
        }
        out
    }

    fn nodes(&self) -> Vec<Node> {
        let ids = self.ids.iter();
        ids.filter_map(|id| self.list.node(id)).collect()
    }

    fn in_glyphs(&self, text: &str) -> String {
        if !self.ascii {
            return text.to_owned();
        }
        let plain = |c: char| match c {
            '─' => '-',
            '│' => '|',
            '├' => '+',
            '╰' => '`',
            '↗' => '^',
            '‹' | '⇠' => '<',
            '█' => '=',
            '▓' => '#',
            '▒' => ':',
            '░' => '.',
            other => other,
        };
        text.chars().map(plain).collect()
    }

    /// What a picture cannot show, in words.
    pub(super) fn talk(&self, layout: &Layout) -> io::Result<()> {
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
                "too dense to be drawn: {} between {} (as text they follow as an outline); --focus ID draws a part",
                count(layout.undrawn(), "edge"),
                count(layout.undrawn_nodes().len(), "task")
            )?;
        }
        for ring in self.rings() {
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
}

/// A wave as a bar, in which nothing that is there vanishes by rounding.
fn bar(wave: &Wave, widest: usize) -> String {
    let scale = |count: usize| {
        if widest <= BAR {
            count
        } else {
            (count * BAR / widest).max(usize::from(count > 0))
        }
    };
    let pieces = [
        ("█", wave.done),
        ("▓", wave.running),
        ("▒", wave.ready),
        ("░", wave.blocked),
        ("?", wave.other),
    ];
    let pieces = pieces.iter();
    pieces
        .map(|(symbol, count)| symbol.repeat(scale(*count)))
        .collect()
}

/// The counts of a wave in words.
fn counts(wave: &Wave) -> String {
    let counts = [
        ("done", wave.done),
        ("running", wave.running),
        ("ready", wave.ready),
        ("blocked", wave.blocked),
        ("other", wave.other),
    ];
    let there = counts.iter().filter(|(_, count)| *count > 0);
    let texts: Vec<String> = there
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    texts.join(", ")
}
