//! Drawing: model and theme in, cells and mouse rectangles out. One file per pane.

mod age;
mod areas;
mod card;
mod columns;
mod details;
mod footer;
mod glyphs;
mod graph;
mod graph_minimap;
mod graph_outline;
mod graph_waves;
mod header;
mod hits;
mod lane;
mod list;
mod markdown;
mod overlay;
mod pen;
mod popup;
#[cfg(test)]
mod tests;
mod theme;
mod tree;
mod which_key;
mod worker;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use crate::board::{Model, Pane};

use areas::Areas;
pub use hits::Hits;
pub use theme::{ColorDepth, Theme};

/// The smallest screen that the board fits.
const SMALLEST: (u16, u16) = (40, 10);

/// Draws the whole screen. What it returns says where everything is, for the mouse, and how far
/// the columns are scrolled.
pub fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>) -> Hits {
    let area = frame.area();
    let mut hits = Hits::default();
    if let Some(at) = paint(model, theme, area, frame.buffer_mut(), &mut hits) {
        frame.set_cursor_position(at);
    }
    hits
}

/// The same without a terminal, for pictures and tests.
pub fn draw_into(model: &Model, theme: &Theme, buf: &mut Buffer) -> Hits {
    let mut hits = Hits::default();
    let area = buf.area;
    paint(model, theme, area, buf, &mut hits);
    hits
}

/// Everything, from the ground up; gives the place of the text cursor.
fn paint(
    model: &Model,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
    hits: &mut Hits,
) -> Option<Position> {
    buf.set_style(area, theme.text);
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let (columns, rows) = SMALLEST;
        let text = format!(
            "too small: need {columns}×{rows}, have {}×{}",
            area.width, area.height
        );
        pen::put(buf, area, 0, &[Span::styled(text, theme.warning)]);
        return None;
    }
    let areas = Areas::of(model, area);
    header::draw(model, theme, areas.header, buf);
    columns::draw(model, theme, areas.columns, buf, hits);
    if let Some(area) = areas.graph {
        graph::draw(model, theme, area, buf, hits);
        hits.panes.push((area, Pane::Graph));
    }
    if let Some(area) = areas.details {
        details::draw(model, theme, area, buf);
        hits.panes.push((area, Pane::Details));
    }
    hits.borders = areas.borders();
    let in_filter = footer::draw(model, theme, areas.footer, buf);
    which_key::draw(model, theme, area, buf);
    let in_layer = overlay::draw(model, theme, area, buf, hits);
    if theme.ascii {
        glyphs::to_ascii(buf);
    }
    in_layer.or(in_filter)
}
