//! Standard input and output as the SDK's transport: one message a line.
//!
//! Two plain threads do the reading and writing, because neither can be interrupted and the
//! server must be gone within a second of the end of its input, whatever the pipes do.

use std::collections::{HashSet, VecDeque};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc as plain;
use std::thread;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::{mpsc, oneshot, watch};

use super::message::{Incoming, decode, opens_session};

/// Lines that may wait for the server before the client has to.
const LINES_AHEAD: usize = 64;

/// The two pipes of a session.
pub struct Stdio {
    lines: mpsc::Receiver<Vec<u8>>,
    waiting: VecDeque<Incoming>,
    out: plain::Sender<String>,
    opened: bool,
    /// The ids being answered; a second use of one is refused, because the SDK would answer only
    /// one of the two.
    in_flight: HashSet<RequestId>,
    ended: watch::Sender<bool>,
}

/// What the server needs to know about its pipes.
pub struct Ends {
    /// Turns true when no more input comes: what waits should give up.
    pub ended: watch::Receiver<bool>,
    /// Resolves when everything has been written and the transport is gone.
    pub written: oneshot::Receiver<()>,
}

impl Stdio {
    /// Starts the threads.
    pub fn start(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> (Stdio, Ends) {
        let (line, lines) = mpsc::channel(LINES_AHEAD);
        let (out, texts) = plain::channel();
        let (done, written) = oneshot::channel();
        let (ended, watch_end) = watch::channel(false);
        thread::spawn(move || read_lines(input, &line));
        thread::spawn(move || {
            write_lines(output, &texts);
            let _ = done.send(());
        });
        let stdio = Stdio {
            lines,
            waiting: VecDeque::new(),
            out,
            opened: false,
            in_flight: HashSet::new(),
            ended,
        };
        let ends = Ends {
            ended: watch_end,
            written,
        };
        (stdio, ends)
    }

    /// What the SDK should see of a message, if anything.
    fn admit(&mut self, incoming: Incoming) -> Option<ClientJsonRpcMessage> {
        let message = match incoming {
            Incoming::Message(message) => *message,
            Incoming::Refused(answer) => {
                let _ = self.out.send(answer);
                return None;
            }
        };
        self.opened |= opens_session(&message);
        match &message {
            ClientJsonRpcMessage::Request(request) => {
                let first = self.in_flight.insert(request.id.clone());
                if first {
                    return Some(message);
                }
                self.answer_twice_used(&request.id);
                return None;
            }
            ClientJsonRpcMessage::Notification(note) => {
                if let ClientNotification::CancelledNotification(cancelled) = &note.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.in_flight.remove(id); // a cancelled request is not answered
                }
            }
            _ => {}
        }
        self.opened.then_some(message)
    }

    fn answer_twice_used(&self, id: &RequestId) {
        let error = rmcp::ErrorData::invalid_request(
            "a request with this id is still being answered; use a new id",
            None,
        );
        self.write(&ServerJsonRpcMessage::error(error, Some(id.clone())));
    }

    fn write(&self, message: &ServerJsonRpcMessage) {
        let text = serde_json::to_string(message).expect("protocol messages are plain data");
        let _ = self.out.send(text); // a closed output ends the session through its input
    }
}

fn read_lines(input: impl Read, lines: &mpsc::Sender<Vec<u8>>) {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if lines.blocking_send(line).is_err() => return,
            Ok(_) => {}
        }
    }
}

/// Writes until the last sender is gone or the reader of our output is.
fn write_lines(mut output: impl Write, texts: &plain::Receiver<String>) {
    while let Ok(mut text) = texts.recv() {
        text.push('\n');
        let written = output.write_all(text.as_bytes());
        if written.and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        match &message {
            ServerJsonRpcMessage::Response(answer) => self.in_flight.remove(&answer.id),
            ServerJsonRpcMessage::Error(answer) => answer
                .id
                .as_ref()
                .is_some_and(|id| self.in_flight.remove(id)),
            _ => false,
        };
        self.write(&message);
        std::future::ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            while let Some(incoming) = self.waiting.pop_front() {
                if let Some(message) = self.admit(incoming) {
                    return Some(message);
                }
            }
            match self.lines.recv().await {
                Some(line) => self.waiting.extend(decode(&line)),
                None => {
                    self.ended.send_replace(true);
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        Ok(())
    }
}
