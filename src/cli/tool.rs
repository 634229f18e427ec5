//! `tool`: one agent tool call, JSON in, JSON out.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::failure::Failure;
use super::session::{Session, given, now_ms};
use crate::list::List;
use crate::state::{ListState, Notices};
use crate::store::watch::{Bell, WatchMode, Watcher, Woken};
use crate::task::TaskId;
use crate::tools::{Answer, Args, Context, TOOLS, World};

/// `tool`
pub fn tool(
    session: &mut Session,
    name: &str,
    arguments: Option<&str>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let known = || {
        TOOLS
            .iter()
            .map(|tool| tool.name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| {
        Failure::usage(format!("there is no tool {name}"))
            .hint(format!("the tools are {}", known()))
    })?;
    let text = match arguments {
        None => "{}".to_owned(),
        Some(text) => given(text)?,
    };
    let valid = serde_json::from_str::<&serde_json::value::RawValue>(&text);
    valid.map_err(|e| Failure::usage(format!("the arguments are no JSON: {e}")))?;
    let args = match Args::parse(tool, &text) {
        Ok(args) => args,
        Err(mistake) => {
            let answer = Answer::error("validation_error", &mistake.to_string());
            writeln!(out, "{}", answer.json)?;
            return Ok(());
        }
    };
    let thread_id = session.thread_id(None);
    let notices = Notices::new(session.state.folder());
    let world = Outside::watching(session, tool.waits);
    let owner = session.env.var("TASKDECK_OWNER");
    let context = Context {
        store: &session.store,
        notices: &notices,
        thread_id: &thread_id,
        owner,
        world: &world,
    };
    writeln!(out, "{}", (tool.run)(&context, &args).json)?;
    Ok(())
}

/// What a call gets from outside.
struct Outside {
    state: Mutex<ListState>,
    bell: Arc<Bell>,
    _watcher: Option<Watcher>,
}

impl Outside {
    fn watching(session: &Session, waits: bool) -> Outside {
        let bell = Arc::new(Bell::default());
        let ringer = Arc::clone(&bell);
        let watch = || session.store.watch(WatchMode::Auto, move |_| ringer.ring());
        Outside {
            state: Mutex::new(session.state.clone()),
            _watcher: waits.then(watch),
            bell,
        }
    }
}

impl World for Outside {
    fn new_id(&self) -> TaskId {
        TaskId::new(format!("T-{}", uuid::Uuid::new_v4()))
    }

    fn now_ms(&self) -> i64 {
        now_ms()
    }

    fn remember(&self, list: &mut List) {
        if let Ok(mut state) = self.state.lock() {
            state.apply(list);
            state.remember(list, now_ms(), false);
        }
    }

    /// Creating a task stays as quick in a large list as in a small one.
    fn glance(&self, _look: &mut dyn FnMut(&List)) {}

    fn changes(&self) -> u64 {
        self.bell.rung()
    }

    fn wait_for_change(&self, since: u64, at_most: Duration) -> Woken {
        self.bell.wait(since, at_most)
    }

    fn tell(&self, message: &str) {
        // Progress is talk; a closed standard error loses nothing.
        let _ = writeln!(std::io::stderr(), "{message}");
    }
}
