use std::collections::{BTreeSet, HashSet, VecDeque};
use std::time::{Duration, Instant};

/// A batch leaves when no new name came for this long: one save of an editor, or one rename of an
/// agent, is a handful of notifications within a fraction of a millisecond.
pub(super) const QUIET: Duration = Duration::from_millis(2);

/// A batch leaves at the latest this long after its first name, however busy the writers are.
pub(super) const LONGEST: Duration = Duration::from_millis(25);

/// What looks broken or gone is looked at again after this long: writers that do not rename need
/// a moment between truncating and the last byte, editors between moving away and writing anew.
pub(super) const SECOND_LOOK: Duration = Duration::from_millis(40);

/// More names than this are read in several batches, so that the first ones show early.
pub(super) const LARGEST_BATCH: usize = 512;

/// Names to read.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Batch {
    /// Hinted at: what looks broken or gone deserves a second look.
    pub(super) first: Vec<String>,
    /// The second look: what is read now is told.
    pub(super) second: Vec<String>,
}

impl Batch {
    fn len(&self) -> usize {
        self.first.len() + self.second.len()
    }
}

/// Turns a stream of dirty names into batches that are worth reading. Pure: time comes in as an
/// argument and only ever grows.
#[derive(Debug, Default)]
pub(super) struct Coalescer {
    dirty: BTreeSet<String>,
    /// When the first and the last of the dirty names came.
    span: Option<(Instant, Instant)>,
    suspects: HashSet<String>,
    second_looks: VecDeque<(Instant, String)>,
}

impl Coalescer {
    /// A name may have changed.
    pub(super) fn hint(&mut self, name: String, now: Instant) {
        let first = self.span.map_or(now, |(first, _)| first);
        self.span = Some((first, now));
        self.dirty.insert(name);
    }

    /// A name looked broken or gone and is to be read once more a little later. Looking at it
    /// in between does not postpone that.
    pub(super) fn look_again(&mut self, name: String, now: Instant) {
        if self.suspects.insert(name.clone()) {
            self.second_looks.push_back((now + SECOND_LOOK, name));
        }
    }

    /// When the next batch leaves, if anything is waiting.
    pub(super) fn due(&self) -> Option<Instant> {
        let hinted = self
            .span
            .map(|(first, last)| (last + QUIET).min(first + LONGEST));
        let again = self.second_looks.front().map(|(at, _)| *at);
        [hinted, again].into_iter().flatten().min()
    }

    /// The names to read at this moment; none before [`Coalescer::due`]. What exceeds a batch
    /// stays due.
    pub(super) fn take(&mut self, now: Instant) -> Batch {
        let mut batch = Batch::default();
        while batch.len() < LARGEST_BATCH
            && self.second_looks.front().is_some_and(|(at, _)| *at <= now)
        {
            if let Some((_, name)) = self.second_looks.pop_front() {
                self.suspects.remove(&name);
                self.dirty.remove(&name);
                batch.second.push(name);
            }
        }
        let settled = self
            .span
            .is_some_and(|(first, last)| now >= (last + QUIET).min(first + LONGEST));
        while settled && batch.len() < LARGEST_BATCH {
            match self.dirty.pop_first() {
                Some(name) => batch.first.push(name),
                None => break,
            }
        }
        if self.dirty.is_empty() {
            self.span = None;
        }
        batch
    }
}
