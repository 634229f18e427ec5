//! `snapshot --gallery`: the pictures of the README, all with fixed times.

use std::path::Path;

use super::failure::Failure;
use super::session::Session;
use super::snapshot::{Format, open, press, render, write};
use crate::board::Freshness;
use crate::list::List;
use crate::state::ListState;
use crate::view::Theme;

/// One picture: its name, columns and rows, the theme, and what is pressed first.
type Picture = (&'static str, (u16, u16), &'static str, &'static str);

const LARGE: (u16, u16) = (160, 45);
const SMALL: (u16, u16) = (80, 24);
const MIDDLE: (u16, u16) = (120, 36);

/// The theme for a terminal without colours and without symbols.
const ASCII: &str = "ascii";

const PICTURES: [Picture; 23] = [
    ("board-160x45", LARGE, "dark", "l l j"),
    ("board-80x24", SMALL, "dark", "l l"),
    ("board-light-160x45", LARGE, "light", "l l j"),
    ("board-high-contrast-120x36", MIDDLE, "high-contrast", "l l"),
    ("board-colour-blind-120x36", MIDDLE, "colour-blind", "l l"),
    ("board-16-120x36", MIDDLE, "16", "l l"),
    ("board-monochrome-80x24", SMALL, "monochrome", "l l"),
    ("board-ascii-80x24", SMALL, ASCII, "l l"),
    ("graph-160x45", LARGE, "dark", "tab z"),
    ("graph-80x24", SMALL, "dark", "tab z"),
    ("ego-160x45", LARGE, "dark", "l l g e tab z"),
    ("ego-80x24", SMALL, "dark", "l l g e tab z"),
    ("waves-160x45", LARGE, "dark", "g w tab z"),
    ("waves-80x24", SMALL, "dark", "g w tab z"),
    ("outline-160x45", LARGE, "dark", "g o tab z"),
    ("outline-80x24", SMALL, "dark", "g o tab z"),
    ("owners-160x45", LARGE, "dark", "v o"),
    ("statuses-120x36", MIDDLE, "dark", "v r"),
    ("table-120x36", MIDDLE, "dark", "v l"),
    ("tree-120x36", MIDDLE, "dark", "v t"),
    ("attention-120x36", MIDDLE, "dark", "!"),
    ("form-120x36", MIDDLE, "dark", "e"),
    ("help-120x36", MIDDLE, "dark", "?"),
];

/// 2026-12-01, noon: pictures show fixed times.
pub(super) const NOON_MS: i64 = 1_796_126_400_000;

/// Draws every picture into a folder.
pub(super) fn draw(session: &Session, list: &List, folder: &Path) -> Result<(), Failure> {
    for (name, size, theme, keys) in PICTURES {
        let theme = match theme {
            ASCII => Theme::named("monochrome").unwrap_or_default().in_ascii(),
            named => Theme::named(named).unwrap_or_default(),
        };
        let (list, state) = with_fixed_times(list);
        let mut model = open(session, list, size, NOON_MS, state);
        model.freshness = Freshness::Live;
        model.place.name = "webshop".to_owned();
        model.place.path = ".omo/tasks".to_owned();
        press(&mut model, keys)?;
        for (format, ending) in [(Format::Svg, "svg"), (Format::Png, "png")] {
            let picture = render(&model, &theme, size, format)?;
            write(&folder.join(format!("{name}.{ending}")), &picture)?;
        }
    }
    Ok(())
}

fn with_fixed_times(list: &List) -> (List, ListState) {
    let (mut list, mut state) = (list.clone(), ListState::default());
    let tasks: Vec<_> = list.tasks().cloned().collect();
    for (place, task) in (1_i64..).zip(&tasks) {
        list.set_first_seen(&task.id, NOON_MS - place);
        state.observe(&[task.as_ref()], NOON_MS - (place * 37 % 53) * 60_000, true);
    }
    (list, state)
}
