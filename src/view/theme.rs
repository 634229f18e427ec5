use std::collections::BTreeMap;
use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use toml::Spanned;

use crate::state::config::{Fault, line_of};
use crate::task::{Priority, State};

/// The themes that come with the program, by name; the first is the default.
const BUILT_IN: [(&str, &str); 6] = [
    ("dark", include_str!("../../assets/themes/dark.toml")),
    ("light", include_str!("../../assets/themes/light.toml")),
    (
        "high-contrast",
        include_str!("../../assets/themes/high-contrast.toml"),
    ),
    (
        "colour-blind",
        include_str!("../../assets/themes/colour-blind.toml"),
    ),
    ("16", include_str!("../../assets/themes/16.toml")),
    (
        "monochrome",
        include_str!("../../assets/themes/monochrome.toml"),
    ),
];

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident,)*) => {
        /// How things look, by what they mean.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Theme {
            /// The name it is chosen by.
            pub name: String,
            /// One line about it.
            pub summary: String,
            /// The background that it was made for; pictures are painted on it.
            pub background: (u8, u8, u8),
            /// The text colour that it was made for.
            pub foreground: (u8, u8, u8),
            /// Whether lines and symbols are drawn in ASCII.
            pub ascii: bool,
            $($(#[$doc])* pub $role: Style,)*
        }

        impl Theme {
            fn plain() -> Theme {
                Theme {
                    name: String::new(),
                    summary: String::new(),
                    background: (0x14, 0x17, 0x1e),
                    foreground: (0xd5, 0xd9, 0xe2),
                    ascii: false,
                    $($role: Style::new(),)*
                }
            }

            /// The names of the roles, as theme files write them.
            pub fn role_names() -> Vec<&'static str> {
                vec![$(stringify!($role),)*]
            }

            fn role_mut(&mut self, name: &str) -> Option<&mut Style> {
                match name {
                    $(stringify!($role) => Some(&mut self.$role),)*
                    _ => None,
                }
            }

            fn roles_mut(&mut self) -> impl Iterator<Item = &mut Style> {
                [$(&mut self.$role,)*].into_iter()
            }
        }
    };
}

roles! {
    /// Plain text.
    text,
    /// Text of the second rank: times, counts, hints.
    muted,
    /// Lines and what is only there for orientation.
    faint,
    /// The name of the list, of a task in the detail pane.
    title,
    /// The program's own mark.
    accent,
    /// The selected card; laid over the card's own styles.
    selected,
    /// The selection of a pane that has not the focus.
    selected_elsewhere,
    /// The frame of the pane with the focus.
    focus,
    /// A key in a hint.
    key,
    /// The state Ready.
    ready,
    /// The state Blocked.
    blocked,
    /// The state In progress.
    running,
    /// The state Completed.
    done,
    /// The state Deleted.
    deleted,
    /// A status that the dialect does not know.
    other,
    /// High priority.
    high,
    /// Low priority.
    low,
    /// Who works on a task.
    owner,
    /// What changed just now.
    changed,
    /// What the filter or a search found.
    matched,
    /// The picture follows the files.
    live,
    /// Something to look at.
    warning,
    /// Something that went wrong.
    error,
    /// The lines of the graph.
    edge,
    /// What the selected task waits for, in the graph.
    blocker,
    /// What waits for the selected task, in the graph.
    dependant,
    /// The longest chain of work that is left.
    critical,
    /// A heading in a description.
    heading,
    /// Code in a description.
    code,
    /// A quotation in a description.
    quote,
    /// A link in a description.
    link,
    /// The ground of forms, pickers and help.
    overlay,
    /// Their frame.
    overlay_border,
}

/// How many colours the terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorDepth {
    /// 24 bits each.
    True,
    /// The 256 of xterm.
    Indexed,
    /// The sixteen names.
    Named,
    /// None, or none wanted (`NO_COLOR`).
    None,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThemeFile {
    #[serde(default)]
    summary: String,
    base: Option<Spanned<String>>,
    background: Option<Spanned<String>>,
    foreground: Option<Spanned<String>>,
    #[serde(default)]
    roles: BTreeMap<Spanned<String>, Spanned<String>>,
}

impl Theme {
    /// The names of the built-in themes, the default first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// A built-in theme.
    pub fn named(name: &str) -> Option<Theme> {
        let (name, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        Some(Theme::parse(name, text).expect("the built-in themes are tested"))
    }

    /// Reads a theme file. Roles that it leaves out come from the built-in theme that `base` names;
    /// without one they look like plain text.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line.
    pub fn parse(name: &str, text: &str) -> Result<Theme, Fault> {
        let line = |at: std::ops::Range<usize>| line_of(text, at.start);
        let file: ThemeFile = toml::from_str(text).map_err(|error| Fault {
            line: error.span().map(line),
            message: error.message().to_owned(),
            hint: None,
        })?;
        let mut theme = match &file.base {
            Some(base) => Theme::named(base.get_ref()).ok_or_else(|| {
                let names: Vec<&str> = Theme::names().collect();
                Fault::unknown(line(base.span()), "built-in theme", base.get_ref(), &names)
            })?,
            None => Theme::plain(),
        };
        theme.name = name.to_owned();
        theme.summary = file.summary;
        for (role, color, place) in [
            ("background", &file.background, &mut theme.background),
            ("foreground", &file.foreground, &mut theme.foreground),
        ] {
            if let Some(word) = color {
                let at = line(word.span());
                *place = rgb(word.get_ref()).ok_or_else(|| {
                    let word = word.get_ref();
                    Fault::at(at, format!("`{word}` in `{role} = …` is no colour"))
                        .hint("write #rrggbb")
                })?;
            }
        }
        let mut roles: Vec<_> = file.roles.iter().collect();
        roles.sort_by_key(|(role, _)| role.span().start);
        for (role, style) in roles {
            let (at, name) = (line(role.span()), role.get_ref());
            let place = theme
                .role_mut(name)
                .ok_or_else(|| Fault::unknown(at, "role", name, &Theme::role_names()))?;
            *place = parse_style(style.get_ref()).map_err(|word| bad_style(at, name, &word))?;
        }
        Ok(theme)
    }

    /// The theme as a terminal with this many colours can show it.
    pub fn for_depth(mut self, depth: ColorDepth) -> Theme {
        let ascii = self.ascii;
        match depth {
            ColorDepth::True => {}
            ColorDepth::Indexed => {
                for style in self.roles_mut() {
                    style.fg = style.fg.map(nearest_indexed);
                    style.bg = style.bg.map(nearest_indexed);
                }
            }
            ColorDepth::Named if !self.uses_names_only() => {
                self = Theme::named("16").unwrap_or_else(Theme::plain);
            }
            ColorDepth::Named => {}
            ColorDepth::None => self = Theme::named("monochrome").unwrap_or_else(Theme::plain),
        }
        Theme { ascii, ..self }
    }

    /// The same theme with lines and symbols in ASCII.
    pub fn in_ascii(self) -> Theme {
        Theme {
            ascii: true,
            ..self
        }
    }

    /// The style of a state.
    pub fn state(&self, state: State) -> Style {
        match state {
            State::Ready => self.ready,
            State::Blocked => self.blocked,
            State::InProgress => self.running,
            State::Completed => self.done,
            State::Deleted => self.deleted,
            State::Other => self.other,
        }
    }

    /// The style of a priority.
    pub fn priority(&self, priority: Priority) -> Style {
        match priority {
            Priority::High => self.high,
            Priority::Medium => self.muted,
            Priority::Low => self.low,
        }
    }

    fn uses_names_only(&self) -> bool {
        let fancy =
            |color: Option<Color>| matches!(color, Some(Color::Rgb(..) | Color::Indexed(16..)));
        let mut copy = self.clone();
        !copy
            .roles_mut()
            .any(|style| fancy(style.fg) || fancy(style.bg))
    }
}

impl Default for Theme {
    fn default() -> Theme {
        Theme::named(BUILT_IN[0].0).unwrap_or_else(Theme::plain)
    }
}

fn bad_style(line: usize, role: &str, word: &str) -> Fault {
    let near = crate::text::nearest(word, ATTRIBUTES.iter().map(|(name, _)| *name));
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "colours are #rrggbb, 0 to 255, or a name such as red or lightblue".to_owned(),
    };
    let message = format!("`{word}` in `{role} = …` is neither a colour nor an attribute");
    Fault::at(line, message).hint(hint)
}

fn rgb(word: &str) -> Option<(u8, u8, u8)> {
    match Color::from_str(word) {
        Ok(Color::Rgb(r, g, b)) => Some((r, g, b)),
        _ => None,
    }
}

/// The words for how letters look.
const ATTRIBUTES: [(&str, Modifier); 6] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underlined", Modifier::UNDERLINED),
    ("reversed", Modifier::REVERSED),
    ("crossed-out", Modifier::CROSSED_OUT),
];

/// Reads `#7aa2f7 on black bold`, or gives the word that means nothing.
fn parse_style(text: &str) -> Result<Style, String> {
    let mut style = Style::new();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let attribute = ATTRIBUTES.iter().find(|(name, _)| *name == word);
        let color = |word: &str| Color::from_str(word).map_err(|_| word.to_owned());
        style = match (word, attribute) {
            (_, Some((_, attribute))) => style.add_modifier(*attribute),
            ("on", _) => style.bg(color(words.next().unwrap_or("on"))?),
            (word, _) => style.fg(color(word)?),
        };
    }
    Ok(style)
}

/// The nearest of the 240 colours that terminals agree about: the 6×6×6 cube and the greys.
fn nearest_indexed(color: Color) -> Color {
    let Color::Rgb(r, g, b) = color else {
        return color;
    };
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let step = |value: u8| {
        (0u8..6)
            .min_by_key(|step| LEVELS[usize::from(*step)].abs_diff(value))
            .unwrap_or(0)
    };
    let distance = |(x, y, z): (u8, u8, u8)| {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(x, r) + square(y, g) + square(z, b)
    };
    let (i, j, k) = (step(r), step(g), step(b));
    let level = |step: u8| LEVELS[usize::from(step)];
    let cube = distance((level(i), level(j), level(k)));
    let grey = |step: u8| 8 + 10 * step;
    let nearest_grey = (0u8..24)
        .min_by_key(|step| distance((grey(*step), grey(*step), grey(*step))))
        .unwrap_or(0);
    let value = grey(nearest_grey);
    if distance((value, value, value)) < cube {
        Color::Indexed(232 + nearest_grey)
    } else {
        Color::Indexed(16 + 36 * i + 6 * j + k)
    }
}
