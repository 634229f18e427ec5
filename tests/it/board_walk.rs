//! Every command of the table, pressed in a real terminal at five sizes, each in another view,
//! with an agent that writes underneath all the time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use portable_pty::PtySize;
use ratatui::crossterm::event::KeyCode;
use taskdeck::command::{COMMANDS, CommandId, Key};
use taskdeck::list::Op;
use taskdeck::store::{Options, Store};
use taskdeck::task::{Edit, Field, Patch, Status, TaskId};

use super::pty::{Board, cells, make, tasks};

/// What a terminal sends for a key.
fn bytes(key: Key) -> String {
    let modifier = 1 + 4 * u8::from(key.ctrl) + 2 * u8::from(key.alt);
    let arrow = |last: char| match modifier {
        1 => format!("\x1b[{last}"),
        _ => format!("\x1b[1;{modifier}{last}"),
    };
    match key.code {
        KeyCode::Char(c) if modifier == 1 => c.to_string(),
        // As the kitty protocol has it, so that no two keys look alike.
        KeyCode::Char(c) => format!("\x1b[{};{modifier}u", u32::from(c)),
        KeyCode::Esc => "\x1b[27u".to_owned(),
        KeyCode::Enter => "\r".to_owned(),
        KeyCode::Tab => "\t".to_owned(),
        KeyCode::BackTab => "\x1b[Z".to_owned(),
        KeyCode::Backspace => "\x7f".to_owned(),
        KeyCode::Up => arrow('A'),
        KeyCode::Down => arrow('B'),
        KeyCode::Right => arrow('C'),
        KeyCode::Left => arrow('D'),
        KeyCode::Home => arrow('H'),
        KeyCode::End => arrow('F'),
        KeyCode::Delete => "\x1b[3~".to_owned(),
        KeyCode::Insert => "\x1b[2~".to_owned(),
        KeyCode::PageUp => "\x1b[5~".to_owned(),
        KeyCode::PageDown => "\x1b[6~".to_owned(),
        KeyCode::F(1) => "\x1bOP".to_owned(),
        other => panic!("no command has {other:?}"),
    }
}

fn typed(keys: &str) -> String {
    let key = |word: &str| bytes(word.parse().unwrap());
    keys.split(' ').map(key).collect()
}

/// Three steps back: out of a menu over a prompt, and what it said.
const BACK: &str = "esc esc esc";

/// An agent that changes a task again and again, until it is stopped.
struct Agent {
    stop: Sender<()>,
    works: JoinHandle<()>,
}

impl Agent {
    fn start(folder: PathBuf) -> Agent {
        let (stop, stopped) = channel::<()>();
        let works = std::thread::spawn(move || {
            let store = Store::open(&folder, None, Options::default()).unwrap();
            let pace = Duration::from_millis(4);
            let mut turn = 0_u32;
            while stopped.recv_timeout(pace) == Err(RecvTimeoutError::Timeout) {
                turn += 1;
                let edit = Edit::text(Field::Subject, &format!("Turn {turn} 日本語"));
                let op = Op::Update {
                    ids: vec![TaskId::new("T-00000003")],
                    patch: Patch { edits: vec![edit] },
                    force: true,
                };
                // The board may have deleted the task or hold the lock: an agent tries again.
                drop(store.act(op));
            }
        });
        Agent { stop, works }
    }

    fn stop(self) {
        drop(self.stop);
        self.works.join().unwrap();
    }
}

/// The screen holds text only, and nothing of an escape sequence that was torn.
fn assert_whole(board: &Board, after: &str) {
    let text = board.text();
    let odd = text
        .chars()
        .find(|c| (c.is_control() && *c != '\n') || *c == '\u{fffd}');
    assert_eq!(odd, None, "after {after}:\n{text}");
    for litter in ["[0m", ";2m", "[?", "38;5", "[39m", "[49m"] {
        assert!(!text.contains(litter), "{litter} after {after}:\n{text}");
    }
}

fn walk(columns: u16, rows: u16, view: &str) {
    let home = Arc::new(tempfile::tempdir().unwrap());
    make(home.path(), 1, "Lay the ground", &[]);
    make(home.path(), 2, "Build the house", &[1]);
    make(home.path(), 3, "Turn 0", &[]);
    let mut board = Board::open_in(Arc::clone(&home), columns, rows, &[]);
    board.see("● live");
    let agent = Agent::start(tasks(home.path()));
    board.press_and_look(&typed(view));
    let leaves = [CommandId::Quit, CommandId::Suspend, CommandId::Description];
    let walked = COMMANDS
        .iter()
        .filter(|command| !leaves.contains(&command.id));
    for command in walked {
        // Twice, so that what was switched is switched back.
        for _ in 0..2 {
            board.press_and_look(&typed(command.keys[0]));
            assert_whole(&board, command.name);
            board.press_and_look(&typed(BACK));
        }
    }
    agent.stop();
    make(home.path(), 4, "The last one", &[]);
    let progress = progress(&tasks(home.path()));
    board.wait(&progress, |text| {
        text.lines()
            .next()
            .is_some_and(|row| row.contains(&progress))
    });
    board.press(&typed("v s"));
    board.press(FIRST_COLUMN);
    // Help opens after all that was pressed before it.
    board.press("?");
    board.see("Help:");
    board.press(&typed(BACK));
    board.wait("the board alone", |text| !text.contains("Help:"));
    assert_redrawn_the_same(&mut board, columns, rows);
    let counted = headings(&board.text());
    board.press("q");
    assert_eq!(board.end().0, 0);
    let mut fresh = Board::open_in(home, columns, rows, &[]);
    fresh.see("● live");
    fresh.press(FIRST_COLUMN);
    fresh.wait(&format!("the same columns, {counted:?}"), |text| {
        headings(text) == counted
    });
    fresh.press("q");
    assert_eq!(fresh.end().0, 0);
}

/// Goes to the first column: where few fit, it decides which ones are shown.
const FIRST_COLUMN: &str = "hhhhhhhh";

/// How the header counts what is done.
fn progress(folder: &Path) -> String {
    let store = Store::open(folder, None, Options::default()).unwrap();
    let list = store.load().unwrap();
    let stays = list.tasks().filter(|task| task.status != Status::Deleted);
    let (done, open): (Vec<_>, Vec<_>) = stays.partition(|task| task.status == Status::Completed);
    format!(" {}/{} ", done.len(), done.len() + open.len())
}

/// The columns with their counts; what stands beside them depends on the selection.
fn headings(screen: &str) -> String {
    let row = screen.lines().nth(1).unwrap_or_default();
    let columns = row.split('│').next().unwrap_or_default();
    columns.trim_end().to_owned()
}

/// The rows without the blanks at their ends: a blank that was drawn looks like one that was not.
fn visible(screen: &str) -> Vec<String> {
    screen
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// What was drawn piece by piece is what is drawn at once: a new size and back draws everything.
fn assert_redrawn_the_same(board: &mut Board, columns: u16, rows: u16) {
    let before = board.text();
    for (columns, rows) in [(columns + 7, rows + 3), (columns, rows)] {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        board.master.resize(size).unwrap();
        board
            .screen
            .screen_mut()
            .set_size(cells(rows), cells(columns));
        board.press_and_look("");
    }
    let what = format!("the same screen again, as it was:\n{before}\n");
    board.wait(&what, |text| visible(text) == visible(&before));
}

/// Whether the terminal answers at once or when keys are read already, the theme follows, and no
/// letter of the answer is a command.
#[test]
fn a_light_terminal_gets_the_light_theme() {
    let mut board = Board::open_with(80, 24, &[("COLORTERM", "truecolor")]);
    board.wait_for_bytes("\x1b[c");
    board.press("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c");
    board.wait_for_bytes("38;2;36;86;200");
    board.see("● live");
    board.press("?");
    board.see("Help:");
    assert!(!board.text().contains("New task"));
    board.press(&typed(BACK));
    board.press("q");
    assert_eq!(board.end().0, 0);
}

#[test]
fn every_command_at_40_by_10() {
    walk(40, 10, "v o");
}

#[test]
fn every_command_at_60_by_20() {
    walk(60, 20, "v r");
}

#[test]
fn every_command_at_80_by_24() {
    walk(80, 24, "v s");
}

#[test]
fn every_command_at_160_by_45() {
    walk(160, 45, "v l");
}

#[test]
fn every_command_at_240_by_60() {
    walk(240, 60, "v t");
}
