//! Players: what chooses moves.

use std::time::{Duration, Instant};

use rand::{Rng, RngExt};

use super::time::{Allotment, Standing, Timer};
use crate::{
    games::rules::{Game, Reason},
    net::{PlayConfig, TreeUse},
    search::{Evaluator, Noise, RootMove, Search, run_together},
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
    pub is_stopped: &'a (dyn Fn() -> bool + Sync + 'a),
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

    /// Uses a turn. What our own players do depends on the turns of this game and the random numbers alone, not on
    /// other games, unless they go by time or think with several threads.
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
#[derive(Debug)]
pub struct SearchPlayer<G: Game, E> {
    search: Search<G>,
    /// One for each thread.
    evaluators: Vec<E>,
    play: PlayConfig,
    budget: Budget,
    /// The moves of the game that led to the root of the last search; `None` before the first.
    seen: Option<Vec<G::Move>>,
}

impl<G: Game, E: Evaluator<G> + Send> SearchPlayer<G, E> {
    /// Searches every move as `play` says, within `budget` and without noise; `evaluator` makes one for each thread.
    pub fn new(play: PlayConfig, budget: Budget, evaluator: impl Fn() -> E) -> Self {
        let search = Search::with_memory(play.search.clone(), play.memory);
        let evaluators = (0..play.threads).map(|_| evaluator()).collect();
        SearchPlayer { search, evaluators, play, budget, seen: None }
    }

    /// Begins the search of a turn, with what the one before has found if that is kept.
    fn start(&mut self, turn: &Turn<'_, G>, simulations: u32, rng: &mut dyn Rng) {
        let seen = self.seen.replace(turn.moves.to_vec()).filter(|_| self.play.tree == TreeUse::Kept);
        match seen.as_deref().and_then(|seen| turn.moves.strip_prefix(seen)) {
            Some(since) => self.search.start_after(since, turn.game, simulations),
            None => self.search.start(turn.game, simulations, Noise::None, rng),
        }
    }

    /// Searches until the end of the search, or until `deadline` or the end of the turn.
    fn search_until(&mut self, deadline: Option<Instant>, turn: &Turn<'_, G>) {
        let goes_on = || deadline.is_none_or(|end| Instant::now() < end) && !(turn.is_stopped)();
        run_together(&mut self.search, &mut self.evaluators, self.play.batch, &goes_on);
    }

    /// Searches as long as this clock allows, and the move is worth.
    fn search_by(&mut self, clock: Clock, begin: Instant, turn: &Turn<'_, G>) {
        let left = turn.clocks[turn.game.side_to_move().index()].unwrap_or(clock.base);
        let mut timer = Timer::new(Allotment::of(clock.increment, left));
        loop {
            self.search_until(Some(begin + timer.next_look(begin.elapsed())), turn);
            if self.search.is_over()
                || (turn.is_stopped)()
                || !timer.goes_on(begin.elapsed(), &standing(&self.search))
            {
                return;
            }
        }
    }
}

/// What `search` thinks of its best move.
///
/// # Panics
/// Before the root was evaluated.
pub fn standing<G: Game>(search: &Search<G>) -> Standing<G::Move> {
    let value = |mv: &RootMove<G::Move>| mv.q.unwrap_or(-1.0);
    let (mut visits, mut of_leader) = ([0; 2], -1.0);
    for mv in search.root_moves() {
        if mv.visits > visits[0] {
            (visits, of_leader) = ([mv.visits, visits[0]], value(&mv));
        } else {
            visits[1] = visits[1].max(mv.visits);
        }
    }
    let is_agreed = search.root_moves().all(|mv| mv.visits < visits[0] / 10 || value(&mv) <= of_leader);
    Standing { best: search.best_move(), visits, simulations: search.simulations(), is_agreed }
}

impl<G: Game, E: Evaluator<G> + Send> Player<G> for SearchPlayer<G, E> {
    fn begin(&mut self) -> Result<(), Forfeit> {
        self.seen = None;
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, G>, rng: &mut dyn Rng) -> Result<Choice<G::Move>, Forfeit> {
        let begin = Instant::now();
        match self.budget {
            Budget::Simulations(simulations) => {
                self.start(turn, simulations, rng);
                self.search_until(None, turn);
            }
            Budget::MoveTime(time) => {
                self.start(turn, u32::MAX, rng);
                self.search_until(Some(begin + time), turn);
            }
            Budget::Clock(clock) => {
                self.start(turn, u32::MAX, rng);
                self.search_by(clock, begin, turn);
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
