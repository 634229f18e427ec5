//! Descriptions: Markdown as styled lines of a given width.

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::Theme;
use crate::text;

/// Beyond this many bytes a description is shown as plain text: a frame has to stay quick.
const LONGEST: usize = 64 * 1024;

/// The lines of a description (cleaned here) at most `columns` wide.
pub(super) fn render(markdown: &str, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    let clean = text::clean_block(markdown);
    if clean.len() > LONGEST {
        let lines = text::wrap(&clean, columns).into_iter();
        return lines
            .map(|line| Line::styled(line.to_owned(), theme.text))
            .collect();
    }
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let mut writer = Writer::new(columns.max(4), theme);
    for event in Parser::new_ext(&clean, options) {
        writer.event(event);
    }
    writer.finish()
}

/// What stands at the left of every line of a block: `first` on its first line, `rest` below.
struct Indent {
    first: Option<Span<'static>>,
    rest: Span<'static>,
}

struct Writer<'t> {
    theme: &'t Theme,
    columns: usize,
    lines: Vec<Line<'static>>,
    /// The words of the paragraph that is being read, by style; `\n` breaks a line.
    inline: Vec<(String, Style)>,
    indents: Vec<Indent>,
    /// The next number of each open list, `None` for bullets.
    lists: Vec<Option<u64>>,
    styles: Vec<Style>,
    /// The lines of an open code block.
    code: Option<String>,
    table: Option<Table>,
    link: String,
    /// Whether an empty line belongs before the next block.
    gap: bool,
}

#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<String>>,
    cell: String,
}

impl<'t> Writer<'t> {
    fn new(columns: usize, theme: &'t Theme) -> Writer<'t> {
        Writer {
            theme,
            columns,
            lines: Vec::new(),
            inline: Vec::new(),
            indents: Vec::new(),
            lists: Vec::new(),
            styles: vec![theme.text],
            code: None,
            table: None,
            link: String::new(),
            gap: false,
        }
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(words) => self.words(&words, self.style()),
            Event::Code(words) => self.words(&words, self.style().patch(self.theme.code)),
            Event::Html(words) | Event::InlineHtml(words) => self.words(&words, self.theme.muted),
            Event::SoftBreak => self.words(" ", self.style()),
            Event::HardBreak => self.words("\n", self.style()),
            Event::Rule => {
                self.open_block();
                let room = self.room();
                self.push(vec![Span::styled("─".repeat(room), self.theme.faint)]);
                self.gap = true;
            }
            Event::TaskListMarker(done) => {
                let (mark, style) = match done {
                    true => ("✓ ", self.theme.done),
                    false => ("○ ", self.theme.ready),
                };
                // The box takes the bullet's place.
                if let Some(indent) = self.indents.last_mut() {
                    indent.first = Some(Span::styled(mark, style));
                    indent.rest = Span::raw("  ");
                }
            }
            _ => {}
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or(self.theme.text)
    }

    fn words(&mut self, words: &str, style: Style) {
        if let Some(code) = &mut self.code {
            code.push_str(words);
        } else if let Some(table) = &mut self.table {
            table.cell.push_str(words);
        } else {
            self.inline.push((words.to_owned(), style));
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.open_block(),
            Tag::Heading { .. } => {
                self.open_block();
                self.styles.push(self.theme.heading);
            }
            Tag::BlockQuote(_) => {
                self.open_block();
                let mark = Span::styled("▎ ", self.theme.faint);
                self.indents.push(Indent {
                    first: None,
                    rest: mark,
                });
                self.styles.push(self.style().patch(self.theme.quote));
            }
            Tag::CodeBlock(kind) => {
                self.open_block();
                if let CodeBlockKind::Fenced(language) = &kind
                    && !language.is_empty()
                {
                    let language = text::truncate(language, self.columns).into_owned();
                    self.push(vec![Span::styled(language, self.theme.faint)]);
                }
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                self.flush();
                if self.lists.is_empty() {
                    self.open_block();
                }
                self.lists.push(first);
            }
            Tag::Item => self.start_item(),
            Tag::Emphasis => self.push_modifier(Modifier::ITALIC),
            Tag::Strong => self.push_modifier(Modifier::BOLD),
            Tag::Strikethrough => self.push_modifier(Modifier::CROSSED_OUT),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.link = dest_url.into_string();
                self.styles.push(self.style().patch(self.theme.link));
            }
            Tag::Table(alignments) => {
                self.open_block();
                self.table = Some(Table {
                    alignments,
                    ..Table::default()
                });
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.close_block(),
            TagEnd::Heading(_) => {
                self.close_block();
                self.styles.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.indents.pop();
                self.styles.pop();
                self.gap = true;
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                self.gap = self.lists.is_empty();
            }
            TagEnd::Item => {
                self.flush();
                // An item without words still has its bullet.
                if self.indents.last().is_some_and(|i| i.first.is_some()) {
                    self.push(Vec::new());
                }
                self.indents.pop();
                self.gap = false;
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Link | TagEnd::Image => self.end_link(),
            TagEnd::TableCell => {
                if let Some(table) = &mut self.table {
                    let cell = std::mem::take(&mut table.cell);
                    if let Some(row) = table.rows.last_mut() {
                        row.push(cell);
                    }
                }
            }
            TagEnd::Table => self.end_table(),
            _ => {}
        }
    }

    fn push_modifier(&mut self, modifier: Modifier) {
        self.styles.push(self.style().add_modifier(modifier));
    }

    fn start_item(&mut self) {
        self.flush();
        self.gap = false;
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                let mark = format!("{number}. ");
                *number += 1;
                mark
            }
            _ => "• ".to_owned(),
        };
        let wide = text::width(&mark);
        self.indents.push(Indent {
            first: Some(Span::styled(mark, self.theme.muted)),
            rest: Span::raw(" ".repeat(wide)),
        });
    }

    /// A link says where it leads, unless its text does.
    fn end_link(&mut self) {
        self.styles.pop();
        let link = std::mem::take(&mut self.link);
        let said = self.inline.last().is_some_and(|(words, _)| *words == link);
        if !said && !link.is_empty() {
            let style = self.theme.muted;
            self.words(&format!(" ({link})"), style);
        }
    }

    fn end_code(&mut self) {
        let code = self.code.take().unwrap_or_default();
        self.indents.push(Indent {
            first: None,
            rest: Span::styled("│ ", self.theme.faint),
        });
        let room = self.room();
        for line in code.trim_end_matches('\n').split('\n') {
            // Code keeps its spaces: long lines are cut hard, not at words.
            let mut rest = line;
            loop {
                let (start, after) = text::split_at_width(rest, room);
                let (start, after) = if start.is_empty() {
                    (rest, "")
                } else {
                    (start, after)
                };
                self.push(vec![Span::styled(start.to_owned(), self.theme.code)]);
                if after.is_empty() {
                    break;
                }
                rest = after;
            }
        }
        self.indents.pop();
        self.gap = true;
    }

    fn end_table(&mut self) {
        let Some(table) = self.table.take() else {
            return;
        };
        let count = table.rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
        // Columns as wide as their widest cell, narrowed evenly to fit.
        let most = (self.room().saturating_sub(2 * (count - 1)) / count).max(1);
        let widths: Vec<usize> = (0..count)
            .map(|i| {
                let cells = table.rows.iter().filter_map(|row| row.get(i));
                cells
                    .map(|cell| text::width(cell))
                    .max()
                    .unwrap_or(0)
                    .min(most)
            })
            .collect();
        for (number, row) in table.rows.iter().enumerate() {
            let style = if number == 0 {
                self.theme.heading
            } else {
                self.theme.text
            };
            let mut spans = Vec::new();
            for (i, wide) in widths.iter().enumerate() {
                let cell = row.get(i).map_or("", String::as_str);
                let padded = match table.alignments.get(i) {
                    Some(Alignment::Right) => {
                        let cut = text::truncate(cell, *wide);
                        " ".repeat(wide - text::width(&cut)) + &cut
                    }
                    _ => text::pad(cell, *wide),
                };
                spans.push(Span::styled(padded, style));
                spans.push(Span::raw("  "));
            }
            spans.pop();
            self.push(spans);
            if number == 0 {
                let long = widths.iter().sum::<usize>() + 2 * (count - 1);
                let line = "─".repeat(long.min(self.room()));
                self.push(vec![Span::styled(line, self.theme.faint)]);
            }
        }
        self.gap = true;
    }

    fn open_block(&mut self) {
        self.flush();
        // The first block of an item stands on the bullet's line.
        let at_bullet = self.indents.last().is_some_and(|i| i.first.is_some());
        if std::mem::take(&mut self.gap) && !at_bullet && !self.lines.is_empty() {
            self.push(Vec::new());
        }
    }

    fn close_block(&mut self) {
        self.flush();
        self.gap = true;
    }

    /// The columns that the indents leave.
    fn room(&self) -> usize {
        let indent: usize = self
            .indents
            .iter()
            .map(|indent| text::width(&indent.rest.content))
            .sum();
        self.columns.saturating_sub(indent).max(1)
    }

    /// Writes the paragraph that was read, wrapped.
    fn flush(&mut self) {
        let inline = std::mem::take(&mut self.inline);
        if inline.is_empty() {
            return;
        }
        for line in wrap_styled(&inline, self.room()) {
            self.push(line);
        }
    }

    fn push(&mut self, words: Vec<Span<'static>>) {
        let mut spans: Vec<Span<'static>> = Vec::new();
        for indent in &mut self.indents {
            spans.push(indent.first.take().unwrap_or_else(|| indent.rest.clone()));
        }
        spans.extend(words);
        self.lines.push(Line::from(spans));
    }

    fn finish(mut self) -> Vec<Line<'static>> {
        self.flush();
        self.lines
    }
}

/// Wraps words of several styles: the plain text is wrapped, then the styles are laid over it.
fn wrap_styled(inline: &[(String, Style)], columns: usize) -> Vec<Vec<Span<'static>>> {
    let plain: String = inline.iter().map(|(words, _)| words.as_str()).collect();
    let mut starts = Vec::with_capacity(inline.len());
    let mut at = 0;
    for (words, style) in inline {
        starts.push((at, at + words.len(), *style));
        at += words.len();
    }
    let mut lines = Vec::new();
    let mut part = 0;
    for line in text::wrap(&plain, columns) {
        let from = line.as_ptr() as usize - plain.as_ptr() as usize;
        let to = from + line.len();
        let mut spans = Vec::new();
        while part < starts.len() {
            let (start, end, style) = starts[part];
            let (cut_from, cut_to) = (start.max(from), end.min(to));
            if cut_from < cut_to {
                spans.push(Span::styled(plain[cut_from..cut_to].to_owned(), style));
            }
            if end > to {
                break;
            }
            part += 1;
        }
        lines.push(spans);
    }
    lines
}
