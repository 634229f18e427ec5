use std::time::Duration;

use crate::list::List;
use crate::state::Notices;
use crate::store::Store;
use crate::store::watch::Woken;
use crate::task::TaskId;

/// What a call works with.
pub struct Context<'a> {
    /// The list on disk.
    pub store: &'a Store,
    /// What people did meanwhile.
    pub notices: &'a Notices,
    /// The `threadID` of tasks that it creates (DESIGN decision 17).
    pub thread_id: &'a str,
    /// Who calls, where the caller has a name.
    pub owner: Option<&'a str>,
    /// What only the outside can give.
    pub world: &'a dyn World,
}

impl Context<'_> {
    /// The id of a new task, where the dialect leaves it to its writer.
    pub fn new_id(&self) -> Option<TaskId> {
        let numbered = self.store.dialect().is_numbered();
        (!numbered).then(|| self.world.new_id())
    }
}

/// What the tools need from outside their pure room.
pub trait World: Sync {
    /// A fresh id for an OmO task, `T-<uuid>`.
    fn new_id(&self) -> TaskId;

    /// Milliseconds since the epoch.
    fn now_ms(&self) -> i64;

    /// Gives a list's tasks the times at which they were first seen, which the order of work
    /// falls back on, and remembers what is new.
    fn remember(&self, list: &mut List);

    /// Shows the list for a hint beside an answer, where that is worth reading the folder: a server
    /// does, a single command that only adds a file does not.
    fn glance(&self, look: &mut dyn FnMut(&List));

    /// How many changes of the list's files were noticed so far; taken before the list is looked
    /// at, so that no change between looking and sleeping is missed.
    fn changes(&self) -> u64;

    /// Sleeps until more changes than `since` were noticed, at most this long.
    fn wait_for_change(&self, since: u64, at_most: Duration) -> Woken;

    /// Tells a waiting caller how things stand.
    fn tell(&self, message: &str);
}
