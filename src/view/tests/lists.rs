//! The screens of problems and lists, and the lane of what vanished.

use std::path::PathBuf;

use super::screens::{TASKS, board, press, text};
use crate::board::{Message, update};
use crate::list::{FileChange, FileContent};
use crate::store::discover::{Overview, Place, PlanProgress};
use crate::task::Dialect;

fn overview(
    dir: &str,
    title: Option<&str>,
    dialect: Dialect,
    done: usize,
    total: usize,
) -> Overview {
    Overview {
        place: Place {
            dir: PathBuf::from(dir),
            id: Some("a-list".into()),
            title: title.map(str::to_owned),
            running: false,
            reason: "the nearest .omo/tasks, written last".into(),
            exists: true,
            written_ms: Some(1_000_000 - 300_000),
        },
        opens: false,
        dialect,
        done,
        total,
        working: vec!["atlas".into(), "hera".into()],
        live: done < total,
        unreadable: None,
    }
}

#[test]
fn problems_say_what_they_mean_for_the_agent() {
    let mut model = board(&TASKS, (80, 24));
    press(&mut model, "p");
    insta::assert_snapshot!(text(&model));
}

#[test]
fn lists_show_how_far_they_are() {
    let mut model = board(&TASKS, (80, 24));
    model.place.dir = PathBuf::from("/shop/.omo/tasks");
    press(&mut model, "ctrl-l");
    let all = vec![
        overview("/shop/.omo/tasks", None, Dialect::Omo, 1, 7),
        overview(
            "/home/.claude/tasks/x",
            Some("login fix"),
            Dialect::Claude,
            3,
            3,
        ),
        overview(
            "/home/.omo/runtime/y/tasks",
            Some("解析チーム"),
            Dialect::OmoTeam,
            0,
            0,
        ),
    ];
    let plan = PlanProgress {
        name: "tidy".into(),
        file: PathBuf::from("/shop/.omo/plans/tidy.md"),
        status: "active".into(),
        done: 2,
        total: 5,
        next: Some("rename the module".into()),
    };
    update(&mut model, Message::Lists(all, Some(plan)));
    press(&mut model, "down");
    insta::assert_snapshot!(text(&model));
}

#[test]
fn what_vanished_has_a_lane_of_its_own() {
    let mut model = board(&TASKS, (120, 24));
    let gone = FileChange {
        name: "T-0003.json".into(),
        content: FileContent::Gone,
    };
    update(&mut model, Message::Files(vec![gone]));
    press(&mut model, "l l l l l");
    insta::assert_snapshot!(text(&model));
}
