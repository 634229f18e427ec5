use proptest::prelude::*;

use super::*;

fn kinds(delta: &Delta) -> Vec<(&'static str, String)> {
    let told = delta.events.iter();
    told.map(|e| {
        (
            e.kind.as_str(),
            e.id.as_str().trim_start_matches("T-").to_owned(),
        )
    })
    .collect()
}

#[test]
fn changes_are_told_as_people_speak_of_them() {
    let mut list = list("a; b<a; c deleted");
    let mut tell = |files: Vec<FileChange>| kinds(&list.apply(files));
    let said = |k: &'static str, i: &str| (k, i.to_owned());
    assert_eq!(tell(files("a in_progress")), [said("started", "a")]);
    assert_eq!(
        tell(files("a completed")),
        [said("completed", "a"), said("unblocked", "b")]
    );
    assert_eq!(
        tell(files("a pending")),
        [said("reopened", "a"), said("blocked", "b")]
    );
    assert_eq!(tell(files("a pending @hera")), [said("updated", "a")]);
    assert_eq!(tell(files("a pending @hera")), []);
    assert_eq!(tell(files("c pending")), [said("reopened", "c")]);
    assert_eq!(tell(files("d")), [said("created", "d")]);
    assert_eq!(tell(vec![gone("d")]), [said("vanished", "d")]);
    assert_eq!(tell(vec![broken("a")]), [said("problem", "a.json")]);
    assert_eq!(tell(files("b deleted")), [said("deleted", "b")]);
}

#[test]
fn a_blocker_that_appears_or_goes_moves_its_dependant() {
    let mut list = list("b<a");
    assert_eq!(list.state(&id("b")), Some(State::Blocked));
    let delta = list.apply(files("a completed"));
    assert_eq!(delta.restated, [(id("b"), State::Blocked, State::Ready)]);
    let delta = list.apply(vec![gone("a")]);
    assert_eq!(delta.restated, [(id("b"), State::Ready, State::Blocked)]);
}

#[test]
fn a_replaced_file_keeps_when_it_was_first_seen() {
    let mut list = list("a");
    list.set_first_seen(&id("a"), 7);
    let mut newer = Task::clone(&task("a in_progress"));
    newer.first_seen = Some(99);
    list.apply(vec![file(Arc::new(newer))]);
    assert_eq!(list.get(&id("a")).unwrap().first_seen, Some(7));
}

/// One random change of one of five files.
fn change() -> impl Strategy<Value = FileChange> {
    let name = 0_usize..5;
    let status = prop_oneof![
        Just("pending"),
        Just("in_progress"),
        Just("completed"),
        Just("deleted")
    ];
    let edges = proptest::collection::vec(0_usize..6, 0..3);
    (name, status, edges.clone(), edges, 0..8).prop_map(|(name, status, waits, blocks, kind)| {
        let names = ["a", "b", "c", "d", "e", "missing"];
        let join = |places: Vec<usize>| {
            places
                .iter()
                .map(|p| names[*p])
                .collect::<Vec<_>>()
                .join(",")
        };
        match kind {
            0 => gone(names[name]),
            1 => broken(names[name]),
            _ => {
                let blocks = if blocks.is_empty() {
                    String::new()
                } else {
                    format!(">{}", join(blocks))
                };
                file(task(&format!(
                    "{}<{} {status} {blocks}",
                    names[name],
                    join(waits)
                )))
            }
        }
    })
}

fn answers(list: &List) -> Vec<String> {
    let of = |t: &Arc<Task>| {
        let (state, blockers) = (list.state(&t.id), list.open_blockers(&t.id));
        let opens = list.opens_now(&t.id);
        let schedule = list.schedule();
        let place = list
            .node(&t.id)
            .map(|n| (schedule.level(n), schedule.chain(n)));
        format!(
            "{} {state:?} {blockers:?} {opens:?} {:?} {place:?}",
            t.id,
            list.warnings(&t.id)
        )
    };
    let whole = format!(
        "{:?} {:?}",
        list.cycles(),
        list.tasks().map(|t| &t.id).collect::<Vec<_>>()
    );
    list.ordered().into_iter().map(of).chain([whole]).collect()
}

proptest! {
    /// Any way that leads to the same files leads to the same answers; and the columns that a
    /// delta tells are the columns that changed.
    #[test]
    fn changes_one_by_one_are_like_loading_afresh(
        changes in proptest::collection::vec(change(), 1..25),
        batch in 1_usize..4,
    ) {
        let mut list = List::new(Dialect::Omo);
        let mut last_good: BTreeMap<String, Vec<FileChange>> = BTreeMap::new();
        for changes in changes.chunks(batch) {
            let before: Vec<(TaskId, Option<State>)> =
                list.tasks().map(|t| (t.id.clone(), list.state(&t.id))).collect();
            answers(&list); // what is worked out now has to be mended by the change
            let delta = list.apply(changes.to_vec());
            // Answers that outlived the change are those that would be worked out anew.
            let mut forgetful = list.clone();
            forgetful.derived = Derived::default();
            prop_assert_eq!(answers(&list), answers(&forgetful));
            prop_assert_eq!(list.critical_path(), forgetful.critical_path());
            for (id, state) in before {
                if let (Some(was), Some(is)) = (state, list.state(&id)) {
                    let told = delta.restated.iter().any(|(i, ..)| *i == id);
                    prop_assert_eq!(told, was != is, "{}", id);
                }
            }
            for change in changes {
                let files = last_good.entry(change.name.clone()).or_default();
                match change.content {
                    // A broken file is judged by its last good content, so that stays below it.
                    FileContent::Broken { .. } => files.truncate(1),
                    _ => files.clear(),
                }
                if change.content != FileContent::Gone {
                    files.push(change.clone());
                }
            }
        }
        let mut fresh = List::new(Dialect::Omo);
        for files in last_good.into_values() {
            for file in files {
                fresh.apply(vec![file]);
            }
        }
        prop_assert_eq!(answers(&list), answers(&fresh));
        for task in list.ready() {
            prop_assert!(list.open_blockers(&task.id).is_empty());
        }
    }
}

#[test]
fn an_update_names_the_fields_that_changed() {
    let long = crate::task::Json::raw(format!("{{\"plan\":\"{}\"}}", "x".repeat(40)));
    let cases = [
        ("a #high", "a #critical", "priority high → critical"),
        ("a", "a #low", "priority – → low"),
        ("a @atlas", "a", "owner atlas → –"),
        ("a<b,c", "a<b,d,e", "blockedBy +2 −1"),
        ("a<b", "a", "blockedBy −1"),
        ("a !1 #low", "a !2 #low", "order 1 → 2"),
        ("a @iris >b", "a @pan >b,c", "owner iris → pan, blocks +1"),
    ];
    for (before, now, words) in cases {
        let mut list = list(before);
        let delta = list.apply(files(now));
        assert_eq!(
            delta.events[0].fields_in_words(),
            words,
            "{before} to {now}"
        );
    }
    let mut list = list("a");
    let mut now = Task::clone(&task("a"));
    (now.subject, now.metadata) = ("Another name".repeat(5), Some(long));
    now.raw = Arc::from(&b"{}"[..]);
    let delta = list.apply(vec![file(Arc::new(now))]);
    assert_eq!(delta.events[0].fields_in_words(), "subject, plan");
}
