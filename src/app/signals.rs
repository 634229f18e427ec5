use std::io;
use std::sync::mpsc::Sender;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use super::inbox::Event;

/// Turns signals into events, on a thread of its own that ends with the process.
pub(super) fn listen(events: Sender<Event>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGCONT])?;
    thread::spawn(move || {
        for signal in signals.forever() {
            let event = match signal {
                SIGHUP => Event::Hangup,
                SIGTSTP => Event::Suspend,
                SIGCONT => Event::Woken,
                _ => Event::Terminated(signal),
            };
            if events.send(event).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// Stops this process as the shell's ctrl-z does; returns when it is continued.
pub(super) fn stop_self() {
    // A process that cannot be stopped goes on, which is what happens anyway.
    let _ = signal_hook::low_level::raise(signal_hook::consts::SIGSTOP);
}
