use std::fmt;

macro_rules! codes {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $code:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// The code as `--json` prints it.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $code,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

codes! {
    /// What is odd about a task that can be shown (DESIGN section 4).
    WarningCode {
        /// The agent's own reader treats the file as absent.
        AgentCannotSee = "agent_cannot_see",
        /// The status is none of the dialect's words.
        UnknownStatus = "unknown_status",
        /// The `id` inside differs from the file name.
        IdMismatch = "id_mismatch",
        /// The file holds bytes that are not UTF-8.
        NotUtf8 = "not_utf8",
        /// Some text could not be shown as stored (half a surrogate pair, invalid UTF-8).
        LossyText = "lossy_text",
        /// An edge stands in one of the two files only.
        OneSidedEdge = "one_sided_edge",
        /// `blockedBy` names a task without a file.
        MissingBlocker = "missing_blocker",
        /// `blocks` names a task without a file.
        MissingDependent = "missing_dependent",
        /// A blocker is deleted.
        DeletedBlocker = "deleted_blocker",
        /// A blocker's file cannot be read.
        UnreadableBlocker = "unreadable_blocker",
        /// The task waits for itself.
        SelfBlock = "self_block",
        /// The task is part of a ring of open tasks.
        Cycle = "cycle",
        /// In progress although a blocker is open.
        StartedWhileBlocked = "started_while_blocked",
        /// The runner gave up on it (`metadata.run.failed`).
        FailedRun = "failed_run",
    }
}

codes! {
    /// What is wrong with a file of the list that is no readable task (DESIGN section 4).
    ProblemCode {
        /// The file cannot be opened or is not one JSON object.
        Unreadable = "unreadable",
        /// A folder, pipe or broken link named like a task.
        NotAFile = "not_a_file",
        /// Named nearly like a task, but not an id of the dialect.
        BadName = "bad_name",
        /// A temp file that a writer left behind (older than 60 s).
        TempLeft = "temp_left",
        /// A lock that its holder left behind.
        LockStale = "lock_stale",
    }
}

impl WarningCode {
    /// Whether it is worth a mark on a card. An edge on one side is how OmO itself writes edges,
    /// and changes nothing about who waits for whom.
    pub fn needs_a_look(self) -> bool {
        self != WarningCode::OneSidedEdge
    }
}

/// Something odd about one task, for people and for agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// What kind it is.
    pub code: WarningCode,
    /// One sentence: what it is and what it means.
    pub message: String,
}

/// Something wrong with one file of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file's name in the list's folder (invalid UTF-8 replaced).
    pub file: String,
    /// What kind it is.
    pub code: ProblemCode,
    /// One sentence with the position where there is one.
    pub message: String,
    /// Where in the file, when it is one place.
    pub at: Option<Position>,
}

/// A place in a text file, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
}
