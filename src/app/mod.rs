//! The event loop: terminal guard, input thread, effects and their worker.
