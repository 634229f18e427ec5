use ratatui::layout::Rect;

use super::pen;
use crate::board::{Edge, Model, Pane, ROOM_BELOW};

/// Where the panes are. The layout chooses itself by the room there is.
#[derive(Debug)]
pub(super) struct Areas {
    pub(super) header: Rect,
    pub(super) columns: Rect,
    pub(super) graph: Option<Rect>,
    pub(super) details: Option<Rect>,
    pub(super) footer: Rect,
}

impl Areas {
    /// The edges that the mouse can pull.
    pub(super) fn borders(&self) -> Vec<(Rect, Edge)> {
        let details = self.details.filter(|area| area.x > self.columns.x);
        let details = details.map(|area| (Rect { width: 1, ..area }, Edge::Details));
        let below = |area: &Rect| self.columns.height > 0 && area.y > self.columns.y;
        let lower = self.graph.or(self.details).filter(below);
        let lower = lower.map(|area| (pen::row(area, 0), Edge::Lower));
        details.into_iter().chain(lower).collect()
    }
}

/// From so many columns on the details stand beside the board, over its whole height.
const WIDE: u16 = 140;

/// From so many columns on the pane below the board is shared by graph and details.
const SHARED: u16 = 100;

impl Areas {
    pub(super) fn of(model: &Model, area: Rect) -> Areas {
        let header = pen::row(area, 0);
        let footer = pen::row(area, area.height - 1);
        let main = Rect {
            y: area.y + 1,
            height: area.height - 2,
            ..area
        };
        let none = Areas {
            header,
            columns: Rect { height: 0, ..main },
            graph: None,
            details: None,
            footer,
        };
        if model.zoomed {
            return match model.pane {
                Pane::Board => Areas {
                    columns: main,
                    ..none
                },
                Pane::Graph => Areas {
                    graph: Some(main),
                    ..none
                },
                Pane::Details => Areas {
                    details: Some(main),
                    ..none
                },
            };
        }
        let beside = model.details && area.width >= WIDE;
        let right = match (beside, model.sizes.details) {
            (false, _) => 0,
            (true, None) => (area.width * 3 / 10).clamp(40, 64),
            (true, Some(share)) => part(area.width, share),
        };
        let left = Rect {
            width: main.width - right,
            ..main
        };
        let details = beside.then(|| pen::right_part(main, right));
        let below = Areas::below(model, beside);
        let both = model.details && model.graph.shown && !beside && area.width >= SHARED;
        let rows = below.map_or(0, |pane| rows_below(model, pane, left, both));
        let columns = Rect {
            height: left.height - rows,
            ..left
        };
        let lower = pen::below(left, columns.height);
        if both && rows > 0 {
            let share = model.sizes.details.unwrap_or(40);
            let right = pen::right_part(lower, part(area.width, share));
            let graph = Rect {
                width: lower.width - right.width,
                ..lower
            };
            return Areas {
                columns,
                graph: Some(graph),
                details: Some(right),
                ..none
            };
        }
        let graph = (rows > 0 && below == Some(Pane::Graph)).then_some(lower);
        let under = (rows > 0 && below == Some(Pane::Details)).then_some(lower);
        Areas {
            columns,
            graph,
            details: details.or(under),
            ..none
        }
    }

    /// The pane below the columns: the graph, unless the details are wanted and stand nowhere else.
    fn below(model: &Model, beside: bool) -> Option<Pane> {
        let details = model.details && !beside;
        match (model.graph.shown, details) {
            (_, true) if model.pane == Pane::Details => Some(Pane::Details),
            (true, _) => Some(Pane::Graph),
            (false, true) => Some(Pane::Details),
            (false, false) => None,
        }
    }
}

/// So many hundredths of a length.
fn part(length: u16, share: u16) -> u16 {
    let part = u32::from(length) * u32::from(share.min(100)) / 100;
    u16::try_from(part).unwrap_or(length)
}

/// The rows of the lower pane; details beside the graph want the room that they have alone.
fn rows_below(model: &Model, pane: Pane, left: Rect, both: bool) -> u16 {
    if left.height < ROOM_BELOW {
        // Too low for both: the pane with the focus has the room.
        return if model.pane == pane {
            left.height.saturating_sub(4)
        } else {
            0
        };
    }
    let half = left.height / 2;
    if let Some(share) = model.sizes.lower {
        // A row of cards stays in sight.
        return part(left.height, share).clamp(4, left.height - 5);
    }
    match pane {
        Pane::Graph if !both => {
            let wanted = u16::try_from(model.graph.height()).unwrap_or(u16::MAX);
            wanted.saturating_add(2).clamp(6, half)
        }
        _ => half,
    }
}
