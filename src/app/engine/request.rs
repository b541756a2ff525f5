//! What a search is asked for, and how it is controlled on its way.

use std::{
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use super::options::EngineSettings;
use crate::{
    games::rules::Side,
    protocol::{Dialect, GoClocks, GoCommand, MateLimit},
    search::{TimeBudget, TimeLimit},
};

/// The greatest depths of `go depth` and `go perft`.
const MOST_DEPTH: u64 = 100;
const MOST_PERFT: u64 = 30;

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchTask {
    /// Find the best move.
    BestMove,
    /// Find a mate as USI asks for one, within this time if it is bounded.
    Mate(Option<Duration>),
    /// Count positions at this depth.
    Perft(u32),
    /// Answer that no move is looked for, and why.
    RefuseMove(String),
    /// Answer that no mate is looked for, and why.
    RefuseMate(String),
}

/// When the answer may be given, whenever it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMode {
    /// At once.
    Normal,
    /// After a `stop`.
    Infinite,
    /// After a `ponderhit` or a `stop`.
    Ponder,
}

/// All that a search has to know.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRequest {
    /// What is to be done.
    pub task: SearchTask,
    /// When it was asked for.
    pub began: Instant,
    /// Nodes at most; of a tree, simulations.
    pub nodes: Option<u64>,
    /// Depth, at most.
    pub depth: Option<u32>,
    /// How time ends it.
    pub time: TimeLimit,
    /// When the answer may be given.
    pub mode: SearchMode,
    /// The only moves that may be played; all of them where there are none, or none of them is legal.
    pub searchmoves: Vec<String>,
    /// Moves that may not be played.
    pub banned: Vec<String>,
    /// How many lines are reported.
    pub multipv: usize,
    /// Whether lines report probabilities.
    pub show_wdl: bool,
    /// Whether every move of the root is reported before the answer.
    pub move_stats: bool,
}

impl SearchRequest {
    /// What `go` asks for in `dialect`, with this limit of time, from now on. `refused` says why nothing may be looked for.
    pub fn new(
        go: &GoCommand,
        time: TimeLimit,
        refused: Option<&str>,
        dialect: Dialect,
        settings: &EngineSettings,
    ) -> Self {
        let mate = go.mate.filter(|_| dialect == Dialect::Usi);
        let task = match (refused.map(str::to_owned), go.perft, mate) {
            (Some(why), None, Some(_)) => SearchTask::RefuseMate(why),
            (Some(why), ..) => SearchTask::RefuseMove(why),
            (None, Some(depth), _) => SearchTask::Perft(depth.clamp(1, MOST_PERFT) as u32),
            (None, None, Some(MateLimit::Within(millis))) => {
                SearchTask::Mate(Some(Duration::from_millis(millis)))
            }
            (None, None, Some(MateLimit::Infinite)) => SearchTask::Mate(None),
            (None, None, None) => SearchTask::BestMove,
        };
        let mode = match () {
            () if go.ponder => SearchMode::Ponder,
            () if go.is_unlimited() => SearchMode::Infinite,
            () => SearchMode::Normal,
        };
        SearchRequest {
            task,
            began: Instant::now(),
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            depth: go.depth.map(|depth| depth.clamp(1, MOST_DEPTH) as u32),
            time,
            mode,
            searchmoves: go.searchmoves.clone(),
            banned: Vec::new(),
            multipv: settings.multipv,
            show_wdl: settings.show_wdl,
            move_stats: settings.move_stats,
        }
    }

    /// Whether a move is to be played, and one of `choices` at once where that is the only one: a clock runs, or time is
    /// given for a move and nothing restricts the choice. Whoever restricts it wants to know what the move is worth.
    pub fn hurries(&self, choices: usize) -> bool {
        let is_played = match self.time {
            TimeLimit::Clock(_) => true,
            TimeLimit::Fixed(_) => self.searchmoves.is_empty(),
            TimeLimit::None => false,
        };
        choices == 1 && is_played
    }
}

/// How time ends a search that `go` asks for in `dialect`, with these `clocks`, for a move of `side` after `ply` plies.
pub fn time_limit(
    go: &GoCommand,
    clocks: &GoClocks,
    (side, ply): (Side, u32),
    dialect: Dialect,
    settings: &EngineSettings,
) -> TimeLimit {
    let millisecond = Duration::from_millis(1);
    if let Some(time) = go.movetime {
        return TimeLimit::fixed(millisecond * time.min(u32::MAX.into()) as u32, &settings.reserve);
    }
    if go.infinite {
        return TimeLimit::None;
    }
    let unit = if dialect == Dialect::Ucci { settings.clock_unit } else { millisecond };
    let Some(mut clock) = clocks.state(side, unit) else { return TimeLimit::None };
    let max_moves = settings.max_moves;
    // A game that goes on after them is not drawn then.
    clock.moves_to_draw = (max_moves > ply).then(|| (max_moves - ply) / 2 + 1);
    TimeLimit::Clock(TimeBudget::new(&clock, &settings.reserve))
}

/// Controls a search from another thread.
#[derive(Debug, Default)]
pub struct SearchControl {
    is_stopped: AtomicBool,
    is_hit: AtomicBool,
    /// The limit that a `ponderhit` gave, and when it did.
    hit: Mutex<Option<(Instant, TimeLimit)>>,
    changed: Condvar,
}

impl SearchControl {
    /// Ends the search.
    pub fn stop(&self) {
        let guard = self.lock();
        self.is_stopped.store(true, Relaxed);
        self.changed.notify_all();
        drop(guard);
    }

    /// Whether the search is to end.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Relaxed)
    }

    /// Lets a search that pondered go on with this limit from now on.
    pub fn ponder_hit(&self, time: TimeLimit) {
        *self.lock() = Some((Instant::now(), time));
        self.is_hit.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Whether a `ponderhit` has come.
    pub fn is_hit(&self) -> bool {
        self.is_hit.load(Relaxed)
    }

    /// When the `ponderhit` came, and the limit since then.
    pub fn hit(&self) -> Option<(Instant, TimeLimit)> {
        *self.lock()
    }

    /// Waits until an answer may be given.
    pub fn wait(&self, mode: SearchMode) {
        let is_over = |hit: &Option<_>| match mode {
            SearchMode::Normal => true,
            SearchMode::Infinite => self.is_stopped(),
            SearchMode::Ponder => self.is_stopped() || hit.is_some(),
        };
        let mut hit = self.lock();
        while !is_over(&hit) {
            hit = self.changed.wait(hit).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Instant, TimeLimit)>> {
        self.hit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::PlayTable;

    #[test]
    fn a_game_that_goes_on_after_its_last_counted_ply_has_the_usual_time() {
        let clocks = GoClocks { time: [Some(60_000); 2], ..GoClocks::default() };
        let go = GoCommand { clocks, ..GoCommand::default() };
        let limit = |settings: &EngineSettings, ply: u32| {
            time_limit(&go, &go.clocks, (Side::First, ply), Dialect::Usi, settings)
        };
        let mut settings = EngineSettings::new(PlayTable::default());
        let usual = limit(&settings, 0);
        settings.max_moves = 256;
        assert_ne!(limit(&settings, 254), usual, "no time is saved for later");
        for ply in [256, 257, 500] {
            assert_eq!(limit(&settings, ply), usual, "{ply}");
        }
    }
}
