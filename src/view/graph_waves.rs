//! The waves: one bar per level, and the tasks of it that matter most.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::graph::name;
use super::{Hits, Theme, glyphs, pen};
use crate::board::{Model, Pane};
use crate::graph::Wave;
use crate::task::State;
use crate::text::width;

/// The columns of the widest bar: one per task where there is room.
fn room_for_bar(columns: u16, widest: usize) -> usize {
    widest.min(usize::from(columns) * 2 / 5)
}

/// From so many columns on the counts stand beside the bars in figures.
const WIDE: u16 = 100;

/// The counts of a wave in the order of its bar: what a piece looks like, and how long it is.
fn pieces(wave: &Wave, theme: &Theme) -> [(&'static str, Style, usize); 5] {
    [
        ("█", theme.done, wave.done),
        ("▓", theme.running, wave.running),
        ("▒", theme.ready, wave.ready),
        ("░", theme.blocked, wave.blocked),
        ("?", theme.other, wave.other),
    ]
}

/// As many levels as fit around the selected one, under a line that says what the pieces mean.
pub(super) fn draw(model: &Model, theme: &Theme, inside: Rect, buf: &mut Buffer, hits: &mut Hits) {
    let waves = &model.graph.waves;
    let selected = model.place_in_waves();
    let legend = u16::from(inside.height > 3);
    if legend > 0 {
        let spans = legend_of(theme);
        pen::put(buf, inside, 0, &spans);
    }
    let body = pen::below(inside, legend);
    let rows = usize::from(body.height);
    let here = selected.map_or(0, |(level, _)| level);
    let first = pen::first_visible(here, waves.len(), rows);
    let widest = waves.iter().map(|w| w.tasks.len()).max().unwrap_or(1);
    for (y, (level, wave)) in (0..).zip(waves.iter().enumerate().skip(first).take(rows)) {
        let place = selected
            .filter(|(l, _)| *l == level)
            .map(|(_, place)| place);
        let line = Line {
            level,
            wave,
            widest,
            selected: place,
        };
        line.draw(model, theme, pen::row(body, y), buf, hits);
    }
}

fn legend_of(theme: &Theme) -> Vec<Span<'static>> {
    let names = ["done", "running", "ready", "blocked"];
    let looks = pieces(&Wave::default(), theme);
    let mut spans = Vec::new();
    for ((symbol, style, _), name) in looks.into_iter().zip(names) {
        spans.push(Span::styled(symbol, style));
        spans.push(Span::styled(format!(" {name}   "), theme.muted));
    }
    spans
}

struct Line<'a> {
    level: usize,
    wave: &'a Wave,
    widest: usize,
    /// Which of its tasks is selected.
    selected: Option<usize>,
}

impl Line<'_> {
    fn draw(&self, model: &Model, theme: &Theme, row: Rect, buf: &mut Buffer, hits: &mut Hits) {
        let mark = if self.selected.is_some() {
            Span::styled(glyphs::SELECTED, theme.accent)
        } else {
            Span::raw(" ")
        };
        let head = format!("{:<4}{:>5}  ", self.level + 1, self.wave.tasks.len());
        let mut spans = vec![mark, Span::styled(head, theme.muted)];
        let room = room_for_bar(row.width, self.widest);
        let bar = self.bar(theme, room);
        let used: usize = bar.iter().map(|span| width(&span.content)).sum();
        spans.extend(bar);
        spans.push(Span::raw(" ".repeat(room.saturating_sub(used) + 2)));
        if row.width >= WIDE {
            spans.extend(self.figures(theme));
        }
        let used = pen::put(buf, row, 0, &spans);
        self.names(model, theme, pen::inset(row, used, 0), buf, hits);
    }

    /// The bar, in which nothing that is there vanishes by rounding.
    fn bar(&self, theme: &Theme, room: usize) -> Vec<Span<'static>> {
        let scale = |count: usize| {
            if self.widest <= room {
                count
            } else {
                (count * room / self.widest).max(usize::from(count > 0))
            }
        };
        let pieces = pieces(self.wave, theme).into_iter();
        pieces
            .map(|(symbol, style, count)| Span::styled(symbol.repeat(scale(count)), style))
            .collect()
    }

    /// The counts, each where it always stands.
    fn figures(&self, theme: &Theme) -> Vec<Span<'static>> {
        let states = [
            State::Completed,
            State::InProgress,
            State::Ready,
            State::Blocked,
        ];
        let counts = pieces(self.wave, theme).into_iter().zip(states);
        counts
            .map(|((_, style, count), state)| {
                let text = if count > 0 {
                    format!("{}{count}", glyphs::state(state))
                } else {
                    String::new()
                };
                Span::styled(format!("{text:<6}"), style)
            })
            .collect()
    }

    /// The tasks that matter most, from the selected one on.
    fn names(&self, model: &Model, theme: &Theme, room: Rect, buf: &mut Buffer, hits: &mut Hits) {
        let first = self.selected.unwrap_or(0);
        let mut x = 0;
        for (place, node) in self.wave.tasks.iter().enumerate().skip(first) {
            let left = room.width.saturating_sub(x);
            if left < 8 {
                break;
            }
            let id = model.list.id_of(*node);
            let state = model.list.state(id).unwrap_or(State::Other);
            let text = format!("{} {}", glyphs::state(state), name(model, id));
            let mut style = theme.state(state);
            if self.selected == Some(place) {
                style = style.patch(if model.pane == Pane::Graph {
                    theme.selected
                } else {
                    theme.selected_elsewhere
                });
                style = style.add_modifier(Modifier::BOLD | Modifier::REVERSED);
            }
            let at = Rect {
                width: left.min(28),
                ..pen::inset(room, x, 0)
            };
            let used = pen::put(buf, at, 0, &[Span::styled(text, style)]);
            hits.nodes.push((Rect { width: used, ..at }, id.clone()));
            x += used + 2;
        }
    }
}
