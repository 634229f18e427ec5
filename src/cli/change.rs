//! The commands that change tasks: `create`, `update`, `start`, `done`, `reopen`, `delete`, `claim`.

use std::io::{self, Write};

use serde_json::json;

use super::answer;
use super::args::{CreateArgs, Fields, Ids, PriorityName, UpdateArgs};
use super::failure::Failure;
use super::paint::Paint;
use super::session::{Session, given};
use crate::list::{List, Needs, Op};
use crate::store::Committed;
use crate::task::{
    Dialect, EdgeField, Edit, Field, Json, NewTask, Patch, Priority, Status, Task, TaskId,
};
use crate::text::clean_line;

/// `create`
pub fn create(
    session: &mut Session,
    args: &CreateArgs,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let named =
        !args.blocked_by.is_empty() || !args.blocks.is_empty() || args.fields.parent.is_some();
    let fields = &args.fields;
    let dialect = session.store.dialect();
    let id = (dialect == Dialect::Omo).then(|| TaskId::new(format!("T-{}", uuid::Uuid::new_v4())));
    let mut list = match (named, &id) {
        (false, Some(_)) => List::new(dialect),
        _ => session.load()?,
    };
    let (subject, body) = message(&args.subject)?;
    let description = fields.description.as_deref().map(given).transpose()?;
    let task = NewTask {
        id,
        subject: subject.clone(),
        description: description.unwrap_or(body),
        status: Status::Pending,
        active_form: fields.active_form.clone().filter(|t| !t.is_empty()),
        owner: fields.owner.clone().filter(|t| !t.is_empty()),
        blocks: resolve_all(session, &list, &args.blocks)?,
        blocked_by: resolve_all(session, &list, &args.blocked_by)?,
        metadata: metadata(fields)?,
        repo_url: fields.repo_url.clone().filter(|t| !t.is_empty()),
        parent_id: fields
            .parent
            .as_deref()
            .map(|p| session.resolve(&list, p))
            .transpose()?,
        thread_id: session.thread_id(fields.thread.as_deref()),
    };
    let op = Op::Create(vec![task]);
    debug_assert!(named || op.needs() == Needs::Nothing || dialect.is_numbered());
    let committed = session.act(&mut list, op)?;
    let id = committed
        .plan
        .subjects
        .first()
        .cloned()
        .unwrap_or_else(|| TaskId::new(""));
    if session.global.json {
        let mut answer = json!({"task": {"id": id.as_str(), "subject": subject}});
        if !committed.warnings.is_empty() {
            answer["warnings"] = answer::warned(&committed.warnings).into();
        }
        writeln!(out, "{answer}")?;
    } else {
        writeln!(out, "{id}")?;
        if !session.global.quiet {
            tell(&committed)?;
        }
    }
    Ok(())
}

/// A subject as it is, or with `-` the first line of standard input; what follows there describes
/// the task.
fn message(subject: &str) -> io::Result<(String, String)> {
    if subject != "-" {
        return Ok((subject.to_owned(), String::new()));
    }
    let text = given(subject)?;
    let (subject, body) = text.trim().split_once('\n').unwrap_or((text.trim(), ""));
    Ok((subject.trim_end().to_owned(), body.trim().to_owned()))
}

/// `update`
pub fn update(
    session: &mut Session,
    args: &UpdateArgs,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let list = session.load()?;
    let mut edits = Vec::new();
    if let Some(subject) = &args.subject {
        edits.push(Edit::text(Field::Subject, subject));
    }
    if let Some(status) = &args.status {
        edits.push(Edit::text(Field::Status, status));
    }
    edits.extend(field_edits(session, &list, &args.fields)?);
    for (key, value) in metadata(&args.fields)? {
        edits.push(Edit::SetMetadata(key, Some(value)));
    }
    edits.extend(
        args.unset_metadata
            .iter()
            .map(|key| Edit::SetMetadata(key.clone(), None)),
    );
    for (field, add, remove) in [
        (
            EdgeField::BlockedBy,
            &args.add_blocked_by,
            &args.remove_blocked_by,
        ),
        (EdgeField::Blocks, &args.add_blocks, &args.remove_blocks),
    ] {
        edits.extend(
            resolve_all(session, &list, add)?
                .into_iter()
                .map(|id| Edit::AddEdge(field, id)),
        );
        // An edge to a task that is gone can be taken away too, so an unknown id is no mistake.
        let known = |text: &String| {
            session
                .resolve(&list, text)
                .unwrap_or_else(|_| TaskId::new(text))
        };
        edits.extend(
            remove
                .iter()
                .map(|text| Edit::RemoveEdge(field, known(text))),
        );
    }
    if edits.is_empty() {
        let failure = Failure::usage("nothing to change was given");
        return Err(failure.hint("`taskdeck update --help` lists what can be changed"));
    }
    apply(session, list, &args.ids, edits, paint, out)
}

/// `start`, `done` and `reopen`
pub fn set_status(
    session: &mut Session,
    ids: &Ids,
    status: &Status,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let list = session.load()?;
    apply(session, list, ids, vec![Edit::status(status)], paint, out)
}

/// `delete`
pub fn delete(
    session: &mut Session,
    ids: &Ids,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut list = session.load()?;
    let ids = resolve_all(session, &list, &ids.ids)?;
    let committed = session.act(&mut list, Op::Delete(ids))?;
    print(session, &list, &committed, paint, out)
}

/// `claim`
pub fn claim(
    session: &mut Session,
    id: Option<&str>,
    owner: &str,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut list = session.load()?;
    let id = id.map(|id| session.resolve(&list, id)).transpose()?;
    let op = Op::Claim {
        id,
        owner: owner.to_owned(),
    };
    let committed = session.act(&mut list, op)?;
    if session.global.json {
        let claimed = committed.plan.subjects.first().and_then(|id| list.get(id));
        let task = claimed.map(|task| answer::Entry::of(&list, task));
        writeln!(out, "{}", json!({"task": task}))?;
        return Ok(());
    }
    print(session, &list, &committed, paint, out)
}

fn apply(
    session: &mut Session,
    mut list: List,
    ids: &Ids,
    edits: Vec<Edit>,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let force = ids.force;
    let ids = resolve_all(session, &list, &ids.ids)?;
    if edits.contains(&Edit::status(&Status::Completed)) && list.ends_with(&ids) {
        writeln!(
            io::stderr(),
            "note: nothing is open then: a running Claude Code deletes every file of the list \
             five seconds later"
        )?;
    }
    let committed = session.act(
        &mut list,
        Op::Update {
            ids,
            patch: Patch { edits },
            force,
        },
    )?;
    print(session, &list, &committed, paint, out)
}

fn print(
    session: &Session,
    list: &List,
    committed: &Committed,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let ids = &committed.plan.subjects;
    if session.global.json {
        writeln!(out, "{}", answer::changed(list, ids, &committed.warnings))?;
        return Ok(());
    }
    if session.global.quiet {
        return Ok(());
    }
    let tasks: Vec<&Task> = ids
        .iter()
        .filter_map(|id| list.get(id))
        .map(AsRef::as_ref)
        .collect();
    paint.tasks(list, &tasks, out)?;
    tell(committed)
}

fn tell(committed: &Committed) -> Result<(), Failure> {
    for (id, warning) in &committed.warnings {
        writeln!(
            io::stderr(),
            "warning: {id}: {} ({})",
            clean_line(&warning.message),
            warning.code
        )?;
    }
    Ok(())
}

/// The tasks that texts name. `-` stands for those on standard input, the first id of each line:
/// what `taskdeck list` prints can be piped in.
pub(super) fn resolve_all(
    session: &Session,
    list: &List,
    texts: &[String],
) -> Result<Vec<TaskId>, Failure> {
    let mut named = Vec::new();
    for text in texts {
        if text == "-" {
            let lines = given(text)?;
            let is_id = |word: &&str| list.dialect().check_id(word).is_ok();
            let words = lines
                .lines()
                .filter_map(|l| l.split_whitespace().find(is_id));
            named.extend(words.map(str::to_owned));
        } else {
            named.push(text.clone());
        }
    }
    let mut ids = Vec::new();
    for text in &named {
        let id = session.resolve(list, text)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

/// Fields that an update sets; an empty text takes an optional field away.
fn field_edits(session: &Session, list: &List, fields: &Fields) -> Result<Vec<Edit>, Failure> {
    let parent = fields.parent.as_deref().filter(|p| !p.is_empty());
    let parent = parent
        .map(|p| session.resolve(list, p))
        .transpose()?
        .map(|id| id.to_string());
    let parent = parent.or_else(|| fields.parent.as_ref().map(|_| String::new()));
    let mut edits = Vec::new();
    if let Some(text) = &fields.description {
        edits.push(Edit::text(Field::Description, &given(text)?));
    }
    if let Some(thread) = &fields.thread {
        edits.push(Edit::text(Field::ThreadId, thread));
    }
    for (field, text) in [
        (Field::ActiveForm, &fields.active_form),
        (Field::Owner, &fields.owner),
        (Field::ParentId, &parent),
        (Field::RepoUrl, &fields.repo_url),
    ] {
        if let Some(text) = text {
            edits.push(Edit::Set(
                field,
                (!text.is_empty()).then(|| Json::string(text)),
            ));
        }
    }
    Ok(edits)
}

/// `--metadata KEY=JSON` and `--priority`; the value's text is kept to the digit.
fn metadata(fields: &Fields) -> Result<Vec<(String, Json)>, Failure> {
    let mut members: Vec<(String, Json)> = Vec::new();
    for pair in &fields.metadata {
        let wrong = |what: &str| {
            let failure = Failure::usage(format!("--metadata {pair}: {what}"));
            failure.hint("it takes KEY=JSON, such as estimate=3, 'note=\"soon\"' or 'tags=[\"a\"]'")
        };
        let (key, value) = pair.split_once('=').ok_or_else(|| wrong("there is no ="))?;
        if key.is_empty() {
            return Err(wrong("there is no key"));
        }
        let valid = serde_json::from_str::<&serde_json::value::RawValue>(value);
        let value = valid.map_err(|_| wrong("the value is no JSON"))?.get();
        members.retain(|(other, _)| other != key);
        members.push((key.to_owned(), Json::raw(value)));
    }
    if let Some(priority) = fields.priority {
        members.retain(|(key, _)| key != "priority");
        members.push((
            "priority".to_owned(),
            Json::string(priority.priority().as_str()),
        ));
    }
    Ok(members)
}

impl PriorityName {
    fn priority(self) -> Priority {
        match self {
            PriorityName::High => Priority::High,
            PriorityName::Medium => Priority::Medium,
            PriorityName::Low => Priority::Low,
        }
    }
}
