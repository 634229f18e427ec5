use std::io::{self, IsTerminal as _, Stdout, Write as _};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, bail};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture, KeyboardEnhancementFlags, PopKeyboardEnhancementFlags,
    PushKeyboardEnhancementFlags,
};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute, queue};

use super::ask::{Answers, ask};

/// Whether the terminal is ours. One flag for the process, since a panic in any thread must give
/// it back.
static OURS: AtomicBool = AtomicBool::new(false);

/// Whether keys come in the kitty protocol; the terminal keeps a stack, so what was pushed is
/// popped once.
static KITTY: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours. Dropping it, a panic in any thread, and every signal that ends
/// the process give it back as it was found.
pub(super) struct Guard {
    /// Never dropped: its own end would write to a terminal that may be gone, and complain aloud.
    /// [`give_back`] does all of it, quietly.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
    /// Whether the mouse is ours.
    mouse: bool,
    /// Whether the terminal offers the kitty protocol.
    kitty: bool,
}

/// Whether there can be a board here.
///
/// # Errors
/// Why not, in one line.
pub fn check() -> anyhow::Result<()> {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb" || term.is_empty());
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        bail!("the board needs a terminal; `taskdeck list` and `taskdeck watch` work without one");
    }
    if dumb {
        bail!(
            "the board needs a terminal that can move its cursor (TERM is dumb); use `taskdeck list`"
        );
    }
    Ok(())
}

impl Guard {
    /// Takes the terminal, with the mouse or without, and asks it what it can and, where that is
    /// wanted, how bright its background is.
    pub(super) fn enter(mouse: bool, background: bool) -> anyhow::Result<(Guard, Answers)> {
        check()?;
        restore_on_panic();
        take(mouse)
            .context("the terminal cannot be set up")
            .inspect_err(|_| give_back())?;
        let answers = ask(background);
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()));
        let terminal = terminal
            .context("the terminal cannot be set up")
            .inspect_err(|_| give_back())?;
        let guard = Guard {
            terminal: ManuallyDrop::new(terminal),
            mouse,
            kitty: answers.kitty,
        };
        guard.push_keyboard()?;
        Ok((guard, answers))
    }

    /// Tells escape from alt, and ctrl-i from tab, where the terminal can.
    fn push_keyboard(&self) -> io::Result<()> {
        if !self.kitty {
            return Ok(());
        }
        KITTY.store(true, Ordering::SeqCst);
        let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES;
        execute!(io::stdout(), PushKeyboardEnhancementFlags(flags))
    }

    /// Takes the mouse, or leaves it to the terminal.
    pub(super) fn take_mouse(&mut self, ours: bool) -> io::Result<()> {
        self.mouse = ours;
        if ours {
            execute!(io::stdout(), EnableMouseCapture)
        } else {
            execute!(io::stdout(), DisableMouseCapture)
        }
    }

    /// Draws one frame as one update, so that no terminal shows half of it.
    pub(super) fn draw(&mut self, paint: impl FnOnce(&mut ratatui::Frame<'_>)) -> io::Result<()> {
        queue!(io::stdout(), BeginSynchronizedUpdate)?;
        let drawn = self.terminal.draw(paint).map(|_| ());
        execute!(io::stdout(), EndSynchronizedUpdate)?;
        drawn
    }

    /// Gives the terminal back for a while, runs something, and takes it again.
    pub(super) fn lend<T>(&mut self, borrower: impl FnOnce() -> T) -> io::Result<T> {
        give_back();
        let result = borrower();
        take(self.mouse)?;
        self.push_keyboard()?;
        // Draws everything anew without asking the terminal where its cursor is: not all answer.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())?;
        Ok(result)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back();
    }
}

fn take(mouse: bool) -> io::Result<()> {
    OURS.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableBracketedPaste,
        EnableFocusChange,
        cursor::Hide
    )?;
    if mouse {
        execute!(io::stdout(), EnableMouseCapture)?;
    }
    Ok(())
}

/// Undoes everything in reverse, once. Whatever fails, the rest is still tried.
pub(super) fn give_back() {
    if !OURS.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    let _ = execute!(out, EndSynchronizedUpdate);
    if KITTY.swap(false, Ordering::SeqCst) {
        // Before the screen is left: each screen has a stack of its own.
        let _ = execute!(out, PopKeyboardEnhancementFlags);
    }
    let _ = execute!(
        out,
        DisableFocusChange,
        DisableBracketedPaste,
        DisableMouseCapture
    );
    let _ = execute!(out, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
    let _ = out.flush();
}

/// A panic in any thread gives the terminal back before it is reported.
fn restore_on_panic() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            report(panic);
            // Whichever thread it was: a board without it would show what is not so.
            std::process::exit(101);
        }));
    });
}
