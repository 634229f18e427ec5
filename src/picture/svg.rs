use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::look::{Look, Rgb};
use super::shapes::{self, Spot};
use super::text::row;

/// A cell is 9 × 20 pixels: JetBrains Mono at 15 pixels advances by exactly 9.
pub(super) const CELL: (u16, u16) = (9, 20);
const FONT_SIZE: u16 = 15;
/// From the top of a cell to the letters' base line.
const BASELINE: f32 = 15.0;
/// The rim around the screen.
const MARGIN: u16 = 10;

/// Which fonts a picture may count on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fonts {
    /// Whatever the viewer of the SVG has: every character stays text.
    Viewer,
    /// Only the font in `assets/font`: what it lacks is drawn as a marked box.
    Shipped,
}

/// The characters of the font in `assets/font`, as ranges.
const SHIPPED: [(u32, u32); 26] = [
    (0x20, 0x7e),
    (0xa0, 0x131),
    (0x134, 0x17f),
    (0x384, 0x38a),
    (0x38e, 0x3a1),
    (0x3a3, 0x3cf),
    (0x401, 0x40c),
    (0x40e, 0x44f),
    (0x451, 0x45c),
    (0x2013, 0x2014),
    (0x2018, 0x201a),
    (0x201c, 0x201e),
    (0x2020, 0x2022),
    (0x2026, 0x2026),
    (0x2030, 0x2030),
    (0x2039, 0x203a),
    (0x20ac, 0x20ac),
    (0x2190, 0x2195),
    (0x2264, 0x2265),
    (0x25a0, 0x25a1),
    (0x25b2, 0x25c7),
    (0x26a0, 0x26a0),
    (0x2713, 0x2713),
    (0x2715, 0x2715),
    (0x2717, 0x2717),
    (0xfffd, 0xfffd),
];

/// The colours and attributes that a cell ends up with on the screen.
#[derive(Clone, Copy, PartialEq)]
struct Paint {
    fg: Rgb,
    bg: Rgb,
    modifier: Modifier,
}

impl Paint {
    fn of(cell: &Cell, look: &Look) -> Paint {
        let mut fg = look.resolve(cell.fg, look.foreground);
        let mut bg = look.resolve(cell.bg, look.background);
        if cell.modifier.contains(Modifier::DIM) {
            fg = blend(fg, bg);
        }
        if cell.modifier.contains(Modifier::REVERSED) {
            std::mem::swap(&mut fg, &mut bg);
        }
        Paint {
            fg,
            bg,
            modifier: cell.modifier,
        }
    }
}

/// Three fifths of the text's colour, two of the background's: what terminals make of DIM.
fn blend(fg: Rgb, bg: Rgb) -> Rgb {
    let mix = |a: u8, b: u8| ((u16::from(a) * 3 + u16::from(b) * 2) / 5) as u8;
    (mix(fg.0, bg.0), mix(fg.1, bg.1), mix(fg.2, bg.2))
}

fn hex((r, g, b): Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The buffer as a complete SVG document.
pub fn svg(buffer: &Buffer, look: &Look, fonts: Fonts) -> String {
    let mut out = String::new();
    begin(&mut out, buffer.area, look);
    for y in buffer.area.top()..buffer.area.bottom() {
        backgrounds(&mut out, buffer, look, y);
    }
    for y in buffer.area.top()..buffer.area.bottom() {
        foregrounds(&mut out, buffer, look, fonts, y);
    }
    out.push_str("</svg>\n");
    out
}

/// Opens a document that is large enough for `area`, and paints its ground.
pub(super) fn begin(out: &mut String, area: Rect, look: &Look) {
    let (w, h) = (
        u32::from(area.width) * u32::from(CELL.0) + 2 * u32::from(MARGIN),
        u32::from(area.height) * u32::from(CELL.1) + 2 * u32::from(MARGIN),
    );
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" font-family="'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="{FONT_SIZE}">"#
    );
    let _ = writeln!(
        out,
        r#"<rect width="{w}" height="{h}" rx="8" fill="{}"/>"#,
        hex(look.background)
    );
}

fn spot(buffer: &Buffer, x: u16, y: u16, columns: u16) -> Spot {
    Spot {
        x: f32::from(x - buffer.area.left()) * f32::from(CELL.0) + f32::from(MARGIN),
        y: f32::from(y - buffer.area.top()) * f32::from(CELL.1) + f32::from(MARGIN),
        w: f32::from(columns) * f32::from(CELL.0),
        h: f32::from(CELL.1),
    }
}

/// Equal backgrounds side by side are one rectangle: seams would show.
pub(super) fn backgrounds(out: &mut String, buffer: &Buffer, look: &Look, y: u16) {
    let mut run: Option<(u16, u16, Rgb)> = None;
    let mut flush = |run: Option<(u16, u16, Rgb)>| {
        if let Some((x, columns, color)) = run.filter(|run| run.2 != look.background) {
            let Spot { x, y, w, h } = spot(buffer, x, y, columns);
            let color = hex(color);
            let _ = writeln!(
                out,
                r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{color}"/>"#
            );
        }
    };
    for (x, columns, cell) in row(buffer, y) {
        let bg = Paint::of(cell, look).bg;
        match &mut run {
            Some((_, long, color)) if *color == bg => *long += columns,
            _ => flush(run.replace((x, columns, bg))),
        }
    }
    flush(run);
}

/// Letters of one style side by side, written as one text element; or a straight line, drawn as
/// one.
struct Run {
    x: u16,
    columns: u16,
    text: String,
    paint: Paint,
    /// What the line is made of.
    line: Option<char>,
}

pub(super) fn foregrounds(out: &mut String, buffer: &Buffer, look: &Look, fonts: Fonts, y: u16) {
    let mut run: Option<Run> = None;
    for (x, columns, cell) in row(buffer, y) {
        let paint = Paint::of(cell, look);
        let place = spot(buffer, x, y, columns);
        decorate(out, place, paint);
        let symbol = cell.symbol();
        let mut chars = symbol.chars();
        let single = match (chars.next(), chars.next()) {
            (Some(c), None) => Some(c),
            _ => None,
        };
        let color = hex(paint.fg);
        let line = single.filter(|c| matches!(c, '─' | '━'));
        let shape = |c| c == ' ' || shapes::draw(out, c, place, &color);
        if line.is_none() && single.is_some_and(shape) {
            flush(out, buffer, y, run.take());
        } else if line.is_none() && !single.is_some_and(is_shipped) {
            flush(out, buffer, y, run.take());
            foreign(out, symbol, place, &color, fonts);
        } else {
            match &mut run {
                Some(run) if run.paint == paint && run.line == line => {
                    run.text.push_str(symbol);
                    run.columns += columns;
                }
                _ => {
                    let new = Run {
                        x,
                        columns,
                        text: symbol.to_owned(),
                        paint,
                        line,
                    };
                    flush(out, buffer, y, run.replace(new));
                }
            }
        }
    }
    flush(out, buffer, y, run);
}

fn is_shipped(c: char) -> bool {
    SHIPPED
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&(c as u32)))
}

fn flush(out: &mut String, buffer: &Buffer, y: u16, run: Option<Run>) {
    let Some(run) = run else { return };
    let place = spot(buffer, run.x, y, run.columns);
    if let Some(c) = run.line {
        shapes::draw(out, c, place, &hex(run.paint.fg));
        return;
    }
    let _ = write!(
        out,
        r#"<text x="{}" y="{}" textLength="{}" lengthAdjust="spacingAndGlyphs" fill="{}""#,
        place.x,
        place.y + BASELINE,
        place.w,
        hex(run.paint.fg)
    );
    if run.paint.modifier.contains(Modifier::BOLD) {
        out.push_str(r#" font-weight="700""#);
    }
    if run.paint.modifier.contains(Modifier::ITALIC) {
        out.push_str(r#" font-style="italic""#);
    }
    let _ = writeln!(out, ">{}</text>", escape(&run.text));
}

/// Underlines and strikes as lines of their own: they go on under spaces.
fn decorate(out: &mut String, place: Spot, paint: Paint) {
    for (attribute, height) in [
        (Modifier::UNDERLINED, BASELINE + 2.5),
        (Modifier::CROSSED_OUT, 11.0),
    ] {
        if paint.modifier.contains(attribute) {
            let y = place.y + height;
            let _ = writeln!(
                out,
                r#"<path d="M{} {y}h{}" stroke="{}" stroke-width="1"/>"#,
                place.x,
                place.w,
                hex(paint.fg)
            );
        }
    }
}

/// A character that the shipped font has not: left to the viewer's fonts, or a marked box.
fn foreign(out: &mut String, symbol: &str, place: Spot, color: &str, fonts: Fonts) {
    let Spot { x, y, w, h } = place;
    let _ = match fonts {
        Fonts::Viewer => writeln!(
            out,
            r#"<text x="{x}" y="{}" textLength="{w}" lengthAdjust="spacingAndGlyphs" fill="{color}">{}</text>"#,
            y + BASELINE,
            escape(symbol)
        ),
        Fonts::Shipped => writeln!(
            out,
            r#"<rect x="{}" y="{}" width="{}" height="{}" rx="1.5" fill="{color}" fill-opacity="0.18" stroke="{color}" stroke-opacity="0.6"/>"#,
            x + 1.0,
            y + 3.5,
            w - 2.0,
            h - 7.0
        ),
    };
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
