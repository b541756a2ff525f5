//! A search on its way: what it is to do, how it is told to end, and how it speaks.

use std::{
    io::Write,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use crate::arena::{Allotment, Dialect, Notation};

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// Find the best move.
    Move,
    /// Find a mate as USI asks for one, within so much time if that is bounded.
    Mate(Option<Duration>),
    /// Count positions so deep.
    Perft(u32),
    /// Answer that there is nothing to search: the last position was refused, and this says why.
    Refusal(String, Refused),
}

/// What was asked for where there is nothing to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A move.
    Move,
    /// A mate, as USI asks for one.
    Mate,
}

/// When a search for a move ends by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Time {
    /// Not by time.
    Free,
    /// After so much.
    Fixed(Duration),
    /// As the clock allows and the move is worth.
    Clock(Allotment),
}

/// What an answer waits for, though it be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// Nothing.
    No,
    /// A `stop`.
    ForStop,
    /// A `ponderhit`, or a `stop`.
    ForHit,
}

/// All that a search has to know.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// What is to be done.
    pub work: Work,
    /// When it was asked for.
    pub began: Instant,
    /// Nodes, which of a tree are simulations, at most.
    pub nodes: Option<u64>,
    /// Depth, at most.
    pub depth: Option<u32>,
    /// When it ends by itself.
    pub time: Time,
    /// What the answer waits for.
    pub waits: Waits,
    /// The only moves that may be played; all of them where there are none, or none of them is legal.
    pub only: Vec<String>,
    /// Moves that may not be played.
    pub banned: Vec<String>,
    /// So many lines are told.
    pub lines: usize,
    /// Whether lines tell probabilities.
    pub show_wdl: bool,
    /// Whether every move of the root is told before the answer.
    pub move_stats: bool,
}

/// What is told to a search on its way.
#[derive(Debug, Default)]
pub struct Control {
    is_stopped: AtomicBool,
    is_hit: AtomicBool,
    /// The time that a `ponderhit` gave, and when it did.
    hit: Mutex<Option<(Instant, Time)>>,
    bell: Condvar,
}

impl Control {
    /// Ends the search.
    pub fn stop(&self) {
        let guard = self.lock();
        self.is_stopped.store(true, Relaxed);
        self.bell.notify_all();
        drop(guard);
    }

    /// Whether the search is to end.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Relaxed)
    }

    /// Lets a search that pondered go on with this time from now on.
    pub fn hit(&self, time: Time) {
        *self.lock() = Some((Instant::now(), time));
        self.is_hit.store(true, Relaxed);
        self.bell.notify_all();
    }

    /// Whether it was told to.
    pub fn is_hit(&self) -> bool {
        self.is_hit.load(Relaxed)
    }

    /// When that was, and the time it has.
    pub fn time_after_hit(&self) -> Option<(Instant, Time)> {
        *self.lock()
    }

    /// Waits until an answer may be given.
    pub fn wait(&self, waits: Waits) {
        let is_over = |hit: &Option<_>| match waits {
            Waits::No => true,
            Waits::ForStop => self.is_stopped(),
            Waits::ForHit => self.is_stopped() || hit.is_some(),
        };
        let mut hit = self.lock();
        while !is_over(&hit) {
            hit = self.bell.wait(hit).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Instant, Time)>> {
        self.hit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where lines go, from several threads.
type Sink = Arc<Mutex<Box<dyn Write + Send>>>;

/// Says lines in a dialect.
#[derive(Clone)]
pub struct Voice {
    out: Sink,
    is_unheard: Arc<AtomicBool>,
    /// The dialect spoken.
    pub dialect: Dialect,
    /// How moves are written.
    pub notation: Notation,
}

impl Voice {
    /// Speaks to `out`, UCI at first.
    pub fn new(out: Box<dyn Write + Send>) -> Self {
        Voice {
            out: Arc::new(Mutex::new(out)),
            is_unheard: Arc::default(),
            dialect: Dialect::Uci,
            notation: Notation::Own,
        }
    }

    /// Says a line at once.
    pub fn say(&self, line: &str) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let text = format!("{line}\n");
        if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
            self.is_unheard.store(true, Relaxed);
        }
    }

    /// Whether nobody listens any more.
    pub fn is_unheard(&self) -> bool {
        self.is_unheard.load(Relaxed)
    }
}
