use proptest::prelude::*;

use super::*;

#[test]
fn escape_sequences_go_as_a_whole() {
    let table = [
        ("colour \u{1b}[31mred", "colour red"),
        ("clear \u{1b}[2J\u{1b}[Hscreen", "clear screen"),
        ("title \u{1b}]0;owned\u{7}end", "title end"),
        (
            "link \u{1b}]8;;https://x.invalid\u{1b}\\click\u{1b}]8;;\u{1b}\\",
            "link click",
        ),
        ("query \u{1b}[6n\u{1b}[c\u{1b}P$q m\u{1b}\\", "query "),
        ("apc \u{1b}_Gf=100;AAAA\u{1b}\\done", "apc done"),
        ("c1 \u{9b}31mred \u{9d}0;x\u{9c}end", "c1 red end"),
        ("charset \u{1b}(0qqq\u{1b}(B", "charset qqq"),
        ("reset \u{1b}c!", "reset !"),
        ("cut \u{1b}[31", "cut "),
        ("open \u{1b}]0;never closed", "open 0;never closed"),
        ("nested \u{1b}\u{1b}[31[31mm", "nested 31mm"),
        ("bare \u{1b}", "bare "),
    ];
    for (raw, clean) in table {
        assert_eq!(clean_line(raw), clean, "{raw:?}");
    }
}

#[test]
fn what_hides_or_reorders_text_goes() {
    let table = [
        ("admin\u{202e}txt.exe", "admintxt.exe"),
        ("a\u{2066}b\u{2069}c\u{200f}", "abc"),
        ("zero\u{200b}\u{2060}\u{feff}width\u{ad}", "zerowidth"),
        (
            "bell\u{7} back\u{8} null\u{0} del\u{7f}",
            "bell back null del",
        ),
        ("tag\u{e0041}\u{e0042}", "tag"),
        ("a\u{200d}b", "ab"),
        ("👩\u{200d}💻 works", "👩\u{200d}💻 works"),
        ("❤\u{fe0f}\u{200d}🔥", "❤\u{fe0f}\u{200d}🔥"),
        ("vs\u{fe0f}\u{fe0f}\u{fe01}", "vs\u{fe0f}"),
        ("\u{fe0f}lone", "lone"),
        ("e\u{301}", "e\u{301}"),
    ];
    for (raw, clean) in table {
        assert_eq!(clean_line(raw), clean, "{raw:?}");
    }
}

#[test]
fn line_ends_become_spaces_or_lines() {
    let raw = "a\r\nb\rc\u{2028}d\u{2029}e\u{85}f\tg";
    assert_eq!(clean_line(raw), "a b c d e f g");
    assert_eq!(clean_block(raw), "a\nb\nc\nd\ne\nf    g");
}

#[test]
fn columns_are_counted_by_grapheme() {
    let table = [
        ("abc", 3),
        ("日本語", 6),
        ("한국어", 6),
        ("ｶﾀｶﾅ", 4),
        ("ｶﾞ", 2),
        ("e\u{301}", 1),
        ("👩\u{200d}💻", 2),
        ("🇩🇪", 2),
        ("", 0),
    ];
    for (text, columns) in table {
        assert_eq!(width(text), columns, "{text:?}");
    }
}

#[test]
fn cutting_keeps_graphemes_whole() {
    let table = [
        ("Build backend", 7, "Build …"),
        ("日本語", 4, "日…"),
        ("日本語", 5, "日本…"),
        ("👩\u{200d}💻👩\u{200d}💻", 3, "👩\u{200d}💻…"),
        ("fits", 4, "fits"),
        ("none", 0, ""),
        ("one", 1, "…"),
    ];
    for (text, columns, cut) in table {
        assert_eq!(truncate(text, columns), cut, "{text:?} in {columns}");
    }
    assert_eq!(pad("日本", 5), "日本 ");
    assert_eq!(pad("Build", 3), "Bu…");
}

#[test]
fn wrapping_breaks_at_spaces_first() {
    assert_eq!(wrap("one two three", 7), ["one two", "three"]);
    assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
    assert_eq!(wrap("  indented text", 10), ["  indented", "text"]);
    assert_eq!(wrap("a\n\nb", 5), ["a", "", "b"]);
    assert_eq!(wrap("日本", 1), ["日", "本"]);
    assert_eq!(wrap("", 5), [""]);
}

/// Texts made of the pieces that break terminal programs.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        "[ -~]{0,6}",
        prop::sample::select(vec![
            "\u{1b}", "\u{1b}[", "\u{1b}]", "\u{1b}P", "\u{9b}", "\u{9c}", "\u{9d}", "\u{7}",
            "\u{1b}\\", "\u{200d}", "\u{fe0f}", "👩", "💻", "🇩", "日", "e\u{301}", "\u{202e}",
            "\r", "\n", "\t", "\u{2028}", "한", "ᄀ", "ᅡ", "क्", "ष", "لا",
        ])
        .prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_clean_line_has_no_control_character(text in hostile()) {
        let clean = clean_line(&text);
        let bad = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202e}');
        prop_assert!(!clean.contains(bad), "{clean:?}");
    }

    #[test]
    fn a_clean_block_has_no_control_character_but_newlines(text in hostile()) {
        let clean = clean_block(&text);
        prop_assert!(!clean.contains(|c: char| c.is_control() && c != '\n'), "{clean:?}");
    }

    #[test]
    fn cleaning_twice_changes_nothing(text in hostile()) {
        let line = clean_line(&text).into_owned();
        prop_assert_eq!(clean_line(&line), line.as_str());
        let block = clean_block(&text).into_owned();
        prop_assert_eq!(clean_block(&block), block.as_str());
    }

    #[test]
    fn printable_ascii_is_kept(text in "[ -~]{0,40}") {
        prop_assert_eq!(clean_line(&text), text.as_str());
    }

    #[test]
    fn a_cut_text_fits_and_starts_like_the_whole(text in hostile(), columns in 0usize..30) {
        let text = clean_line(&text).into_owned();
        let cut = truncate(&text, columns);
        prop_assert!(width(&cut) <= columns, "{cut:?} in {columns}");
        if let std::borrow::Cow::Owned(cut) = &cut {
            let kept = cut.strip_suffix('…').unwrap();
            prop_assert!(text.starts_with(kept));
            let ends = graphemes(&text).scan(0, |end, (g, _)| { *end += g.len(); Some(*end) });
            prop_assert!(kept.is_empty() || ends.into_iter().any(|end| end == kept.len()));
        }
    }

    #[test]
    fn a_padded_text_fills_its_columns(text in hostile(), columns in 0usize..30) {
        prop_assert_eq!(width(&pad(&clean_line(&text), columns)), columns);
    }

    #[test]
    fn wrapped_lines_fit_and_lose_only_spaces(text in hostile(), columns in 2usize..30) {
        let text = clean_block(&text).into_owned();
        let lines = wrap(&text, columns);
        for line in &lines {
            let single = graphemes(line).count() == 1;
            prop_assert!(width(line) <= columns || single, "{line:?} in {columns}");
        }
        let squeeze = |text: &str| text.replace([' ', '\n'], "");
        prop_assert_eq!(squeeze(&lines.concat()), squeeze(&text));
    }
}

/// Without the memory of a vain search this would take hours.
#[test]
fn a_text_of_introducers_alone_is_searched_once() {
    for introducer in ["\u{1b}]", "\u{1b}P", "\u{9d}", "\u{1b}_"] {
        let text = introducer.repeat(1_000_000) + "end";
        assert_eq!(clean_line(&text), "end");
    }
    let text = "\u{1b}]a\u{7}".repeat(2) + "b\u{1b}]c";
    assert_eq!(clean_line(&text), "bc", "a vain search is the last one");
}
