//! Random days at the board: keys, pastes, mouse, sizes and files, in any order. Each day has a
//! seed, so that a bad one can be lived again.

use super::screens::{TASKS, board, file, press};
use crate::board::{Effect, Message, Model, Mouse, update};
use crate::command::{COMMANDS, Key};
use crate::list::{FileChange, FileContent, List};
use crate::view::{Hits, Theme, draw_into};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Days, and what happens on each.
const DAYS: u64 = 24;
const STEPS: usize = 150;

/// A linear congruential generator (Knuth's MMIX constants): the same days on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// What is typed into forms, and keys that mean something there only.
const LOOSE: [&str; 14] = [
    "esc",
    "esc",
    "enter",
    "tab",
    "backspace",
    "delete",
    "left",
    "right",
    "home",
    "end",
    "y",
    "日",
    "é",
    "ctrl-s",
];

const SIZES: [(u16, u16); 8] = [
    (0, 0),
    (1, 1),
    (39, 9),
    (40, 10),
    (60, 20),
    (80, 24),
    (160, 45),
    (240, 60),
];

const PASTES: [&str; 4] = [
    "dqd\nyes\n",
    "",
    "T-0001 \u{1b}[31m日本語 👩‍👩‍👧",
    "@atlas #high >T-0002",
];

fn keys(dice: &mut Dice) -> Vec<Message> {
    let text = match dice.below(4) {
        0 => dice.of(&LOOSE),
        _ => {
            let keys: Vec<&str> = COMMANDS
                .iter()
                .flat_map(|command| command.keys)
                .copied()
                .collect();
            dice.of(&keys)
        }
    };
    let key = |word: &str| Message::Key(word.parse::<Key>().unwrap());
    text.split(' ').map(key).collect()
}

/// An agent writes a task, breaks one, or takes one away.
fn file_change(dice: &mut Dice, step: usize) -> FileChange {
    let number = 1 + dice.below(12);
    let waits_for = 1 + dice.below(12);
    let status = dice.of(&["pending", "in_progress", "completed", "deleted", "someday"]);
    let mut change = file(
        number,
        &format!("Step {step} 日本 | {waits_for} | {status} | atlas"),
    );
    if dice.below(6) == 0 {
        change.content = FileContent::Gone;
    }
    change
}

fn mouse(dice: &mut Dice, hits: &Hits, size: (u16, u16)) -> Mouse {
    let place = (
        dice.below(usize::from(size.0) + 2) as u16,
        dice.below(usize::from(size.1) + 2) as u16,
    );
    let at = hits.at(place.0, place.1);
    match dice.below(6) {
        0 | 1 => Mouse::Press(at),
        2 => Mouse::DoubleClick(at),
        3 => Mouse::Drag(at),
        4 => Mouse::Release(at),
        _ => Mouse::Wheel(at, if dice.below(2) == 0 { 1 } else { -1 }),
    }
}

fn draw(model: &Model) -> (Buffer, Hits) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, model.size.0, model.size.1));
    let hits = draw_into(model, &Theme::default(), &mut buffer);
    (buffer, hits)
}

/// What an effect brings back at once where the board is drawn without a worker: layouts.
fn settle(model: &mut Model, effects: Vec<Effect>) {
    for effect in effects {
        if let Effect::Layout(job) = effect {
            let done = Message::LaidOut(job.run());
            drop(update(model, done));
        }
    }
}

#[test]
fn nothing_that_happens_breaks_the_board() {
    for seed in 1..=DAYS {
        let mut dice = Dice(seed);
        let mut model = board(&TASKS, (80, 24));
        let mut hits = draw(&model).1;
        for step in 0..STEPS {
            let messages = match dice.below(12) {
                0 => {
                    let (columns, rows) = dice.of(&SIZES);
                    vec![Message::Resize(columns, rows)]
                }
                1 | 2 => vec![Message::Files(vec![file_change(&mut dice, step)])],
                3 => vec![Message::Paste(dice.of(&PASTES).to_owned())],
                4 | 5 => vec![Message::Mouse(mouse(&mut dice, &hits, model.size))],
                6 => vec![Message::Clock(model.now_ms + 61_000)],
                _ => keys(&mut dice),
            };
            for message in messages {
                let effects = update(&mut model, message);
                settle(&mut model, effects);
            }
            let (buffer, drawn) = draw(&model);
            let letters = buffer.content.iter().flat_map(|cell| cell.symbol().chars());
            let controls = letters.filter(|letter| letter.is_control()).count();
            assert_eq!(controls, 0, "day {seed}, step {step}");
            hits = drawn;
        }
        is_a_fresh_start(model, seed);
    }
}

/// Whatever happened, the cards stand where they stand on a board that opens on the same list.
fn is_a_fresh_start(mut old: Model, seed: u64) {
    let mut new = board(&[], (80, 24));
    for _ in 0..8 {
        drop(update(&mut old, Message::Key("esc".parse().unwrap())));
    }
    if old.frozen.is_some() {
        press(&mut old, "F");
    }
    if !old.query.is_empty() {
        press(&mut old, "\\");
    }
    if old.all_columns {
        press(&mut old, "a");
    }
    press(&mut old, "v s");
    let list: List = old.list.clone();
    drop(update(&mut new, Message::Loaded(Ok(Box::new(list)))));
    let cards = |model: &Model| -> Vec<_> {
        let of_a_state = model
            .columns
            .iter()
            .filter(|column| column.state().is_some());
        of_a_state.map(|column| column.ids.clone()).collect()
    };
    assert_eq!(cards(&old), cards(&new), "day {seed}");
}
