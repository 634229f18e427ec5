//! The graph for programs: JSON, Graphviz and Mermaid.

use std::collections::{BTreeSet, HashMap};

use serde_json::json;

use super::Picture;
use crate::task::{State, TaskId};

impl Picture<'_> {
    /// The rings with a member in the picture.
    pub(super) fn rings(&self) -> Vec<Vec<TaskId>> {
        let shown: BTreeSet<&TaskId> = self.ids.iter().collect();
        let mut rings = self.list.cycles();
        rings.retain(|ring| ring.iter().any(|id| shown.contains(id)));
        rings
    }

    /// Per edge, whether it lies within a ring of open tasks.
    fn within_rings(&self) -> Vec<bool> {
        let rings = self.rings();
        let mut ring_of: HashMap<&TaskId, usize> = HashMap::new();
        for (number, ring) in rings.iter().enumerate() {
            ring_of.extend(ring.iter().map(|id| (id, number)));
        }
        let ring = |place: u32| ring_of.get(&self.ids[place as usize]);
        let edges = self.edges.iter();
        edges
            .map(|(from, to)| ring(*from).is_some() && ring(*from) == ring(*to))
            .collect()
    }

    pub(super) fn json(&self) -> serde_json::Value {
        let texts = |ids: &[TaskId]| ids.iter().map(TaskId::to_string).collect::<Vec<_>>();
        let node = |id: &TaskId| {
            let task = self.list.get(id);
            let subject = task.map_or("", |t| t.subject.as_str());
            json!({"id": id.as_str(), "subject": subject, "state": self.list.state(id).map(State::as_str)})
        };
        let edge = |(edge, in_cycle): (&(u32, u32), bool)| {
            let (from, to) = self.ends(*edge);
            json!({"from": from.as_str(), "to": to.as_str(), "inCycle": in_cycle})
        };
        let mut critical = self.list.critical_path();
        let shown: BTreeSet<&TaskId> = self.ids.iter().collect();
        critical.retain(|id| shown.contains(id));
        let edges = self.edges.iter().zip(self.within_rings());
        json!({
            "nodes": self.ids.iter().map(node).collect::<Vec<_>>(),
            "edges": edges.map(edge).collect::<Vec<_>>(),
            "cycles": self.rings().iter().map(|ring| texts(ring)).collect::<Vec<_>>(),
            "criticalPath": texts(&critical),
        })
    }

    pub(super) fn dot(&self) -> String {
        let mut out =
            String::from("digraph tasks {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n");
        for (id, place) in self.ids.iter().zip(0_u32..) {
            let colour = match self.list.state(id) {
                Some(State::Ready) => "#2e7d32",
                Some(State::Blocked) => "#8a6100",
                Some(State::InProgress) => "#1f5fbf",
                Some(State::Completed | State::Deleted) => "#6a717d",
                _ => "#843fa8",
            };
            let label = quoted(&self.label(place));
            out.push_str(&format!(
                "  {} [label={label}, color=\"{colour}\"];\n",
                quoted(id.as_str())
            ));
        }
        for (edge, in_cycle) in self.edges.iter().zip(self.within_rings()) {
            let (from, to) = self.ends(*edge);
            let style = if in_cycle {
                " [style=dashed, color=\"#b82a35\"]"
            } else {
                ""
            };
            out.push_str(&format!(
                "  {} -> {}{style};\n",
                quoted(from.as_str()),
                quoted(to.as_str())
            ));
        }
        out.push_str("}\n");
        out
    }

    pub(super) fn mermaid(&self) -> String {
        let shown: BTreeSet<&TaskId> = self.ids.iter().collect();
        crate::tools::mermaid(self.list, |id| shown.contains(id))
    }

    fn ends(&self, (from, to): (u32, u32)) -> (&TaskId, &TaskId) {
        (&self.ids[from as usize], &self.ids[to as usize])
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
