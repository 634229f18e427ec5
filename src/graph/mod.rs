//! The dependency graph of a list: edges, blockers, order, cycles (`model`), and its drawing
//! (`layout`). Pure, iterative, integers only; the same input gives the same answer.

pub mod layout;
pub mod model;

pub use model::{
    BlockerRules, Cut, DependencyGraph, Edge, Folded, Node, NodeState, OutlineLine, Schedule,
    Search, Wave, guides,
};
