//! `lists`: every list that was found, how far it is, and which one opens.

use std::io::{self, IsTerminal as _, Write};

use serde_json::{Value, json};

use super::args::Global;
use super::failure::Failure;
use super::paint::{Paint, Tone};
use super::session::{environment, now_ms, readable_path, wants_colour};
use crate::store::discover::{
    Environment, Overview, PlanProgress, Wanted, active_plan, lists as find,
};
use crate::text::{clean_line, pad, width};

/// `lists`
pub fn lists(global: &Global, out: &mut impl Write) -> Result<(), Failure> {
    let env = environment()?;
    let paint = super::paint(wants_colour(&env, global.color, io::stdout().is_terminal()));
    let wanted = Wanted {
        dir: global.dir.clone(),
        list: global.list.clone(),
    };
    let found = find(&env, &wanted)?;
    let overviews = found.overviews(now_ms());
    let plan = active_plan(&env);
    if global.json {
        let entries: Vec<Value> = overviews.iter().map(list_json).collect();
        let looked = found
            .looked_at
            .iter()
            .map(|path| path.display().to_string());
        let looked: Vec<String> = looked.collect();
        let mut answer = json!({"lists": entries, "lookedAt": looked, "notes": found.notes});
        if let Some(plan) = &plan {
            answer["plan"] = plan_json(plan);
        }
        writeln!(out, "{answer}")?;
        return Ok(());
    }
    print(&env, &overviews, paint, out)?;
    if let Some(plan) = &plan {
        writeln!(
            out,
            "{}",
            paint.tone(Tone::Dim, &clean_line(&plan.in_words()))
        )?;
    }
    let mut talk = global.talk();
    if !found.found() {
        writeln!(talk, "no list found; looked at:")?;
        for path in &found.looked_at {
            writeln!(talk, "  {}", clean_line(&readable_path(&env, path)))?;
        }
    }
    for note in &found.notes {
        writeln!(talk, "note: {}", clean_line(note))?;
    }
    Ok(())
}

/// A line per list: which opens, where, how far, when last, who, and what it is.
fn print(
    env: &Environment,
    overviews: &[Overview],
    paint: Paint,
    out: &mut impl Write,
) -> io::Result<()> {
    let now = now_ms();
    let rows: Vec<[String; 3]> = overviews.iter().map(|list| row(env, list, now)).collect();
    let wide = |at: usize| rows.iter().map(|row| width(&row[at])).max().unwrap_or(0);
    let widths = [wide(0), wide(1), wide(2)];
    for (list, row) in overviews.iter().zip(&rows) {
        let mark = if list.opens { "▶" } else { " " };
        let state = if list.live { Tone::Good } else { Tone::Dim };
        let cell = |at: usize| pad(&row[at], widths[at]);
        writeln!(
            out,
            "{mark} {}  {}  {}  {}",
            cell(0),
            cell(1),
            paint.tone(state, &cell(2)),
            paint.tone(Tone::Dim, &about(list)),
        )?;
    }
    Ok(())
}

fn row(env: &Environment, list: &Overview, now_ms: i64) -> [String; 3] {
    let place = &list.place;
    let path = clean_line(&readable_path(env, &place.dir)).into_owned();
    let progress = match (&list.unreadable, place.exists, list.total) {
        (Some(_), ..) => "cannot be read".to_owned(),
        (_, false, _) => "does not exist yet".to_owned(),
        (.., 0) => "empty".to_owned(),
        (.., total) => format!("{}/{total}", list.done),
    };
    let state = list.alive_in_words(now_ms);
    [path, progress, state]
}

fn about(list: &Overview) -> String {
    let title = list
        .place
        .title
        .as_ref()
        .map(|title| format!("\u{201c}{title}\u{201d}"));
    let working = (!list.working.is_empty()).then(|| list.working.join(", "));
    let parts = [
        title,
        working,
        Some(list.place.reason.clone()),
        list.unreadable.clone(),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    clean_line(&parts.join(" · ")).into_owned()
}

fn plan_json(plan: &PlanProgress) -> Value {
    let mut answer = json!({
        "name": plan.name,
        "file": plan.file.display().to_string(),
        "status": plan.status,
        "done": plan.done,
        "total": plan.total,
    });
    if let Some(next) = &plan.next {
        answer["next"] = json!(next);
    }
    answer
}

fn list_json(list: &Overview) -> Value {
    let mut answer = json!({
        "dir": list.place.dir.display().to_string(),
        "id": list.place.id,
        "reason": list.place.reason,
        "exists": list.place.exists,
        "opens": list.opens,
        "dialect": list.dialect.as_str(),
        "done": list.done,
        "total": list.total,
        "working": list.working,
        "live": list.live,
    });
    if let Some(title) = &list.place.title {
        answer["title"] = json!(title);
    }
    if let Some(written) = list.place.written_ms {
        answer["writtenMs"] = json!(written);
    }
    answer
}
