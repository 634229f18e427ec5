use super::{DependencyGraph, Node};

/// When each open task can run at the earliest, counted in tasks, and how long the way is from it
/// to the end (the critical path method of Kelley and Walker, with every task taking one step).
/// Members of a ring count as one long task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    level: Vec<u32>,
    chain: Vec<u32>,
    longest: u32,
    critical: Vec<Node>,
}

impl Schedule {
    /// How many open tasks must be done before `node`, along the longest way.
    pub fn level(&self, node: Node) -> u32 {
        self.level[node as usize]
    }

    /// The longest remaining chain that starts with `node`, itself included; 0 for a closed task.
    pub fn chain(&self, node: Node) -> u32 {
        self.chain[node as usize]
    }

    /// How many steps `node` can be late before the whole list is.
    pub fn slack(&self, node: Node) -> u32 {
        self.longest - (self.level(node) + self.chain(node)).min(self.longest)
    }

    /// One longest remaining chain, first task first; of equals the one with the lowest index.
    pub fn critical_path(&self) -> &[Node] {
        &self.critical
    }
}

/// The strongly connected components with the way back from a node to its own.
struct Rings {
    members: Vec<Vec<Node>>,
    of: Vec<u32>,
}

impl DependencyGraph {
    /// Levels, remaining chains and the critical path of the open tasks.
    pub fn schedule(&self) -> Schedule {
        let members = self.components();
        let mut of = vec![u32::MAX; self.len()];
        for (number, members) in (0..).zip(&members) {
            for member in members {
                of[*member as usize] = number;
            }
        }
        let rings = Rings { members, of };
        let chain = self.chains(&rings);
        let level = self.levels(&rings);
        let longest = chain.iter().copied().max().unwrap_or(0);
        let critical = self.critical_path(&chain, &rings.of, longest);
        Schedule {
            level,
            chain,
            longest,
            critical,
        }
    }

    /// Dependants of a ring's members that stand outside it.
    fn after<'a>(&'a self, rings: &'a Rings, ring: usize) -> impl Iterator<Item = usize> + 'a {
        let dependants = rings.members[ring]
            .iter()
            .flat_map(|m| self.open_dependants(*m));
        dependants
            .map(|d| rings.of[d as usize] as usize)
            .filter(move |other| *other != ring)
    }

    fn chains(&self, rings: &Rings) -> Vec<u32> {
        let mut of_ring = vec![0; rings.members.len()];
        for ring in 0..of_ring.len() {
            let after = self
                .after(rings, ring)
                .map(|r| of_ring[r])
                .max()
                .unwrap_or(0);
            of_ring[ring] = after + rings.members[ring].len() as u32;
        }
        rings.spread(&of_ring)
    }

    fn levels(&self, rings: &Rings) -> Vec<u32> {
        let mut of_ring = vec![0; rings.members.len()];
        for ring in (0..of_ring.len()).rev() {
            let done = of_ring[ring] + rings.members[ring].len() as u32;
            for next in self.after(rings, ring) {
                of_ring[next] = of_ring[next].max(done);
            }
        }
        rings.spread(&of_ring)
    }

    fn critical_path(&self, chain: &[u32], component_of: &[u32], longest: u32) -> Vec<Node> {
        let start = (0..self.len() as Node).find(|n| longest > 0 && chain[*n as usize] == longest);
        let mut path = Vec::new();
        let mut here = start;
        let mut seen = vec![false; self.len()];
        while let Some(node) = here {
            path.push(node);
            seen[node as usize] = true;
            let ring = component_of[node as usize];
            let unseen = |d: &Node| !seen[*d as usize];
            let next = self.open_dependants(node).filter(unseen);
            // Stay in a ring as long as there are members left, then take the longest way on.
            here = next.max_by_key(|d| {
                (
                    component_of[*d as usize] == ring,
                    chain[*d as usize],
                    std::cmp::Reverse(*d),
                )
            });
        }
        path
    }
}

impl Rings {
    /// A number per ring as a number per node; 0 for closed tasks.
    fn spread(&self, of_ring: &[u32]) -> Vec<u32> {
        let number = |ring: &u32| of_ring.get(*ring as usize).copied().unwrap_or(0);
        self.of.iter().map(number).collect()
    }
}
