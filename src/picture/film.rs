use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::look::Look;
use super::svg::{CELL, Fonts, backgrounds, begin, foregrounds};

/// A screen, and when it is seen first.
pub struct Frame {
    /// Milliseconds from the beginning.
    pub at_ms: u64,
    /// What is on it; all frames of a film are equally large.
    pub screen: Buffer,
}

/// A moving picture: one SVG document that shows frame after frame and begins again after
/// `end_ms`. The screen is cut into tiles; each is written once, however often and wherever it is
/// seen. Whoever asked for less motion sees the frame of the middle, still.
pub fn film(frames: &[Frame], end_ms: u64, look: &Look, fonts: Fonts) -> String {
    let mut out = String::new();
    let Some(first) = frames.first() else {
        return out;
    };
    let area = first.screen.area;
    begin(&mut out, area, look);
    let mut tiles = Tiles::default();
    let mut shots = BTreeSet::new();
    let mut scenes = String::new();
    for place in places(area) {
        for (shot, tile) in shots_of(frames, place) {
            let picture = drawn(&tile, look, fonts);
            if picture.is_empty() {
                continue;
            }
            let (x, y) = (place.x - area.x, place.y - area.y);
            let _ = writeln!(
                scenes,
                r##"<use href="#t{}" x="{}" y="{}" class="s{}-{}"/>"##,
                tiles.number(picture),
                x * CELL.0,
                y * CELL.1,
                shot.0,
                shot.1
            );
            shots.insert(shot);
        }
    }
    style(&mut out, frames, end_ms, &shots);
    tiles.define(&mut out);
    out.push_str(&scenes);
    out.push_str("</svg>\n");
    out
}

/// A tile is one row high and so many columns wide: a card's line, about.
const TILE: u16 = 20;

fn places(area: Rect) -> impl Iterator<Item = Rect> {
    let columns = (area.left()..area.right()).step_by(usize::from(TILE));
    columns.flat_map(move |x| {
        let width = TILE.min(area.right() - x);
        (area.top()..area.bottom()).map(move |y| Rect::new(x, y, width, 1))
    })
}

/// Tiles by what is on them, numbered as they come.
#[derive(Default)]
struct Tiles(BTreeMap<String, usize>);

impl Tiles {
    fn number(&mut self, picture: String) -> usize {
        let next = self.0.len();
        *self.0.entry(picture).or_insert(next)
    }

    fn define(&self, out: &mut String) {
        out.push_str("<defs>\n");
        for (picture, number) in &self.0 {
            let _ = writeln!(out, r#"<g id="t{number}">{picture}</g>"#);
        }
        out.push_str("</defs>\n");
    }
}

fn drawn(tile: &Buffer, look: &Look, fonts: Fonts) -> String {
    let mut picture = String::new();
    backgrounds(&mut picture, tile, look, tile.area.y);
    foregrounds(&mut picture, tile, look, fonts, tile.area.y);
    picture
}

/// From which frame, and up to but without which.
type Shot = (usize, usize);

/// What is seen at a place, and how long each.
fn shots_of(frames: &[Frame], place: Rect) -> Vec<(Shot, Buffer)> {
    let mut shots: Vec<(Shot, Buffer)> = Vec::new();
    for (number, frame) in frames.iter().enumerate() {
        let tile = cut(&frame.screen, place);
        match shots.last_mut() {
            Some(((_, end), last)) if *last == tile => *end = number + 1,
            _ => shots.push(((number, number + 1), tile)),
        }
    }
    shots
}

fn cut(screen: &Buffer, place: Rect) -> Buffer {
    let mut tile = Buffer::empty(place);
    for x in place.left()..place.right() {
        tile[(x, place.y)] = screen[(x, place.y)].clone();
    }
    tile
}

fn style(out: &mut String, frames: &[Frame], end_ms: u64, shots: &BTreeSet<Shot>) {
    let percent = |frame: usize| match frames.get(frame) {
        Some(frame) => frame.at_ms as f64 * 100.0 / end_ms.max(1) as f64,
        None => 100.0,
    };
    let middle = frames.len() / 2;
    out.push_str("<style>use{visibility:hidden}\n");
    for (first, end) in shots {
        let name = format!("s{first}-{end}");
        let (from, to) = (percent(*first), percent(*end));
        let _ = writeln!(
            out,
            ".{name}{{animation:{name} {end_ms}ms step-end infinite}}@keyframes {name}{{0%{{visibility:hidden}}{from:.3}%{{visibility:visible}}{to:.3}%{{visibility:hidden}}}}"
        );
    }
    out.push_str("@media(prefers-reduced-motion:reduce){use{animation:none!important}");
    for (first, end) in shots {
        if (*first..*end).contains(&middle) {
            let _ = write!(out, ".s{first}-{end}{{visibility:visible}}");
        }
    }
    out.push_str("}</style>\n");
}
