//! Whoever can choose a move.

use std::time::{Duration, Instant};

use rand::{Rng, RngExt};

use crate::{
    rules::{Game, Reason},
    search::{Evaluator, Noise, Search, SearchConfig, run, run_while},
};

/// A game as the player whose turn it is sees it.
#[derive(Clone, Copy)]
pub struct Turn<'a, G: Game> {
    /// Where the game began.
    pub start: &'a G,
    /// The moves since.
    pub moves: &'a [G::Move],
    /// The position they led to: not over, and no winning declaration is possible in it.
    pub game: &'a G,
    /// What is left on the clocks, the first side's before the second's; `None` for a side without one.
    pub clocks: [Option<Duration>; 2],
    /// Whether the game is being given up: then any answer will do, as long as it comes soon.
    pub is_stopped: &'a (dyn Fn() -> bool + 'a),
}

impl<'a, G: Game> Turn<'a, G> {
    /// The first turn of a game without clocks.
    pub fn at(game: &'a G) -> Self {
        Turn { start: game, moves: &[], game, clocks: [None; 2], is_stopped: &|| false }
    }
}

/// What a player does with its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice<M> {
    /// It plays a legal move.
    Play(M),
    /// It gives up.
    Resign,
}

/// Why a player cannot go on with a game, which it then loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// [`Reason::Timeout`], [`Reason::IllegalMove`] or [`Reason::Crash`].
    pub reason: Reason,
    /// What happened, for the record: the offending move, the last words of a program.
    pub why: String,
}

/// Plays one side of a game.
pub trait Player<G: Game> {
    /// Prepares for a new game.
    ///
    /// # Errors
    /// When it cannot play: the game is lost before its first move.
    fn begin(&mut self) -> Result<(), Forfeit> {
        Ok(())
    }

    /// Uses a turn. What our own players do depends on the turn and the random numbers alone, not on what
    /// was played before, unless they go by time.
    ///
    /// # Errors
    /// When it has lost the game by what it did. It may be asked to [`begin`](Player::begin) another one.
    fn choose(&mut self, turn: &Turn<'_, G>, rng: &mut dyn Rng) -> Result<Choice<G::Move>, Forfeit>;

    /// The clock under which it plays, which the referee keeps; `None` if it has none.
    fn clock(&self) -> Option<Clock> {
        None
    }
}

/// Time for a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// At the start.
    pub base: Duration,
    /// Added after every move.
    pub increment: Duration,
}

/// Plays any legal move, each as likely as the others.
#[derive(Clone, Debug)]
pub struct RandomPlayer<G: Game> {
    moves: Vec<G::Move>,
}

impl<G: Game> RandomPlayer<G> {
    /// A new one.
    pub fn new() -> Self {
        RandomPlayer { moves: Vec::new() }
    }
}

impl<G: Game> Default for RandomPlayer<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Player<G> for RandomPlayer<G> {
    fn choose(&mut self, turn: &Turn<'_, G>, rng: &mut dyn Rng) -> Result<Choice<G::Move>, Forfeit> {
        self.moves.clear();
        turn.game.legal_moves(&mut self.moves);
        Ok(Choice::Play(self.moves[rng.random_range(0..self.moves.len())]))
    }
}

/// What a player may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many simulations a move; other engines call them nodes.
    Simulations(u32),
    /// So much wall time a move: what comes out then depends on the machine.
    MoveTime(Duration),
    /// A clock for the game.
    Clock(Clock),
}

/// Plays what our search finds best, with any evaluator.
#[derive(Clone, Debug)]
pub struct SearchPlayer<G: Game, E> {
    search: Search<G>,
    evaluator: E,
    budget: Budget,
}

impl<G: Game, E: Evaluator<G>> SearchPlayer<G, E> {
    /// Searches every move within `budget` and without noise.
    pub fn new(config: SearchConfig, budget: Budget, evaluator: E) -> Self {
        SearchPlayer { search: Search::new(config), evaluator, budget }
    }

    fn search_for(&mut self, time: Duration, turn: &Turn<'_, G>, rng: &mut dyn Rng) {
        let begin = Instant::now();
        self.search.start(turn.game, u32::MAX, Noise::None, rng);
        let goes_on = || begin.elapsed() < time && !(turn.is_stopped)();
        run_while(&mut self.search, &mut self.evaluator, goes_on);
    }
}

impl<G: Game, E: Evaluator<G>> Player<G> for SearchPlayer<G, E> {
    fn choose(&mut self, turn: &Turn<'_, G>, rng: &mut dyn Rng) -> Result<Choice<G::Move>, Forfeit> {
        match self.budget {
            Budget::Simulations(simulations) => {
                self.search.start(turn.game, simulations, Noise::None, rng);
                run(&mut self.search, &mut self.evaluator);
            }
            Budget::MoveTime(time) => self.search_for(time, turn, rng),
            Budget::Clock(clock) => {
                let left = turn.clocks[turn.game.side_to_move().index()].unwrap_or(clock.base);
                self.search_for(clock.share(left), turn, rng);
            }
        }
        Ok(Choice::Play(self.search.best_move()))
    }

    fn clock(&self) -> Option<Clock> {
        match self.budget {
            Budget::Clock(clock) => Some(clock),
            Budget::Simulations(_) | Budget::MoveTime(_) => None,
        }
    }
}

impl Clock {
    /// What to spend on a move with `left` on the clock: as if the game went on for 30 moves, and most of what
    /// the move brings back; never more than half of what is left. Untuned.
    fn share(self, left: Duration) -> Duration {
        (left / 30 + self.increment * 3 / 4).min(left / 2)
    }
}
