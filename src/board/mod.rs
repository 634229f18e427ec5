//! The board as a pure state machine: messages in, effects out. No clock, no disk, no terminal.
