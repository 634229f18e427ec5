//! The part of the details that tells of a task's worker: how it goes, and what it prints.

use ratatui::text::{Line, Span};

use super::{Theme, age};
use crate::board::Model;
use crate::run::Record;
use crate::task::Task;
use crate::text::{clean_line, wrap};

/// How the worker stands, and the end of its log in at most `rows` lines.
pub(super) fn lines(
    model: &Model,
    theme: &Theme,
    task: &Task,
    columns: usize,
    rows: usize,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let Some(record) = Record::of(task) else {
        return lines;
    };
    lines.push(Line::default());
    let (title, style) = match &record {
        Record::Claimed(claimed) => {
            let began = age::ago(model.now_ms, claimed.at);
            let host = clean_line(&claimed.host).into_owned();
            let text = format!("▶ worker: attempt {} on {host}, {began}", claimed.attempt);
            (text, theme.running)
        }
        Record::Attempted(last) => {
            let (exit, took) = (last.exit_in_words(), time(last.ms));
            let text = format!("worker: attempt {} ended: {exit}, {took}", last.attempt);
            let style = if last.failed {
                theme.warning
            } else {
                theme.muted
            };
            (text, style)
        }
    };
    lines.push(Line::styled(clean_line(&title).into_owned(), style));
    let Some(log) = model.log.as_ref().filter(|log| log.id == task.id) else {
        return lines;
    };
    let printed: Vec<String> = log
        .text
        .lines()
        // A progress bar draws over itself: what stands at last counts.
        .map(|line| {
            line.trim_end_matches('\r')
                .rsplit('\r')
                .next()
                .unwrap_or(line)
        })
        .flat_map(|line| owned(wrap(&clean_line(line), columns.saturating_sub(2).max(1))))
        .collect();
    let first = printed.len().saturating_sub(rows);
    lines.extend(printed.into_iter().skip(first).map(|line| {
        Line::from(vec![
            Span::styled("┊ ", theme.faint),
            Span::styled(line, theme.code),
        ])
    }));
    lines
}

fn owned(lines: Vec<&str>) -> Vec<String> {
    lines.into_iter().map(str::to_owned).collect()
}

fn time(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{:.1} s", ms as f64 / 1000.0),
        _ => format!("{}m {:02}s", ms / 60_000, ms / 1000 % 60),
    }
}
