use std::collections::{BTreeMap, HashMap};

use super::{DependencyGraph, Node, NodeState};

/// Fewer tasks than this are not worth folding.
const FEWEST: usize = 3;

/// Tasks folded into fewer boxes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    /// The tasks of each box; the first stands for all of them.
    pub boxes: Vec<Vec<Node>>,
    /// Edges between the boxes, by their places in `boxes`.
    pub edges: Vec<(u32, u32)>,
}

impl DependencyGraph {
    /// Folds what says nothing by its shape: siblings that wait for the same, hold back the same and
    /// are in the same state, and chains of finished tasks without a branch. The order of `nodes`
    /// decides the order of the boxes.
    pub fn folded(&self, nodes: &[Node]) -> Folded {
        let edges = self.edges_among(nodes);
        let siblings = self.siblings(nodes, &edges);
        let (boxes, edges) = merged(nodes, &edges, &siblings);
        let chains = self.finished_chains(&boxes, &edges);
        let places: Vec<Node> = (0..boxes.len() as Node).collect();
        let (chained, edges) = merged(&places, &edges, &chains);
        let members = |of: &Vec<Node>| {
            let tasks = of.iter().flat_map(|place| boxes[*place as usize].clone());
            tasks.collect()
        };
        Folded {
            boxes: chained.iter().map(members).collect(),
            edges,
        }
    }

    /// Per place the place of the first of its equals.
    fn siblings(&self, nodes: &[Node], edges: &[(u32, u32)]) -> Vec<u32> {
        let mut around = vec![(Vec::new(), Vec::new()); nodes.len()];
        for (from, to) in edges {
            around[*to as usize].0.push(*from);
            around[*from as usize].1.push(*to);
        }
        let mut alike: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        for (place, around) in (0..).zip(around) {
            let node = nodes[place as usize];
            let state = (self.state(node) as u8, self.is_blocked(node));
            let alone = around.0.is_empty() && around.1.is_empty();
            if !alone {
                alike.entry((state, around)).or_default().push(place);
            }
        }
        first_of_each(nodes.len(), alike.into_values())
    }

    /// Per box the first box of the chain of finished ones that it is part of.
    fn finished_chains(&self, boxes: &[Vec<Node>], edges: &[(u32, u32)]) -> Vec<u32> {
        let (mut before, mut after) = (HashMap::new(), HashMap::new());
        for (from, to) in edges {
            before.entry(*to).or_insert_with(Vec::new).push(*from);
            after.entry(*from).or_insert_with(Vec::new).push(*to);
        }
        let done = |place: u32| {
            let node = boxes[place as usize][0];
            self.state(node) == NodeState::Completed
        };
        // The one box that this one goes on to, when both have no other there.
        let next = |place: u32| match after.get(&place).map(Vec::as_slice) {
            Some([only]) if before[only].len() == 1 && done(place) && done(*only) => Some(*only),
            _ => None,
        };
        let goes_on: Vec<Option<u32>> = (0..boxes.len() as u32).map(next).collect();
        let mut begins = vec![true; boxes.len()];
        for next in goes_on.iter().flatten() {
            begins[*next as usize] = false;
        }
        let chain = |first: u32| {
            std::iter::successors(Some(first), |place| goes_on[*place as usize]).collect()
        };
        let firsts = (0..boxes.len() as u32).filter(|place| begins[*place as usize]);
        first_of_each(boxes.len(), firsts.map(chain))
    }
}

/// Per place the first of the group that it is in, for groups that are large enough.
fn first_of_each(places: usize, groups: impl Iterator<Item = Vec<u32>>) -> Vec<u32> {
    let mut first: Vec<u32> = (0..places as u32).collect();
    for group in groups.filter(|group| group.len() >= FEWEST) {
        for place in &group {
            first[*place as usize] = group[0];
        }
    }
    first
}

/// Nodes put together with the first of their group, and the edges that are left between groups.
fn merged(
    nodes: &[Node],
    edges: &[(u32, u32)],
    first: &[u32],
) -> (Vec<Vec<Node>>, Vec<(u32, u32)>) {
    let mut boxes: Vec<Vec<Node>> = Vec::new();
    let mut place_of = vec![u32::MAX; nodes.len()];
    for (place, node) in nodes.iter().enumerate() {
        let leader = first[place] as usize;
        if place_of[leader] == u32::MAX {
            place_of[leader] = boxes.len() as u32;
            boxes.push(Vec::new());
        }
        boxes[place_of[leader] as usize].push(*node);
    }
    let at = |place: u32| place_of[first[place as usize] as usize];
    let mut left: Vec<(u32, u32)> = edges
        .iter()
        .map(|(from, to)| (at(*from), at(*to)))
        .collect();
    left.retain(|(from, to)| from != to);
    left.sort_unstable();
    left.dedup();
    (boxes, left)
}
