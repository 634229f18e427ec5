use super::Dialect;

/// The status word of a task file. What no dialect knows is kept as it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Status {
    /// `pending`
    Pending,
    /// `claimed` (OmO team mode only; shown in the In progress column)
    Claimed,
    /// `in_progress`
    InProgress,
    /// `completed`
    Completed,
    /// `deleted`
    Deleted,
    /// Any other text; a value of another type as its JSON text; an absent one as `""`.
    Other(Box<str>),
}

impl Status {
    /// Reads a status word by a dialect's schema: `claimed` means something in OmO team mode only.
    pub fn parse(word: &str, dialect: Dialect) -> Status {
        match word {
            "pending" => Status::Pending,
            "claimed" if dialect == Dialect::OmoTeam => Status::Claimed,
            "in_progress" => Status::InProgress,
            "completed" => Status::Completed,
            "deleted" => Status::Deleted,
            other => Status::Other(other.into()),
        }
    }

    /// The word as the file has it.
    pub fn as_str(&self) -> &str {
        match self {
            Status::Pending => "pending",
            Status::Claimed => "claimed",
            Status::InProgress => "in_progress",
            Status::Completed => "completed",
            Status::Deleted => "deleted",
            Status::Other(text) => text,
        }
    }

    /// Whether work is going on: in progress, or claimed.
    pub fn is_active(&self) -> bool {
        matches!(self, Status::InProgress | Status::Claimed)
    }

    /// Whether the task needs nothing more: completed or deleted.
    pub fn is_closed(&self) -> bool {
        matches!(self, Status::Completed | Status::Deleted)
    }
}

/// What a task's status means once its blockers are known: the board's columns, left to right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Pending and not blocked: can run now.
    Ready,
    /// Pending and waiting for an open blocker.
    Blocked,
    /// In progress or claimed.
    InProgress,
    /// Completed.
    Completed,
    /// Soft-deleted.
    Deleted,
    /// A status that the dialect does not know.
    Other,
}

impl State {
    /// All states in column order.
    pub const ALL: [State; 6] = [
        State::Ready,
        State::Blocked,
        State::InProgress,
        State::Completed,
        State::Deleted,
        State::Other,
    ];

    /// The word used in `--json` and in `is:` filters.
    pub fn as_str(self) -> &'static str {
        match self {
            State::Ready => "ready",
            State::Blocked => "blocked",
            State::InProgress => "in_progress",
            State::Completed => "completed",
            State::Deleted => "deleted",
            State::Other => "other",
        }
    }

    /// The column title for people.
    pub fn title(self) -> &'static str {
        match self {
            State::Ready => "Ready",
            State::Blocked => "Blocked",
            State::InProgress => "In progress",
            State::Completed => "Completed",
            State::Deleted => "Deleted",
            State::Other => "Other",
        }
    }
}
