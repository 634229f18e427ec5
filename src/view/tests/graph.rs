//! The lenses of the graph pane.

use super::screens::{TASKS, board, file, press, screen, text};
use crate::board::{Effect, Lens, Message, Mouse, update};
use crate::command::Key;
use crate::task::{State, Status};
use crate::view::Theme;

#[test]
fn waves_are_bars_with_what_matters_most() {
    let mut model = board(&TASKS, (120, 16));
    press(&mut model, "tab z g w j");
    insta::assert_snapshot!(text(&model));
}

#[test]
fn the_outline_hangs_tasks_under_their_gates() {
    let mut model = board(&TASKS, (80, 16));
    press(&mut model, "tab z g o j");
    insta::assert_snapshot!(text(&model));
}

#[test]
fn keys_walk_through_waves_and_outline() {
    let mut model = board(&TASKS, (80, 24));
    let subject = |model: &crate::board::Model| model.selected_task().unwrap().subject.clone();
    press(&mut model, "tab g w k k k k");
    assert_eq!(model.place_in_waves(), Some((0, 0)));
    press(&mut model, "j l");
    assert_eq!(model.place_in_waves(), Some((1, 1)));
    press(&mut model, "h h");
    assert_eq!(model.place_in_waves(), Some((1, 0)), "it stops at the end");
    press(&mut model, "g o k k k k k k k k");
    assert_eq!(model.line_in_outline(), Some(0));
    press(&mut model, "l");
    assert_eq!(
        subject(&model),
        "Build the frontend",
        "l follows an edge here"
    );
    press(&mut model, "g o");
    assert_eq!(
        model.graph.drawn_as,
        Lens::Flow,
        "the key turns it off again"
    );
}

#[test]
fn a_long_list_opens_in_waves_and_a_large_picture_is_drawn_elsewhere() {
    let tasks: Vec<String> = (0..600)
        .map(|n| {
            format!(
                "task {n}|{}",
                if n % 6 == 0 {
                    String::new()
                } else {
                    n.to_string()
                }
            )
        })
        .collect();
    let tasks: Vec<&str> = tasks.iter().map(String::as_str).collect();
    let mut model = board(&tasks, (80, 24));
    assert_eq!(model.graph.drawn_as, Lens::Waves);
    press(&mut model, "g");
    let asked = |effects: Vec<Effect>| match effects.into_iter().next() {
        Some(Effect::Layout(job)) => job,
        other => panic!("no layout is asked for: {other:?}"),
    };
    let key = |key: &str| Message::Key(key.parse::<Key>().unwrap());
    let first = asked(update(&mut model, key("f")));
    assert!(model.graph.is_behind());
    press(&mut model, "g");
    let second = asked(update(&mut model, key("i")));
    update(&mut model, Message::LaidOut(first.run()));
    assert!(model.graph.is_behind(), "a stale picture is dropped");
    update(&mut model, Message::LaidOut(second.run()));
    assert!(!model.graph.is_behind());
    assert_eq!(model.graph.nodes.len(), 600);
    assert!(
        update(&mut model, key("j")).is_empty(),
        "moving asks for nothing"
    );
}

#[test]
fn a_path_is_drawn_alone_and_backspace_leads_back() {
    let mut model = board(&TASKS, (120, 24));
    let drawn = |model: &crate::board::Model| model.graph.nodes.len();
    press(&mut model, "tab g k");
    let start = model.selected.clone();
    let all = drawn(&model);
    press(&mut model, "space l l");
    let end = model.selected.clone();
    press(&mut model, "g p");
    let between = drawn(&model);
    assert!(between < all, "{between} of {all}");
    let ends = model.graph.path.clone().unwrap();
    assert_eq!((Some(ends.0), Some(ends.1)), (start.clone(), end));
    press(&mut model, "backspace");
    assert_eq!(drawn(&model), all);
    press(&mut model, "backspace backspace");
    assert_eq!(model.selected, start);
    press(&mut model, "backspace");
    assert!(model.notice.is_some(), "there is nothing before the first");
}

#[test]
fn tasks_alike_are_one_box_until_they_are_unfolded() {
    let tasks = [
        "Plan",
        "Part one|1",
        "Part two|1",
        "Part three|1",
        "Ship|2,3,4",
    ];
    let mut model = board(&tasks, (120, 30));
    press(&mut model, "tab z");
    let open = text(&model);
    press(&mut model, "g z");
    let folded = text(&model);
    assert!(folded.contains("3× Part one"), "{folded}");
    assert!(!folded.contains("Part two"), "{folded}");
    // A folded task is where its box is.
    let second = model.list.nodes()[2];
    let second = model.list.id_of(second).clone();
    model.selected = Some(second.clone());
    assert_eq!(model.graph.node_of(&second), Some(1));
    model.selected = None;
    press(&mut model, "g z");
    press(&mut model, "h h h h");
    assert_eq!(text(&model).lines().count(), open.lines().count());
    assert!(text(&model).contains("Part two"));
}

#[test]
fn a_large_picture_has_a_map_and_can_be_pulled() {
    let tasks: Vec<String> = (0..58)
        .map(|n| {
            format!(
                "task {n}|{}",
                if n % 20 == 0 {
                    String::new()
                } else {
                    n.to_string()
                }
            )
        })
        .collect();
    let tasks: Vec<&str> = tasks.iter().map(String::as_str).collect();
    let mut model = board(&tasks, (120, 20));
    press(&mut model, "tab z");
    let has_map = |model: &crate::board::Model| {
        text(model)
            .chars()
            .any(|c| ('\u{2801}'..='\u{28ff}').contains(&c))
    };
    assert!(has_map(&model), "{}", text(&model));
    let before = text(&model);
    update(&mut model, Message::Mouse(Mouse::Pan(-30, 0)));
    let after = text(&model);
    assert_ne!(before, after, "the picture follows the mouse");
    press(&mut model, "j k");
    assert_eq!(model.graph.pan, (0, 0), "a selection brings it back");
    let mut small = board(&TASKS, (160, 45));
    press(&mut small, "tab z");
    assert!(!has_map(&small), "all of it is there to be seen");
}

#[test]
fn a_status_moves_nothing() {
    let mut model = board(&TASKS, (120, 24));
    press(&mut model, "tab z");
    let places = |model: &crate::board::Model| -> Vec<_> {
        let nodes = 0..model.graph.nodes.len() as u32;
        nodes.map(|n| model.graph.layout.node_rect(n)).collect()
    };
    let before = places(&model);
    let done = file(2, "Build the frontend | 1 | completed");
    update(&mut model, Message::Files(vec![done]));
    let completed = model.list.tasks().filter(|t| t.status == Status::Completed);
    assert_eq!(completed.count(), 2, "the status did change");
    assert_eq!(places(&model), before);
}

/// What is lit up is in front, and still looks like its state.
#[test]
fn lit_lines_pass_over_others_and_lit_tasks_keep_their_state() {
    let tasks = [
        "Ground || completed",
        "Walls || in_progress",
        "Pipes",
        "Roof | 1,2",
        "Heating | 2,3",
        "Baths | 1,3",
    ];
    let theme = Theme::default();
    let mut model = board(&tasks, (100, 20));
    press(&mut model, "tab z");
    let mut crossings = Vec::new();
    for id in model.graph.nodes.clone() {
        model.selected = Some(id);
        let drawn = screen(&model, &theme);
        let lit = [theme.blocker.fg, theme.dependant.fg];
        let is_lit = |x: u16, y: u16| lit.contains(&Some(drawn[(x, y)].fg));
        let places = (1..20).flat_map(|y| (1..100).map(move |x| (x, y)));
        let shown: Vec<_> = places.filter(|at| drawn[*at].symbol() == "┼").collect();
        for (x, y) in &shown {
            let both = is_lit(x - 1, *y) && is_lit(*x, y - 1);
            assert_eq!(is_lit(*x, *y), both, "{}", text(&model));
        }
        crossings.push(shown.len());
        let state_of = |first: &str| {
            let cell = drawn.content().iter().find(|cell| cell.symbol() == first);
            cell.map(|cell| cell.fg)
        };
        if model
            .selected_task()
            .is_some_and(|task| task.subject == "Roof")
        {
            assert_eq!(state_of("✓"), theme.state(State::Completed).fg);
            assert_eq!(state_of("▶"), theme.state(State::InProgress).fg);
        }
    }
    assert!(
        crossings.iter().min() < crossings.iter().max(),
        "{crossings:?}"
    );
}

#[test]
fn a_label_that_the_edge_cuts_ends_in_dots() {
    let mut model = board(&TASKS, (60, 24));
    press(&mut model, "tab z");
    for key in ["h", "l", "l", "l"] {
        press(&mut model, key);
        let shown = text(&model);
        for row in shown.lines().filter(|row| row.contains("]─")) {
            let first = row.trim_start().chars().next().unwrap_or(' ');
            assert!("[…]─╭├╰│┬ ".contains(first), "{row}");
        }
    }
    assert!(text(&model).contains('…'));
}
