//! Who asks: the requests that are not answered yet.

use std::{
    collections::HashMap,
    io::{self, Write},
    net::TcpStream,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use serde_json::Value;

use super::{
    answer::{Remark, line},
    outbox::Outbox,
};
use crate::{
    app::cli::CliError,
    arena::analysis::{AnalysisQueue, QueuePlace},
};

/// Positions that may wait, and bytes of the requests that they are from: the next line is read when there are fewer.
const MOST_POSITIONS: usize = 1 << 16;
const MOST_BYTES: usize = 1 << 26;
/// How often something is written to a connection over which nothing more is asked.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// One who asks, on stdin or over a connection.
pub(super) struct Client {
    outbox: Outbox,
    state: Mutex<ClientState>,
    changed: Condvar,
}

#[derive(Default)]
struct ClientState {
    /// The requests that are not wholly answered, by their ids.
    open: HashMap<String, OpenRequest>,
    /// Positions of them that are not answered.
    positions: usize,
    /// Bytes of their lines.
    bytes: usize,
    /// Nobody reads the answers any more.
    is_gone: bool,
}

/// A request that is not wholly answered.
struct OpenRequest {
    stop: Arc<AtomicBool>,
    places: Vec<QueuePlace>,
    /// Positions that are not answered.
    left: usize,
    bytes: usize,
}

impl Client {
    /// At the other end of a connection, or of a pipe.
    pub fn new(connection: Option<TcpStream>) -> Self {
        Client { outbox: Outbox::new(connection), state: Mutex::default(), changed: Condvar::new() }
    }

    /// Whether it asks over a connection.
    pub fn is_connection(&self) -> bool {
        self.outbox.is_connection()
    }

    /// Opens a request for so many positions, whose line has so many bytes. The flag is set when it is to stop.
    ///
    /// # Errors
    /// When another with this id is open.
    pub fn open(&self, id: &str, positions: usize, bytes: usize) -> Result<Arc<AtomicBool>, CliError> {
        let mut state = self.lock();
        if state.open.contains_key(id) {
            let error = format!("id: another request is called '{id}', and is not answered yet");
            return Err(CliError::failed(error));
        }
        let stop = Arc::new(AtomicBool::new(state.is_gone));
        if !state.is_gone {
            let request = OpenRequest { stop: stop.clone(), places: Vec::new(), left: positions, bytes };
            state.open.insert(id.to_owned(), request);
            state.positions += positions;
            state.bytes += bytes;
        }
        Ok(stop)
    }

    /// Where the positions of a request wait.
    pub fn note_places(&self, id: &str, places: Vec<QueuePlace>) {
        if let Some(request) = self.lock().open.get_mut(id) {
            request.places = places;
        }
    }

    /// Answers one position of a request, unless that is to stop, as `stop` says.
    pub fn answer(&self, id: &str, stop: &AtomicBool, answer: &str) {
        let mut state = self.lock();
        // Looked at under the lock: nothing is answered behind `cancelled`.
        if stop.load(Relaxed) {
            return;
        }
        self.outbox.send(answer);
        let request = state.open.get_mut(id).expect("only a request that is open does not stop");
        request.left -= 1;
        let is_answered = request.left == 0;
        state.positions -= 1;
        if is_answered {
            let bytes = state.open.remove(id).map_or(0, |request| request.bytes);
            state.bytes -= bytes;
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Drops a request, and says whether anything of it was left to be answered.
    pub fn cancel(&self, id: &str, queue: &AnalysisQueue<'_>) {
        let mut state = self.lock();
        let request = state.open.remove(id);
        if let Some(request) = &request {
            request.stop.store(true, Relaxed);
            state.positions -= request.left;
            state.bytes -= request.bytes;
        }
        self.outbox.send(&line(&Remark::cancelled(id, request.is_some())));
        drop(state);
        request.iter().for_each(|request| queue.withdraw(&request.places));
    }

    /// Says that something is odd about a request.
    pub fn warn(&self, id: &str, warning: String) {
        self.outbox.send(&line(&Remark::warning(id, warning)));
    }

    /// Says that a request has no answer.
    pub fn refuse(&self, id: Value, error: &CliError) {
        self.outbox.send(&line(&Remark::error(id, None, error)));
    }

    /// Waits until another line may be read; `false` when nobody would read the answer.
    pub fn wait_for_room(&self) -> bool {
        let mut state = self.lock();
        while !state.is_gone && (state.positions >= MOST_POSITIONS || state.bytes >= MOST_BYTES) {
            state = self.wait(state);
        }
        !state.is_gone
    }

    /// Waits until all is answered; then the answers end.
    pub fn finish(&self) {
        let mut state = self.lock();
        while !state.is_gone && !state.open.is_empty() {
            let waited = self.changed.wait_timeout(state, HEARTBEAT);
            let (left, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = left;
            // Whoever asks no more over a connection may have gone: only writing tells. JSON allows a space before the
            // next line, and one will come.
            if timeout.timed_out() && self.outbox.is_connection() && !state.open.is_empty() {
                self.outbox.send(" ");
            }
        }
        drop(state);
        self.outbox.end();
    }

    /// Writes the answers as they come, until their end. If nobody reads them any more, all requests are dropped.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&self, out: impl Write, queue: &AnalysisQueue<'_>) -> io::Result<()> {
        let written = self.outbox.write_to(out);
        let mut state = self.lock();
        state.is_gone = true;
        let open: Vec<OpenRequest> = state.open.drain().map(|(_, request)| request).collect();
        open.iter().for_each(|request| request.stop.store(true, Relaxed));
        drop(state);
        self.changed.notify_all();
        open.iter().for_each(|request| queue.withdraw(&request.places));
        written
    }

    fn lock(&self) -> MutexGuard<'_, ClientState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, ClientState>) -> MutexGuard<'a, ClientState> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}
