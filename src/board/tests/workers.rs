use std::sync::Arc;

use super::*;
use crate::task::Json;
use crate::view::{Theme, draw_into};

const CLAIMED: &str =
    r#"{"run":{"attempt":2,"host":"box","runner":{"pid":1},"worker":{"pid":9},"at":0}}"#;
const FAILED: &str = r#"{"run":{"attempt":3,"exit":1,"ms":1500,"at":0,"failed":true}}"#;

/// A board on which `a` has a worker, `b` was given up on and `c` never had one.
fn with_workers() -> Model {
    let with = |text: &str, metadata: &str| {
        let mut file = file(text);
        if let FileContent::Task(task) = &mut file.content {
            let task = Arc::make_mut(task);
            task.metadata = Some(Json::raw(metadata));
            task.raw = Arc::from(format!("{text}{metadata}").into_bytes());
        }
        file
    };
    let files = vec![with("a in_progress @run", CLAIMED), with("b", FAILED)];
    let mut model = board("c");
    update(&mut model, Message::Resize(120, 40));
    update(&mut model, Message::Files(files));
    model
}

fn effects(model: &mut Model, key: &str) -> Vec<Effect> {
    update(model, Message::Key(key.parse().unwrap()))
}

fn screen(model: &Model) -> String {
    let area = ratatui::layout::Rect::new(0, 0, model.size.0, model.size.1);
    let mut buffer = ratatui::buffer::Buffer::empty(area);
    draw_into(model, &Theme::named("dark").unwrap(), &mut buffer);
    let cell = |cell: &ratatui::buffer::Cell| cell.symbol().to_owned();
    buffer.content().iter().map(cell).collect()
}

fn select(model: &mut Model, name: &str) -> Vec<Effect> {
    model.select(&id(name));
    update(model, Message::Clock(1))
}

#[test]
fn the_log_of_the_selected_task_is_followed_and_no_other() {
    let mut model = with_workers();
    select(&mut model, "c");
    assert_eq!(model.log, None);
    assert_eq!(
        select(&mut model, "a"),
        [Effect::FollowLog(Some(id("a")))],
        "once"
    );
    assert_eq!(select(&mut model, "a"), []);
    update(&mut model, Message::Log(id("a"), "one\rtwo\nthree".into()));
    update(&mut model, Message::Log(id("b"), "another's".into()));
    let drawn = screen(&model);
    for text in ["worker: attempt 2 on box", "┊ two", "┊ three", "1 worker"] {
        assert!(drawn.contains(text), "{text}");
    }
    assert!(!drawn.contains("another's"));
    assert_eq!(select(&mut model, "c"), [Effect::FollowLog(None)]);
}

#[test]
fn a_worker_is_stopped_after_a_question() {
    let mut model = with_workers();
    effects(&mut model, "W");
    assert_eq!(effects(&mut model, "enter"), []);
    assert!(matches!(model.top(), Some(Layer::Confirm(_))));
    let done = effects(&mut model, "y");
    assert!(
        matches!(&done[..], [Effect::StopWorker(claimed)] if claimed.worker.pid == 9),
        "{done:?}"
    );
}

#[test]
fn what_failed_is_retried_by_taking_its_record_away() {
    let mut model = with_workers();
    effects(&mut model, "W");
    effects(&mut model, "down");
    let done = effects(&mut model, "enter");
    let [Effect::Act(op)] = &done[..] else {
        panic!("{done:?}")
    };
    let plan = crate::list::plan(&model.list, Op::clone(op)).unwrap();
    assert_eq!(plan.subjects, [id("b")]);
    assert!(format!("{:?}", plan.changes).contains("SetMetadata(\"run\", None)"));
}

#[test]
fn the_runner_under_the_board_takes_more_at_a_time() {
    let mut model = with_workers();
    model.jobs = Some(2);
    assert!(screen(&model).contains("1/2 workers"));
    effects(&mut model, "W");
    for key in ["o", "n", "e", "space", "m", "o", "r", "e"] {
        effects(&mut model, key);
    }
    assert_eq!(effects(&mut model, "enter"), [Effect::Jobs(3)]);
    assert_eq!(model.jobs, Some(3));
}

#[test]
fn cards_say_how_often_a_runner_has_tried() {
    let mut model = with_workers();
    let drawn = screen(&model);
    assert!(drawn.contains("@run try 2"), "{drawn}");
    assert!(drawn.contains("failed 3×"), "{drawn}");
    update(&mut model, Message::Files(vec![file("a completed @run")]));
    assert!(!screen(&model).contains("try 2"));
}
