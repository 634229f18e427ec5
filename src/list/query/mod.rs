#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod words;

use std::fmt;
use std::ops::Range;

use super::List;
use crate::task::{State, Task};

/// A filter in the language of `/` and of `list FILTER` (DESIGN section 4): terms that must all
/// fit. A word fits anywhere in subject, owner or id, whatever its case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    terms: Vec<Term>,
    /// Whether words also fit shortened: `lgn` for `login`.
    loose: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    negated: bool,
    kind: Kind,
    /// As written, for `Display`.
    value: String,
    /// Lower-case, for comparison.
    folded: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Exact,
    Owner,
    Priority,
    Is,
    Id,
    Status,
    Metadata,
}

/// The tokens with a prefix; everything else is a word.
const PREFIXES: [(&str, Kind); 6] = [
    ("@", Kind::Owner),
    ("#", Kind::Priority),
    ("is:", Kind::Is),
    ("id:", Kind::Id),
    ("status:", Kind::Status),
    ("metadata.", Kind::Metadata),
];

impl Query {
    /// Reads a filter; there is no wrong one. `"…"` keeps spaces together, `-` negates.
    pub fn parse(text: &str) -> Query {
        Query {
            terms: tokens(text)
                .into_iter()
                .filter_map(|t| Term::parse(&t))
                .collect(),
            loose: false,
        }
    }

    /// Reads a filter as the board does, where a plain word also fits shortened: a person sees at
    /// once what it finds. `"…"` and negated words are taken to the letter.
    pub fn parse_loosely(text: &str) -> Query {
        Query {
            loose: true,
            ..Query::parse(text)
        }
    }

    /// Whether nothing is asked for, so that every task fits.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether a task of the list fits all terms.
    pub fn matches(&self, list: &List, task: &Task) -> bool {
        self.terms
            .iter()
            .all(|term| (term.fits(list, task) || self.fits_loosely(term, task)) != term.negated)
    }

    fn fits_loosely(&self, term: &Term, task: &Task) -> bool {
        let loose = self.loose && term.kind == Kind::Word && !term.negated;
        loose && words::loosely(&task.subject, &term.folded).is_some()
    }

    /// Where the filter's words stand in a text, in bytes, from left to right and apart from each
    /// other, for the screen to mark.
    pub fn found_in(&self, text: &str) -> Vec<Range<usize>> {
        let shown = |t: &&Term| !t.negated && matches!(t.kind, Kind::Word | Kind::Exact);
        let mut found: Vec<Range<usize>> = Vec::new();
        for term in self.terms.iter().filter(shown) {
            let places = words::places(text, &term.folded);
            let loose = self.loose && term.kind == Kind::Word && places.is_empty();
            let loose = loose.then(|| words::loosely(text, &term.folded));
            found.extend(places);
            found.extend(loose.flatten().unwrap_or_default());
        }
        found.sort_by_key(|place| place.start);
        let mut apart: Vec<Range<usize>> = Vec::new();
        for place in found {
            match apart.last_mut() {
                Some(last) if place.start <= last.end => last.end = last.end.max(place.end),
                _ => apart.push(place),
            }
        }
        apart
    }

    /// A state that is asked for and that no task can have, such as `is:blokced`.
    pub fn unknown_state(&self) -> Option<&str> {
        let known = |word: &str| {
            let states = State::ALL.iter().map(|state| state.as_str());
            states.chain(["open", "done", "running"]).any(|s| s == word)
        };
        let asked = self.terms.iter().filter(|term| term.kind == Kind::Is);
        asked
            .map(|term| term.folded.as_str())
            .find(|word| !known(word))
    }

    /// Whether the filter asks for tasks that are completed, deleted or of any state by name, so
    /// that leaving these out would contradict it.
    pub fn asks_for_closed(&self) -> bool {
        let closed = ["completed", "deleted", "other"];
        self.terms.iter().any(|t| {
            !t.negated
                && matches!(t.kind, Kind::Is | Kind::Status)
                && closed.contains(&t.folded.as_str())
        })
    }
}

impl Term {
    fn parse(token: &str) -> Option<Term> {
        let (negated, rest) = match token.strip_prefix('-') {
            Some(rest) if !rest.is_empty() => (true, rest),
            _ => (false, token),
        };
        let quoted = rest
            .strip_prefix('"')
            .map(|r| r.strip_suffix('"').unwrap_or(r));
        let prefixed = PREFIXES.iter().find_map(|(prefix, kind)| {
            let value = rest.strip_prefix(prefix)?;
            let whole = *kind != Kind::Metadata || value.contains(':');
            (!value.is_empty() && whole).then_some((*kind, value))
        });
        let (kind, value) = match (quoted, prefixed) {
            (Some(value), _) => (Kind::Exact, value),
            (None, Some(found)) => found,
            (None, None) if rest.contains('"') => (Kind::Exact, rest),
            (None, None) => (Kind::Word, rest),
        };
        let value = value.replace('"', "");
        let folded = value.to_lowercase();
        (!value.is_empty()).then_some(Term {
            negated,
            kind,
            value,
            folded,
        })
    }

    fn fits(&self, list: &List, task: &Task) -> bool {
        let wanted = self.folded.as_str();
        match self.kind {
            Kind::Word | Kind::Exact => {
                let owner = task.owner.as_deref().unwrap_or_default();
                [task.subject.as_str(), owner, task.id.as_str()]
                    .iter()
                    .any(|t| words::holds(t, wanted))
            }
            Kind::Owner => match task.owner.as_deref() {
                Some(owner) => owner.to_lowercase().starts_with(wanted),
                None => wanted == "nobody",
            },
            Kind::Priority => {
                let shown = task.priority.as_str().unwrap_or("medium");
                shown.to_lowercase().starts_with(wanted)
            }
            Kind::Is => self.is_in(list, task),
            Kind::Id => task.id.as_str().to_lowercase().starts_with(wanted),
            Kind::Status => task.status.as_str().to_lowercase() == wanted,
            Kind::Metadata => self.fits_metadata(task),
        }
    }

    fn is_in(&self, list: &List, task: &Task) -> bool {
        let Some(state) = list.state(&task.id) else {
            return false;
        };
        match self.folded.as_str() {
            "open" => matches!(
                state,
                State::Ready | State::Blocked | State::InProgress | State::Other
            ),
            "done" => state == State::Completed,
            "running" => state == State::InProgress,
            word => state.as_str() == word,
        }
    }

    fn fits_metadata(&self, task: &Task) -> bool {
        let Some((key, wanted)) = self.value.split_once(':') else {
            return false;
        };
        let metadata = task.metadata.as_ref().and_then(|m| m.parse());
        let Some(value) = metadata.as_ref().and_then(|m| m.get(key)) else {
            return false;
        };
        match value.as_str() {
            Some(text) => words::holds(text, &wanted.to_lowercase()),
            None => crate::task::Json::value(value).as_str() == wanted,
        }
    }
}

/// Splits at white space outside quotes.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '"';
        if c.is_whitespace() && !quoted {
            tokens.push(String::new());
        } else if let Some(token) = tokens.last_mut() {
            token.push(c);
        }
    }
    tokens.retain(|token| !token.is_empty());
    tokens
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, term) in self.terms.iter().enumerate() {
            let space = if place > 0 { " " } else { "" };
            let minus = if term.negated { "-" } else { "" };
            write!(f, "{space}{minus}")?;
            let prefix = PREFIXES.iter().find(|(_, kind)| *kind == term.kind);
            match prefix {
                Some((prefix, _)) if term.value.contains(char::is_whitespace) => {
                    // The quotes stand around the value, where they keep its spaces.
                    write!(f, "{prefix}\"{}\"", term.value)?;
                }
                Some((prefix, _)) => write!(f, "{prefix}{}", term.value)?,
                None if term.kind == Kind::Exact => write!(f, "\"{}\"", term.value)?,
                None => f.write_str(&term.value)?,
            }
        }
        Ok(())
    }
}
