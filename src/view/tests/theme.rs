use ratatui::style::{Color, Modifier, Style};

use crate::view::{ColorDepth, Theme};

#[test]
fn every_built_in_theme_reads_and_says_what_it_is() {
    for name in Theme::names() {
        let theme = Theme::named(name).unwrap();
        assert_eq!(theme.name, name);
        assert!(!theme.summary.is_empty(), "{name}");
    }
    assert_eq!(Theme::default().name, "dark");
}

#[test]
fn a_theme_builds_on_another() {
    let theme = Theme::parse(
        "mine",
        "base = 'dark'\n[roles]\nready = 'red on #010203 bold'",
    )
    .unwrap();
    let red = Style::new().fg(Color::Red).bg(Color::Rgb(1, 2, 3));
    assert_eq!(theme.ready, red.add_modifier(Modifier::BOLD));
    assert_eq!(theme.blocked, Theme::default().blocked);
}

#[test]
fn a_wrong_theme_says_what_is_wrong_and_where() {
    for (text, wanted) in [
        (
            "[roles]\n\nreddy = ''",
            "3: there is no role `reddy`; did you mean `ready`?",
        ),
        (
            "[roles]\nready = 'blod'",
            "2: `blod` in `ready = …` is neither a colour nor an attribute; did you mean `bold`?",
        ),
        (
            "base = 'drak'",
            "1: there is no built-in theme `drak`; did you mean `dark`?",
        ),
        (
            "background = 'red'",
            "1: `red` in `background = …` is no colour; write #rrggbb",
        ),
    ] {
        let fault = Theme::parse("x", text).unwrap_err();
        assert_eq!(format!("{}: {fault}", fault.line.unwrap()), wanted);
    }
    assert_eq!(Theme::parse("x", "\n[roles").unwrap_err().line, Some(2));
    assert_eq!(Theme::parse("x", "\ncolour = 1").unwrap_err().line, Some(2));
}

#[test]
fn fewer_colours_stay_within_what_the_terminal_has() {
    for name in Theme::names() {
        let theme = Theme::named(name).unwrap();
        let indexed = format!("{:?}", theme.clone().for_depth(ColorDepth::Indexed));
        assert!(!indexed.contains("Rgb"), "{name}");
        let named = format!("{:?}", theme.clone().for_depth(ColorDepth::Named));
        assert!(
            !named.contains("Rgb") && !named.contains("Indexed"),
            "{name}"
        );
        let none = format!("{:?}", theme.for_depth(ColorDepth::None));
        assert!(!none.contains("Some("), "{name}: {none}");
    }
}
