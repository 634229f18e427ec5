//! What the terminal says about itself, asked once before the first frame: its background, and
//! whether it knows the kitty keyboard protocol. It has a moment to answer; keys typed meanwhile
//! are kept.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use ratatui::crossterm::event::KeyCode;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::command::Key;

/// What was learned.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Answers {
    /// Whether the background is light; `None` when the terminal does not say.
    pub(super) light: Option<bool>,
    /// Whether the kitty keyboard protocol is offered.
    pub(super) kitty: bool,
    /// Keys that were typed while we waited.
    pub(super) typed: Vec<Key>,
    /// The answers did not come in time; they may come yet.
    pub(super) late: bool,
}

/// So long the first frame waits for answers. Terminals answer within a millisecond or two; what
/// those behind a long line say changes the picture when it comes.
const PATIENCE: Duration = Duration::from_millis(10);

/// The kitty protocol's flags; the background, where it is wanted; and what every terminal answers
/// (DA1), so that one that answers nothing else is not waited for.
const ASK_KEYBOARD: &str = "\x1b[?u";
const ASK_BACKGROUND: &str = "\x1b]11;?\x1b\\";
const ASK_ATTRIBUTES: &str = "\x1b[c";

/// Asks a terminal that is in raw mode and that nobody reads yet. Where keys are waiting already,
/// nothing is asked: they belong to whoever reads them next.
pub(super) fn ask(background: bool) -> Answers {
    let nothing = Answers::default();
    if waits(Duration::ZERO) {
        return nothing;
    }
    let background = if background { ASK_BACKGROUND } else { "" };
    let mut out = io::stdout();
    let asked = write!(out, "{ASK_KEYBOARD}{background}{ASK_ATTRIBUTES}");
    if asked.and_then(|()| out.flush()).is_err() {
        return nothing;
    }
    let mut bytes = Vec::new();
    let end = Instant::now() + PATIENCE;
    loop {
        let heard = understand(&bytes);
        if heard.complete {
            return heard.answers(false);
        }
        let left = end.saturating_duration_since(Instant::now());
        let mut chunk = [0; 256];
        match waits(left).then(|| rustix::io::read(io::stdin(), &mut chunk)) {
            Some(Ok(n @ 1..)) => bytes.extend_from_slice(&chunk[..n]),
            _ => return heard.answers(true),
        }
    }
}

/// Whether there is something to read, now or within this time.
fn waits(within: Duration) -> bool {
    let stdin = io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::IN)];
    let within = Timespec::try_from(within).unwrap_or_default();
    matches!(poll(&mut terminal, Some(&within)), Ok(1..))
}

/// What is in the bytes so far.
#[derive(Debug, Default)]
struct Heard {
    light: Option<bool>,
    kitty: bool,
    /// The answer that comes last came.
    complete: bool,
    /// What is no answer.
    typed: Vec<u8>,
}

impl Heard {
    fn answers(self, late: bool) -> Answers {
        Answers {
            light: self.light,
            kitty: self.kitty,
            typed: keys(&self.typed),
            late,
        }
    }
}

fn understand(bytes: &[u8]) -> Heard {
    let mut heard = Heard::default();
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        if let Some((colour, after)) = between(rest, b"\x1b]11;", &[b"\x07", b"\x1b\\"]) {
            heard.light = is_light(colour);
            rest = after;
        } else if let Some((said, after)) = between(rest, b"\x1b[?", &[b"u", b"c"]) {
            let ends_in_u = rest[..rest.len() - after.len()].ends_with(b"u");
            let fits = said.iter().all(|b| b.is_ascii_digit() || *b == b';');
            heard.kitty |= fits && ends_in_u;
            heard.complete |= fits && !ends_in_u;
            rest = after;
        } else {
            heard.typed.push(*first);
            rest = &rest[1..];
        }
    }
    heard
}

/// What stands between a beginning and the nearest of some ends, and what follows.
fn between<'a>(bytes: &'a [u8], start: &[u8], ends: &[&[u8]]) -> Option<(&'a [u8], &'a [u8])> {
    let inside = bytes.strip_prefix(start)?;
    let at = |end: &&[u8]| {
        let place = inside
            .windows(end.len())
            .position(|window| window == *end)?;
        Some((place, end.len()))
    };
    let (place, length) = ends.iter().filter_map(at).min()?;
    Some((&inside[..place], &inside[place + length..]))
}

/// `rgb:1e1e/2020/2828`, with one to four digits each, or `rgba:` with a fourth part.
fn is_light(colour: &[u8]) -> Option<bool> {
    let text = std::str::from_utf8(colour).ok()?;
    let (_, parts) = text
        .split_once(':')
        .filter(|(kind, _)| kind.starts_with("rgb"))?;
    let share = |part: &str| {
        let digits = u32::try_from(part.len())
            .ok()
            .filter(|n| (1..=4).contains(n))?;
        let most = 16_u32.pow(digits) - 1;
        Some(u32::from_str_radix(part, 16).ok()? * 1000 / most)
    };
    let shares: Option<Vec<u32>> = parts.split('/').take(3).map(share).collect();
    match shares?.as_slice() {
        // The weights of ITU-R BT.601 for how bright a colour looks.
        [r, g, b] => Some(299 * r + 587 * g + 114 * b > 500_000),
        _ => None,
    }
}

/// Typed bytes as keys, as far as they are text, control keys or arrows.
fn keys(bytes: &[u8]) -> Vec<Key> {
    let arrow = |last: char| match last {
        'A' => Some(KeyCode::Up),
        'B' => Some(KeyCode::Down),
        'C' => Some(KeyCode::Right),
        'D' => Some(KeyCode::Left),
        _ => None,
    };
    let text = String::from_utf8_lossy(bytes);
    let mut letters = text.chars().peekable();
    let mut keys = Vec::new();
    while let Some(letter) = letters.next() {
        let code = match letter {
            '\x1b' if matches!(letters.peek(), Some('[' | 'O')) => {
                letters.next();
                let last = letters.find(|c| c.is_ascii_alphabetic() || *c == '~');
                match last.and_then(arrow) {
                    Some(code) => code,
                    None => continue,
                }
            }
            '\x1b' => KeyCode::Esc,
            '\r' => KeyCode::Enter,
            '\t' => KeyCode::Tab,
            '\x7f' => KeyCode::Backspace,
            '\x01'..='\x1a' => {
                let letter = char::from(b'a' + (letter as u8) - 1);
                keys.push(Key {
                    ctrl: true,
                    ..Key::plain(KeyCode::Char(letter))
                });
                continue;
            }
            letter => KeyCode::Char(letter),
        };
        keys.push(Key::plain(code));
    }
    keys
}

/// Takes an answer about the background that comes late: read as keys it would be commands.
#[derive(Debug, Default)]
pub(super) struct Late {
    expected: bool,
    /// The answer as far as it came.
    answer: Option<String>,
}

/// What a key is when an answer may be on its way.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// A key.
    Key,
    /// A part of the answer.
    Part,
    /// The answer's end: whether the background is light, where that can be told.
    Background(Option<bool>),
}

impl Late {
    pub(super) fn new(expected: bool) -> Late {
        Late {
            expected,
            answer: None,
        }
    }

    /// What a key is. An answer begins as `alt-]` and ends as `ctrl-g` or `alt-\`.
    pub(super) fn take(&mut self, key: Key) -> Told {
        let is = |key: Key, letter: char| key.code == KeyCode::Char(letter);
        let Some(answer) = &mut self.answer else {
            if !(self.expected && key.alt && is(key, ']')) {
                return Told::Key;
            }
            self.answer = Some(String::new());
            return Told::Part;
        };
        if (key.ctrl && is(key, 'g')) || (key.alt && is(key, '\\')) {
            let colour = answer.strip_prefix("11;").map(str::to_owned);
            *self = Late::default();
            return Told::Background(colour.and_then(|colour| is_light(colour.as_bytes())));
        }
        if let KeyCode::Char(letter) = key.code {
            answer.push(letter);
        }
        Told::Part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(text: &str) -> Vec<Key> {
        text.split(' ').map(|key| key.parse().unwrap()).collect()
    }

    #[test]
    fn answers_are_told_from_keys() {
        let all = b"j\x1b[?0u\x1b[A\x1b]11;rgb:fafa/f8f8/f5f5\x1b\\\x04\x1b[?62;22c\r";
        let answers = understand(all).answers(false);
        assert_eq!(
            answers,
            Answers {
                light: Some(true),
                kitty: true,
                typed: pressed("j up ctrl-d enter"),
                late: false,
            }
        );
    }

    #[test]
    fn every_cut_of_an_answer_is_waited_for() {
        let all = b"\x1b]11;rgb:1e1e/2020/2828\x07\x1b[?1;2c";
        for end in 0..all.len() {
            assert!(!understand(&all[..end]).complete, "{end}");
        }
        let heard = understand(all);
        assert!(heard.complete && !heard.kitty);
        assert_eq!(heard.light, Some(false));
        assert!(heard.typed.is_empty());
    }

    #[test]
    fn colours_are_light_or_dark_or_none() {
        for (text, light) in [
            ("rgb:ff/ff/ff", Some(true)),
            ("rgb:0/0/0", Some(false)),
            ("rgba:ffff/ffff/ffff/0000", Some(true)),
            ("rgb:0000/2b2b/3636", Some(false)),
            ("rgb:fdfd/f6f6/e3e3", Some(true)),
            ("rgb:zz/00/00", None),
            ("rgb:00/00", None),
            ("rgb:00000/0/0", None),
            ("?", None),
        ] {
            assert_eq!(is_light(text.as_bytes()), light, "{text}");
        }
    }

    #[test]
    fn a_late_answer_is_no_command() {
        let mut late = Late::new(true);
        let answer = "alt-] 1 1 ; r g b : d / d / d";
        assert!(
            pressed(answer)
                .into_iter()
                .all(|key| late.take(key) == Told::Part)
        );
        let end = late.take("alt-\\".parse().unwrap());
        assert_eq!(end, Told::Background(Some(true)));
        assert_eq!(late.take("d".parse().unwrap()), Told::Key);
        let mut none = Late::new(false);
        assert_eq!(none.take("alt-]".parse().unwrap()), Told::Key);
    }
}
