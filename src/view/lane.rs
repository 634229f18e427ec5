use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::{Theme, age, glyphs, pen};
use crate::board::{Column, Doing, Lane, Model};
use crate::task::{State, Status};
use crate::text::clean_line;

/// What stands at the head of a column.
pub(super) struct Head {
    /// A symbol, as short as a tab needs it.
    pub(super) mark: String,
    /// Its name.
    pub(super) title: String,
    /// The style of both.
    pub(super) style: Style,
}

/// The head of a column.
pub(super) fn head(column: &Column, theme: &Theme) -> Head {
    let plain = |mark: &str, title: String, style| Head {
        mark: mark.to_owned(),
        title,
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
        Lane::Owner(Some(owner)) => plain("@", clean_line(owner).into_owned(), theme.owner),
        Lane::Owner(None) => plain("–", "nobody".to_owned(), theme.muted),
        Lane::Vanished => plain("∅", "Vanished".to_owned(), theme.warning),
        Lane::All => plain("≡", "All tasks".to_owned(), theme.title),
    }
}

/// From so many rows on the lane says too what was finished last.
const ROOMY: u16 = 12;

/// What an owner is about, above its cards; gives the rows used.
pub(super) fn draw(
    model: &Model,
    theme: &Theme,
    doing: &Doing,
    lane: &Lane,
    area: Rect,
    buf: &mut Buffer,
) -> u16 {
    let left = match lane {
        Lane::Owner(None) => {
            let text = format!("{} can run now", model.glance.idle);
            vec![Span::styled(text, theme.ready)]
        }
        _ => now(model, theme, doing),
    };
    let done = format!("{} {}", glyphs::state(State::Completed), doing.done);
    pen::put_both(buf, area, 0, &left, &[Span::styled(done, theme.done)]);
    if area.height < ROOMY {
        return 1;
    }
    if let Some((id, since)) = &doing.last_done {
        let subject = model.list.get(id).map(|task| clean_line(&task.subject));
        let name = subject.unwrap_or_else(|| id.short().into());
        let text = format!("did {} {name}", age::since(model.now_ms, *since));
        pen::put(buf, area, 1, &[Span::styled(text, theme.muted)]);
    }
    2
}

/// At work or idle, and since when.
fn now<'a>(model: &Model, theme: &Theme, doing: &Doing) -> Vec<Span<'a>> {
    let (word, since, style) = match doing.running {
        0 => ("idle".to_owned(), doing.idle_since(), theme.warning),
        1 => ("at work".to_owned(), doing.since, theme.running),
        many => (format!("at work on {many}"), doing.since, theme.running),
    };
    let since = since.map_or_else(String::new, |s| format!(" {}", age::since(model.now_ms, s)));
    vec![Span::styled(format!("{word}{since}"), style)]
}
