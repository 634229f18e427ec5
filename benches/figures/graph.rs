//! The graph of 100,000 tasks: built and asked, and the same after one change.

use std::sync::Arc;
use std::time::Duration;

use taskdeck::graph::DependencyGraph;
use taskdeck::list::{FileChange, FileContent, List};
use taskdeck::store::{Options, Store};
use taskdeck::task::{Dialect, Status};

use super::lists::{Tasks, id};
use super::table::{Table, Target, median, time};

fn answers(list: &List) -> usize {
    list.ready().len() + list.critical_path().len() + list.cycles().len()
}

pub fn measure(table: &mut Table) {
    for (count, build, change) in [(10_000, 6, 1), (100_000, 60, 2)] {
        let tasks = Tasks::make(count);
        let store = Store::open(&tasks.dir(), Some(Dialect::Omo), Options::default()).unwrap();
        let mut list = store.load().unwrap();
        let built = median(|| {
            let graph = list.graph();
            let states = (0..graph.len() as u32)
                .map(|node| graph.state(node))
                .collect();
            let (rules, edges) = (graph.rules(), graph.edges().to_vec());
            time(|| {
                let graph = DependencyGraph::build(rules, states, edges);
                let ready = (0..graph.len() as u32).filter(|node| !graph.is_blocked(*node));
                (ready.count(), graph.schedule(), graph.cycles())
            })
        });
        let goal = Target::Within(Duration::from_millis(build));
        table.row(
            &format!("graph: build and answer, {count} tasks"),
            built,
            goal,
        );
        answers(&list);
        let mut turn = 0;
        let changed = median(|| {
            turn += 1;
            let name = id(count / 2 + turn);
            let mut task =
                taskdeck::task::Task::clone(list.get(&taskdeck::task::TaskId::new(&name)).unwrap());
            task.status = if task.status == Status::Completed {
                Status::Pending
            } else {
                Status::Completed
            };
            task.raw = Arc::from(format!("{turn}").into_bytes());
            let file = FileChange {
                name: format!("{name}.json"),
                content: FileContent::Task(Arc::new(task)),
            };
            time(|| {
                list.apply(vec![file]);
                answers(&list)
            })
        });
        let goal = Target::Within(Duration::from_millis(change));
        table.row(
            &format!("graph: after one change, {count} tasks"),
            changed,
            goal,
        );
    }
}
