use super::{Config, Placed};

/// One setting as it can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Its name in `config.toml`.
    pub name: &'static str,
    /// The variable that stands above the file.
    pub variable: &'static str,
    /// The flag that stands above the variable, if there is one.
    pub flag: Option<&'static str>,
    /// What it is for.
    pub doc: &'static str,
}

/// Every setting, in the order in which they are shown.
pub const SETTINGS: [Setting; 5] = [
    Setting {
        name: "theme",
        variable: "TASKDECK_THEME",
        flag: Some("--theme"),
        doc: "auto (light or dark, as the terminal is), a built-in theme, or the name of a file in themes/",
    },
    Setting {
        name: "ascii",
        variable: "TASKDECK_ASCII",
        flag: Some("--ascii"),
        doc: "lines and symbols in ASCII",
    },
    Setting {
        name: "reduced-motion",
        variable: "TASKDECK_REDUCED_MOTION",
        flag: None,
        doc: "what agents change is drawn once a second at most; keys at once",
    },
    Setting {
        name: "mouse",
        variable: "TASKDECK_MOUSE",
        flag: None,
        doc: "clicks, drags and the wheel are the board's; ctrl-o switches",
    },
    Setting {
        name: "poll",
        variable: "TASKDECK_POLL",
        flag: Some("--poll"),
        doc: "look for changes every two seconds (network file systems)",
    },
];

/// The settings that are on or off.
pub(super) const SWITCHES: [&str; 4] = ["ascii", "reduced-motion", "mouse", "poll"];

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The program.
    Default,
    /// The configuration file, in this line.
    File(usize),
    /// An environment variable.
    Variable(&'static str),
    /// A flag of the command line.
    Flag(&'static str),
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value<T> {
    /// The value.
    pub value: T,
    /// Its source.
    pub source: Source,
}

/// What the command line sets; flags only switch on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--theme`.
    pub theme: Option<String>,
    /// `--ascii`.
    pub ascii: bool,
    /// `--poll`.
    pub poll: bool,
}

/// The settings that hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The theme's name, or `auto`.
    pub theme: Value<String>,
    /// Lines and symbols in ASCII.
    pub ascii: Value<bool>,
    /// Changes from outside are drawn seldom.
    pub reduced_motion: Value<bool>,
    /// The board takes the mouse.
    pub mouse: Value<bool>,
    /// Changes are looked for instead of listened to.
    pub poll: Value<bool>,
}

impl Settings {
    /// The settings that hold: a flag before a variable before the file before the default. A
    /// variable that is neither on nor off (`1 true on yes`, `0 false off no`) is passed over.
    pub fn resolve(
        config: &Config,
        flags: &Flags,
        var: impl Fn(&str) -> Option<String>,
    ) -> Settings {
        let set = |name: &str| {
            let text = var(name)?.trim().to_owned();
            (!text.is_empty()).then_some(text)
        };
        let theme = match (&flags.theme, set("TASKDECK_THEME"), &config.theme) {
            (Some(theme), ..) => value(theme.clone(), Source::Flag("--theme")),
            (_, Some(theme), _) => value(theme, Source::Variable("TASKDECK_THEME")),
            (.., Some(theme)) => value(theme.value.clone(), Source::File(theme.line)),
            _ => value("auto".to_owned(), Source::Default),
        };
        let switch = |name: &str, flagged: bool, default: bool| {
            let known = SETTINGS.iter().find(|setting| setting.name == name);
            let flag = known.and_then(|s| s.flag).filter(|_| flagged);
            let variable = known.map_or("", |s| s.variable);
            let by_variable = set(variable).and_then(|text| on_or_off(&text));
            match (flag, by_variable, switch_of(config, name)) {
                (Some(flag), ..) => value(true, Source::Flag(flag)),
                (_, Some(on), _) => value(on, Source::Variable(variable)),
                (.., Some(placed)) => value(placed.value, Source::File(placed.line)),
                _ => value(default, Source::Default),
            }
        };
        Settings {
            theme,
            ascii: switch("ascii", flags.ascii, false),
            reduced_motion: switch("reduced-motion", false, false),
            mouse: switch("mouse", false, true),
            poll: switch("poll", flags.poll, false),
        }
    }
}

fn value<T>(value: T, source: Source) -> Value<T> {
    Value { value, source }
}

fn switch_of<'a>(config: &'a Config, name: &str) -> Option<&'a Placed<bool>> {
    let set = config.switches.iter().find(|(known, _)| *known == name);
    set.map(|(_, placed)| placed)
}

fn on_or_off(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "on" | "yes" => Some(true),
        "0" | "false" | "off" | "no" => Some(false),
        _ => None,
    }
}
