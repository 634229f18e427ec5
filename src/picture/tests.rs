use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::*;

fn sample() -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 2));
    buffer.set_string(0, 0, "╭─ 日本 <&> ╮", Style::new().fg(Color::Indexed(75)));
    let marked = Style::new().fg(Color::Red).bg(Color::Rgb(1, 2, 3));
    buffer.set_string(0, 1, "done", marked.add_modifier(Modifier::BOLD));
    buffer
}

#[test]
fn text_keeps_columns_and_drops_trailing_space() {
    assert_eq!(text(&sample()), "╭─ 日本 <&>\ndone\n");
}

#[test]
fn ansi_sets_each_style_once_and_resets_at_the_end() {
    let drawn = ansi(&sample());
    let second = drawn.lines().nth(1).unwrap();
    assert_eq!(second, "\u{1b}[0;1;31;48;2;1;2;3mdone\u{1b}[0m        ");
}

#[test]
fn svg_is_escaped_and_forces_the_width_of_every_text() {
    let drawn = svg(&sample(), &Look::dark(), Fonts::Viewer);
    assert!(drawn.contains("&lt;&amp;&gt;</text>"));
    assert!(drawn.contains("日</text>"));
    assert!(!drawn.contains('╭'), "lines are shapes, not letters");
    assert_eq!(
        drawn.matches("<text").count(),
        drawn.matches("textLength").count()
    );
    let boxes = svg(&sample(), &Look::dark(), Fonts::Shipped);
    assert!(!boxes.contains('日'), "the shipped font has no such letter");
}

#[test]
fn a_straight_line_is_one_path() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 30, 1));
    buffer.set_string(0, 0, "─".repeat(20) + "━━━", Style::new());
    let drawn = svg(&buffer, &Look::dark(), Fonts::Viewer);
    assert_eq!(drawn.matches("<path").count(), 2);
}

#[test]
fn a_film_shows_each_tile_from_when_it_comes_until_it_goes() {
    let frame = |at_ms, text: &str| {
        let mut screen = Buffer::empty(Rect::new(0, 0, 30, 2));
        screen.set_string(0, 0, text, Style::new());
        screen.set_string(0, 1, "still", Style::new());
        Frame { at_ms, screen }
    };
    let frames = [frame(0, "one"), frame(250, "two"), frame(500, "one")];
    let drawn = film(&frames, 1_000, &Look::dark(), Fonts::Viewer);
    for (text, times) in [("one", 1), ("two", 1), ("still", 1)] {
        let written = drawn.matches(&format!(">{text}</text>")).count();
        assert_eq!(written, times, "{text}");
    }
    for (shot, seen) in [("s0-1", 1), ("s1-2", 1), ("s2-3", 1), ("s0-3", 1)] {
        let uses = drawn.matches(&format!(r#"class="{shot}"/>"#)).count();
        assert_eq!(uses, seen, "{shot}");
    }
    assert!(drawn.contains("25.000%{visibility:visible}50.000%{visibility:hidden}"));
    assert_eq!(film(&[], 1_000, &Look::dark(), Fonts::Viewer), "");
}

#[test]
fn equal_backgrounds_are_one_rectangle() {
    let drawn = svg(&sample(), &Look::dark(), Fonts::Viewer);
    assert_eq!(drawn.matches("fill=\"#010203\"").count(), 1);
}

#[test]
fn every_box_and_block_character_is_a_shape() {
    for code in (0x2500..=0x259f).chain(0x2801..=0x28ff) {
        let c = char::from_u32(code).unwrap();
        let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
        buffer[(0, 0)].set_char(c);
        let drawn = svg(&buffer, &Look::dark(), Fonts::Shipped);
        assert!(drawn.lines().count() > 3, "{c} ({code:x}) draws nothing");
        assert!(!drawn.contains("<text"), "{c} ({code:x}) needs a font");
    }
}

#[cfg(feature = "pictures")]
#[test]
fn png_has_the_size_of_the_cells() {
    let picture = png(&sample(), &Look::light(), 2.0).unwrap();
    assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    assert_eq!(
        (number(16), number(20)),
        (2 * (12 * 9 + 20), 2 * (2 * 20 + 20))
    );
}
