use super::InvalidId;

/// Which program's files a list holds. The rules that need no file live here; schema, lock and
/// file naming live in the `store` room, one file per dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// OmO's standalone tasks: `T-<uuid>.json`, one list lock, strict schema.
    Omo,
    /// OmO team mode: `<n>.json` with `version` and timestamps.
    OmoTeam,
    /// Claude Code: `<n>.json`, proper-lockfile directories.
    Claude,
}

/// The longest id in bytes, in every dialect (DESIGN decision 4).
const LONGEST_ID: usize = 128;

impl Dialect {
    /// The name used in `--dialect` and in `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Dialect::Omo => "omo",
            Dialect::OmoTeam => "omo-team",
            Dialect::Claude => "claude",
        }
    }

    /// The program whose files these are, for people.
    pub fn agent(self) -> &'static str {
        match self {
            Dialect::Omo => "OmO",
            Dialect::OmoTeam => "OmO team mode",
            Dialect::Claude => "Claude Code",
        }
    }

    /// Reads a `--dialect` value; `team` is short for `omo-team`.
    pub fn parse(name: &str) -> Option<Dialect> {
        match name {
            "omo" => Some(Dialect::Omo),
            "omo-team" | "team" => Some(Dialect::OmoTeam),
            "claude" => Some(Dialect::Claude),
            _ => None,
        }
    }

    /// Whether ids are numbers that the list hands out (exact ids only, ordered by number).
    pub fn is_numbered(self) -> bool {
        self != Dialect::Omo
    }

    /// Whether a blocker without a file blocks (DESIGN decision 8).
    pub fn missing_blocks(self) -> bool {
        self == Dialect::Omo
    }

    /// Whether a deleted blocker blocks (DESIGN decision 8).
    pub fn deleted_blocks(self) -> bool {
        self != Dialect::Claude
    }

    /// Whether `status` is a word of this dialect's schema.
    pub fn knows_status(self, status: &super::Status) -> bool {
        use super::Status::{Claimed, Deleted, Other};
        match status {
            Other(_) => false,
            Claimed => self == Dialect::OmoTeam,
            Deleted => self != Dialect::Claude,
            _ => true,
        }
    }

    /// Checks an id before it may become part of a path.
    ///
    /// # Errors
    /// [`InvalidId`] when the text does not match the dialect's pattern or is too long.
    pub fn check_id(self, id: &str) -> Result<(), InvalidId> {
        let word = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        let (ok, rule) = match self {
            Dialect::Omo => (
                id.strip_prefix("T-")
                    .is_some_and(|r| !r.is_empty() && r.bytes().all(word)),
                "it must be T- followed by letters, digits or dashes, at most 128 in all",
            ),
            Dialect::OmoTeam => (
                !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()),
                "it must be a decimal number of at most 128 digits",
            ),
            Dialect::Claude => (
                !id.is_empty() && id.bytes().all(|b| word(b) || b == b'_'),
                "it must be letters, digits, dashes or underscores, at most 128",
            ),
        };
        if ok && id.len() <= LONGEST_ID {
            Ok(())
        } else {
            Err(InvalidId {
                id: id.to_owned(),
                rule,
            })
        }
    }
}
