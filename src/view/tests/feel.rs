//! What hands feel: sizes of panes, keys that wait for another, reasons.

use super::screens::{TASKS, board, press, text};
use crate::board::{Edge, Message, Model, Mouse, MouseAt, update};
use crate::command::{Found, command};
use crate::view::{Theme, draw_into};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Where the edges are.
fn borders(model: &Model) -> Vec<(Rect, Edge)> {
    let mut buffer = Buffer::empty(Rect::new(0, 0, model.size.0, model.size.1));
    draw_into(model, &Theme::default(), &mut buffer).borders
}

fn border(model: &Model, edge: Edge) -> Rect {
    let found = borders(model).into_iter().find(|(_, which)| *which == edge);
    found.unwrap().0
}

#[test]
fn keys_make_the_panes_larger_and_smaller_and_round_again() {
    for (edge, larger, smaller) in [
        (Edge::Details, "|", "ctrl-right"),
        (Edge::Lower, "_", "ctrl-down"),
    ] {
        let mut model = board(&TASKS, (160, 45));
        let place = |model: &Model| match edge {
            Edge::Details => border(model, edge).x,
            Edge::Lower => border(model, edge).y,
        };
        let usual = place(&model);
        press(&mut model, larger);
        let large = place(&model);
        assert!(large < usual, "{edge:?}");
        press(&mut model, smaller);
        press(&mut model, smaller);
        assert!(place(&model) > large, "{edge:?}");
        let mut places = Vec::new();
        for _ in 0..8 {
            press(&mut model, larger);
            places.push(place(&model));
        }
        assert!(places.contains(&usual), "one key goes round: {places:?}");
    }
}

#[test]
fn an_edge_follows_the_mouse_and_a_double_click_gives_it_back() {
    let mut model = board(&TASKS, (100, 45));
    let usual = borders(&model);
    for (edge, at) in [(Edge::Details, (50, 40)), (Edge::Lower, (10, 12))] {
        update(
            &mut model,
            Message::Mouse(Mouse::Press(MouseAt::Border(edge))),
        );
        update(&mut model, Message::Mouse(Mouse::Pull(edge, at.0, at.1)));
        update(&mut model, Message::Mouse(Mouse::Release(MouseAt::Nowhere)));
        let area = border(&model, edge);
        let off = match edge {
            Edge::Details => area.x.abs_diff(at.0),
            Edge::Lower => area.y.abs_diff(at.1),
        };
        assert!(off <= 1, "{edge:?} stands at {area:?}, the mouse at {at:?}");
        assert_eq!(model.pulling, None);
        update(
            &mut model,
            Message::Mouse(Mouse::DoubleClick(MouseAt::Border(edge))),
        );
    }
    assert_eq!(borders(&model), usual);
}

#[test]
fn what_may_follow_a_key_stands_above_the_last_row() {
    for size in [(80, 24), (40, 10)] {
        let mut model = board(&TASKS, size);
        press(&mut model, "g");
        let screen = text(&model);
        let Found::Prefix(next) = model.keymap.find(&model.keys) else {
            panic!("g begins sequences");
        };
        for (key, id) in next {
            let entry = format!("{key}  {}", command(id).title);
            assert!(screen.contains(&entry), "{entry} at {size:?}:\n{screen}");
        }
        assert!(screen.contains("webshop") && screen.contains("esc takes it back"));
    }
}

#[test]
fn a_hint_that_is_off_says_why() {
    let mut model = board(&TASKS, (160, 45));
    press(&mut model, "l l");
    let screen = text(&model);
    let last = screen.lines().last().unwrap();
    assert!(
        last.contains("x unblock") && last.contains("(x: "),
        "{last}"
    );
}

#[test]
fn the_mouse_is_left_to_the_terminal_and_taken_back() {
    let mut model = board(&TASKS, (80, 24));
    let key = || Message::Key("ctrl-o".parse().unwrap());
    for ours in [false, true] {
        let effects = update(&mut model, key());
        assert_eq!(effects, [crate::board::Effect::TakeMouse(ours)]);
        assert_eq!(model.mouse, ours);
    }
}
