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

proptest! {
    #[test]
    fn what_is_written_back_means_the_same(text in "[-@#\":a-z .]{0,30}") {
        let query = Query::parse(&text);
        prop_assert_eq!(Query::parse(&query.to_string()), query);
    }
}
