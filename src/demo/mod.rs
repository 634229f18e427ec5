//! Simulated agents that write real files from scenario data.
