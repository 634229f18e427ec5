//! What a person's edit means to an agent at work, in sentences.

use crate::list::{Change, List, Plan};
use crate::task::{EdgeField, Edit, Field, Json, Patch, TaskId};

/// The notices that a person's plan gives rise to: a task and a sentence each. `list` is the list
/// before or after it, for the subjects.
pub fn notices(plan: &Plan, list: &List) -> Vec<(String, String)> {
    let subject = |id: &TaskId| match list.get(id) {
        Some(task) if !task.subject.is_empty() => format!("\"{}\"", task.subject),
        _ => id.to_string(),
    };
    let mut all = Vec::new();
    for change in &plan.changes {
        let (id, did) = match change {
            Change::Create(task) => match &task.id {
                Some(id) => (id, vec![format!("created \"{}\"", task.subject)]),
                None => continue,
            },
            Change::Remove { id } => (id, vec![format!("deleted {}", subject(id))]),
            Change::Patch { id, patch, .. } => (id, edits(patch, &subject(id), &subject)),
        };
        all.extend(
            did.into_iter()
                .map(|did| (id.to_string(), format!("a person {did}"))),
        );
    }
    all
}

fn edits(patch: &Patch, task: &str, subject: &dyn Fn(&TaskId) -> String) -> Vec<String> {
    let text = |value: &Option<Json>| value.as_ref().and_then(Json::text);
    let one = |edit: &Edit| match edit {
        Edit::Set(Field::Status, value) => text(value).map(|status| match status.as_str() {
            "deleted" => format!("deleted {task}"),
            status => format!("set {task} to {status}"),
        }),
        Edit::Set(Field::Owner, value) => Some(match text(value) {
            Some(owner) if !owner.is_empty() => format!("gave {task} to {owner}"),
            _ => format!("took the owner off {task}"),
        }),
        Edit::Set(field @ (Field::Subject | Field::Description), _) => {
            Some(format!("changed the {} of {task}", field.key()))
        }
        Edit::SetMetadata(key, value) if key == "priority" => Some(match text(value) {
            Some(priority) => format!("set the priority of {task} to {priority}"),
            None => format!("took the priority off {task}"),
        }),
        Edit::SetMetadata(key, _) if key == "order" => {
            Some(format!("moved {task} in the order of work"))
        }
        Edit::AddEdge(EdgeField::BlockedBy, id) => {
            Some(format!("made {task} wait for {}", subject(id)))
        }
        Edit::RemoveEdge(EdgeField::BlockedBy, id) => Some(format!(
            "unblocked {task}: it no longer waits for {}",
            subject(id)
        )),
        _ => None,
    };
    patch.edits.iter().filter_map(one).collect()
}
