//! How long engines are waited for.

use std::time::Duration;

/// How long an engine is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineTimeouts {
    /// For it to start, and to get ready for a game: it may load weights.
    pub handshake: Duration,
    /// For a move without a time limit.
    pub nodes: Duration,
    /// Beyond the time that it has for a move.
    pub margin: Duration,
}

impl Default for EngineTimeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        // GPSShogi, which loads its weights before it answers, took 3 s on a busy machine and more than 10 on one with thirty
        // busy threads on two cores.
        EngineTimeouts { handshake: seconds(30), nodes: seconds(60), margin: seconds(1) }
    }
}
