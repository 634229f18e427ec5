//! Parse, dispatch, exit code. Nothing else.

fn main() {}
