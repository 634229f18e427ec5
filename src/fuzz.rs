//! What the fuzzers in `fuzz/` call, one function a target. The functions stand beside what they
//! test; here are their names, and the test that replays what was found.

/// A target: panics when something does not hold for these bytes.
pub type Target = fn(&[u8]);

/// All of them, by name.
pub const TARGETS: [(&str, Target); 7] = [
    ("clean", crate::text::fuzz::clean),
    ("edit", crate::store::fuzz::edit),
    ("graph", crate::graph::layout::fuzz::graph),
    ("jsonc", crate::cli::init::fuzz::jsonc),
    ("mcp", crate::mcp::fuzz::mcp),
    ("query", crate::list::fuzz::query),
    ("task", crate::store::fuzz::task),
];

/// Runs the target of that name.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    target.expect("a fuzzer has the name of its target").1(data);
}

#[cfg(test)]
mod tests {
    use super::TARGETS;
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_corpus_holds() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/corpus");
        for (name, target) in TARGETS {
            let entries = fs::read_dir(corpus.join(name)).unwrap();
            let paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
            assert!(!paths.is_empty(), "no inputs for {name}");
            for path in paths {
                let input = fs::read(&path).unwrap();
                let held = std::panic::catch_unwind(|| target(&input));
                assert!(held.is_ok(), "{}", path.display());
            }
        }
    }
}
