use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::inbox::Event;
use crate::board::{LayoutJob, Message};

/// Large pictures are laid out at most so often: agents may write faster than that.
const BETWEEN: Duration = Duration::from_millis(100);

/// Lays large pictures of the graph out on a thread of its own, the latest first and only.
pub(super) struct Layouts {
    jobs: Sender<LayoutJob>,
}

impl Layouts {
    pub(super) fn start(events: Sender<Event>) -> Layouts {
        let (jobs, inbox) = channel();
        thread::spawn(move || work(&inbox, &events));
        Layouts { jobs }
    }

    pub(super) fn send(&self, job: LayoutJob) {
        // Without the thread the picture stays as it was.
        let _ = self.jobs.send(job);
    }
}

fn work(inbox: &Receiver<LayoutJob>, events: &Sender<Event>) {
    while let Ok(job) = inbox.recv() {
        let begun = Instant::now();
        // Whatever was asked for before the last is out of date already.
        let job = inbox.try_iter().last().unwrap_or(job);
        if events
            .send(Event::Board(Message::LaidOut(job.run())))
            .is_err()
        {
            return;
        }
        thread::sleep(BETWEEN.saturating_sub(begun.elapsed()));
    }
}
