use super::*;
use crate::task::WarningCode;

fn codes(list: &List, short: &str) -> Vec<WarningCode> {
    list.warnings(&id(short))
        .into_iter()
        .map(|w| w.code)
        .collect()
}

#[test]
fn states_follow_from_status_and_blockers() {
    let list = list("a completed; b<a; c<b; d in_progress; e deleted; f odd");
    let states: Vec<State> = "abcdef"
        .chars()
        .map(|c| list.state(&id(&c.to_string())).unwrap())
        .collect();
    use State::{Blocked, Completed, Deleted, InProgress, Other, Ready};
    assert_eq!(
        states,
        [Completed, Ready, Blocked, InProgress, Deleted, Other]
    );
}

#[test]
fn every_blocker_comes_with_its_reason() {
    let mut files = files("a<p,d,m,u,o,a; p; d deleted; o odd");
    files.push(broken("u"));
    let list = List::from_files(Dialect::Omo, files);
    let reasons: Vec<(String, BlockReason)> = list
        .open_blockers(&id("a"))
        .into_iter()
        .map(|b| (b.id.to_string(), b.reason))
        .collect();
    use BlockReason::{Deleted, Itself, Missing, OtherStatus, Pending, Unreadable};
    let right = [
        ("T-a", Itself),
        ("T-d", Deleted),
        ("T-m", Missing),
        ("T-o", OtherStatus),
        ("T-p", Pending),
        ("T-u", Unreadable),
    ];
    assert_eq!(reasons, right.map(|(i, r)| (i.to_owned(), r)));
}

#[test]
fn dialects_differ_about_missing_and_deleted_blockers() {
    for (dialect, missing, deleted) in [
        (Dialect::Omo, true, true),
        (Dialect::OmoTeam, false, true),
        (Dialect::Claude, false, false),
    ] {
        let list = List::from_files(dialect, files("a<m; b<d; d deleted"));
        assert_eq!(list.is_blocked(&id("a")), missing, "{dialect:?}: missing");
        assert_eq!(list.is_blocked(&id("b")), deleted, "{dialect:?}: deleted");
    }
}

#[test]
fn a_broken_file_is_judged_by_its_last_good_content() {
    let mut list = list("a completed; b<a");
    list.apply(vec![broken("a")]);
    assert_eq!(list.state(&id("b")), Some(State::Ready));
    assert_eq!(list.problems().len(), 1);
    assert!(list.get(&id("a")).is_some(), "the card stays");
    list.apply(vec![file(task("a pending"))]);
    assert_eq!(list.state(&id("b")), Some(State::Blocked));
    assert!(list.problems().is_empty());
}

#[test]
fn relations_are_warned_of_at_both_ends() {
    let list = list("a >b; b; c<x >y; d<d; e<f; f<e; g<b in_progress; h<i; i deleted >h");
    assert_eq!(codes(&list, "a"), [WarningCode::OneSidedEdge]);
    assert_eq!(codes(&list, "b"), [WarningCode::OneSidedEdge]);
    assert_eq!(
        codes(&list, "c"),
        [WarningCode::MissingBlocker, WarningCode::MissingDependent]
    );
    assert_eq!(
        codes(&list, "d"),
        [WarningCode::SelfBlock, WarningCode::Cycle]
    );
    assert!(codes(&list, "e").contains(&WarningCode::Cycle));
    assert!(codes(&list, "g").contains(&WarningCode::StartedWhileBlocked));
    assert_eq!(codes(&list, "h"), [WarningCode::DeletedBlocker]);
}

#[test]
fn texts_name_tasks_exactly_or_by_a_unique_long_prefix() {
    let list = list("3d0aa111; 3d0aa112; 9f1a2b3c");
    let found = |text: &str, how| list.resolve(text, how).map(|id| id.to_string());
    assert_eq!(found("T-9f1a2b", Resolve::Prefix), Ok("T-9f1a2b3c".into()));
    let code = |text: &str, how| list.resolve(text, how).unwrap_err().code;
    assert_eq!(code("T-9f1a2b", Resolve::Exact), RefusalCode::TaskNotFound);
    assert_eq!(code("T-9f1a", Resolve::Prefix), RefusalCode::TaskNotFound);
    assert_eq!(code("T-3d0aa11", Resolve::Prefix), RefusalCode::AmbiguousId);
    assert_eq!(code("../x", Resolve::Prefix), RefusalCode::InvalidTaskId);
    assert_eq!(code("1a2b3c", Resolve::Prefix), RefusalCode::InvalidTaskId);
}

#[test]
fn a_text_that_names_nothing_may_have_meant_a_task() {
    let mut list = list("3d0aa111; 3d0aa112; 9f1a2b3c completed");
    let mut login = Task::clone(&task("7c0ffee0"));
    login.subject = "Fix the Login page".to_owned();
    list.apply(vec![file(Arc::new(login))]);
    let meant = |text: &str| list.suggestion(text).map(|task| task.id.to_string());
    assert_eq!(meant("9f1a2b").as_deref(), Some("T-9f1a2b3c"));
    assert_eq!(meant("login").as_deref(), Some("T-7c0ffee0"));
    for nothing in ["3d0aa1", "logout", "", " ", "T-"] {
        assert_eq!(meant(nothing), None, "{nothing}");
    }
}

#[test]
fn why_shows_each_task_once_down_to_the_roots() {
    let list = list("a<b,c; b<d; c<d; d<e; e in_progress");
    let lines: Vec<String> = list
        .why(&id("a"))
        .lines
        .iter()
        .map(|l| {
            format!(
                "{}{}{}",
                l.depth,
                &l.id.as_str()[2..],
                if l.seen { "*" } else { "" }
            )
        })
        .collect();
    assert_eq!(lines, ["0a", "1b", "2d", "3e", "1c", "2d*"]);
}

#[test]
fn a_ladder_of_diamonds_is_explained_in_as_many_lines_as_edges() {
    let rungs = (1..30).map(|n| {
        let below = format!("{:02}x,{:02}y", n - 1, n - 1);
        format!("{n:02}x<{below}; {n:02}y<{below}")
    });
    let text = std::iter::once("00x; 00y".to_owned())
        .chain(rungs)
        .collect::<Vec<_>>()
        .join("; ");
    let list = list(&text);
    assert!(list.why(&id("29x")).lines.len() <= 1 + 118);
}

#[test]
fn a_ring_of_thousands_is_put_into_words_once() {
    let many = 4_000;
    let text: Vec<String> = (0..many)
        .map(|n| format!("r{n}<r{}", (n + 1) % many))
        .collect();
    let list = list(&text.join("; "));
    let warned = list.tasks().filter(|task| {
        list.warnings(&task.id)
            .iter()
            .any(|w| w.code == WarningCode::Cycle)
    });
    assert_eq!(warned.count(), many);
}
