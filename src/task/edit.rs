use super::{Json, Status, TaskId};

/// A top-level field that taskdeck writes. There is none besides: OmO's reader hides a task with
/// an unknown key (DESIGN decision 3). Names are the file's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// `subject`
    Subject,
    /// `description`
    Description,
    /// `status`
    Status,
    /// `activeForm`
    ActiveForm,
    /// `owner`
    Owner,
    /// `repoURL`
    RepoUrl,
    /// `parentID`
    ParentId,
    /// `threadID`
    ThreadId,
}

impl Field {
    const ALL: [Field; 8] = [
        Field::Subject,
        Field::Description,
        Field::Status,
        Field::ActiveForm,
        Field::Owner,
        Field::RepoUrl,
        Field::ParentId,
        Field::ThreadId,
    ];

    /// The field that a key names.
    pub fn named(key: &str) -> Option<Field> {
        Field::ALL.into_iter().find(|field| field.key() == key)
    }

    /// The key in the file.
    pub fn key(self) -> &'static str {
        match self {
            Field::Subject => "subject",
            Field::Description => "description",
            Field::Status => "status",
            Field::ActiveForm => "activeForm",
            Field::Owner => "owner",
            Field::RepoUrl => "repoURL",
            Field::ParentId => "parentID",
            Field::ThreadId => "threadID",
        }
    }
}

/// Which of a file's two edge arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeField {
    /// `blocks`: tasks that wait for this one.
    Blocks,
    /// `blockedBy`: tasks this one waits for.
    BlockedBy,
}

impl EdgeField {
    /// The edge array that a key names.
    pub fn named(key: &str) -> Option<EdgeField> {
        let all = [EdgeField::Blocks, EdgeField::BlockedBy];
        all.into_iter().find(|field| field.key() == key)
    }

    /// The key in the file.
    pub fn key(self) -> &'static str {
        match self {
            EdgeField::Blocks => "blocks",
            EdgeField::BlockedBy => "blockedBy",
        }
    }
}

/// One change to one file, small enough to be undone by itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Sets a field, or removes it with `None`.
    Set(Field, Option<Json>),
    /// Sets one key of `metadata`, or removes it with `None`.
    SetMetadata(String, Option<Json>),
    /// Sets any other top-level key as a whole, or removes it with `None`. Only repairs do that: what
    /// keeps an agent from seeing a task goes, and comes back when the repair is taken back.
    SetKey(String, Option<Json>),
    /// Adds an id to an edge array; nothing happens when it is there.
    AddEdge(EdgeField, TaskId),
    /// Removes every mention of an id from an edge array; nothing happens when there is none.
    RemoveEdge(EdgeField, TaskId),
    /// Takes the byte order mark from the file's start, or puts it back. Any other edit takes it
    /// away too, since no agent can read a file that has one.
    ByteOrderMark(bool),
}

/// What some editors put at the start of a text in UTF-8, and no agent's JSON reader accepts.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Edit {
    /// Sets a text field.
    pub fn text(field: Field, text: &str) -> Edit {
        Edit::Set(field, Some(Json::string(text)))
    }

    /// Sets the status.
    pub fn status(status: &Status) -> Edit {
        Edit::text(Field::Status, status.as_str())
    }
}

/// The edits of one file, applied in order and written at once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Patch {
    /// In the order in which they apply.
    pub edits: Vec<Edit>,
}

/// What a new task is made of. Absent fields are left out of the file, but for those that the
/// dialect's reader demands.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTask {
    /// `None` lets a numbered list give the next number; OmO ids are made by the caller.
    pub id: Option<TaskId>,
    /// One line.
    pub subject: String,
    /// Any text; `""` when absent.
    pub description: String,
    /// Normally pending.
    pub status: Status,
    /// Present continuous.
    pub active_form: Option<String>,
    /// Who works on it.
    pub owner: Option<String>,
    /// Tasks that are to wait for it.
    pub blocks: Vec<TaskId>,
    /// Tasks it waits for.
    pub blocked_by: Vec<TaskId>,
    /// Keys of `metadata` in order; no `metadata` at all when empty.
    pub metadata: Vec<(String, Json)>,
    /// `repoURL`
    pub repo_url: Option<String>,
    /// `parentID`
    pub parent_id: Option<TaskId>,
    /// `threadID`; OmO's reader demands one (DESIGN decision 17).
    pub thread_id: String,
}

impl NewTask {
    /// A pending task with a subject and nothing else. Its id and its thread are given where the
    /// wish is carried out.
    pub fn pending(subject: impl Into<String>) -> NewTask {
        NewTask {
            id: None,
            subject: subject.into(),
            description: String::new(),
            status: Status::Pending,
            active_form: None,
            owner: None,
            blocks: Vec::new(),
            blocked_by: Vec::new(),
            metadata: Vec::new(),
            repo_url: None,
            parent_id: None,
            thread_id: String::new(),
        }
    }
}
