use ratatui::buffer::{Buffer, Cell, CellWidth};

/// The cells of one row that show something: a cell covered by a wide character is left out.
pub(super) fn row(buffer: &Buffer, y: u16) -> impl Iterator<Item = (u16, u16, &Cell)> {
    let area = buffer.area;
    let mut next = area.left();
    (area.left()..area.right()).filter_map(move |x| {
        if x < next {
            return None;
        }
        let cell = &buffer[(x, y)];
        let columns = cell.cell_width().max(1).min(area.right() - x);
        next = x + columns;
        Some((x, columns, cell))
    })
}

/// The buffer as plain lines without trailing spaces.
pub fn text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let line: String = row(buffer, y).map(|(_, _, cell)| cell.symbol()).collect();
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
