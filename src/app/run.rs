use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use ratatui::crossterm::clipboard::CopyToClipboard;
use ratatui::crossterm::event::Event as Terminal;
use ratatui::crossterm::execute;

use super::ask::Late;
use super::clock::{now_ms, until_next_minute};
use super::desk::{Desk, Mail, Opened};
use super::inbox::{Event, Rest};
use super::input::{Input, is_idle_motion, key};
use super::layouts::Layouts;
use super::lists::{Looker, Shelf};
use super::pointer::Pointer;
use super::terminal::Guard;
use super::worker::Worker;
use super::workers::{LogFollower, give_back_tasks, stop_worker};
use super::{Feel, Look, editor, signals};
use crate::board::{Effect, Message, Model, Notice, Tone, update};
use crate::store::watch::WatchMode;
use crate::task::TaskId;
use crate::view::{Hits, Theme, draw};

/// What a board opens on.
pub struct BoardOptions {
    /// The list.
    pub list: Opened,
    /// Where other lists are found; without it there are none.
    pub shelf: Option<Arc<dyn Shelf>>,
    /// How it looks and feels.
    pub feel: Feel,
    /// The `threadID` of tasks made here.
    pub thread_id: String,
    /// How changes are noticed.
    pub watch: WatchMode,
    /// The runner under the board, if there is one.
    pub jobs: Option<Jobs>,
    /// Done last, on every way out.
    pub on_end: Option<Box<dyn FnOnce()>>,
}

/// How many tasks the runner under the board works on at a time.
pub struct Jobs {
    /// At first.
    pub count: usize,
    /// Changes it.
    pub set: Box<dyn Fn(usize)>,
}

/// Frames stand at least so far apart, and twice as far as the last one took: a burst of changes is
/// one frame, and a slow terminal leaves time for what comes in.
const BETWEEN_FRAMES: Duration = Duration::from_millis(3);

/// With reduced motion, frames that only show what agents changed stand so far apart.
const CALM: Duration = Duration::from_secs(1);

/// An agent that only asks what is ready writes no file that would wake us: as long as one is to
/// hear of an edit, the board asks so often how far it has heard.
const WORD: Duration = Duration::from_secs(2);

/// How a loop ended.
enum End {
    Quit,
    Signal(i32),
    Hangup,
}

struct App {
    model: Model,
    theme: Theme,
    look: Look,
    calm: bool,
    guard: Guard,
    input: Input,
    desk: Desk,
    /// Workers of lists that were shown before; they may still be at it.
    retired: Vec<Worker>,
    shelf: Option<Arc<dyn Shelf>>,
    looker: Option<Looker>,
    thread_id: String,
    watch: WatchMode,
    layouts: Layouts,
    events: Sender<Event>,
    hits: Hits,
    pointer: Pointer,
    log: Option<LogFollower>,
    jobs: Option<Box<dyn Fn(usize)>>,
}

/// Opens the board and stays until the person leaves.
///
/// # Errors
/// When there is no terminal, or it cannot be used.
pub fn run(mut options: BoardOptions) -> anyhow::Result<()> {
    super::terminal::check()?;
    let on_end = OnEnd(options.on_end.take());
    let (events, inbox) = channel();
    signals::listen(events.clone())?;
    let mut app = App::start(options, events)?;
    let end = app.turn(&inbox);
    let App {
        guard,
        desk: Desk {
            worker, watcher, ..
        },
        retired,
        ..
    } = app;
    drop((guard, watcher)); // the terminal first: whatever takes time now, the shell is back
    let patience = if matches!(end, Ok(End::Quit)) {
        FAREWELL
    } else {
        LAST_WORDS
    };
    for worker in retired.into_iter().chain([worker]) {
        worker.finish(patience);
    }
    drop(on_end);
    match end? {
        End::Quit => Ok(()),
        End::Hangup => std::process::exit(129),
        End::Signal(signal) => {
            // Ends as anything would that does not catch the signal, so that a shell sees it.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            Ok(())
        }
    }
}

/// A person who leaves waits so long for writes that wait for somebody's lock.
const FAREWELL: Duration = Duration::from_secs(10);

/// A signal, or a closed terminal, ends the process within a second.
const LAST_WORDS: Duration = Duration::from_millis(700);

/// Done on every way out.
struct OnEnd(Option<Box<dyn FnOnce()>>);

impl Drop for OnEnd {
    fn drop(&mut self) {
        if let Some(on_end) = self.0.take() {
            on_end();
        }
    }
}

impl App {
    fn start(options: BoardOptions, events: Sender<Event>) -> anyhow::Result<App> {
        let BoardOptions {
            list,
            shelf,
            feel,
            thread_id,
            watch,
            jobs,
            on_end: _,
        } = options;
        let mail = Mail {
            events: events.clone(),
            list: 0,
        };
        let mut model = list.model();
        model.now_ms = now_ms();
        model.jobs = jobs.as_ref().map(|jobs| jobs.count);
        model.keymap = feel.keymap;
        model.mouse = feel.mouse;
        model.notice = feel.fault.map(|text| Notice {
            tone: Tone::Error,
            text,
        });
        model.size = ratatui::crossterm::terminal::size().unwrap_or((80, 24));
        // The list is read while the terminal is asked what it can.
        let desk = Desk::at(&list.store, &model.state, watch, thread_id.clone(), mail);
        let (guard, answers) = Guard::enter(feel.mouse, feel.look.asks())?;
        for key in answers.typed {
            // What was typed meanwhile comes first.
            let _ = events.send(Event::Board(Message::Key(key)));
        }
        Ok(App {
            desk,
            model,
            theme: feel.look.clone().on(answers.light),
            look: feel.look,
            calm: feel.calm,
            guard,
            input: Input::start(events.clone(), Late::new(answers.late)),
            retired: Vec::new(),
            shelf,
            looker: None,
            thread_id,
            watch,
            layouts: Layouts::start(events.clone()),
            events,
            hits: Hits::default(),
            pointer: Pointer::default(),
            log: None,
            jobs: jobs.map(|jobs| jobs.set),
        })
    }

    /// Shows the list in another folder; the one before keeps what it was about to write.
    fn open_list(&mut self, dir: &Path) {
        let Some(opened) = self.shelf.as_ref().map(|shelf| shelf.open(dir)) else {
            return;
        };
        let list = match opened {
            Ok(list) => list,
            Err(why) => return self.model.say_error(why),
        };
        let mail = self.desk.mail.next();
        let mut model = list.model();
        model.come_from(&self.model);
        let state = &model.state;
        let desk = Desk::at(&list.store, state, self.watch, self.thread_id.clone(), mail);
        let before = std::mem::replace(&mut self.desk, desk);
        self.retired.push(before.worker);
        self.model = model;
        self.log = None;
        self.hits = Hits::default();
    }

    /// Takes what waits, then draws once; sleeps when there is nothing.
    fn turn(&mut self, inbox: &Receiver<Event>) -> anyhow::Result<End> {
        let mut next = self.draw()?;
        let mut drawn = Instant::now();
        let mut waits = false;
        loop {
            let patience = match waits {
                true => CALM.saturating_sub(drawn.elapsed()),
                false if self.model.awaits_word() => WORD,
                false => until_next_minute(now_ms()),
            };
            let first = match inbox.recv_timeout(patience) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => Event::Board(Message::Clock(now_ms())),
                Err(RecvTimeoutError::Disconnected) => return Ok(End::Hangup),
            };
            let mut dirty = false;
            self.model.now_ms = now_ms();
            let rest = Rest { inbox, until: next };
            for event in [first].into_iter().chain(rest) {
                match self.take(event)? {
                    Step::End(end) => return Ok(end),
                    Step::Dirty => dirty = true,
                    Step::Later => waits = true,
                    Step::Clean => {}
                }
            }
            if dirty || (waits && drawn.elapsed() >= CALM) {
                next = self.draw()?;
                drawn = Instant::now();
                waits = false;
            }
        }
    }

    /// Gives the moment from which on the next frame may be drawn.
    fn draw(&mut self) -> io::Result<Instant> {
        let begun = Instant::now();
        let App {
            model,
            theme,
            guard,
            hits,
            ..
        } = self;
        guard.draw(|frame| *hits = draw(model, theme, frame))?;
        self.model.graph.pan = self.hits.pan.unwrap_or_default();
        self.model.scrolls.extend(self.hits.scrolls.iter().copied());
        let now = Instant::now();
        Ok(now + BETWEEN_FRAMES.max(2 * (now - begun)))
    }

    fn take(&mut self, event: Event) -> anyhow::Result<Step> {
        match event {
            Event::Hangup => return Ok(Step::End(End::Hangup)),
            Event::Terminated(signal) => return Ok(Step::End(End::Signal(signal))),
            Event::Background(light) => self.theme = self.look.clone().on(Some(light)),
            Event::Suspend => self.suspend()?,
            Event::Woken => {
                // Whoever had the terminal meanwhile may have left it in another mode.
                self.guard.lend(|| ())?;
                self.desk.watcher.sweep();
            }
            Event::Terminal(event) => {
                let step = self.take_input(event);
                self.input.go_on();
                return step;
            }
            Event::Board(message) => return self.update(message),
            Event::List(list, message) if list == self.desk.mail.list => {
                let by_agents = matches!(message, Message::Files(_));
                return Ok(match self.update(message)? {
                    Step::Dirty if self.calm && by_agents => Step::Later,
                    step => step,
                });
            }
            Event::List(..) => return Ok(Step::Clean), // of a list that is not shown any more
        }
        Ok(Step::Dirty)
    }

    fn take_input(&mut self, event: Terminal) -> anyhow::Result<Step> {
        if is_idle_motion(&event) {
            return Ok(Step::Clean);
        }
        match self.message(event) {
            Some(message) => self.update(message),
            None => Ok(Step::Clean),
        }
    }

    fn update(&mut self, message: Message) -> anyhow::Result<Step> {
        for effect in update(&mut self.model, message) {
            match effect {
                Effect::Act(op) => self.desk.worker.act(*op),
                Effect::AskHeard(agents) => self.desk.worker.ask_heard(agents),
                Effect::Copy(text) => {
                    execute!(io::stdout(), CopyToClipboard::to_clipboard_from(text))?;
                }
                Effect::Layout(job) => self.layouts.send(*job),
                Effect::Sweep => self.desk.watcher.sweep(),
                Effect::Examine => self.desk.worker.examine(),
                Effect::Clear(finding) => self.desk.worker.clear(finding),
                Effect::FindLists => self.find_lists(),
                Effect::Open(dir) => self.open_list(&dir),
                Effect::FollowLog(id) => self.follow_log(id),
                Effect::StopWorker(claimed) => stop_worker(*claimed, self.desk.mail.clone()),
                Effect::GiveBack => {
                    give_back_tasks(self.desk.store.clone(), self.desk.mail.clone());
                }
                Effect::Jobs(jobs) => {
                    if let Some(set) = &self.jobs {
                        set(jobs);
                    }
                }
                Effect::TakeMouse(ours) => self.guard.take_mouse(ours)?,
                Effect::Suspend => self.suspend()?,
                Effect::Quit => return Ok(Step::End(End::Quit)),
                Effect::Edit(id, text) => {
                    let edited = self.without_input(|| editor::edit(&text))?;
                    let edited = edited.map_err(|e| format!("{e:#}"));
                    // The outcome comes back like any other event.
                    let _ = self.events.send(Event::Board(Message::Edited(id, edited)));
                }
            }
        }
        if !self.model.shows_lists() {
            self.looker = None;
        }
        Ok(Step::Dirty)
    }

    /// Looks for lists as long as they are shown.
    fn find_lists(&mut self) {
        let events = self.events.clone();
        let start = |shelf: &Arc<dyn Shelf>| Looker::start(Arc::clone(shelf), events);
        self.looker = self.shelf.as_ref().map(start);
    }

    fn follow_log(&mut self, id: Option<TaskId>) {
        self.log = id.and_then(|id| {
            let path = self.model.state.log_of(&id)?;
            Some(LogFollower::start(id, path, self.desk.mail.clone()))
        });
    }

    fn suspend(&mut self) -> io::Result<()> {
        self.without_input(signals::stop_self)?;
        self.desk.watcher.sweep();
        Ok(())
    }

    /// Lends the terminal; the reader waits meanwhile for the event to be dealt with.
    fn without_input<T>(&mut self, borrower: impl FnOnce() -> T) -> io::Result<T> {
        let result = self.guard.lend(borrower);
        if let Ok((columns, rows)) = ratatui::crossterm::terminal::size() {
            self.model.size = (columns, rows);
        }
        result
    }

    fn message(&mut self, event: Terminal) -> Option<Message> {
        Some(match event {
            Terminal::Key(event) => Message::Key(key(event)?),
            Terminal::Paste(text) => Message::Paste(text),
            Terminal::Resize(columns, rows) => Message::Resize(columns, rows),
            Terminal::FocusGained => Message::FocusGained,
            Terminal::FocusLost => Message::FocusLost,
            Terminal::Mouse(event) => Message::Mouse(self.pointer.take(event, &self.hits)?),
        })
    }
}

/// What an event leads to.
enum Step {
    Dirty,
    /// There is something new to see, which can wait for its time.
    Later,
    Clean,
    End(End),
}
