use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

/// Cleans a text for one line of a terminal: whole escape sequences, control characters, bidi
/// controls and invisible characters are removed; tabs, newlines and line separators become one
/// space each.
pub fn clean_line(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(Cleaner::new(" ", " ").run(text))
}

/// Cleans a text of several lines: as [`clean_line`], but newlines and line separators become
/// `\n` and tabs become four spaces.
pub fn clean_block(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| c == '\n' || is_plain(c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(Cleaner::new("\n", "    ").run(text))
}

/// What nearly every text consists of and what never needs a closer look.
fn is_plain(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{2ff}' | '\u{370}'..='\u{5ff}'
        | '\u{3041}'..='\u{3096}' | '\u{30a0}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}')
}

/// One pass over a text. The output never holds an introducer of an escape sequence, so nothing
/// can come together out of the pieces that are left.
struct Cleaner {
    newline: &'static str,
    tab: &'static str,
    out: String,
    /// A zero-width joiner waits here until it is known whether it joins two emoji.
    joiner: bool,
    /// No string that starts from here on has an end: found once, so that a text of introducers
    /// alone is not searched from each of them.
    endless: bool,
}

impl Cleaner {
    fn new(newline: &'static str, tab: &'static str) -> Cleaner {
        Cleaner {
            newline,
            tab,
            out: String::new(),
            joiner: false,
            endless: false,
        }
    }

    fn run(mut self, text: &str) -> String {
        self.out.reserve(text.len());
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\u{1b}' => self.skip_escape(&mut chars),
                '\u{9b}' => skip_csi(&mut chars),
                '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => self.skip_string(&mut chars),
                '\r' if chars.peek() == Some(&'\n') => {}
                '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                    self.out.push_str(self.newline);
                    self.joiner = false;
                }
                '\t' => {
                    self.out.push_str(self.tab);
                    self.joiner = false;
                }
                '\u{200d}' => self.joiner = true,
                c if is_variation_selector(c) => self.push_variation_selector(c),
                c if c.is_control() || is_invisible(c) => {}
                c => self.push(c),
            }
        }
        self.out
    }

    /// After ESC: a control sequence, a string, or a short sequence (ECMA-35 and ECMA-48).
    fn skip_escape(&mut self, chars: &mut Peekable<Chars<'_>>) {
        match chars.peek() {
            Some('[') => {
                chars.next();
                skip_csi(chars);
            }
            Some('P' | 'X' | ']' | '^' | '_') => {
                chars.next();
                self.skip_string(chars);
            }
            Some(' '..='~') => {
                while chars.next_if(|c| matches!(c, ' '..='/')).is_some() {}
                chars.next_if(|c| matches!(c, '0'..='~'));
            }
            _ => {}
        }
    }

    /// After OSC, DCS, SOS, PM or APC: everything up to BEL or the string terminator. Without one
    /// only the introducer goes, so that a stray byte cannot hide the rest of a text.
    fn skip_string(&mut self, chars: &mut Peekable<Chars<'_>>) {
        if self.endless {
            return;
        }
        let mut ahead = chars.clone();
        while let Some(c) = ahead.next() {
            let ends = match c {
                '\u{7}' | '\u{9c}' => true,
                '\u{1b}' => ahead.next_if_eq(&'\\').is_some(),
                _ => false,
            };
            if ends {
                *chars = ahead;
                return;
            }
        }
        self.endless = true;
    }

    fn push(&mut self, c: char) {
        let joins = std::mem::take(&mut self.joiner)
            && is_emoji(c)
            && self.out.chars().next_back().is_some_and(may_be_joined);
        if joins {
            self.out.push('\u{200d}');
        }
        self.out.push(c);
    }

    /// A variation selector chooses a form of the character before it; a second one, or one
    /// without a base, only hides data.
    fn push_variation_selector(&mut self, c: char) {
        let has_base = |last: char| !is_variation_selector(last) && !last.is_whitespace();
        if self.out.chars().next_back().is_some_and(has_base) {
            self.out.push(c);
        }
    }
}

/// After CSI: parameter and intermediate bytes up to the final byte.
fn skip_csi(chars: &mut Peekable<Chars<'_>>) {
    while chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
    chars.next_if(|c| matches!(c, '@'..='~'));
}

/// Characters that show nothing but change what is seen, or hide text from people.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' // Mongolian selectors and separator
        | '\u{200b}'..='\u{200f}' // zero-width, direction marks
        | '\u{202a}'..='\u{202e}' // bidi embeddings and overrides
        | '\u{2060}'..='\u{206f}' // invisible operators, bidi isolates, deprecated controls
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' // unassigned ignorables, annotation marks
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}') // tags
}

fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// The blocks that hold the pictographs which joined sequences are made of.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{2600}'..='\u{27bf}'
        | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

fn may_be_joined(last: char) -> bool {
    last == '\u{fe0f}' || is_emoji(last)
}
