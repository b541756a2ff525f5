//! Where the engine's lines go, from several threads.

use std::{
    io::Write,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use crate::protocol::{Dialect, Notation};

/// Writes lines in a dialect. Its clones write to the same place.
#[derive(Clone)]
pub struct EngineOutput {
    out: Arc<Mutex<Box<dyn Write + Send>>>,
    is_closed: Arc<AtomicBool>,
    /// The dialect spoken.
    pub dialect: Dialect,
    /// How moves are written.
    pub notation: Notation,
}

impl EngineOutput {
    /// Writes to `out`, UCI at first.
    pub fn new(out: Box<dyn Write + Send>) -> Self {
        EngineOutput {
            out: Arc::new(Mutex::new(out)),
            is_closed: Arc::default(),
            dialect: Dialect::Uci,
            notation: Notation::Own,
        }
    }

    /// Writes a line at once.
    pub fn say(&self, line: &str) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let text = format!("{line}\n");
        if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
            self.is_closed.store(true, Relaxed);
        }
    }

    /// Whether a line could not be written: the other program has closed its end.
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Relaxed)
    }
}

/// The beginning of a line, for a note.
pub fn shortened(line: &str) -> String {
    const MOST: usize = 120;
    let line = line.trim();
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
