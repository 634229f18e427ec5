use proptest::prelude::*;

use super::*;

#[test]
fn terms_must_all_fit() {
    let list = list("login @atlas #high; logout @hera; cart<login @atlas completed; ship<login");
    let found = |text: &str| {
        let query = Query::parse(text);
        names(list.tasks().filter(|t| query.matches(&list, t)))
    };
    for (text, right) in [
        ("", "cart login logout ship"),
        ("LOG", "login logout"),
        ("log -in", "logout"),
        ("@atlas", "cart login"),
        ("@nobody", "ship"),
        ("#high", "login"),
        ("is:blocked", "ship"),
        ("is:open -is:ready", "ship"),
        ("status:completed", "cart"),
        ("id:T-lo", "login logout"),
        ("\"log\"", "login logout"),
        ("metadata.priority:high", "login"),
    ] {
        let right: String = right.to_owned();
        assert_eq!(found(text), right, "{text}");
    }
}

#[test]
fn the_board_also_takes_shortened_words() {
    let list = list("login; logout; landing");
    let found = |query: &Query| names(list.tasks().filter(|t| query.matches(&list, t)));
    assert_eq!(found(&Query::parse_loosely("lgn")), "login");
    assert_eq!(found(&Query::parse("lgn")), "");
    assert_eq!(found(&Query::parse_loosely("\"lgn\"")), "");
    assert_eq!(found(&Query::parse_loosely("-lgn")), "landing login logout");
    let marks = Query::parse_loosely("log og").found_in("a login");
    assert_eq!(marks.len(), 1, "words that overlap are marked once");
    assert_eq!(marks[0], 2..5);
}

#[test]
fn a_state_that_nothing_can_be_in_is_named() {
    assert_eq!(
        Query::parse("is:ready is:blokced").unknown_state(),
        Some("blokced")
    );
    assert_eq!(
        Query::parse("is:open -is:done x is:in_progress").unknown_state(),
        None
    );
}

proptest! {
    #[test]
    fn marks_lie_apart_in_whole_letters(text in "\\PC{0,20}", words in "[a-zß ]{0,8}") {
        let mut end = 0;
        for place in Query::parse_loosely(&words).found_in(&text) {
            prop_assert!(end <= place.start && place.start < place.end);
            prop_assert!(text.get(place.clone()).is_some());
            end = place.end;
        }
    }

    #[test]
    fn what_is_written_back_means_the_same(text in "[-@#\":a-z .]{0,30}") {
        let query = Query::parse(&text);
        prop_assert_eq!(Query::parse(&query.to_string()), query);
    }
}
