//! Players: what chooses the moves of one side.

use std::time::{Duration, Instant};

use rand::{Rng, RngExt};

use crate::{
    games::rules::{Game, Reason, RuleSet},
    net::PlayConfig,
    search::{
        ClockState, Evaluator, GameSearch, Search, TimeBudget, TimeLimit, TimeManager, TimeReserve,
        run_together,
    },
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
    /// Whether the match is being stopped: then any answer will do, as long as it comes soon.
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
pub enum PlayerAction<M> {
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
    fn choose(&mut self, turn: &Turn<'_, G>, rng: &mut dyn Rng) -> Result<PlayerAction<G::Move>, Forfeit>;

    /// The clock under which it plays, which the referee keeps; `None` if it has none.
    fn clock(&self) -> Option<GameClock> {
        None
    }

    /// The only rules by which it plays; `None` if it plays by those of each game.
    fn rules(&self) -> Option<RuleSet> {
        None
    }
}

/// Time for a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
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
    fn choose(&mut self, turn: &Turn<'_, G>, rng: &mut dyn Rng) -> Result<PlayerAction<G::Move>, Forfeit> {
        self.moves.clear();
        turn.game.legal_moves(&mut self.moves);
        Ok(PlayerAction::Play(self.moves[rng.random_range(0..self.moves.len())]))
    }
}

/// What a player may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerBudget {
    /// Simulations a move; other engines call them nodes.
    Simulations(u32),
    /// Wall time a move: the moves then depend on the machine.
    MoveTime(Duration),
    /// A clock for the game.
    Clock(GameClock),
}

impl PlayerBudget {
    /// The clock, if it is one.
    pub fn clock(self) -> Option<GameClock> {
        match self {
            PlayerBudget::Clock(clock) => Some(clock),
            PlayerBudget::Simulations(_) | PlayerBudget::MoveTime(_) => None,
        }
    }

    /// How time ends the search of a player in this program.
    pub(super) fn time_limit<G: Game>(self, turn: &Turn<'_, G>) -> TimeLimit {
        match self {
            PlayerBudget::Simulations(_) => TimeLimit::None,
            PlayerBudget::MoveTime(time) => TimeLimit::Fixed(time),
            PlayerBudget::Clock(GameClock { base, increment }) => {
                let remaining = turn.clocks[turn.game.side_to_move().index()].unwrap_or(base);
                let clock = ClockState { remaining, increment, ..ClockState::default() };
                TimeLimit::Clock(TimeBudget::new(&clock, &TimeReserve::NONE))
            }
        }
    }
}

/// Plays what our search finds best, with any evaluator.
#[derive(Debug)]
pub struct SearchPlayer<G: Game, E> {
    search: GameSearch<G>,
    /// One for each thread.
    evaluators: Vec<E>,
    /// Positions that a thread has evaluated at a time.
    batch: usize,
    budget: PlayerBudget,
}

impl<G: Game, E: Evaluator<G> + Send> SearchPlayer<G, E> {
    /// Searches every move as `play` says, within `budget` and without noise; `evaluator` makes one for each thread.
    pub fn new(play: PlayConfig, budget: PlayerBudget, evaluator: impl Fn() -> E) -> Self {
        let evaluators = (0..play.threads).map(|_| evaluator()).collect();
        let search = GameSearch::new(Search::with_memory(play.search, play.memory), play.tree);
        SearchPlayer { search, evaluators, batch: play.batch, budget }
    }

    /// Searches until the end of the search, or until `deadline` or the end of the turn.
    fn search_until(&mut self, deadline: Option<Instant>, turn: &Turn<'_, G>) {
        let goes_on = || deadline.is_none_or(|end| Instant::now() < end) && !(turn.is_stopped)();
        run_together(self.search.search_mut(), &mut self.evaluators, self.batch, &goes_on);
    }
}

impl<G: Game, E: Evaluator<G> + Send> Player<G> for SearchPlayer<G, E> {
    fn begin(&mut self) -> Result<(), Forfeit> {
        self.search.forget();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut dyn Rng) -> Result<PlayerAction<G::Move>, Forfeit> {
        let begin = Instant::now();
        let simulations = match self.budget {
            PlayerBudget::Simulations(simulations) => simulations,
            PlayerBudget::MoveTime(_) | PlayerBudget::Clock(_) => u32::MAX,
        };
        self.search.start(turn.start, turn.moves, turn.game, simulations);
        self.search.search_mut().hurry_if_forced();
        let mut time = TimeManager::new(self.budget.time_limit(turn));
        loop {
            let deadline = time.next_check(begin.elapsed()).map(|at| begin + at);
            self.search_until(deadline, turn);
            let search = self.search.search();
            if search.is_over()
                || (turn.is_stopped)()
                || !time.goes_on_with(begin.elapsed(), &search.best_move_stats())
            {
                return Ok(PlayerAction::Play(search.best_move()));
            }
        }
    }

    fn clock(&self) -> Option<GameClock> {
        self.budget.clock()
    }
}
