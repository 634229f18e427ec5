use std::cmp::Reverse;
use std::collections::VecDeque;

use super::{DependencyGraph, Node, NodeState, Schedule};

/// The tasks that can run at the same time at best, after everything in the waves before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wave {
    /// Completed or deleted.
    pub done: usize,
    /// Claimed or in progress.
    pub running: usize,
    /// Pending, and nothing holds them back.
    pub ready: usize,
    /// Pending and held back.
    pub blocked: usize,
    /// With a status that the dialect does not know, or a file that cannot be read.
    pub other: usize,
    /// All of them: those that can be worked on first, the longest remaining chain first.
    pub tasks: Vec<Node>,
}

/// An order in which some nodes can be done, and how deep each stands among them.
#[derive(Debug)]
pub(super) struct Forward {
    /// Place in the order; `u32::MAX` for nodes that were not asked about.
    pub place: Vec<u32>,
    /// The longest way to it, in edges.
    pub level: Vec<u32>,
}

impl DependencyGraph {
    /// The tasks by level: those without a blocker among `nodes`, those that wait for these, and so
    /// on. Finished tasks keep their level, so nothing moves while work goes on.
    pub fn waves(&self, nodes: &[Node], schedule: &Schedule) -> Vec<Wave> {
        let forward = self.forward(nodes);
        let mut waves: Vec<Wave> = Vec::new();
        for node in nodes {
            let level = forward.level[*node as usize] as usize;
            if waves.len() <= level {
                waves.resize(level + 1, Wave::default());
            }
            self.count(&mut waves[level], *node);
        }
        for wave in &mut waves {
            let rank = |node: &Node| match self.state(*node) {
                NodeState::Completed | NodeState::Deleted => 2,
                NodeState::Pending if self.is_blocked(*node) => 1,
                _ => 0,
            };
            wave.tasks
                .sort_by_cached_key(|node| (rank(node), Reverse(schedule.chain(*node))));
        }
        waves
    }

    fn count(&self, wave: &mut Wave, node: Node) {
        let count = match self.state(node) {
            NodeState::Completed | NodeState::Deleted => &mut wave.done,
            NodeState::Active => &mut wave.running,
            NodeState::Pending if self.is_blocked(node) => &mut wave.blocked,
            NodeState::Pending => &mut wave.ready,
            NodeState::Other | NodeState::Unreadable | NodeState::Missing => &mut wave.other,
        };
        *count += 1;
        wave.tasks.push(node);
    }

    /// Kahn's algorithm over the edges among `nodes`; a ring is opened at its first member in their
    /// order.
    pub(super) fn forward(&self, nodes: &[Node]) -> Forward {
        let mut waits_for = vec![u32::MAX; self.len()];
        for node in nodes {
            waits_for[*node as usize] = 0;
        }
        for edge in &self.edges {
            let asked = |node: Node| waits_for[node as usize] != u32::MAX;
            if asked(edge.blocker) && asked(edge.dependant) {
                waits_for[edge.dependant as usize] += 1;
            }
        }
        let mut out = Forward {
            place: vec![u32::MAX; self.len()],
            level: vec![0; self.len()],
        };
        let free = nodes.iter().filter(|n| waits_for[**n as usize] == 0);
        let mut free: VecDeque<Node> = free.copied().collect();
        let mut stuck = nodes.iter();
        let mut next = 0;
        loop {
            let node = match free.pop_front() {
                Some(node) => node,
                None => match stuck.find(|n| out.place[**n as usize] == u32::MAX) {
                    Some(node) => *node,
                    None => return out,
                },
            };
            if out.place[node as usize] != u32::MAX {
                continue;
            }
            out.place[node as usize] = next;
            next += 1;
            for edge in self.outgoing(node) {
                let other = edge.dependant as usize;
                if waits_for[other] == u32::MAX || out.place[other] != u32::MAX {
                    continue;
                }
                out.level[other] = out.level[other].max(out.level[node as usize] + 1);
                waits_for[other] -= 1;
                if waits_for[other] == 0 {
                    free.push_back(edge.dependant);
                }
            }
        }
    }
}
