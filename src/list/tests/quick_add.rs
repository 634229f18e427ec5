use super::*;

#[test]
fn one_line_is_a_whole_task() {
    let list = list("aaaaaa; bbbbbb; bbbbbc");
    let task = list
        .quick_add("Fix  login >T-aaaaaa @atlas #high <T-bbbbbb")
        .unwrap();
    assert_eq!(task.subject, "Fix login");
    assert_eq!(task.owner.as_deref(), Some("atlas"));
    assert_eq!(task.blocked_by, [id("aaaaaa")]);
    assert_eq!(task.blocks, [id("bbbbbb")]);
    assert_eq!(task.metadata[0].1.as_str(), "\"high\"");
}

#[test]
fn what_only_looks_like_a_mark_belongs_to_the_subject() {
    let list = list("aaaaaa");
    for subject in [
        "Fix #123",
        "a -> b",
        "x > y",
        "mail bob@web.de",
        "# and @",
        "<b> tag",
        "1 >= 0",
    ] {
        let task = list.quick_add(subject).unwrap();
        assert_eq!(task.subject, subject);
        assert!(task.owner.is_none() && task.blocked_by.is_empty() && task.metadata.is_empty());
    }
}

#[test]
fn a_task_that_is_not_there_is_named() {
    let refusal = list("aaaaaa").quick_add("x >T-zzzzzz").unwrap_err();
    assert_eq!(refusal.code, RefusalCode::TaskNotFound);
    assert!(refusal.what.contains("T-zzzzzz"));
}

#[test]
fn a_task_is_named_by_a_part_of_its_subject_that_only_one_has() {
    let list = list("build; deploy; deploy2 completed; test1; test2");
    assert_eq!(list.resolve_typed("Depl").unwrap(), id("deploy"));
    assert_eq!(list.resolve_typed("T-build").unwrap(), id("build"));
    let several = list.resolve_typed("test").unwrap_err();
    assert_eq!(several.code, RefusalCode::AmbiguousId);
    assert!(list.resolve_typed("nothing").is_err());
}
