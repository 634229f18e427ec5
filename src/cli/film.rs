//! `demo --film`: a run of the demo as a moving picture, on a clock that only counts.

use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::demo::DemoArgs;
use super::failure::Failure;
use super::gallery::NOON_MS;
use super::snapshot::{look, press, write};
use crate::board::{Message, Model, Place, update};
use crate::demo::Rehearsal;
use crate::picture::{Fonts, Frame, film};
use crate::state::ListState;
use crate::store::watch::WatchStatus;
use crate::task::Dialect;
use crate::view::{Theme, draw_into};

/// Columns and rows.
const SIZE: (u16, u16) = (120, 34);
/// How long a film is, in milliseconds.
const END_MS: u64 = 30_000;
/// The screen is looked at this often, in milliseconds.
const TICK_MS: u64 = 250;

/// What the person at the board presses, and when, in milliseconds.
const KEYS: [(u64, &str); 16] = [
    (3_000, "l"),
    (4_000, "j"),
    (5_000, "j"),
    (6_500, "]"),
    (8_500, "v"),
    (9_250, "o"),
    (14_000, "v"),
    (14_500, "s"),
    (16_000, "tab"),
    (16_500, "z"),
    (18_500, "l"),
    (20_000, "l"),
    (21_500, "g"),
    (22_250, "w"),
    (26_500, "z"),
    (27_000, "tab"),
];

/// Draws the film into a file.
pub fn draw(args: &DemoArgs, path: &Path, theme: &Theme) -> Result<(), Failure> {
    let speed = args.speed;
    if !(speed.is_finite() && speed > 0.0) {
        return Err(Failure::usage("--speed takes a number above 0, such as 2"));
    }
    let mut rehearsal = Rehearsal::start(&args.scenario, args.agents.min(64), args.seed)?;
    let mut model = open(&rehearsal);
    let mut scenes = std::iter::from_fn(|| rehearsal.step()).peekable();
    let mut frames: Vec<Frame> = Vec::new();
    for at_ms in (0..END_MS).step_by(TICK_MS as usize) {
        update(&mut model, Message::Clock(NOON_MS + at_ms as i64));
        let due = |scene_ms: u64| scene_ms as f64 / speed <= at_ms as f64;
        while let Some(scene) = scenes.next_if(|scene| due(scene.at_ms)) {
            update(&mut model, Message::Files(scene.files));
        }
        for (_, key) in KEYS.iter().filter(|(key_ms, _)| *key_ms == at_ms) {
            press(&mut model, key)?;
        }
        let mut screen = Buffer::empty(Rect::new(0, 0, SIZE.0, SIZE.1));
        draw_into(&model, theme, &mut screen);
        if frames.last().is_none_or(|last| last.screen != screen) {
            frames.push(Frame { at_ms, screen });
        }
    }
    let picture = film(&frames, END_MS, &look(theme), Fonts::Shipped);
    write(path, picture.as_bytes())
}

fn open(rehearsal: &Rehearsal) -> Model {
    let place = Place {
        name: rehearsal.title().to_owned(),
        path: ".omo/tasks".to_owned(),
        ..Place::default()
    };
    let mut model = Model::new(Dialect::Omo, place, ListState::default(), false);
    model.now_ms = NOON_MS;
    update(&mut model, Message::Resize(SIZE.0, SIZE.1));
    update(&mut model, Message::Watch(WatchStatus::Live));
    let list = Box::new(rehearsal.list().clone());
    update(&mut model, Message::Loaded(Ok(list)));
    model
}
