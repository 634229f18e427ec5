use proptest::prelude::*;

use super::*;

const OMO: BlockerRules = BlockerRules {
    missing_blocks: true,
    deleted_blocks: true,
};

fn edge(blocker: Node, dependant: Node) -> Edge {
    Edge {
        blocker,
        dependant,
        in_blocks: true,
        in_blocked_by: true,
    }
}

fn open(nodes: usize, edges: &[(Node, Node)]) -> DependencyGraph {
    let edges = edges.iter().map(|(b, d)| edge(*b, *d)).collect();
    DependencyGraph::build(OMO, vec![NodeState::Pending; nodes], edges)
}

#[test]
fn both_sides_of_an_edge_are_one_edge() {
    let blocks = Edge {
        in_blocked_by: false,
        ..edge(0, 1)
    };
    let blocked_by = Edge {
        in_blocks: false,
        ..edge(0, 1)
    };
    let graph = DependencyGraph::build(OMO, vec![NodeState::Pending; 2], vec![blocks, blocked_by]);
    assert_eq!(graph.edges(), [edge(0, 1)]);
}

#[test]
fn the_dialect_says_which_blockers_hold_back() {
    let states = [NodeState::Completed, NodeState::Deleted, NodeState::Missing];
    let edges = vec![edge(0, 3), edge(1, 3), edge(2, 3)];
    for (missing_blocks, deleted_blocks, right) in [
        (true, true, vec![1, 2]),
        (false, true, vec![1]),
        (false, false, vec![]),
    ] {
        let rules = BlockerRules {
            missing_blocks,
            deleted_blocks,
        };
        let states = [states.as_slice(), &[NodeState::Pending]].concat();
        let graph = DependencyGraph::build(rules, states, edges.clone());
        assert_eq!(graph.open_blockers(3).collect::<Vec<_>>(), right);
    }
}

#[test]
fn only_the_last_blocker_opens_a_task() {
    let mut graph = open(3, &[(0, 2), (1, 2)]);
    assert_eq!(graph.opens_now(0).count(), 0);
    graph.set_state(1, NodeState::Completed);
    assert_eq!(graph.opens_now(0).collect::<Vec<_>>(), [2]);
}

#[test]
fn the_critical_path_is_the_longest_remaining_chain() {
    let mut graph = open(6, &[(0, 1), (1, 2), (3, 2), (2, 4)]);
    let schedule = graph.schedule();
    assert_eq!(schedule.critical_path(), [0, 1, 2, 4]);
    assert_eq!(
        (schedule.slack(3), schedule.slack(0), schedule.slack(5)),
        (1, 0, 3)
    );
    graph.set_state(0, NodeState::Completed);
    assert_eq!(graph.schedule().critical_path(), [1, 2, 4]);
}

#[test]
fn finished_tasks_do_not_bind_a_ring() {
    let mut graph = open(3, &[(0, 1), (1, 2), (2, 0)]);
    assert_eq!(graph.cycles(), [[0, 1, 2]]);
    graph.set_state(1, NodeState::Deleted);
    assert!(graph.cycles().is_empty());
    assert_eq!(open(1, &[(0, 0)]).cycles(), [[0]]);
}

#[test]
fn a_ring_is_cut_where_that_opens_it_and_frees_most() {
    let cut = |nodes, edges: &[(u32, u32)]| {
        let graph = open(nodes, edges);
        let ring = graph.cycles().remove(0);
        graph
            .cut_of(&ring)
            .map(|c| (c.blocker, c.dependant, c.opens, c.frees))
    };
    // Every cut opens a plain ring; the edge back to the oldest is the likely mistake.
    let ring = [(0, 1), (1, 2), (2, 0)];
    assert_eq!(cut(3, &ring), Some((2, 0, true, true)));
    // Of two ways back the one that lets a task start at once.
    let back = [(3, 2), (2, 1), (1, 0), (0, 3), (4, 0)];
    assert_eq!(cut(5, &back), Some((2, 1, true, true)));
    // Two rings through the edge from 0 to 1: only its removal opens both.
    let double = [(0, 1), (1, 2), (2, 0), (1, 3), (3, 0)];
    assert_eq!(cut(4, &double), Some((0, 1, true, true)));
    // Two rings that share a task only: no single cut is enough.
    let eight = [(0, 1), (1, 0), (0, 2), (2, 0)];
    assert_eq!(cut(3, &eight).map(|c| c.2), Some(false));
    assert_eq!(cut(1, &[(0, 0)]), Some((0, 0, true, true)));
}

#[test]
fn tasks_alike_and_finished_chains_are_folded() {
    let folded = |graph: &DependencyGraph| {
        let nodes: Vec<Node> = (0..graph.len() as Node).collect();
        graph.folded(&nodes)
    };
    // 0 → 1, 2, 3 → 4: the three in the middle are alike.
    let mut fan = open(5, &[(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)]);
    let one = folded(&fan);
    assert_eq!(one.boxes, [vec![0], vec![1, 2, 3], vec![4]]);
    assert_eq!(one.edges, [(0, 1), (1, 2)]);
    fan.set_state(2, NodeState::Active);
    assert_eq!(folded(&fan).boxes.len(), 5, "two are too few");
    // A finished chain of three and two open tasks; 1 has a branch once 5 waits for it too.
    let chain = [(0, 1), (1, 2), (2, 3), (3, 4)];
    let finish = |mut graph: DependencyGraph| {
        (0..3).for_each(|node| graph.set_state(node, NodeState::Completed));
        graph
    };
    let line = folded(&finish(open(5, &chain)));
    assert_eq!(line.boxes, [vec![0, 1, 2], vec![3], vec![4]]);
    assert_eq!(line.edges, [(0, 1), (1, 2)]);
    let branched = [&chain[..], &[(1, 5)]].concat();
    assert_eq!(folded(&finish(open(6, &branched))).boxes.len(), 6);
    // Lone tasks have nothing in common.
    assert_eq!(folded(&open(4, &[])).boxes.len(), 4);
}

proptest! {
    #[test]
    fn folding_keeps_every_task_and_every_way(
        (count, edges) in (2_u32..14).prop_flat_map(|n| {
            (Just(n), prop::collection::vec((0..n, 0..n), 0..30))
        }),
        done in prop::collection::vec(any::<bool>(), 14),
    ) {
        let mut graph = open(count as usize, &edges);
        for node in (0..count).filter(|node| done[*node as usize]) {
            graph.set_state(node, NodeState::Completed);
        }
        let nodes: Vec<Node> = (0..count).collect();
        let folded = graph.folded(&nodes);
        let mut all: Vec<Node> = folded.boxes.iter().flatten().copied().collect();
        all.sort_unstable();
        prop_assert_eq!(&all, &nodes);
        let place = |node: Node| folded.boxes.iter().position(|b| b.contains(&node)).unwrap() as u32;
        for (from, to) in graph.edges_among(&nodes) {
            let (from, to) = (place(from), place(to));
            prop_assert!(from == to || folded.edges.contains(&(from, to)));
        }
        for (from, to) in &folded.edges {
            let (from, to) = (&folded.boxes[*from as usize], &folded.boxes[*to as usize]);
            let joined = graph.edges_among(&nodes);
            prop_assert!(joined.iter().any(|(a, b)| from.contains(a) && to.contains(b)));
        }
    }
}

#[test]
fn a_chain_of_a_hundred_thousand_fits_a_small_stack() {
    let chain = || {
        let edges: Vec<_> = (1..100_000).map(|n| (n - 1, n)).collect();
        let graph = open(100_000, &edges);
        assert!(graph.cycles().is_empty());
        assert_eq!(graph.schedule().critical_path().len(), 100_000);
        assert_eq!(graph.frees_in_all(0), 99_999);
        assert_eq!(graph.path(0, 99_999).map(|p| p.len()), Some(100_000));
        assert_eq!(graph.between(0, 99_999).len(), 100_000);
        assert_eq!(
            graph.near(50_000, usize::MAX, usize::MAX, |_| true).len(),
            100_000
        );
        let nodes: Vec<Node> = (0..100_000).collect();
        assert_eq!(graph.waves(&nodes, &graph.schedule()).len(), 100_000);
        let lines = graph.outline(&nodes);
        assert_eq!(lines.len(), 100_000);
        assert!(guides(&lines, 99_999, 20).starts_with("‹99979 "));
    };
    let small = std::thread::Builder::new().stack_size(1 << 20);
    small.spawn(chain).unwrap().join().unwrap();
}

#[test]
fn a_ladder_of_diamonds_has_a_billion_paths_and_is_walked_once() {
    let edges: Vec<_> = (0..30_u32)
        .flat_map(|n| {
            let (a, b, c, d) = (2 * n, 2 * n + 1, 2 * n + 2, 2 * n + 3);
            [(a, c), (a, d), (b, c), (b, d)]
        })
        .collect();
    let graph = open(62, &edges);
    assert_eq!(graph.frees_in_all(0), 60);
    assert_eq!(
        graph.between(0, 61).len(),
        60,
        "all but the twins of both ends"
    );
    let nodes: Vec<Node> = (0..62).collect();
    assert_eq!(graph.outline(&nodes).len(), 2 + 120);
    assert_eq!(graph.schedule().critical_path().len(), 31);
}

fn reachable(edges: &[(Node, Node)], nodes: usize) -> Vec<Vec<bool>> {
    let mut reach = vec![vec![false; nodes]; nodes];
    for (from, to) in edges {
        reach[*from as usize][*to as usize] = true;
    }
    for via in 0..nodes {
        for from in 0..nodes {
            if reach[from][via] {
                let through = reach[via].clone();
                reach[from]
                    .iter_mut()
                    .zip(through)
                    .for_each(|(r, t)| *r |= t);
            }
        }
    }
    reach
}

proptest! {
    #[test]
    fn rings_are_mutual_reachability(
        edges in proptest::collection::vec((0_u32..9, 0_u32..9), 0..24),
    ) {
        let graph = open(9, &edges);
        let reach = reachable(&edges, 9);
        let mut right: Vec<Vec<Node>> = (0..9_usize)
            .filter(|n| reach[*n][*n])
            .map(|n| (0..9).filter(|m| reach[n][*m as usize] && reach[*m as usize][n]).collect())
            .collect();
        right.sort();
        right.dedup();
        prop_assert_eq!(graph.cycles(), right);
    }

    #[test]
    fn paths_and_counts_agree_with_reachability(
        edges in proptest::collection::vec((0_u32..8, 0_u32..8), 0..20),
    ) {
        let graph = open(8, &edges);
        let reach = reachable(&edges, 8);
        for from in 0..8_u32 {
            let others = (0..8).filter(|to| *to != from as usize && reach[from as usize][*to]);
            prop_assert_eq!(graph.frees_in_all(from), others.count());
            for to in (0..8_u32).filter(|to| *to != from) {
                let path = graph.path(from, to);
                prop_assert_eq!(path.is_some(), reach[from as usize][to as usize]);
                let steps = path.unwrap_or_default();
                prop_assert!(steps.windows(2).all(|s| edges.contains(&(s[0], s[1]))));
            }
        }
    }
}

#[test]
fn waves_count_what_stands_at_each_level() {
    let mut graph = open(6, &[(0, 2), (1, 2), (2, 3), (3, 4)]);
    graph.set_state(0, NodeState::Completed);
    graph.set_state(1, NodeState::Active);
    let nodes: Vec<Node> = (0..6).collect();
    let waves = graph.waves(&nodes, &graph.schedule());
    let first = &waves[0];
    assert_eq!((first.done, first.running, first.ready), (1, 1, 1));
    assert_eq!(
        first.tasks,
        [1, 5, 0],
        "the longest chain first, done tasks last"
    );
    let rest: Vec<_> = waves[1..].iter().map(|w| (w.blocked, &w.tasks)).collect();
    assert_eq!(rest, [(1, &vec![2]), (1, &vec![3]), (1, &vec![4])]);
    let open = graph.waves(&[2, 3, 4], &graph.schedule());
    assert_eq!(open[0].tasks, [2], "levels count only what was asked about");
}

#[test]
fn rings_have_levels_and_an_outline_too() {
    let graph = open(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (4, 4)]);
    let nodes: Vec<Node> = (0..5).collect();
    let waves = graph.waves(&nodes, &graph.schedule());
    assert_eq!(waves.iter().map(|w| w.tasks.len()).sum::<usize>(), 5);
    let lines = graph.outline(&nodes);
    let drawn: Vec<(Node, u32, bool)> = lines.iter().map(|l| (l.node, l.depth, l.repeat)).collect();
    let right = [
        (0, 0, false),
        (1, 1, false),
        (2, 2, false),
        (0, 3, true),
        (3, 3, false),
        (4, 0, false),
        (4, 1, true),
    ];
    assert_eq!(drawn, right);
}

#[test]
fn the_outline_hangs_a_task_under_the_blocker_that_gates_it() {
    // 3 waits for 0 (done, deep), 1 (open, shallow) and 2 (open, behind 1).
    let mut graph = open(4, &[(0, 3), (1, 3), (1, 2), (2, 3)]);
    let gate_of_3 = |graph: &DependencyGraph| {
        let lines = graph.outline(&[0, 1, 2, 3]);
        let own = lines.iter().find(|l| l.node == 3 && !l.repeat).unwrap();
        (own.parent.map(|at| lines[at].node), own.others)
    };
    assert_eq!(gate_of_3(&graph), (Some(2), 2));
    graph.set_state(2, NodeState::Completed);
    graph.set_state(0, NodeState::Completed);
    assert_eq!(
        gate_of_3(&graph),
        (Some(1), 2),
        "an open blocker gates before a done one"
    );
}

proptest! {
    #[test]
    fn the_outline_has_each_task_once_and_each_edge_once(
        edges in proptest::collection::vec((0_u32..12, 0_u32..12), 0..40),
    ) {
        let graph = open(12, &edges);
        let nodes: Vec<Node> = (0..12).collect();
        let lines = graph.outline(&nodes);
        let mut own: Vec<Node> = lines.iter().filter(|l| !l.repeat).map(|l| l.node).collect();
        own.sort_unstable();
        prop_assert_eq!(own, nodes.clone());
        let mut read: Vec<(Node, Node)> = lines
            .iter()
            .filter_map(|l| Some((lines[l.parent?].node, l.node)))
            .collect();
        read.sort_unstable();
        let all: Vec<(Node, Node)> = graph.edges().iter().map(|e| (e.blocker, e.dependant)).collect();
        prop_assert_eq!(read, all);
        let placed: usize = graph.waves(&nodes, &graph.schedule()).iter().map(|w| w.tasks.len()).sum();
        prop_assert_eq!(placed, 12);
    }
}
