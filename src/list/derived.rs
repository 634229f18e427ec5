use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::{Delta, List, Ring, id_order};
use crate::graph::{Node, Schedule};

/// Answers worked out on demand. A change keeps those that it cannot touch and mends the order
/// where it can, so that its cost follows the change and not the list.
#[derive(Debug, Clone, Default)]
pub(super) struct Derived {
    pub(super) by_id: OnceLock<Vec<Node>>,
    pub(super) ordered: OnceLock<Vec<Node>>,
    pub(super) cycles: OnceLock<Vec<Vec<Node>>>,
    pub(super) rings: OnceLock<Vec<Ring>>,
    pub(super) schedule: OnceLock<Schedule>,
    pub(super) ring_names: OnceLock<HashMap<Node, Arc<str>>>,
}

/// The orders are mended while at most this part of the list moves.
const MENDED_PART: usize = 64;

impl Derived {
    /// Takes the answers aside while the list changes.
    pub(super) fn keep(&mut self) -> Derived {
        std::mem::take(self)
    }
}

impl List {
    /// Takes answers from before a change over into the list as it is now. `reranked` are the
    /// nodes whose place in the order may be another; `binding` says that edges came or went, or
    /// bind now and did not before.
    pub(super) fn take_back(
        &mut self,
        kept: Derived,
        reranked: &[Node],
        delta: &Delta,
        binding: bool,
    ) {
        let came_or_went = !delta.added.is_empty() || !delta.removed.is_empty();
        let mut derived = Derived::default();
        // Many that move are sorted faster together than put back one by one.
        let few = reranked.len() <= self.slots.len() / MENDED_PART + 16;
        let by_id = kept.by_id.into_inner();
        if let Some(mut by_id) = by_id.filter(|_| few || !came_or_went) {
            if came_or_went {
                self.mend(&mut by_id, reranked, |list, a, b| {
                    id_order(list.id_of(a), list.id_of(b))
                });
            }
            derived.by_id = by_id.into();
        }
        if let Some(mut ordered) = kept.ordered.into_inner().filter(|_| few) {
            self.mend(&mut ordered, reranked, List::order_of);
            derived.ordered = ordered.into();
        }
        if !binding && !came_or_went {
            derived.cycles = kept.cycles;
            derived.rings = kept.rings;
            derived.schedule = kept.schedule;
            // Names come from subjects, which may be others now.
            let renamed = !kept.ring_names.get().is_none_or(HashMap::is_empty);
            if !renamed {
                derived.ring_names = kept.ring_names;
            }
        }
        self.derived = derived;
    }

    /// Puts some nodes of a sorted sequence to where they belong now; the others stay sorted among
    /// themselves.
    fn mend(
        &self,
        sorted: &mut Vec<Node>,
        moved: &[Node],
        order: impl Fn(&List, Node, Node) -> std::cmp::Ordering,
    ) {
        let out: HashSet<Node> = moved.iter().copied().collect();
        sorted.retain(|node| !out.contains(node));
        for node in moved.iter().copied().filter(|n| self.task(*n).is_some()) {
            let place = sorted.partition_point(|other| order(self, *other, node).is_lt());
            sorted.insert(place, node);
        }
    }
}
