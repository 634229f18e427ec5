//! The integration tests: one binary, a module per subject.

mod tidy;
