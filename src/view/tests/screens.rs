use std::sync::Arc;

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use crate::board::{Freshness, Message, Model, Place, update};
use crate::command::COMMANDS;
use crate::list::{FileChange, FileContent, List, Query};
use crate::state::ListState;
use crate::task::{Dialect, Priority, Status, StoredPriority, Task, TaskId};
use crate::text::width;
use crate::view::{Theme, draw_into};

/// `subject | blockers | status | owner`
pub(super) fn file(number: usize, text: &str) -> FileChange {
    let mut parts = text.split('|').map(str::trim);
    let mut task = Task::new(TaskId::new(format!("T-{number:04}")));
    task.subject = parts.next().unwrap().to_owned();
    let blockers = parts
        .next()
        .unwrap_or_default()
        .split(',')
        .filter(|b| !b.is_empty());
    task.blocked_by = blockers
        .map(|b| TaskId::new(format!("T-{:0>4}", b.trim())))
        .collect();
    task.status = Status::parse(
        parts.next().filter(|s| !s.is_empty()).unwrap_or("pending"),
        Dialect::Omo,
    );
    task.owner = parts.next().map(str::to_owned);
    if number == 2 {
        task.priority = StoredPriority::Known(Priority::High);
    }
    task.description = "# Why\n\nBecause *it* must be done.\n\n- one\n- two".to_owned();
    task.raw = Arc::from(format!("{number} {text}").into_bytes());
    FileChange {
        name: format!("T-{number:04}.json"),
        content: FileContent::Task(Arc::new(task)),
    }
}

pub(super) const TASKS: [&str; 7] = [
    "Design the pages || completed | iris",
    "Build the frontend | 1",
    "Build the backend | 1 | in_progress | atlas",
    "Integration tests | 2,3",
    "Deploy | 4",
    "Write the guide",
    "日本語の紹介ページ 🎉 | 5",
];

pub(super) fn board(tasks: &[&str], size: (u16, u16)) -> Model {
    let files: Vec<FileChange> = (1..).zip(tasks).map(|(n, text)| file(n, text)).collect();
    let place = Place {
        name: "webshop".into(),
        path: ".omo/tasks".into(),
        ..Place::default()
    };
    let mut model = Model::new(Dialect::Omo, place, ListState::default(), false);
    model.now_ms = 1_000_000;
    model.freshness = Freshness::Live;
    update(&mut model, Message::Resize(size.0, size.1));
    let list = List::from_files(Dialect::Omo, files);
    update(&mut model, Message::Loaded(Ok(Box::new(list))));
    model
}

pub(super) fn press(model: &mut Model, keys: &str) {
    for key in keys.split(' ') {
        update(model, Message::Key(key.parse().unwrap()));
    }
}

pub(super) fn screen(model: &Model, theme: &Theme) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, model.size.0, model.size.1));
    draw_into(model, theme, &mut buffer);
    buffer
}

pub(super) fn text(model: &Model) -> String {
    as_text(&screen(model, &Theme::default()))
}

#[test]
fn the_board_at_80_by_24() {
    insta::assert_snapshot!(text(&board(&TASKS, (80, 24))));
}

#[test]
fn the_board_at_160_by_45() {
    insta::assert_snapshot!(text(&board(&TASKS, (160, 45))));
}

/// Every view of the same tasks, from the smallest screen to the widest.
#[test]
fn the_views() {
    let views = [
        ("status", "v r"),
        ("owners", "v o"),
        ("list", "v l l"),
        ("tree", "v t"),
    ];
    for size in [(40, 10), (60, 30), (80, 24), (160, 45)] {
        for (name, keys) in views {
            let mut model = board(&TASKS, size);
            for (part, whole) in [(2, 1), (3, 1), (4, 3), (5, 9)] {
                let mut file = file(part, TASKS[part - 1]);
                if let FileContent::Task(task) = &mut file.content {
                    let task = Arc::make_mut(task);
                    task.parent_id = Some(TaskId::new(format!("T-000{whole}")));
                    task.raw = Arc::from(format!("part {part}").into_bytes());
                }
                update(&mut model, Message::Files(vec![file]));
            }
            model.changes.clear();
            press(&mut model, &format!("enter g g {keys}"));
            insta::assert_snapshot!(format!("{name}-{}x{}", size.0, size.1), text(&model));
        }
    }
}

#[test]
fn the_smallest_board() {
    insta::assert_snapshot!(text(&board(&TASKS, (40, 10))));
}

#[test]
fn too_small_a_screen_says_so() {
    insta::assert_snapshot!(text(&board(&TASKS, (39, 9))), @"too small: need 40×10, have 39×9");
}

#[test]
fn the_board_in_ascii() {
    let model = board(&TASKS[..6], (80, 24));
    let theme = Theme::named("monochrome").unwrap().in_ascii();
    let text = as_text(&screen(&model, &theme));
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn what_lies_over_the_board() {
    for (name, keys) in [
        ("form", "j e"),
        ("help", "?"),
        ("picker", "b"),
        ("confirm", "d"),
        ("owner", "o"),
    ] {
        let mut model = board(&TASKS, (80, 24));
        press(&mut model, keys);
        insta::assert_snapshot!(name, text(&model));
    }
}

#[test]
fn an_empty_list_helps_a_newcomer() {
    insta::assert_snapshot!(text(&board(&[], (80, 24))));
}

/// The contrast of two colours (WCAG 2.2): 1 to 21.
fn contrast(a: Color, b: Color) -> f64 {
    let light = |colour| {
        let Color::Rgb(r, g, b) = colour else {
            return None;
        };
        let linear = |part: u8| match f64::from(part) / 255.0 {
            part if part <= 0.040_45 => part / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        };
        Some(0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b))
    };
    match (light(a), light(b)) {
        (Some(a), Some(b)) => (a.max(b) + 0.05) / (a.min(b) + 0.05),
        _ => f64::INFINITY, // the terminal's own colours
    }
}

#[test]
fn the_selected_card_can_be_read_in_every_theme() {
    for name in Theme::names() {
        let theme = Theme::named(name).unwrap();
        for keys in ["v s", "v o", "v l", "v t"] {
            let mut model = board(&TASKS, (100, 30));
            press(&mut model, &format!("g g {keys}"));
            let buffer = screen(&model, &theme);
            let bar = buffer.content.iter().filter(|cell| {
                let on = Some(cell.bg) == theme.selected.bg && theme.selected.bg.is_some();
                on && cell.symbol().chars().all(char::is_alphanumeric)
            });
            for cell in bar {
                let contrast = contrast(cell.fg, cell.bg);
                assert!(contrast > 3.0, "{name} {keys}: {cell:?} {contrast}");
            }
        }
    }
}

#[test]
fn on_a_small_screen_the_graph_takes_the_place_of_the_columns_and_gives_it_back() {
    let mut model = board(&TASKS, (40, 10));
    let columns = text(&model);
    for keys in ["g g", "g w"] {
        press(&mut model, keys);
        assert!(text(&model).contains("━ graph"), "{keys}: {}", text(&model));
        press(&mut model, "g g");
        assert_eq!(text(&model), columns, "{keys}");
    }
}

#[test]
fn the_graph_dims_what_the_filter_hides() {
    let mut model = board(&TASKS, (160, 30));
    press(&mut model, "g f tab z");
    let theme = Theme::default();
    let faint = |model: &Model| {
        let cells = screen(model, &theme).content;
        let letters = cells
            .iter()
            .filter(|cell| cell.symbol().chars().all(char::is_alphabetic));
        letters
            .filter(|cell| cell.style().fg == theme.faint.fg)
            .count()
    };
    let before = faint(&model);
    model.query = Query::parse("is:completed");
    assert!(
        faint(&model) > before + 20,
        "{} and {before}",
        faint(&model)
    );
}

#[test]
fn the_graph_lights_up_what_the_selection_waits_for_and_frees() {
    let mut model = board(&TASKS, (120, 30));
    press(&mut model, "tab z");
    insta::assert_snapshot!(text(&model));
    let theme = Theme::default();
    let buffer = screen(&model, &theme);
    let styles = |fg| {
        buffer
            .content
            .iter()
            .filter(|cell| cell.style().fg == fg)
            .count()
    };
    assert!(styles(theme.blocker.fg) > 0 && styles(theme.dependant.fg) > 0);
}

#[test]
fn without_colour_every_state_still_has_its_shape() {
    let model = board(&TASKS, (80, 24));
    let buffer = screen(&model, &Theme::named("monochrome").unwrap());
    let colourless = buffer.content.iter().all(|cell| {
        let plain = |c| matches!(c, ratatui::style::Color::Reset);
        plain(cell.fg) && plain(cell.bg)
    });
    assert!(colourless);
    let text = as_text(&buffer);
    assert!(
        ["○", "⧗", "▶", "✓"]
            .iter()
            .all(|glyph| text.contains(glyph))
    );
}

#[test]
fn a_selection_of_swapped_colours_is_one_plain_bar() {
    for keys in ["g g v s", "g g v o", "g g v l", "g g v t"] {
        let mut model = board(&TASKS, (100, 30));
        press(&mut model, keys);
        let buffer = screen(&model, &Theme::named("16").unwrap());
        let bar: Vec<_> = buffer
            .content
            .iter()
            .filter(|cell| cell.modifier.contains(Modifier::REVERSED))
            .filter(|cell| cell.symbol() != "▌")
            .collect();
        assert!(bar.len() > 20, "{keys}");
        for cell in bar {
            assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset), "{keys}");
        }
    }
}

const HOSTILE: [&str; 6] = [
    "colour \u{1b}[31mred \u{1b}]0;owned\u{7}",
    "日本語サーバ 👩‍👩‍👧 🇪🇺 e\u{301}\u{301}\u{301}",
    "\u{202e}right to left\u{202c} עברית",
    "zero\u{200b}width\u{feff} tab\there",
    "",
    "a very long subject that goes on and on and on and on and on and on and on and on",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Every screen at every size, with every layer: no panic, no control character, and no row
    /// wider than the screen.
    #[test]
    fn every_size_and_layer_is_drawn(
        columns in 0_u16..200,
        rows in 0_u16..60,
        command in 0_usize..COMMANDS.len(),
        moves in 0_usize..6,
        hostile in any::<bool>(),
    ) {
        let tasks = if hostile { HOSTILE.to_vec() } else { TASKS.to_vec() };
        let mut model = board(&tasks, (columns, rows));
        for _ in 0..moves {
            press(&mut model, "j l tab");
        }
        press(&mut model, COMMANDS[command].keys[0]);
        for theme in [Theme::default(), Theme::default().in_ascii()] {
            let buffer = screen(&model, &theme);
            for y in 0..rows {
                let row: String = (0..columns).map(|x| buffer[(x, y)].symbol().to_owned()).collect();
                prop_assert!(!row.chars().any(char::is_control), "{row:?}");
                let drawn: usize = as_text(&buffer).lines().map(width).max().unwrap_or(0);
                prop_assert!(drawn <= usize::from(columns));
            }
        }
    }
}

/// The letters of a screen, each wide one counted once.
fn as_text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += u16::try_from(width(symbol).max(1)).unwrap();
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.trim_end().to_owned()
}
