use crate::text;
use crate::view::{Theme, markdown};
use proptest::prelude::*;

fn shown(source: &str, columns: usize) -> String {
    let lines = markdown::render(source, columns, &Theme::default());
    lines.iter().map(|line| line.to_string() + "\n").collect()
}

#[test]
fn blocks_keep_their_shape() {
    let source = "# Plan\nTwo *words* of\n`code`.\n\n1. first item that is long enough to wrap\n   - nested\n2. second\n\n\
        - [x] done\n- [ ] open\n\n> quoted text here\n\n```sql\nSELECT  1;\n```\n\n---\n\nSee [docs](https://x.invalid).";
    insta::assert_snapshot!(shown(source, 24));
}

#[test]
fn tables_are_lined_up() {
    let source = "| table | rows |\n|---|---:|\n| orders | 1,204 |\n| lines | 9 |";
    insta::assert_snapshot!(shown(source, 40));
}

#[test]
fn a_very_long_text_stays_plain_and_wraps() {
    let source = "# word ".repeat(20_000);
    let lines = markdown::render(&source, 40, &Theme::default());
    assert!(lines.len() > 1000);
    assert!(
        lines
            .iter()
            .all(|line| text::width(&line.to_string()) <= 40)
    );
}

#[test]
fn the_language_of_code_is_cut_like_everything_else() {
    let lines = markdown::render(
        "~~~a-language-with-a-very-long-name\nx\n~~~",
        8,
        &Theme::default(),
    );
    assert!(
        lines
            .iter()
            .all(|line| text::width(&line.to_string()) <= 10),
        "{lines:?}"
    );
}

proptest! {
    #[test]
    fn any_text_renders_within_its_width(
        source in "([#>*\\-`|~\\[\\]() \\n0-9.!]|[a-z日👩\u{301}]){0,120}",
        columns in 8usize..60,
    ) {
        for line in markdown::render(&source, columns, &Theme::default()) {
            // Deep nesting may leave no room: then the screen cuts.
            let indent = line.spans.len().saturating_sub(1) * 4;
            prop_assert!(text::width(&line.to_string()) <= columns + indent, "{line}");
        }
    }
}
