use ratatui::layout::{Position, Rect};

use crate::board::{Edge, MouseAt, Pane, Sort};
use crate::task::TaskId;

/// Where everything is on the screen, for the mouse.
#[derive(Debug, Default, Clone)]
pub struct Hits {
    /// Cards, with their column.
    pub cards: Vec<(Rect, TaskId, usize)>,
    /// Columns.
    pub columns: Vec<(Rect, usize)>,
    /// Headings of the table.
    pub headings: Vec<(Rect, Sort)>,
    /// Tasks in the graph.
    pub nodes: Vec<(Rect, TaskId)>,
    /// Panes.
    pub panes: Vec<(Rect, Pane)>,
    /// Edges between panes.
    pub borders: Vec<(Rect, Edge)>,
    /// Lines of the menu on top, counted among those shown.
    pub choices: Vec<(Rect, usize)>,
    /// How far the graph is pulled away from the selected task.
    pub pan: Option<(i32, i32)>,
    /// The first visible card per column.
    pub scrolls: Vec<(usize, usize)>,
}

impl Hits {
    /// What is drawn at a place.
    pub fn at(&self, column: u16, row: u16) -> MouseAt {
        let here = Position { x: column, y: row };
        if let Some((_, choice)) = self.choices.iter().find(|(area, _)| area.contains(here)) {
            return MouseAt::Choice(*choice);
        }
        if let Some((_, edge)) = self.borders.iter().find(|(area, _)| area.contains(here)) {
            return MouseAt::Border(*edge);
        }
        if let Some((_, id, column)) = self.cards.iter().find(|(area, ..)| area.contains(here)) {
            return MouseAt::Card(id.clone(), *column);
        }
        if let Some((_, by)) = self.headings.iter().find(|(area, _)| area.contains(here)) {
            return MouseAt::Heading(*by);
        }
        if let Some((_, id)) = self.nodes.iter().find(|(area, _)| area.contains(here)) {
            return MouseAt::Node(id.clone());
        }
        if let Some((_, column)) = self.columns.iter().find(|(area, _)| area.contains(here)) {
            return MouseAt::Column(*column);
        }
        let pane = self.panes.iter().find(|(area, _)| area.contains(here));
        pane.map_or(MouseAt::Nowhere, |(_, pane)| MouseAt::Pane(*pane))
    }
}
