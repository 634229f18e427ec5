//! The board's life in a terminal: letters of every script in its forms, keys and mice of every
//! kind, and ends that nobody planned.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use portable_pty::CommandBuilder;
use taskdeck::app::{BoardOptions, Feel, Look, Opened, Shelf};
use taskdeck::board::Place;
use taskdeck::command::Keymap;
use taskdeck::state::ListState;
use taskdeck::store::discover::{Overview, PlanProgress};
use taskdeck::store::watch::WatchMode;
use taskdeck::store::{Options, Store};

use super::pty::{Board, assert_given_back, make, tasks};

/// Arrow keys and their like, as terminals send them.
const LEFT: &str = "\x1b[D";
const HOME: &str = "\x1b[H";
const END: &str = "\x1b[F";
const DELETE: &str = "\x1b[3~";
const BACKSPACE: &str = "\x7f";

#[test]
fn a_form_edits_whole_letters_and_stores_what_is_seen() {
    let family = "👩\u{200d}👩\u{200d}👧";
    let mut board = Board::open(100, 30);
    board.see("● live");
    board.press("n");
    board.see("New task");
    board.press(&format!("тест日本語e\u{301}{family}"));
    board.see("日本語");
    // Away goes the é, which is two code points, then the first letter.
    for keys in [LEFT, BACKSPACE, HOME, DELETE, END] {
        board.press(keys);
    }
    board.press("!\r");
    let wanted = format!("ест日本語{family}!");
    board.wait_beside("task of that name", |home| {
        let store = Store::open(&tasks(home), None, Options::default()).unwrap();
        let list = store.load().unwrap();
        list.tasks().any(|task| task.subject == wanted)
    });
    board.see("ест日本語");
    board.press("q");
    assert_eq!(board.end().0, 0);
}

#[test]
fn problems_clear_what_a_stopped_writer_left_and_the_doctor_brings_it_back() {
    let home = tempfile::tempdir().unwrap();
    make(home.path(), 1, "Lay the ground", &[]);
    let left = tasks(home.path()).join("T-00000001.json.tmp.1700000000000");
    std::fs::write(&left, "half of it").unwrap();
    let long_ago = std::time::SystemTime::UNIX_EPOCH;
    let file = std::fs::File::open(&left).unwrap();
    file.set_modified(long_ago).unwrap();
    let mut board = Board::open_in(Arc::new(home), 110, 34, &[]);
    board.see("● live");
    board.press("p");
    board.see("Problems: ");
    board.press("temp");
    board.see("comes back with");
    board.press("\x12");
    board.see("Repair T-00000001.json.tmp");
    board.press("y");
    board.see("Problems: there are none");
    board.see("brings it back");
    assert!(!left.exists());
    let undone = Command::new(env!("CARGO_BIN_EXE_taskdeck"))
        .args(["doctor", "--undo", "--dir"])
        .arg(tasks(board.home.path()))
        .env_clear()
        .env("HOME", board.home.path())
        .output()
        .unwrap();
    assert!(undone.status.success(), "{undone:?}");
    assert_eq!(std::fs::read_to_string(&left).unwrap(), "half of it");
    board.press("\x1b");
    board.wait("problems", |screen| !screen.contains("Problems"));
    board.press("q");
    assert_eq!(board.end().0, 0);
}

#[test]
fn a_released_key_is_none_and_a_held_one_is_several() {
    let home = tempfile::tempdir().unwrap();
    for number in 1..=5 {
        make(home.path(), number, &format!("Card {number}"), &[]);
    }
    let mut board = Board::open_in(Arc::new(home), 100, 30, &[]);
    board.see("● live");
    board.see("Card 5");
    // The kitty protocol's press, repeat and release of j.
    board.press("\x1b[106;1:1u\x1b[106;1:2u\x1b[106;1:3u");
    let selected = |text: &str, card: &str| {
        text.lines()
            .any(|line| line.contains('▌') && line.contains(card))
    };
    board.wait("two steps", |text| selected(text, "Card 3"));
    board.press("j");
    board.wait("one more", |text| selected(text, "Card 4"));
    board.press("q");
    assert_eq!(board.end().0, 0);
}

#[test]
fn a_mouse_at_every_edge_and_beyond_breaks_nothing() {
    let mut board = Board::open(80, 24);
    board.see("● live");
    let before = (board.file(1), board.file(2));
    for x in [1, 2, 40, 79, 80, 81, 500] {
        for y in [1, 2, 12, 23, 24, 25, 400] {
            // Press, drag, wheel up and down, and let go where it began.
            for (button, end) in [(0, 'M'), (32, 'M'), (64, 'M'), (65, 'M'), (0, 'm')] {
                board.press(&format!("\x1b[<{button};{x};{y}{end}"));
            }
        }
    }
    // A click may have opened something. Escape in the kitty protocol is no half of another key.
    board.press(&"\x1b[27u".repeat(4));
    board.press("?");
    board.see("Help:");
    board.press("\x1b[27u");
    board.wait("the board", |text| !text.contains("Help:"));
    assert_eq!((board.file(1), board.file(2)), before, "nothing was moved");
    board.press("q");
    let (code, bytes) = board.end();
    assert_eq!(code, 0);
    assert_given_back(&bytes);
}

#[test]
fn the_selected_task_stays_selected_whatever_is_written() {
    let home = tempfile::tempdir().unwrap();
    for number in 1..=4 {
        make(home.path(), number, &format!("Card {number}"), &[]);
    }
    let mut board = Board::open_in(Arc::new(home), 100, 30, &[]);
    board.see("● live");
    board.see("Card 4");
    board.press("jj");
    let is = |subject: &'static str| {
        move |text: &str| text.lines().any(|l| l.contains('▌') && l.contains(subject))
    };
    board.wait("the third card", is("Card 3"));
    for number in 5..=9 {
        make(board.home.path(), number, &format!("Card {number}"), &[]);
    }
    board.see("Ready 9");
    board.wait("the same card", is("Card 3"));
    let file = tasks(board.home.path()).join("T-00000003.json");
    let write = |from: &str, to: &str| {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{text}");
        std::fs::write(&file, text.replace(from, to)).unwrap();
    };
    write("Card 3", "Third card");
    board.wait("its new name", is("Third card"));
    write("\"pending\"", "\"in_progress\"");
    board.see("In progress 1");
    board.wait("the same card elsewhere", is("Third card"));
    board.press("e");
    board.see("Edit");
    board.press("!");
    std::fs::remove_file(&file).unwrap();
    board.see("Ready 8");
    board.see("Third card!");
    board.press("\x1b");
    board.wait("a neighbour", |text| text.contains('▌'));
    board.press("q");
    assert_eq!(board.end().0, 0);
}

/// Says to this very program that it is to be a board whose shelf of lists panics.
const CHILD: &str = "TASKDECK_TEST_PANICS";

struct Panics;

impl Shelf for Panics {
    fn find(&self) -> (Vec<Overview>, Option<PlanProgress>) {
        panic!("the shelf fell down")
    }

    fn open(&self, _: &Path) -> Result<Opened, String> {
        panic!("the shelf fell down")
    }
}

/// Not a test by itself: what [`a_panic_in_any_thread_gives_the_terminal_back`] runs.
#[test]
fn a_board_whose_shelf_panics() {
    let Some(folder) = std::env::var_os(CHILD) else {
        return;
    };
    let store = Store::open(Path::new(&folder), None, Options::default()).unwrap();
    let options = BoardOptions {
        list: Opened {
            store,
            place: Place::default(),
            state: ListState::default(),
        },
        shelf: Some(Arc::new(Panics)),
        feel: Feel {
            look: Look::Fixed(Box::default()),
            keymap: Keymap::default(),
            mouse: true,
            calm: false,
            fault: None,
        },
        thread_id: "ses".to_owned(),
        watch: WatchMode::Auto,
        jobs: None,
        on_end: None,
    };
    taskdeck::app::run(options).unwrap();
}

#[test]
fn a_panic_in_any_thread_gives_the_terminal_back() {
    let home = tempfile::tempdir().unwrap();
    make(home.path(), 1, "Lay the ground", &[]);
    let folder = tasks(home.path());
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        "board_life::a_board_whose_shelf_panics",
        "--nocapture",
    ]);
    let env = [(CHILD, folder.to_str().unwrap())];
    let mut board = Board::spawn(Arc::new(home), 100, 30, &env, command);
    board.see("Lay the ground");
    board.press("\x0c"); // ctrl-l looks for lists on a thread of its own
    let (code, bytes) = board.end();
    assert_eq!(code, 101);
    assert_given_back(&bytes);
    let said = String::from_utf8_lossy(&bytes);
    let after = said.rsplit("\x1b[?1049l").next().unwrap();
    assert!(after.contains("the shelf fell down"), "{after}");
}
