//! Whoever can choose a move.

use std::time::{Duration, Instant};

use rand::{Rng, RngExt};

use crate::{
    rules::Game,
    search::{Evaluator, Noise, Search, SearchConfig, run, run_while},
};

/// Plays one side of a game.
pub trait Player<G: Game> {
    /// A legal move in `game`, which is not over and in which no winning declaration is possible. Depends on
    /// the game and the random numbers alone, not on what was played before.
    fn choose(&mut self, game: &G, rng: &mut dyn Rng) -> G::Move;
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
    fn choose(&mut self, game: &G, rng: &mut dyn Rng) -> G::Move {
        self.moves.clear();
        game.legal_moves(&mut self.moves);
        self.moves[rng.random_range(0..self.moves.len())]
    }
}

/// What a search may spend on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveBudget {
    /// So many simulations.
    Simulations(u32),
    /// So much wall time: what comes out then depends on the machine.
    MoveTime(Duration),
}

/// Plays what our search finds best, with any evaluator.
#[derive(Clone, Debug)]
pub struct SearchPlayer<G: Game, E> {
    search: Search<G>,
    evaluator: E,
    budget: MoveBudget,
}

impl<G: Game, E: Evaluator<G>> SearchPlayer<G, E> {
    /// Searches every move within `budget` and without noise.
    pub fn new(config: SearchConfig, budget: MoveBudget, evaluator: E) -> Self {
        SearchPlayer { search: Search::new(config), evaluator, budget }
    }
}

impl<G: Game, E: Evaluator<G>> Player<G> for SearchPlayer<G, E> {
    fn choose(&mut self, game: &G, rng: &mut dyn Rng) -> G::Move {
        match self.budget {
            MoveBudget::Simulations(simulations) => {
                self.search.start(game, simulations, Noise::None, rng);
                run(&mut self.search, &mut self.evaluator);
            }
            MoveBudget::MoveTime(time) => {
                let begin = Instant::now();
                self.search.start(game, u32::MAX, Noise::None, rng);
                run_while(&mut self.search, &mut self.evaluator, || begin.elapsed() < time);
            }
        }
        self.search.best_move()
    }
}
