//! The list in memory: tasks, the diagnostics of files that could not be read, and what follows
//! from both. Wishes ([`Op`]) become plans ([`Plan`]) or refusals ([`Refusal`]) here, for every
//! surface alike. Pure.

mod op;

pub use op::{Change, Op, Plan, Refusal, RefusalCode, Snapshot};

mod change;

pub use change::{FileChange, FileContent};
