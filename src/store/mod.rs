//! The only room that touches task files: reading, locking, committing, discovering, watching.

pub mod watch;
