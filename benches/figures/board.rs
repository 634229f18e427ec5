//! From a key, or from a file that an agent changed, to the drawn frame; without a terminal.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use taskdeck::board::{Effect, Message, Model, Place, update};
use taskdeck::command::Key;
use taskdeck::list::List;
use taskdeck::state::ListState;
use taskdeck::store::{Options, Store};
use taskdeck::task::Dialect;
use taskdeck::view::{Theme, draw_into};

use super::lists::{Tasks, id, text};
use super::reference;
use super::table::{Table, Target, quantile, time};

const SIZE: (u16, u16) = (200, 50);

struct Board {
    model: Model,
    theme: Theme,
}

impl Board {
    fn open(list: List) -> Board {
        let place = Place::default();
        let mut model = Model::new(Dialect::Omo, place, ListState::default(), false);
        update(&mut model, Message::Resize(SIZE.0, SIZE.1));
        let theme = Theme::named("dark").unwrap();
        let mut board = Board { model, theme };
        board.take(Message::Loaded(Ok(Box::new(list))));
        board
    }

    /// One message and its frame.
    fn take(&mut self, message: Message) -> Vec<Effect> {
        let effects = update(&mut self.model, message);
        let mut buffer = Buffer::empty(Rect::new(0, 0, SIZE.0, SIZE.1));
        draw_into(&self.model, &self.theme, &mut buffer);
        effects
    }

    /// How long 95 of a hundred such keys take at most. They are pressed in whole rounds, so that the
    /// board is left as it was found.
    fn keys(&mut self, keys: &[&str]) -> Duration {
        let rounds = 48 / keys.len();
        let mut times: Vec<Duration> = std::iter::repeat_n(keys, rounds)
            .flatten()
            .map(|key| key.parse::<Key>().unwrap())
            .map(|key| time(|| self.take(Message::Key(key))))
            .collect();
        quantile(&mut times, 0.95)
    }
}

pub fn measure(table: &mut Table) {
    let frame = reference::frame(SIZE.0, SIZE.1);
    for count in [1_000, 10_000, 100_000] {
        let tasks = Tasks::make(count);
        let store = Store::open(&tasks.dir(), Some(Dialect::Omo), Options::default()).unwrap();
        let loaded = super::table::median(|| time(|| store.load().unwrap()));
        let limit = Target::Times(
            "limit:load",
            reference::load(&tasks.dir()),
            1.5,
            Duration::ZERO,
        );
        table.row(&format!("load into a list, {count} tasks"), loaded, limit);
        let mut board = Board::open(store.load().unwrap());
        for (name, keys, limit) in [
            ("move", &["j", "j", "k"][..], 8),
            ("change column", &["l", "l", "h", "h"], 8),
            (
                "filter, a letter more",
                &["/", "b", "u", "i", "l", "d", "esc"],
                30,
            ),
            ("show or hide the graph", &["g", "g"], 8),
        ] {
            let took = board.keys(keys);
            let limit = Target::Within(Duration::from_millis(limit));
            table.row(
                &format!("key to frame: {name}, {count} tasks, p95"),
                took,
                limit,
            );
        }
        let mut times: Vec<Duration> = (0..40)
            .map(|turn| {
                let number = (turn * 7919) % count;
                let new = text(number).replace("build part", &format!("turn {turn} of part"));
                let name = format!("{}.json", id(number));
                let file = store.parse_file(&name, new.as_bytes(), None);
                time(|| board.take(Message::Files(vec![file])))
            })
            .collect();
        let half = quantile(&mut times, 0.5);
        let limit = Target::Times("limit:frame", frame, 4.0, Duration::ZERO);
        table.row(
            &format!("changed file to frame, {count} tasks, p50"),
            half,
            limit,
        );
    }
}
