use super::create::create;
use super::draft::Draft;
use crate::list::{List, Refusal, RefusalCode, local_index};
use crate::task::{Dialect, EdgeField, Edit, Json, NewTask, Status, Task, TaskId};

/// Replaces a task by several in its place in the plan. Parts that wait for no other part inherit
/// what the task waited for; what waited for it waits for the parts that no other part waits for. They
/// stay with the owner that the task was given to; a task that somebody works on already is split
/// because it is too much for one, so that its parts are free.
pub(super) fn split(draft: &mut Draft, id: &TaskId, into: &[NewTask]) -> Result<(), Refusal> {
    let task = draft.readable(id)?.clone();
    let refuse = |what: String| Refusal::new(RefusalCode::ValidationError, what);
    if task.status.is_closed() {
        let (name, status) = (draft.list.name(id), task.status.as_str());
        return Err(refuse(format!(
            "{name} is {status}; only open tasks can be split"
        )));
    }
    let names_whole = |part: &NewTask| part.blocked_by.contains(id) || part.blocks.contains(id);
    if into.is_empty() || into.iter().any(names_whole) {
        let what = "a task is split into one or more tasks, none of which waits for the whole";
        return Err(refuse(what.to_owned()));
    }
    create(draft, &placed(draft.list, &task, into))?;
    for other in draft.list.dependants(id) {
        cut(draft, id, EdgeField::Blocks, &other, EdgeField::BlockedBy);
    }
    for other in draft.list.blockers(id) {
        cut(draft, id, EdgeField::BlockedBy, &other, EdgeField::Blocks);
    }
    match draft.list.dialect() {
        Dialect::Claude => draft.remove(id),
        Dialect::Omo | Dialect::OmoTeam => draft.edit(id, Edit::status(&Status::Deleted)),
    }
    Ok(())
}

/// Removes an edge from both ends.
fn cut(draft: &mut Draft, id: &TaskId, field: EdgeField, other: &TaskId, mirrored: EdgeField) {
    draft.edit(id, Edit::RemoveEdge(field, other.clone()));
    if draft.editable(other) {
        draft.edit(other, Edit::RemoveEdge(mirrored, id.clone()));
    }
}

/// The parts with what they inherit.
fn placed(list: &List, whole: &Task, into: &[NewTask]) -> Vec<NewTask> {
    let waits: Vec<(usize, usize)> = edges_between(into).collect();
    let place = |(at, part): (usize, &NewTask)| {
        let mut part = part.clone();
        if !waits.iter().any(|(dependant, _)| *dependant == at) {
            part.blocked_by.extend(list.blockers(&whole.id));
        }
        if !waits.iter().any(|(_, blocker)| *blocker == at) {
            part.blocks.extend(list.dependants(&whole.id));
        }
        part.parent_id = part.parent_id.or_else(|| whole.parent_id.clone());
        if !whole.status.is_active() {
            part.owner = part.owner.or_else(|| whole.owner.clone());
        }
        inherit_rank(&mut part, whole);
        part
    };
    into.iter().enumerate().map(place).collect()
}

/// The parts' edges among themselves: dependant, blocker.
fn edges_between(into: &[NewTask]) -> impl Iterator<Item = (usize, usize)> {
    into.iter().enumerate().flat_map(|(at, part)| {
        let blockers = part.blocked_by.iter().filter_map(local_index);
        let dependants = part.blocks.iter().filter_map(local_index);
        let waits = blockers.map(move |blocker| (at, blocker));
        waits.chain(dependants.map(move |dependant| (dependant, at)))
    })
}

/// Priority and manual order, where the part has none of its own.
fn inherit_rank(part: &mut NewTask, whole: &Task) {
    let members = whole.metadata.as_ref().and_then(Json::members);
    for (key, value) in members.unwrap_or_default() {
        let own = part.metadata.iter().any(|(k, _)| *k == key);
        if ["priority", "order"].contains(&key.as_str()) && !own {
            part.metadata.push((key, value));
        }
    }
}
