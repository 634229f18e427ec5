//! One table of the board's commands: keymap, hints, help, palette and key docs come from it.
