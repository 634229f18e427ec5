//! The dependency graph of a list: edges, blockers, order, cycles, and its drawing. Pure.
