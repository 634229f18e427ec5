use std::time::{Duration, Instant};

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use crate::board::{Edge, Mouse, MouseAt, Pane};
use crate::view::Hits;

/// Two clicks within this time are one double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// What the mouse did last, from which the terminal's events get their meaning.
#[derive(Default)]
pub(super) struct Pointer {
    last_click: Option<(Instant, MouseAt)>,
    /// Where the button holds the picture of the graph.
    grip: Option<(u16, u16)>,
    /// The edge between two panes that the button holds.
    edge: Option<Edge>,
}

impl Pointer {
    /// What an event means to what is drawn; `None` when it means nothing.
    pub(super) fn take(&mut self, event: MouseEvent, hits: &Hits) -> Option<Mouse> {
        let here = (event.column, event.row);
        let at = hits.at(event.column, event.row);
        if matches!(event.kind, MouseEventKind::Down(_)) {
            let is_graph = matches!(at, MouseAt::Node(_) | MouseAt::Pane(Pane::Graph));
            self.grip = is_graph.then_some(here);
            self.edge = match at {
                MouseAt::Border(edge) => Some(edge),
                _ => None,
            };
        }
        Some(match event.kind {
            MouseEventKind::Down(MouseButton::Left) => self.click(at),
            MouseEventKind::Drag(MouseButton::Left) => self.drag(here, at),
            MouseEventKind::Up(MouseButton::Left) => Mouse::Release(at),
            MouseEventKind::ScrollDown => Mouse::Wheel(at, 1),
            MouseEventKind::ScrollUp => Mouse::Wheel(at, -1),
            _ => return None,
        })
    }

    /// Pulls the picture that the button went down on, or whatever else is dragged.
    fn drag(&mut self, to: (u16, u16), at: MouseAt) -> Mouse {
        if let Some(edge) = self.edge {
            return Mouse::Pull(edge, to.0, to.1);
        }
        let Some(from) = self.grip else {
            return Mouse::Drag(at);
        };
        self.grip = Some(to);
        let by = |to: u16, from: u16| i32::from(to) - i32::from(from);
        Mouse::Pan(by(to.0, from.0), by(to.1, from.1))
    }

    fn click(&mut self, at: MouseAt) -> Mouse {
        let now = Instant::now();
        let twice = matches!(&self.last_click, Some((when, where_))
            if *where_ == at && now.duration_since(*when) < DOUBLE_CLICK);
        self.last_click = (!twice).then(|| (now, at.clone()));
        if twice {
            Mouse::DoubleClick(at)
        } else {
            Mouse::Press(at)
        }
    }
}
