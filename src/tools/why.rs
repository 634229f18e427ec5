use serde_json::{Value, json};

use super::show;
use super::table::{Answer, Effect, Kind, Param, Tool};
use super::{Args, Context};
use crate::list::{List, WhyLine};

pub(super) const TASK_WHY: Tool = Tool {
    name: "task_why",
    title: "What blocks a task",
    description: "What a task waits for, down to what frees it.",
    params: &[Param::required("id", Kind::Text, "Exact id").or(&["taskId"])],
    output: &[
        Param::required("id", Kind::Text, "The task"),
        Param::required("blocked", Kind::Flag, "Whether it waits for anything"),
        Param::required(
            "chain",
            Kind::Objects(CHAIN),
            "What holds it back, depth first",
        ),
        Param::required(
            "roots",
            Kind::Objects(show::SUMMARY),
            "The open tasks at the bottom, which wait for nothing",
        ),
    ],
    effect: Effect::Reads,
    waits: false,
    example: r#"{"id": "T-…"}"#,
    run: |context, args| why(context, args).unwrap_or_else(|answer| answer),
};

const CHAIN: &[Param] = &[
    Param::required("id", Kind::Text, "A task that holds its parent back"),
    Param::required("subject", Kind::Text, "Its subject"),
    Param::required(
        "depth",
        Kind::Integer,
        "1 for what the task itself waits for, 2 for what those wait for",
    ),
    Param::required("reason", Kind::Text, "Why it holds back, in words"),
    Param::required(
        "seen",
        Kind::Flag,
        "It stands in the chain already, with what it waits for",
    ),
];

fn why(context: &Context<'_>, args: &Args) -> Result<Answer, Answer> {
    let list = show::load(context)?;
    let id = show::resolve(&list, args.text("id").unwrap_or_default())?;
    let lines = list.why(&id).lines;
    let below: Vec<&WhyLine> = lines.iter().filter(|line| line.depth > 0).collect();
    let chain: Vec<Value> = below.iter().map(|line| link(&list, line)).collect();
    let is_root = |line: &&&WhyLine| !line.seen && list.open_blockers(&line.id).is_empty();
    let roots = below.iter().filter(is_root);
    let roots: Vec<Value> = roots
        .map(|line| show::summary_of(&list, &line.id))
        .collect();
    Ok(Answer::ok(&json!({
        "id": id.as_str(),
        "blocked": !below.is_empty(),
        "chain": chain,
        "roots": roots,
    })))
}

fn link(list: &List, line: &WhyLine) -> Value {
    let subject = list.get(&line.id).map_or("", |task| task.subject.as_str());
    json!({
        "id": line.id.as_str(),
        "subject": subject,
        "depth": line.depth,
        "reason": line.reason,
        "seen": line.seen,
    })
}
