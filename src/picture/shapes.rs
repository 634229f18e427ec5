//! Lines, blocks, braille and a few symbols as SVG shapes that fill their cell exactly.

use std::fmt::Write as _;

/// Where a cell lies in the picture, in pixels.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub x: f32,
    pub y: f32,
    pub w: f32,
    pub h: f32,
}

/// The arms of U+2500 to U+257F, left, right, up and down: 0 none, 1 light, 2 heavy, 3 double.
const ARMS: &str = "\
    1100 2200 0011 0022 1100 2200 0011 0022 1100 2200 0011 0022 0101 0201 0102 0202 \
    1001 2001 1002 2002 0110 0210 0120 0220 1010 2010 1020 2020 0111 0211 0121 0112 \
    0122 0221 0212 0222 1011 2011 1021 1012 1022 2021 2012 2022 1101 2101 1201 2201 \
    1102 2102 1202 2202 1110 2110 1210 2210 1120 2120 1220 2220 1111 2111 1211 2211 \
    1121 1112 1122 2121 1221 2112 1212 2221 2212 2122 1222 2222 1100 2200 0011 0022 \
    3300 0033 0301 0103 0303 3001 1003 3003 0310 0130 0330 3010 1030 3030 0311 0133 \
    0333 3011 1033 3033 3301 1103 3303 3310 1130 3330 3311 1133 3333 0101 1001 1010 \
    0110 0000 0000 0000 1000 0010 0100 0001 2000 0020 0200 0002 1200 0012 2100 0021";

/// The quadrants of U+2596 to U+259F: upper left 1, upper right 2, lower left 4, lower right 8.
const QUADRANTS: [u8; 10] = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14];

const LIGHT: f32 = 1.3;

/// Draws a character as a shape in `color`, or tells that it is one for a font.
pub(super) fn draw(out: &mut String, c: char, spot: Spot, color: &str) -> bool {
    match c {
        '\u{2500}'..='\u{257f}' => lines(out, c, spot, color),
        '\u{2580}'..='\u{259f}' => block(out, c, spot, color),
        '\u{2800}'..='\u{28ff}' => braille(out, c, spot, color),
        _ => return symbol(out, c, spot, color),
    }
    true
}

fn lines(out: &mut String, c: char, spot: Spot, color: &str) {
    let Spot { x, y, w, h } = spot;
    let (cx, cy) = (x + w / 2.0, y + h / 2.0);
    if let '╱' | '╲' | '╳' = c {
        let rising = format!("M{x} {}L{} {y}", y + h, x + w);
        let falling = format!("M{x} {y}L{} {}", x + w, y + h);
        let path = match c {
            '╱' => rising,
            '╲' => falling,
            _ => rising + &falling,
        };
        return stroke(out, &path, LIGHT, color, "");
    }
    if let Some((from_x, from_y)) = arc(c, spot) {
        // A straight run into the bend, so that the curve is a circle's and not the cell's.
        let r = w / 2.0;
        let end_y = if from_y > cy { cy + r } else { cy - r };
        let path = format!("M{cx} {from_y}L{cx} {end_y}Q{cx} {cy} {from_x} {cy}");
        return stroke(out, &path, LIGHT, color, "");
    }
    let index = c as usize - 0x2500;
    let arms = ARMS
        .as_bytes()
        .get(index * 5..index * 5 + 4)
        .unwrap_or(b"0000");
    let dash = match index {
        0x04..=0x07 => "3 1.5",
        0x08..=0x0b => "2 1.2",
        0x4c..=0x4f => "4 2",
        _ => "",
    };
    let ends = [(x, cy), (x + w, cy), (cx, y), (cx, y + h)];
    // Arms of one weight are one path.
    let (mut light, mut heavy) = (String::new(), String::new());
    for (arm, (ex, ey)) in arms.iter().zip(ends) {
        let across = if ey == cy { (0.0, 1.5) } else { (1.5, 0.0) };
        match arm {
            b'1' | b'2' => {
                // Half a stroke beyond the middle closes the corner.
                let (bx, by) = beyond((cx, cy), (ex, ey), LIGHT / 2.0);
                let weight = if *arm == b'2' { &mut heavy } else { &mut light };
                let _ = write!(weight, "M{bx} {by}L{ex} {ey}");
            }
            b'3' => {
                for side in [-1.0, 1.0] {
                    let (dx, dy) = (across.0 * side, across.1 * side);
                    let (bx, by) = beyond((cx, cy), (ex, ey), 1.5);
                    let path = format!("M{} {}L{} {}", bx + dx, by + dy, ex + dx, ey + dy);
                    stroke(out, &path, LIGHT, color, "");
                }
            }
            _ => {}
        }
    }
    for (path, thick) in [(light, LIGHT), (heavy, LIGHT * 2.2)] {
        if !path.is_empty() {
            stroke(out, &path, thick, color, dash);
        }
    }
}

/// The point a little behind `from`, seen from `to`; both lie on one axis.
fn beyond(from: (f32, f32), to: (f32, f32), by: f32) -> (f32, f32) {
    let step = |from: f32, to: f32| {
        if from == to {
            from
        } else {
            from - by * (to - from).signum()
        }
    };
    (step(from.0, to.0), step(from.1, to.1))
}

/// The horizontal and the vertical end of a rounded corner.
fn arc(c: char, Spot { x, y, w, h }: Spot) -> Option<(f32, f32)> {
    match c {
        '╭' => Some((x + w, y + h)),
        '╮' => Some((x, y + h)),
        '╯' => Some((x, y)),
        '╰' => Some((x + w, y)),
        _ => None,
    }
}

fn stroke(out: &mut String, path: &str, thick: f32, color: &str, dash: &str) {
    let _ = write!(
        out,
        r#"<path d="{path}" fill="none" stroke="{color}" stroke-width="{thick}""#
    );
    if !dash.is_empty() {
        let _ = write!(out, r#" stroke-dasharray="{dash}""#);
    }
    out.push_str("/>\n");
}

fn rect(out: &mut String, spot: Spot, color: &str, opacity: f32) {
    let Spot { x, y, w, h } = spot;
    let _ = write!(
        out,
        r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{color}""#
    );
    if opacity < 1.0 {
        let _ = write!(out, r#" fill-opacity="{opacity}""#);
    }
    out.push_str("/>\n");
}

fn block(out: &mut String, c: char, spot: Spot, color: &str) {
    let Spot { x, y, w, h } = spot;
    let index = c as u32 - 0x2580;
    let part = |x, y, w, h| Spot { x, y, w, h };
    match index {
        0x00 => rect(out, part(x, y, w, h / 2.0), color, 1.0),
        0x01..=0x08 => {
            let high = h * index as f32 / 8.0;
            rect(out, part(x, y + h - high, w, high), color, 1.0);
        }
        0x09..=0x0f => {
            let wide = w * (16 - index) as f32 / 8.0;
            rect(out, part(x, y, wide, h), color, 1.0);
        }
        0x10 => rect(out, part(x + w / 2.0, y, w / 2.0, h), color, 1.0),
        0x11..=0x13 => rect(out, spot, color, [0.22, 0.45, 0.7][index as usize - 0x11]),
        0x14 => rect(out, part(x, y, w, h / 8.0), color, 1.0),
        0x15 => rect(out, part(x + w * 7.0 / 8.0, y, w / 8.0, h), color, 1.0),
        _ => {
            let quadrants = QUADRANTS[index as usize - 0x16];
            for (bit, (dx, dy)) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]
                .into_iter()
                .enumerate()
            {
                if quadrants & (1 << bit) != 0 {
                    let (w, h) = (w / 2.0, h / 2.0);
                    rect(out, part(x + dx * w, y + dy * h, w, h), color, 1.0);
                }
            }
        }
    }
}

fn braille(out: &mut String, c: char, Spot { x, y, w, h }: Spot, color: &str) {
    /// Column and row of each dot, in the order of the bits.
    const DOTS: [(f32, f32); 8] = [
        (0.0, 0.0),
        (0.0, 1.0),
        (0.0, 2.0),
        (1.0, 0.0),
        (1.0, 1.0),
        (1.0, 2.0),
        (0.0, 3.0),
        (1.0, 3.0),
    ];
    for (bit, (column, row)) in DOTS.into_iter().enumerate() {
        if (c as u32 - 0x2800) & (1 << bit) != 0 {
            let (cx, cy) = (x + w * (column + 0.5) / 2.0, y + h * (row + 0.5) / 4.0);
            let _ = writeln!(
                out,
                r#"<circle cx="{cx}" cy="{cy}" r="1.2" fill="{color}"/>"#
            );
        }
    }
}

/// Symbols that few monospace fonts draw well at one column.
fn symbol(out: &mut String, c: char, Spot { x, y, w, h }: Spot, color: &str) -> bool {
    let (cx, cy) = (x + w / 2.0, y + h / 2.0);
    let r = w * 0.42;
    let ring = format!(
        r#"<circle cx="{cx}" cy="{cy}" r="{}" fill="none" stroke="{color}" stroke-width="{LIGHT}"/>"#,
        r - LIGHT / 2.0
    );
    match c {
        '○' => out.push_str(&ring),
        '●' => {
            let _ = write!(
                out,
                r#"<circle cx="{cx}" cy="{cy}" r="{r}" fill="{color}"/>"#
            );
        }
        '◐' => {
            let (top, bottom) = (cy - r, cy + r);
            let _ = write!(
                out,
                r#"{ring}<path d="M{cx} {top}A{r} {r} 0 0 0 {cx} {bottom}Z" fill="{color}"/>"#
            );
        }
        '⧗' => {
            let (left, right, top, bottom) = (cx - r, cx + r, cy - r * 1.35, cy + r * 1.35);
            let _ = write!(
                out,
                r#"<path d="M{left} {top}L{right} {top}L{left} {bottom}L{right} {bottom}Z" fill="{color}"/>"#
            );
        }
        '◌' => {
            let _ = write!(
                out,
                r#"<circle cx="{cx}" cy="{cy}" r="{r}" fill="none" stroke="{color}" stroke-width="{LIGHT}" stroke-dasharray="1.5 1.5"/>"#
            );
        }
        '↗' => {
            let (left, right, top, bottom) = (cx - r, cx + r, cy - r, cy + r);
            let path =
                format!("M{left} {bottom}L{right} {top}M{cx} {top}L{right} {top}L{right} {cy}");
            stroke(out, &path, LIGHT, color, "");
        }
        '⇠' => {
            let (left, right) = (cx - r, cx + r);
            let head = format!("M{cx} {}L{left} {cy}L{cx} {}", cy - r * 0.7, cy + r * 0.7);
            stroke(out, &head, LIGHT, color, "");
            let shaft = format!("M{left} {cy}L{right} {cy}");
            stroke(out, &shaft, LIGHT, color, "1.6 1.4");
        }
        '⏎' => {
            let (left, right, top) = (cx - r, cx + r, cy - r);
            let path = format!(
                "M{right} {top}L{right} {0}L{left} {0}M{1} {2}L{left} {0}L{1} {3}",
                cy + 1.0,
                left + 3.0,
                cy - 2.0,
                cy + 4.0
            );
            stroke(out, &path, LIGHT, color, "");
        }
        _ => return false,
    }
    out.push('\n');
    true
}
