/// The three priorities that OmO mirrors into its todos (DESIGN decision 10). `High` sorts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// `high`
    High,
    /// `medium`, also the rank of an absent or unknown priority
    Medium,
    /// `low`
    Low,
}

impl Priority {
    /// Reads one of the three words.
    pub fn parse(word: &str) -> Option<Priority> {
        match word {
            "high" => Some(Priority::High),
            "medium" => Some(Priority::Medium),
            "low" => Some(Priority::Low),
            _ => None,
        }
    }

    /// The word as the file has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Priority::High => "high",
            Priority::Medium => "medium",
            Priority::Low => "low",
        }
    }

    /// One step up; `High` stays.
    pub fn raised(self) -> Priority {
        match self {
            Priority::Low => Priority::Medium,
            _ => Priority::High,
        }
    }

    /// One step down; `Low` stays.
    pub fn lowered(self) -> Priority {
        match self {
            Priority::High => Priority::Medium,
            _ => Priority::Low,
        }
    }
}

/// `metadata.priority` as the file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredPriority {
    /// No such key.
    Absent,
    /// One of the three known words.
    Known(Priority),
    /// Anything else, as text for people (a non-string as its JSON text).
    Unknown(Box<str>),
}

impl StoredPriority {
    /// The rank used for ordering: absent and unknown count as medium.
    pub fn rank(&self) -> Priority {
        self.known().unwrap_or(Priority::Medium)
    }

    /// The priority when it is one of the three words.
    pub fn known(&self) -> Option<Priority> {
        match self {
            StoredPriority::Known(priority) => Some(*priority),
            _ => None,
        }
    }

    /// The text for people, when there is any.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            StoredPriority::Absent => None,
            StoredPriority::Known(priority) => Some(priority.as_str()),
            StoredPriority::Unknown(text) => Some(text),
        }
    }
}
