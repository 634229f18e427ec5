//! Watching: the views, what wants attention, what changed meanwhile.

use super::*;

fn lanes(model: &Model) -> Vec<String> {
    let lane = |column: &Column| {
        let ids: Vec<&str> = column.ids.iter().map(|id| &id.as_str()[2..]).collect();
        let lane = match &column.lane {
            Lane::State(state) => state.title().to_owned(),
            Lane::Status(status) => status.as_str().to_owned(),
            Lane::Owner(owner) => owner.clone().unwrap_or("-".to_owned()),
            Lane::Vanished => "vanished".to_owned(),
            Lane::All => "all".to_owned(),
        };
        format!("{lane}: {}", ids.join(" "))
    };
    model.columns.iter().map(lane).collect()
}

pub(super) fn hear(model: &mut Model, text: &str) {
    let files = text.split(';').map(|t| file(t.trim())).collect();
    update(model, Message::Files(files));
}

#[test]
fn the_same_tasks_are_seen_in_five_ways_and_the_selection_stays() {
    let mut model =
        board("a; b<a; c in_progress @hera; d completed @hera; e odd @atlas; f deleted");
    press(&mut model, "l l");
    assert_eq!(selected(&model), "c");
    press(&mut model, "v r");
    assert_eq!(
        lanes(&model),
        ["pending: a b", "in_progress: c", "completed: d", "odd: e"]
    );
    press(&mut model, "v o");
    assert_eq!(lanes(&model), ["atlas: e", "hera: c d", "-: a b"]);
    press(&mut model, "v l");
    assert_eq!(lanes(&model), ["all: a b c d e"]);
    press(&mut model, "l l");
    assert_eq!(lanes(&model), ["all: e c d a b"], "by owner, nobody last");
    press(&mut model, "v l");
    assert_eq!(lanes(&model), ["all: b a d c e"], "and the other way round");
    press(&mut model, "h h");
    press(&mut model, "a");
    assert_eq!(lanes(&model), ["all: a b c d f e"]);
    press(&mut model, "v s");
    assert_eq!(model.columns.len(), 6);
    assert_eq!(selected(&model), "c");
    assert_eq!(model.columns[model.column].state(), Some(State::InProgress));
}

#[test]
fn parts_stand_below_their_whole_and_rings_of_parts_are_all_shown() {
    let part = |name: &str, parent: &str| {
        let mut file = file(name);
        let FileContent::Task(task) = &mut file.content else {
            panic!()
        };
        Arc::make_mut(task).parent_id = Some(id(parent));
        file
    };
    let mut model = board("a; b; c");
    let files = vec![
        part("p1", "b"),
        part("p2", "p1"),
        part("lost", "nowhere"),
        part("x", "y"),
        part("y", "x"),
    ];
    update(&mut model, Message::Files(files));
    press(&mut model, "v t");
    let column = &model.columns[0];
    let rows: Vec<String> = column
        .ids
        .iter()
        .zip(&column.branches)
        .map(|(id, branch)| format!("{}{}", branch.depth, &id.as_str()[2..]))
        .collect();
    assert_eq!(rows, ["0lost", "0a", "0b", "1p1", "2p2", "0c", "0x", "1y"]);
    assert!(column.branches[0].orphan);
    assert_eq!(
        (column.branches[2].done, column.branches[2].children),
        (0, 1)
    );
    update(&mut model, Message::Files(vec![part("p1", "b")]));
    model.select(&id("p2"));
    press(&mut model, "h");
    assert_eq!(selected(&model), "p1");
    press(&mut model, "h");
    assert_eq!(selected(&model), "b");
    press(&mut model, "h l l");
    assert_eq!(selected(&model), "p2");
}

#[test]
fn a_card_dropped_on_an_owner_is_given_to_them() {
    let mut model = board("a; b in_progress @hera");
    press(&mut model, "v o");
    let at = |column: usize| MouseAt::Card(id("a"), column);
    assert_eq!(lanes(&model), ["hera: b", "-: a"]);
    update(&mut model, Message::Mouse(Mouse::Press(at(1))));
    let effects = update(
        &mut model,
        Message::Mouse(Mouse::Release(MouseAt::Column(0))),
    );
    let [Effect::Act(op)] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert!(format!("{op:?}").contains("hera"));
}

#[test]
fn attention_is_ranked_and_names_the_key_that_helps() {
    let mut model = board("a<b; b<a; w<gone; s in_progress @hera; t<q in_progress; q; fine; old");
    model.now_ms = 60 * 60_000;
    hear(&mut model, "t<q in_progress @new");
    let found: Vec<String> = model
        .attention()
        .iter()
        .map(|a| {
            format!(
                "{} {}",
                &a.id.as_str()[2..],
                a.reason.split(' ').take(3).collect::<Vec<_>>().join(" ")
            )
        })
        .collect();
    let rings = found.iter().filter(|f| f.contains("a ring,"));
    assert_eq!(rings.count(), 1, "one line for the ring: {found:?}");
    assert!(
        found.iter().any(|f| f.starts_with("w waits for")),
        "{found:?}"
    );
    assert!(
        found.iter().any(|f| f.starts_with("s in progress, and")),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|f| f.starts_with("t in progress although")),
        "{found:?}"
    );
    assert!(
        found.iter().any(|f| f.starts_with("fine ready for")),
        "{found:?}"
    );
    assert!(model.glance.attention.is_some());
    press(&mut model, "!");
    let Some(Layer::Menu(menu)) = model.top() else {
        panic!("a menu")
    };
    assert_eq!(menu.choices[0].detail, "ctrl-r");
    press(&mut model, "enter");
    assert!(["a", "b"].contains(&selected(&model)));
}

#[test]
fn the_attention_list_mends_what_it_names_and_shows_what_is_left() {
    let mut model = board("a<b; b<a; w<gone; t<q in_progress; q");
    press(&mut model, "!");
    let rows = |model: &Model| {
        let Some(Layer::Menu(menu)) = model.top() else {
            panic!("a menu")
        };
        let rows = menu.choices.iter();
        rows.map(|row| row.label.split(':').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(&model).len(), 3, "{:?}", rows(&model));
    let wishes = ["RemoveEdge", "RemoveEdge", "pending"];
    let after = ["a; b<a", "w", "t<q pending"];
    for (wish, after) in wishes.into_iter().zip(after) {
        let effects = press(&mut model, "ctrl-r");
        let [Effect::Act(op)] = &effects[..] else {
            panic!("{effects:?}")
        };
        assert!(format!("{op:?}").contains(wish), "{op:?}");
        let before = rows(&model).len();
        hear(&mut model, after);
        assert_eq!(rows(&model).len(), before - 1, "{:?}", rows(&model));
    }
}

#[test]
fn a_frozen_picture_holds_still_and_then_catches_up() {
    let mut model = board("a; b");
    press(&mut model, "F");
    hear(&mut model, "a completed; c");
    assert_eq!(shown(&model)[0], (State::Ready, 2));
    assert_eq!(model.frozen.as_ref().unwrap().len(), 2);
    press(&mut model, "F");
    assert!(model.frozen.is_none());
    assert_eq!(
        lanes(&model),
        ["Ready: c b", "Blocked: ", "In progress: ", "Completed: a"]
    );
}

#[test]
fn the_selection_follows_what_changes_when_it_is_asked_to() {
    let mut model = board("a; b; c");
    hear(&mut model, "c in_progress");
    assert_eq!(selected(&model), "a");
    press(&mut model, "w");
    hear(&mut model, "b in_progress");
    assert_eq!(selected(&model), "b");
}

#[test]
fn what_changed_while_nobody_looked_is_stepped_through() {
    let mut model = board("a; b; c; d");
    hear(&mut model, "d in_progress");
    update(&mut model, Message::FocusLost);
    hear(&mut model, "b in_progress");
    hear(&mut model, "c completed; b completed");
    update(&mut model, Message::FocusGained);
    hear(&mut model, "a in_progress");
    assert_eq!(
        model.away.changed.len(),
        2,
        "each once, and only what was missed"
    );
    press(&mut model, "'");
    assert_eq!(selected(&model), "b");
    press(&mut model, "'");
    assert_eq!(selected(&model), "c");
    press(&mut model, "'");
    assert!(model.away.changed.is_empty());
    assert_eq!(model.happened.iter().filter(|h| h.id == id("b")).count(), 2);
}

#[test]
fn neighbours_are_gone_to_by_name() {
    let mut model = board("a; b<a; c<b");
    press(&mut model, "l g r");
    let Some(Layer::Menu(menu)) = model.top() else {
        panic!("a menu")
    };
    let labels: Vec<&str> = menu.choices.iter().map(|c| c.label.as_str()).collect();
    assert_eq!(labels, ["waits for a", "frees c"]);
    press(&mut model, "down enter");
    assert_eq!(selected(&model), "c");
}

#[test]
fn what_is_edited_here_moves_in_a_frozen_picture() {
    let mut model = board("a; b");
    press(&mut model, "F");
    hear(&mut model, "a in_progress; a in_progress @x");
    assert_eq!(
        model.frozen.as_ref().unwrap().len(),
        1,
        "the latest of each file"
    );
    let op = Op::Update {
        ids: vec![id("a")],
        patch: crate::task::Patch {
            edits: vec![crate::task::Edit::status(&Status::Completed)],
        },
        force: true,
    };
    let outcome = Outcome::Committed {
        plan: Box::new(crate::list::plan(&model.list, op).unwrap()),
        files: vec![file("a completed")],
        warnings: Vec::new(),
        heard: Vec::new(),
    };
    update(&mut model, Message::Done(outcome));
    hear(&mut model, "a completed");
    assert_eq!(
        model.frozen.as_ref().unwrap().len(),
        0,
        "our own echo is no news"
    );
    assert_eq!(model.list.state(&id("a")), Some(State::Completed));
}

#[test]
fn what_was_not_stepped_through_is_still_there_after_looking_away_again() {
    let mut model = board("a; b; c");
    update(&mut model, Message::FocusLost);
    hear(&mut model, "a in_progress; b in_progress");
    update(&mut model, Message::FocusGained);
    press(&mut model, "'");
    assert_eq!(selected(&model), "a");
    update(&mut model, Message::FocusLost);
    hear(&mut model, "a completed; b completed; c in_progress");
    update(&mut model, Message::FocusGained);
    let mut seen = Vec::new();
    for _ in 0..3 {
        press(&mut model, "'");
        seen.push(selected(&model).to_owned());
    }
    assert_eq!(seen, ["b", "a", "c"], "b from before, a once more, c");
}

#[test]
fn the_header_counts_what_the_attention_list_names() {
    for tasks in [
        "a; b<a; c<a; d<a; e<a",
        "a; b; c; d<a; e<b",
        "a<b; b<a; c<gone",
    ] {
        let mut model = board(tasks);
        let counted = model.glance.attention;
        press(&mut model, "!");
        let Some(Layer::Menu(menu)) = model.top() else {
            panic!("a menu")
        };
        assert_eq!(counted, Some(menu.choices.len()), "{tasks}");
    }
}
