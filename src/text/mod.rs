//! Text from files made safe for people: cleaning, grapheme width, truncation (DESIGN decision 14). No I/O.
