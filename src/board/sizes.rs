//! How large the panes are: by key, by pulling their edges, and remembered per list.

use super::Model;

/// An edge between two panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// The left edge of the details.
    Details,
    /// The upper edge of what stands below the columns.
    Lower,
}

/// From so many rows of the screen on there is room for a pane below the columns.
pub const ROOM_BELOW: u16 = 16;

/// The smallest and the largest size, in hundredths of the screen, and the step of a key.
const LEAST: u16 = 20;
const MOST: u16 = 80;
const STEP: u16 = 10;

/// What a pane has about while the board chooses.
const USUAL: u16 = 40;

impl Model {
    /// One step larger; after the largest the board chooses again, then it begins at the smallest.
    pub(super) fn enlarge(&mut self, edge: Edge) {
        let size = self.size_of(edge);
        *size = match *size {
            None => Some(USUAL + STEP),
            Some(size) if size >= MOST => None,
            Some(size) => Some((size + STEP).clamp(LEAST, MOST)),
        };
        self.state.keep_pane_sizes(self.sizes);
    }

    /// One step smaller, the other way round.
    pub(super) fn reduce(&mut self, edge: Edge) {
        let size = self.size_of(edge);
        *size = match *size {
            None => Some(USUAL - STEP),
            Some(size) if size <= LEAST => None,
            Some(size) => Some(size.saturating_sub(STEP).clamp(LEAST, MOST)),
        };
        self.state.keep_pane_sizes(self.sizes);
    }

    /// Leaves the size to the board again.
    pub(super) fn choose_size(&mut self, edge: Edge) {
        *self.size_of(edge) = None;
        self.state.keep_pane_sizes(self.sizes);
    }

    /// The mouse pulls an edge to a place on the screen.
    pub(super) fn pull(&mut self, edge: Edge, column: u16, row: u16) {
        let (columns, rows) = self.size;
        let (rest, all) = match edge {
            Edge::Details => (columns.saturating_sub(column), columns),
            // Header and footer are no part of it.
            Edge::Lower => (rows.saturating_sub(row + 1), rows.saturating_sub(2)),
        };
        let share = u32::from(rest) * 100 / u32::from(all.max(1));
        let share = u16::try_from(share).unwrap_or(MOST).clamp(LEAST, MOST);
        *self.size_of(edge) = Some(share);
    }

    /// The edge is let go where it is now.
    pub(super) fn let_go(&mut self) {
        if self.pulling.take().is_some() {
            self.state.keep_pane_sizes(self.sizes);
        }
    }

    fn size_of(&mut self, edge: Edge) -> &mut Option<u16> {
        match edge {
            Edge::Details => &mut self.sizes.details,
            Edge::Lower => &mut self.sizes.lower,
        }
    }
}
