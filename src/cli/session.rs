use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Read as _, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::args::{DialectName, Global, When};
use super::failure::Failure;
use crate::list::{List, Op, RefusalCode, Resolve, plan};
use crate::state::config::{self, Flags, Settings};
use crate::state::{self, ListState, Notices};
use crate::store::discover::{Discovery, Environment, Wanted, discover};
use crate::store::watch::WatchMode;
use crate::store::{Committed, Options, Store};
use crate::task::{Dialect, Task, TaskId};
use crate::text::clean_line;

/// What a command works with: the list that it is about and how to answer.
pub struct Session {
    /// What was asked of every command.
    pub global: Global,
    /// The process's surroundings.
    pub env: Environment,
    /// Which list, and why.
    pub discovery: Discovery,
    /// The list on disk.
    pub store: Store,
    /// What is remembered of it.
    pub state: ListState,
}

fn did_you_mean(task: &Task) -> String {
    let (id, subject) = (clean_line(task.id.short()), clean_line(&task.subject));
    format!("did you mean {id}, “{subject}”?")
}

/// The process's surroundings, as plain data.
///
/// # Errors
/// When there is no working directory.
pub fn environment() -> Result<Environment, Failure> {
    let cwd = std::env::current_dir()
        .map_err(|e| Failure::new("no_list", format!("the working directory is gone: {e}")))?;
    let text = |s: OsString| s.to_string_lossy().into_owned();
    let vars = std::env::vars_os().map(|(name, value)| (text(name), value));
    let vars: BTreeMap<String, OsString> = vars.collect();
    Ok(Environment { cwd, vars })
}

/// Milliseconds since the epoch.
pub fn now_ms() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl Session {
    /// Finds and opens the list.
    ///
    /// # Errors
    /// When no list can be told, or its folder cannot be read.
    pub fn open(global: &Global) -> Result<Session, Failure> {
        let env = environment()?;
        let wanted = Wanted {
            dir: global.dir.clone(),
            list: global.list.clone(),
        };
        let discovery = discover(&env, &wanted)?;
        Session::on(global, env, discovery)
    }

    /// Opens the list that discovery chose.
    ///
    /// # Errors
    /// When its folder cannot be read.
    pub fn on(global: &Global, env: Environment, discovery: Discovery) -> Result<Session, Failure> {
        let timeout = Duration::try_from_secs_f64(global.lock_timeout);
        let timeout =
            timeout.map_err(|_| Failure::usage("--lock-timeout takes seconds, such as 5"))?;
        let options = Options {
            lock_timeout: timeout,
            read_only: global.read_only,
            ..Options::default()
        };
        let dialect = global.dialect.map(DialectName::dialect);
        let store = Store::open(&discovery.chosen.dir, dialect, options)?;
        let root = state::root(|name| env.path(name));
        let state = ListState::open(root.as_deref(), store.dir());
        Ok(Session {
            global: global.clone(),
            env,
            discovery,
            store,
            state,
        })
    }

    /// Reads the list, with what is remembered of its tasks.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn load(&mut self) -> Result<List, Failure> {
        let mut list = self.store.load()?;
        self.state.apply(&mut list);
        self.state.remember(&list, now_ms(), false);
        Ok(list)
    }

    /// Plans a wish on the list, carries it out, and takes what was written over into the list.
    ///
    /// # Errors
    /// A refusal, a busy lock, or what the disk says.
    pub fn act(&mut self, list: &mut List, op: Op) -> Result<Committed, Failure> {
        let plan = plan(list, op)?;
        let remembered = |list: &mut List| self.state.apply(list);
        let committed = self.store.commit_with(plan, remembered)?;
        list.apply(committed.files.clone());
        let written = committed
            .plan
            .changes
            .iter()
            .filter_map(|change| list.get(change.id()));
        let written: Vec<_> = written.map(AsRef::as_ref).collect();
        self.state.observe(&written, now_ms(), true);
        if std::io::stdin().is_terminal() {
            self.tell_agents(&committed, list);
        }
        Ok(committed)
    }

    /// Leaves agents at work a notice of what a person did; agents themselves call from pipes.
    fn tell_agents(&self, committed: &Committed, list: &List) {
        let news = crate::tools::notices(&committed.plan, list);
        // News that cannot be kept is no reason to fail what was done.
        let _ = Notices::new(self.state.folder()).add(news, now_ms());
    }

    /// The task that a person means: an id or a unique start of an OmO id.
    ///
    /// # Errors
    /// No such task, several, or a file that cannot be read.
    pub fn resolve(&self, list: &List, text: &str) -> Result<TaskId, Failure> {
        list.resolve(text, Resolve::Prefix).map_err(|refusal| {
            let unknown = [RefusalCode::InvalidTaskId, RefusalCode::TaskNotFound];
            let meant = list.suggestion(text);
            match meant.filter(|_| unknown.contains(&refusal.code)) {
                Some(task) => refusal.hint(did_you_mean(task)).into(),
                None => refusal.into(),
            }
        })
    }

    /// The thread of tasks that this call creates (DESIGN decision 17).
    pub fn thread_id(&mut self, given: Option<&str>) -> String {
        let by_variable = || self.env.var("TASKDECK_THREAD_ID").map(str::to_owned);
        let named = given.map(str::to_owned).or_else(by_variable);
        named.unwrap_or_else(|| self.state.thread_id(&fresh_thread_id()))
    }

    /// How changes are noticed.
    pub fn watch_mode(&self) -> WatchMode {
        let var = |name: &str| self.env.var(name).map(str::to_owned);
        let config = config::read(config::config_path(var), false);
        let flags = Flags {
            poll: self.global.poll,
            ..Flags::default()
        };
        if Settings::resolve(&config, &flags, var).poll.value {
            WatchMode::Poll
        } else {
            WatchMode::Auto
        }
    }

    /// Whether to colour what goes to standard output.
    pub fn colour(&self) -> bool {
        wants_colour(
            &self.env,
            self.global.color,
            std::io::stdout().is_terminal(),
        )
    }

    /// The list's folder for people: relative to here where that is shorter.
    pub fn where_(&self) -> String {
        readable_path(&self.env, self.store.dir())
    }
}

/// A new thread id, for whoever has none.
pub fn fresh_thread_id() -> String {
    format!("taskdeck-{}", uuid::Uuid::new_v4())
}

/// A path below here or below the home, in its short form.
pub fn readable_path(env: &Environment, path: &Path) -> String {
    if let Ok(below) = path.strip_prefix(&env.cwd) {
        return below.display().to_string();
    }
    let home = env.path("HOME");
    match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(below) => format!("~/{}", below.display()),
        None => path.display().to_string(),
    }
}

/// `--color`, then `NO_COLOR`, `CLICOLOR_FORCE` and `TERM`, then whether it is a terminal.
pub fn wants_colour(env: &Environment, when: When, terminal: bool) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto if env.var("NO_COLOR").is_some() => false,
        When::Auto if env.var("CLICOLOR_FORCE").is_some_and(|v| v != "0") => true,
        When::Auto => terminal && env.var("TERM") != Some("dumb"),
    }
}

impl Global {
    /// Where remarks go that are neither data nor trouble; `--quiet` leaves them out.
    pub fn talk(&self) -> Box<dyn Write> {
        match self.quiet {
            true => Box::new(io::sink()),
            false => Box::new(io::stderr()),
        }
    }
}

/// What stands on standard input, where an argument is `-`; else the argument itself.
///
/// # Errors
/// When standard input cannot be read.
pub fn given(argument: &str) -> io::Result<String> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl DialectName {
    /// The dialect of this name.
    pub fn dialect(self) -> Dialect {
        match self {
            DialectName::Omo => Dialect::Omo,
            DialectName::OmoTeam => Dialect::OmoTeam,
            DialectName::Claude => Dialect::Claude,
        }
    }
}
