//! A drawn buffer as text, ANSI, SVG or PNG.
