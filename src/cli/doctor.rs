//! `doctor`: everything wrong in a list, and its repair.

use std::io::{self, Write};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::failure::Failure;
use super::paint::{Paint, Tone};
use super::session::{Session, now_ms};
use crate::list::{Change, List, Op, Plan, plan};
use crate::state::Repairs;
use crate::store::doctor::{Finding, Severity, cure, diagnose, in_numbers};
use crate::task::{Edit, TaskId};
use crate::text::{self, clean_line};

/// `doctor`.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct DoctorArgs {
    /// Repair what can be repaired without losing anything
    #[arg(long, conflicts_with = "undo")]
    fix: bool,
    /// Take the last repair back
    #[arg(long)]
    undo: bool,
}

/// `doctor`
pub fn doctor(
    session: &mut Session,
    args: DoctorArgs,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if args.undo {
        return undo(session, out);
    }
    let mut list = session.load()?;
    let mut findings = examine(session, &list, args.fix);
    let mut repaired = Vec::new();
    if args.fix {
        let json = session.global.json;
        // What goes to the person comes before it is done.
        let mut say = |line: &str| match json {
            true => Ok(()),
            false => writeln!(out, "{line}").and_then(|()| out.flush()),
        };
        repaired = fix(session, &mut list, &findings, &mut say)?;
        // What a runner that is gone has left in progress, nobody else will ever finish.
        for id in crate::run::give_back(&session.store, now_ms())? {
            let line = format!("{id}: given back, its runner is gone");
            say(&line)?;
            repaired.push(line);
        }
        list = session.load()?;
        findings = examine(session, &list, true);
    }
    let errors = count(&findings, Severity::Error);
    if session.global.json {
        writeln!(out, "{}", answer(session, &list, &findings, &repaired))?;
    } else {
        print(session, &findings, paint, out)?;
    }
    if errors > 0 {
        out.flush()?;
        return Err(Failure::said());
    }
    Ok(())
}

/// The findings. Only a repair asks for the thread of command-line calls, which is remembered.
fn examine(session: &mut Session, list: &List, fix: bool) -> Vec<Finding> {
    let thread = match fix {
        true => session.thread_id(None),
        false => "taskdeck".to_owned(),
    };
    diagnose(list, &session.store.facts(), &thread)
}

fn count(findings: &[Finding], severity: Severity) -> usize {
    findings.iter().filter(|f| f.severity == severity).count()
}

/// Carries out every cure: the task files as one step, then what writers left behind. Each is said
/// first; returns what was said.
fn fix(
    session: &mut Session,
    list: &mut List,
    findings: &[Finding],
    mut say: impl FnMut(&str) -> io::Result<()>,
) -> Result<Vec<String>, Failure> {
    let mut done = Vec::new();
    let mut tell = |line: String, done: &mut Vec<String>| {
        done.push(line);
        say(done.last().map_or("", String::as_str))
    };
    let at_ms = now_ms();
    let cures = findings
        .iter()
        .filter(|finding| finding.cure.is_some())
        .count();
    if cures == 0 {
        return Ok(done);
    }
    let mut committed = None;
    if let Some(op) = cure(findings) {
        for line in changes(&plan(list, op.clone())?) {
            tell(line, &mut done)?;
        }
        committed = Some(session.act(list, op)?.plan);
    }
    // Before what may fail: what was done can be taken back in any case.
    let repairs = Repairs::of(&session.state);
    let dialect = session.store.dialect();
    repairs.add(dialect, committed, text::count(cures, "repair"), at_ms);
    for finding in findings {
        if let Some(line) = repairs.would_clear(finding, at_ms) {
            tell(line, &mut done)?;
            repairs.clear(&session.store, finding, at_ms)?;
        }
    }
    Ok(done)
}

fn undo(session: &mut Session, out: &mut impl Write) -> Result<(), Failure> {
    let kept = Repairs::of(&session.state);
    let mut repairs = kept.all(session.store.dialect());
    let Some(last) = repairs.iter_mut().rev().find(|repair| !repair.undone) else {
        return Err(Failure::new(
            "nothing_to_undo",
            "no repair of this list is left to be taken back",
        ));
    };
    let mut list = session.load()?;
    let op = Op::Undo(Arc::clone(&last.plan));
    let mut lines = changes(&plan(&list, op.clone())?);
    session.act(&mut list, op)?;
    last.undone = true;
    let folder = kept.folder(last.at_ms);
    if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
        let back = session.store.bring_back(&folder)?;
        lines.push(format!(
            "back in the folder: {}",
            text::count(back, "temp file")
        ));
    }
    kept.keep(repairs.iter());
    if session.global.json {
        let list = session.load()?;
        let findings = examine(session, &list, false);
        let mut answer = answer(session, &list, &findings, &[]);
        answer["undone"] = lines.into();
        writeln!(out, "{answer}")?;
    } else {
        for line in lines {
            writeln!(out, "{}", clean_line(&line))?;
        }
    }
    Ok(())
}

/// What a plan does to each file, a line per edit.
fn changes(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    for change in &plan.changes {
        if let Change::Patch { id, patch, .. } = change {
            lines.extend(patch.edits.iter().map(|edit| in_words(id, edit)));
        }
    }
    lines
}

fn in_words(id: &TaskId, edit: &Edit) -> String {
    let set = |key: &str, value: &Option<crate::task::Json>| match value {
        Some(value) => format!("{id}.json: set {key} to {value}"),
        None => format!("{id}.json: take {key} out"),
    };
    match edit {
        Edit::Set(field, value) => set(field.key(), value),
        Edit::SetKey(key, value) => set(key, value),
        Edit::SetMetadata(key, value) => set(&format!("metadata.{key}"), value),
        Edit::AddEdge(field, other) => format!("{id}.json: add {other} to {}", field.key()),
        Edit::RemoveEdge(field, other) => format!("{id}.json: take {other} out of {}", field.key()),
        Edit::ByteOrderMark(false) => format!("{id}.json: take the byte order mark out"),
        Edit::ByteOrderMark(true) => format!("{id}.json: put the byte order mark back"),
    }
}

fn print(
    session: &Session,
    findings: &[Finding],
    paint: Paint,
    out: &mut impl Write,
) -> io::Result<()> {
    for finding in findings {
        let (mark, tone) = match finding.severity {
            Severity::Error => ("✗", Tone::Warn),
            Severity::Warning => ("!", Tone::Busy),
            Severity::Note => ("·", Tone::Dim),
        };
        let at = finding
            .at
            .map_or_else(String::new, |at| format!(":{}:{}", at.line, at.column));
        let head = format!("{mark} {}{at}", clean_line(&finding.file));
        let code = paint.tone(Tone::Dim, finding.code);
        writeln!(out, "{}  {code}", paint.tone(tone, &head))?;
        writeln!(out, "    {}", clean_line(&finding.what))?;
        writeln!(
            out,
            "    {}",
            paint.tone(Tone::Dim, &clean_line(&finding.meaning))
        )?;
        let by = if finding.cure.is_some() {
            "--fix: "
        } else {
            ""
        };
        writeln!(out, "    → {by}{}", clean_line(&finding.advice))?;
    }
    out.flush()?;
    let mut talk = session.global.talk();
    if findings.is_empty() {
        return writeln!(
            talk,
            "nothing is wrong in {}",
            clean_line(&session.where_())
        );
    }
    let cures = findings.iter().filter(|f| f.cure.is_some()).count();
    let counts = in_numbers(findings);
    match cures {
        0 => writeln!(talk, "{counts}"),
        cures => writeln!(
            talk,
            "{counts}; taskdeck doctor --fix repairs {cures} of them"
        ),
    }
}

fn answer(session: &Session, list: &List, findings: &[Finding], repaired: &[String]) -> Value {
    json!({
        "list": {
            "dir": session.store.dir().display().to_string(),
            "dialect": list.dialect().as_str(),
            "id": session.discovery.chosen.id,
        },
        "findings": findings.iter().map(finding_json).collect::<Vec<Value>>(),
        "repaired": repaired,
        "errors": count(findings, Severity::Error),
        "warnings": count(findings, Severity::Warning),
        "notes": count(findings, Severity::Note),
    })
}

fn finding_json(finding: &Finding) -> Value {
    let mut entry = Map::new();
    entry.insert("severity".into(), finding.severity.as_str().into());
    entry.insert("code".into(), finding.code.into());
    entry.insert("file".into(), finding.file.as_str().into());
    if let Some(at) = finding.at {
        entry.insert("line".into(), at.line.into());
        entry.insert("column".into(), at.column.into());
    }
    if let Some(task) = &finding.task {
        entry.insert("id".into(), task.as_str().into());
    }
    entry.insert("message".into(), finding.what.as_str().into());
    entry.insert("meaning".into(), finding.meaning.as_str().into());
    entry.insert("advice".into(), finding.advice.as_str().into());
    entry.insert("fixable".into(), finding.cure.is_some().into());
    Value::Object(entry)
}
