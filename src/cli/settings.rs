//! The person's configuration as it holds for one call: what was written, checked against the
//! commands and themes that there are.

use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::session::readable_path;
use crate::app::{Feel, Look};
use crate::command::Keymap;
use crate::state::config::{self, Config, Fault, Flags, Settings, Source};
use crate::store::discover::Environment;
use crate::text::clean_line;
use crate::view::{ColorDepth, Theme};

/// The configuration that holds, and all that is wrong with what was written.
pub struct Configured {
    /// What was written.
    pub config: Config,
    /// The settings that hold.
    pub settings: Settings,
    /// The keys that hold.
    pub keymap: Keymap,
    /// The theme of that name; `None` lets the terminal decide.
    pub theme: Option<Theme>,
    /// What is wrong, with the file that it is wrong in.
    pub faults: Vec<(PathBuf, Fault)>,
}

impl Configured {
    /// Reads what was written and works out what holds. Faults in files are no failure: what is
    /// wrong has its default.
    ///
    /// # Errors
    /// A flag or a variable that names a theme that does not exist.
    pub fn read(env: &Environment, flags: &Flags) -> Result<Configured, Failure> {
        let var = |name: &str| env.var(name).map(str::to_owned);
        let named = env.var("TASKDECK_CONFIG").is_some();
        let config = config::read(config::config_path(var), named);
        let settings = Settings::resolve(&config, flags, var);
        let (keymap, wrong_keys) = Keymap::remapped(&config.keys);
        let path = config.path.clone().unwrap_or_default();
        let own = config.faults.iter().cloned().chain(wrong_keys);
        let mut faults: Vec<(PathBuf, Fault)> = own.map(|fault| (path.clone(), fault)).collect();
        let theme = match (theme(&path, &settings), settings.theme.source) {
            (Ok(theme), _) => theme,
            (Err(Trouble::Unknown(fault)), Source::File(_) | Source::Default) => {
                faults.push((path, fault));
                None
            }
            (Err(Trouble::Unknown(fault)), _) => {
                let failure = Failure::usage(fault.message);
                return Err(Failure {
                    hint: fault.hint,
                    ..failure
                });
            }
            (Err(Trouble::Broken(file, fault)), _) => {
                faults.push((file, fault));
                None
            }
        };
        Ok(Configured {
            config,
            settings,
            keymap,
            theme,
            faults,
        })
    }

    /// What is wrong, one line each: file, line, what, what to do.
    pub fn complaints(&self, env: &Environment) -> Vec<String> {
        let say = |(file, fault): &(PathBuf, Fault)| {
            let file = readable_path(env, file);
            let line = fault
                .line
                .map_or_else(String::new, |line| format!(":{line}"));
            clean_line(&format!("{file}{line}: {fault}")).into_owned()
        };
        self.faults.iter().map(say).collect()
    }

    /// The look in as many colours as the terminal has.
    pub fn look(&self, depth: ColorDepth) -> Look {
        let fit = |theme: Theme| {
            let theme = theme.for_depth(depth);
            Box::new(match self.settings.ascii.value {
                true => theme.in_ascii(),
                false => theme,
            })
        };
        let light = || fit(Theme::named("light").unwrap_or_default());
        match &self.theme {
            Some(theme) => Look::Fixed(fit(theme.clone())),
            None => match (fit(Theme::default()), light()) {
                (dark, light) if dark == light => Look::Fixed(dark),
                (dark, light) => Look::ByTerminal { dark, light },
            },
        }
    }

    /// All of it, for the board.
    pub fn feel(&self, env: &Environment) -> Feel {
        let mut complaints = self.complaints(env).into_iter();
        let fault = complaints.next().map(|first| match complaints.count() {
            0 => first,
            more => format!("{first} (and {more} more: taskdeck config)"),
        });
        Feel {
            look: self.look(depth(env)),
            keymap: self.keymap.clone(),
            mouse: self.settings.mouse.value,
            calm: self.settings.reduced_motion.value,
            fault,
        }
    }
}

/// Why there is no theme of a name.
enum Trouble {
    /// There is none of that name.
    Unknown(Fault),
    /// Its file is wrong.
    Broken(PathBuf, Fault),
}

/// The theme that the settings name: a file of the person's, else a built-in one; `None` for
/// `auto`.
fn theme(config: &Path, settings: &Settings) -> Result<Option<Theme>, Trouble> {
    let name = settings.theme.value.as_str();
    if name == "auto" {
        return Ok(None);
    }
    if let Some((file, text)) = config::theme_text(config, name) {
        let whole_file = |message| Fault {
            line: None,
            message,
            hint: None,
        };
        let theme = text.map_err(whole_file);
        let theme = theme.and_then(|text| Theme::parse(name, &text));
        return theme
            .map(Some)
            .map_err(|fault| Trouble::Broken(file, fault));
    }
    let theme = Theme::named(name).ok_or_else(|| {
        let built_in = ["auto"].into_iter().chain(Theme::names());
        let names: Vec<String> = built_in
            .map(str::to_owned)
            .chain(config::theme_names(config))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let line = match settings.theme.source {
            Source::File(line) => line,
            _ => 1,
        };
        Trouble::Unknown(Fault::unknown(line, "theme", name, &names))
    })?;
    Ok(Some(theme))
}

/// Terminals that have all colours, by what `TERM` begins with; `COLORTERM`, which says so too, is
/// lost on the way through ssh and sudo.
const ALL_COLOURS: [&str; 5] = [
    "xterm-kitty",
    "xterm-ghostty",
    "alacritty",
    "foot",
    "wezterm",
];

/// How many colours the terminal says it has.
pub fn depth(env: &Environment) -> ColorDepth {
    let (term, colours) = (env.var("TERM").unwrap_or_default(), env.var("COLORTERM"));
    match colours {
        _ if env.var("NO_COLOR").is_some() => ColorDepth::None,
        Some("truecolor" | "24bit") => ColorDepth::True,
        _ if ALL_COLOURS.iter().any(|name| term.starts_with(name)) => ColorDepth::True,
        _ if term.contains("direct") => ColorDepth::True,
        _ if term.contains("256color") => ColorDepth::Indexed,
        _ => ColorDepth::Named,
    }
}
