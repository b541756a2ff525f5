//! The lines that wait until somebody reads them.

use std::{
    io::{self, Write},
    net::{Shutdown, TcpStream},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

/// Bytes that may wait.
const MOST_WAITING: usize = 1 << 26;

/// The lines for one client.
pub(super) struct Outbox {
    state: Mutex<OutboxState>,
    changed: Condvar,
    /// A connection: it is cut where too much waits, so that it never keeps others waiting. Without one, threads wait
    /// until there is room.
    connection: Option<TcpStream>,
}

#[derive(Default)]
struct OutboxState {
    waiting: Vec<u8>,
    /// Nothing more will come.
    is_ended: bool,
    /// Nobody reads any more.
    is_broken: bool,
}

impl Outbox {
    /// That of a client at the other end of a connection, or of a pipe.
    pub fn new(connection: Option<TcpStream>) -> Self {
        Outbox { state: Mutex::default(), changed: Condvar::new(), connection }
    }

    /// Whether it is that of a connection.
    pub fn is_connection(&self) -> bool {
        self.connection.is_some()
    }

    /// Adds a line, which has its end.
    pub fn send(&self, line: &str) {
        let mut state = self.lock();
        while state.waiting.len() > MOST_WAITING && !state.is_broken {
            if let Some(connection) = &self.connection {
                // The thread that writes hears of it.
                let _ = connection.shutdown(Shutdown::Both);
                state.is_broken = true;
            } else {
                state = self.wait(state);
            }
        }
        if !state.is_broken {
            state.waiting.extend_from_slice(line.as_bytes());
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Nothing more will come.
    pub fn end(&self) {
        self.lock().is_ended = true;
        self.changed.notify_all();
    }

    /// Writes lines as they come, until the end.
    ///
    /// # Errors
    /// Those of `out`; then all further lines are dropped.
    pub fn write_to(&self, mut out: impl Write) -> io::Result<()> {
        let mut lines = Vec::new();
        loop {
            let mut state = self.lock();
            while state.waiting.is_empty() && !state.is_ended && !state.is_broken {
                state = self.wait(state);
            }
            if state.is_broken {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            if state.waiting.is_empty() {
                return Ok(());
            }
            std::mem::swap(&mut lines, &mut state.waiting);
            drop(state);
            self.changed.notify_all();
            let written = out.write_all(&lines).and_then(|()| out.flush());
            if written.is_err() {
                self.lock().is_broken = true;
                self.changed.notify_all();
                return written;
            }
            lines.clear();
        }
    }

    fn lock(&self) -> MutexGuard<'_, OutboxState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, OutboxState>) -> MutexGuard<'a, OutboxState> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}
