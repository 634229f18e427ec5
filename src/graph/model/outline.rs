use std::cmp::Reverse;

use super::{DependencyGraph, Node};

/// One line of the outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlineLine {
    /// The task.
    pub node: Node,
    /// The line that it hangs under.
    pub parent: Option<usize>,
    /// How many lines stand above it on the way to the root.
    pub depth: u32,
    /// No line after this one hangs under the same parent.
    pub last: bool,
    /// How many blockers it has besides the one that it hangs under.
    pub others: usize,
    /// It hangs under another blocker, which gates it; what waits for it is shown there.
    pub repeat: bool,
}

impl DependencyGraph {
    /// The graph of `nodes` as a tree: each task stands once, under the blocker that really gates
    /// it (the open one with the longest way before it), and once more as a repeat under each of
    /// the others.
    pub fn outline(&self, nodes: &[Node]) -> Vec<OutlineLine> {
        let forward = self.forward(nodes);
        let shown = |node: Node| forward.place[node as usize] != u32::MAX;
        let mut gates: Vec<Option<Node>> = vec![None; self.len()];
        let mut others = vec![0; self.len()];
        for node in nodes {
            let before = forward.place[*node as usize];
            let blockers = || {
                self.incoming(*node)
                    .map(|edge| edge.blocker)
                    .filter(|b| shown(*b))
            };
            let gate = blockers()
                .filter(|b| forward.place[*b as usize] < before)
                .max_by_key(|b| (self.holds_back(*b), forward.level[*b as usize], Reverse(*b)));
            gates[*node as usize] = gate;
            others[*node as usize] = blockers().count() - usize::from(gate.is_some());
        }
        let line = |node: Node, parent: Option<(usize, &OutlineLine)>| OutlineLine {
            node,
            parent: parent.map(|(at, _)| at),
            depth: parent.map_or(0, |(_, above)| above.depth + 1),
            last: false,
            others: others[node as usize],
            repeat: parent.is_some_and(|(_, above)| gates[node as usize] != Some(above.node)),
        };
        let mut order = vec![u32::MAX; self.len()];
        for (place, node) in (0..).zip(nodes) {
            order[*node as usize] = place;
        }
        let mut lines: Vec<OutlineLine> = Vec::new();
        let roots = nodes
            .iter()
            .rev()
            .filter(|node| gates[**node as usize].is_none());
        let mut waiting: Vec<OutlineLine> = roots.map(|node| line(*node, None)).collect();
        while let Some(next) = waiting.pop() {
            let at = lines.len();
            if !next.repeat {
                let dependants = self.outgoing(next.node).map(|edge| edge.dependant);
                let mut below: Vec<OutlineLine> = dependants
                    .filter(|d| shown(*d))
                    .map(|d| line(d, Some((at, &next))))
                    .collect();
                // What only points elsewhere stands first: the tree goes on below the rest.
                below.sort_by_key(|l| (!l.repeat, order[l.node as usize]));
                if let Some(last) = below.last_mut() {
                    last.last = true;
                }
                waiting.extend(below.into_iter().rev());
            }
            lines.push(next);
        }
        lines
    }
}

/// The lines that lead to a task from the left: the nearest `most` levels, and how many more.
pub fn guides(lines: &[OutlineLine], at: usize, most: usize) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut here = at;
    while let Some(parent) = lines[here].parent.filter(|_| parts.len() < most) {
        parts.push(match (here == at, lines[here].last) {
            (true, true) => "╰─",
            (true, false) => "├─",
            (false, true) => "  ",
            (false, false) => "│ ",
        });
        here = parent;
    }
    let left_out = lines[here].depth;
    let mut text = if left_out > 0 {
        format!("‹{left_out} ")
    } else {
        String::new()
    };
    text.extend(parts.into_iter().rev());
    text
}
