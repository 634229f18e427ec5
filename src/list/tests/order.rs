use super::*;

#[test]
fn priority_then_manual_order_then_what_it_opens_then_when_it_was_seen() {
    let mut list = list("a; b #high; c !2; d !1; e; f #low !1; x<e; y<e; z<a,b");
    list.set_first_seen(&id("a"), 50);
    assert_eq!(names(list.ready()), "b d c e a f");
}

#[test]
fn first_seen_decides_before_the_id_and_unknown_counts_last() {
    let mut list = list("a; b; c");
    list.set_first_seen(&id("c"), 10);
    list.set_first_seen(&id("b"), 20);
    assert_eq!(names(list.ready()), "c b a");
}

#[test]
fn numbered_lists_go_by_number() {
    let numbered = |n: &str| {
        let mut task = Task::new(TaskId::new(n));
        task.first_seen = Some(100 - n.parse::<i64>().unwrap());
        task.raw = Arc::from(n.as_bytes());
        file(Arc::new(task))
    };
    let list = List::from_files(Dialect::Claude, ["10", "9", "2"].map(numbered).to_vec());
    let ids: Vec<&str> = list.ready().iter().map(|t| t.id.as_str()).collect();
    assert_eq!(ids, ["2", "9", "10"]);
    assert_eq!(list.next_number(), Some(11));
}

#[test]
fn columns_stand_from_left_to_right() {
    let list = list("a completed; b in_progress; c<b; d; e deleted; f odd");
    assert_eq!(names(list.ordered()), "d c b a e f");
}

#[test]
fn what_the_runner_gave_up_on_comes_last() {
    let mut failed = Task::clone(&task("a #high"));
    let metadata = r#"{"priority":"high","run":{"failed":true}}"#;
    failed.metadata = Some(crate::task::Json::raw(metadata));
    let list = List::from_files(
        Dialect::Omo,
        vec![file(Arc::new(failed)), file(task("b #low"))],
    );
    assert_eq!(names(list.ready()), "b a");
}
