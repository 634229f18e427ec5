use ratatui::style::Style;

use super::{Theme, age, glyphs};
use crate::board::{Column, Lane, Model, View};
use crate::task::{State, Status};
use crate::text::clean_line;

/// What stands at the head of a column.
pub(super) struct Head {
    /// A symbol, as short as a tab needs it.
    pub(super) mark: String,
    /// Its name.
    pub(super) title: String,
    /// What there is to know of it besides its number of tasks.
    pub(super) about: String,
    /// The style of both.
    pub(super) style: Style,
}

/// The head of a column.
pub(super) fn head(model: &Model, column: &Column, theme: &Theme) -> Head {
    let plain = |mark: &str, title: String, style| Head {
        mark: mark.to_owned(),
        title,
        about: String::new(),
        style,
    };
    match &column.lane {
        Lane::State(state) => plain(
            glyphs::state(*state),
            state.title().to_owned(),
            theme.state(*state),
        ),
        Lane::Status(status) => {
            let state = column.state().unwrap_or(State::Ready);
            let word = match status {
                Status::Other(word) if word.is_empty() => "(none)".to_owned(),
                status => clean_line(status.as_str()).into_owned(),
            };
            plain(glyphs::state(state), word, theme.state(state))
        }
        Lane::Owner(Some(owner)) => Head {
            about: doing(model, column),
            ..plain("@", clean_line(owner).into_owned(), theme.owner)
        },
        Lane::Owner(None) => plain("@", "nobody".to_owned(), theme.muted),
        Lane::Vanished => plain("∅", "Vanished".to_owned(), theme.warning),
        Lane::All => {
            let title = match model.view {
                View::List(sort) => format!("All tasks, by {}", sort.title()),
                _ => "All tasks, parts below the whole".to_owned(),
            };
            plain("≡", title, theme.title)
        }
    }
}

/// Since when an owner works on what it has, or has nothing to do.
fn doing(model: &Model, column: &Column) -> String {
    let tasks = column.ids.iter().filter_map(|id| model.list.get(id));
    let mut last = None;
    for task in tasks {
        let since = model.since(&task.id);
        if task.status.is_active() {
            let since = since.map_or_else(String::new, |s| age::since(model.now_ms, s));
            return format!("{} {since}", glyphs::state(State::InProgress));
        }
        last = last.max(since.filter(|_| task.status.is_closed()).map(|s| s.ms));
    }
    match last {
        Some(ms) => format!("idle {}", age::ago(model.now_ms, ms)),
        None => "idle".to_owned(),
    }
}
