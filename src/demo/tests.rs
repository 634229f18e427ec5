use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use crate::list::{Change, FileChange, FileContent, List, plan};
use crate::task::{EdgeField, Edit, Field, Json, Task};

#[test]
fn every_scenario_is_a_plan_that_can_be_worked_off() {
    for name in Scenario::names() {
        let scenario = Scenario::named(name).unwrap();
        assert!(
            (25..=40).contains(&scenario.task.len()),
            "{name}: {}",
            scenario.task.len()
        );
        assert!(scenario.agents.len() >= 6, "{name}");
        let keys: BTreeSet<&str> = scenario.task.iter().map(|t| t.key.as_str()).collect();
        let subjects: BTreeSet<&str> = scenario.task.iter().map(|t| t.subject.as_str()).collect();
        assert_eq!(
            (keys.len(), subjects.len()),
            (scenario.task.len(), scenario.task.len()),
            "{name}"
        );
        for task in &scenario.task {
            assert!(
                task.needs.iter().all(|key| keys.contains(key.as_str())),
                "{name}: {}",
                task.key
            );
        }
        let mut list = List::new(Dialect::Omo);
        carry_out(&mut list, Op::Create(scenario.tasks(&mut Random::new(1))));
        assert!(list.cycles().is_empty(), "{name}");
    }
}

#[test]
fn agents_finish_every_scenario_and_the_seed_decides_how() {
    for name in Scenario::names() {
        let (first, again, other) = (work_off(name, 7), work_off(name, 7), work_off(name, 8));
        assert_eq!(first, again, "{name}");
        assert_ne!(first, other, "{name}");
    }
}

#[test]
fn a_rehearsal_is_the_same_each_time_and_gets_everything_done() {
    let scenes = || {
        let mut rehearsal = Rehearsal::start("incident", 3, 5).unwrap();
        let mut told = Vec::new();
        while !is_finished(rehearsal.list()) {
            let scene = rehearsal.step().unwrap();
            let names: Vec<String> = scene.files.into_iter().map(|file| file.name).collect();
            told.push((scene.at_ms, names));
            assert!(told.len() < 5_000, "{told:?}");
        }
        told
    };
    let first = scenes();
    assert!(first.is_sorted_by_key(|(at_ms, _)| *at_ms));
    assert_eq!(first, scenes());
}

#[test]
fn unknown_scenarios_are_named() {
    assert!(
        Scenario::named("nothing")
            .unwrap_err()
            .to_string()
            .contains("webshop")
    );
}

/// Lets four agents take turns until all is done; gives what they did.
fn work_off(name: &str, seed: u64) -> Vec<String> {
    let scenario = Scenario::named(name).unwrap();
    let mut random = Random::new(seed);
    let mut list = List::new(Dialect::Omo);
    carry_out(&mut list, Op::Create(scenario.tasks(&mut random)));
    let mut agents: Vec<Agent> = scenario.agents[..4]
        .iter()
        .map(|n| Agent::new(n, Random::new(random.below(u64::MAX))))
        .collect();
    let mut story = Vec::new();
    for turn in 0.. {
        assert!(turn < 2_000, "{name} does not end: {story:?}");
        let agent = &mut agents[turn % 4];
        let Some(op) = agent.next(&list, &scenario) else {
            if is_finished(&list) {
                return story;
            }
            continue;
        };
        story.push(format!("{} {op:?}", agent.name()));
        if carry_out(&mut list, op.clone())
            && let Some(after) = agent.afterwards(&list, &op)
        {
            assert!(carry_out(&mut list, after));
        }
    }
    story
}

/// What the store does, without a disk.
fn carry_out(list: &mut List, op: Op) -> bool {
    let Ok(plan) = plan(list, op) else {
        return false;
    };
    for change in plan.changes {
        let task = match change {
            Change::Create(new) => {
                let mut task = Task::new(new.id.clone().unwrap());
                task.subject = new.subject.clone();
                task.blocks = new.blocks.clone();
                task.blocked_by = new.blocked_by.clone();
                task
            }
            Change::Patch { id, patch, .. } => {
                let mut task = Task::clone(list.get(&id).unwrap());
                patch.edits.iter().for_each(|edit| apply(&mut task, edit));
                task
            }
            Change::Remove { .. } => unreachable!("agents remove nothing"),
        };
        let mut task = task;
        task.raw = Arc::from(raw(&task).into_bytes());
        let name = format!("{}.json", task.id);
        list.apply(vec![FileChange {
            name,
            content: FileContent::Task(Arc::new(task)),
        }]);
    }
    true
}

fn apply(task: &mut Task, edit: &Edit) {
    let text = |v: &Option<Json>| {
        v.as_ref()
            .and_then(Json::parse)
            .and_then(|v| v.as_str().map(str::to_owned))
    };
    match edit {
        Edit::Set(Field::Status, v) => {
            task.status = crate::task::Status::parse(&text(v).unwrap(), Dialect::Omo);
        }
        Edit::Set(Field::Owner, v) => task.owner = text(v),
        Edit::Set(Field::ActiveForm, v) => task.active_form = text(v),
        Edit::Set(..) | Edit::SetKey(..) | Edit::ByteOrderMark(_) => {}
        Edit::SetMetadata(key, v) => {
            let old = task
                .metadata
                .as_ref()
                .and_then(Json::parse)
                .unwrap_or(serde_json::json!({}));
            let mut members = old.as_object().unwrap().clone();
            members.insert(key.clone(), v.as_ref().and_then(Json::parse).unwrap());
            task.metadata = Some(Json::value(&members.into()));
        }
        Edit::AddEdge(EdgeField::Blocks, id) => task.blocks.push(id.clone()),
        Edit::AddEdge(EdgeField::BlockedBy, id) => task.blocked_by.push(id.clone()),
        Edit::RemoveEdge(..) => {}
    }
}

fn raw(task: &Task) -> String {
    let metadata = task.metadata.as_ref().map_or("{}", Json::as_str);
    let ids = |ids: &[crate::task::TaskId]| format!("{ids:?}");
    format!(
        "{{\"subject\":{:?},\"status\":{:?},\"owner\":{},\"activeForm\":{},\"blocks\":{},\"blockedBy\":{},\"metadata\":{metadata}}}",
        task.subject,
        task.status.as_str(),
        Json::value(&task.owner.clone().into()),
        Json::value(&task.active_form.clone().into()),
        ids(&task.blocks),
        ids(&task.blocked_by),
    )
}

#[test]
fn a_demo_goes_on_in_its_own_folder_and_leaves_other_tasks_alone() {
    let folder = tempfile::tempdir().unwrap();
    let options = |speed: f64| DemoOptions {
        agents: 0,
        speed,
        seed: 1,
        scenario: "webshop".into(),
        dir: Some(folder.path().to_owned()),
    };
    for speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Run::start(&options(speed)).is_err(), "speed {speed}");
    }
    let made = Run::start(&options(1.0))
        .unwrap()
        .store()
        .load()
        .unwrap()
        .len();
    let again = Run::start(&options(1.0))
        .unwrap()
        .store()
        .load()
        .unwrap()
        .len();
    assert_eq!(made, again);
    let foreign = r#"{"id":"T-x","subject":"x","description":"","status":"pending","blocks":[],"blockedBy":[],"threadID":"ses"}"#;
    std::fs::write(folder.path().join("T-x.json"), foreign).unwrap();
    let error = Run::start(&options(1.0)).err().unwrap().to_string();
    assert!(error.contains("no demo made"), "{error}");
}
