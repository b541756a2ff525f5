//! The player that searches by alpha-beta.

use std::time::{Duration, Instant};

use rand::Rng;

use super::{
    Budget, Choice, Clock, Forfeit, Player, Turn,
    time::{Allotment, Pace},
};
use crate::{
    net::PlayConfig,
    rules::Game,
    search::{AlphaBeta, Evaluator, SearchLimits, SearchObserver, SearchResult},
};

/// Nodes of a budget for which one MiB is enough: a node keeps one entry of 16 bytes, and half of the table stays
/// empty.
const NODES_A_MEBIBYTE: usize = 1 << 15;

/// Plays what alpha-beta finds best, with any evaluator.
pub struct AlphaBetaPlayer<G: Game, E> {
    search: AlphaBeta<G>,
    /// One for each thread.
    evaluators: Vec<E>,
    budget: Budget,
}

impl<G: Game, E: Evaluator<G> + Send> AlphaBetaPlayer<G, E> {
    /// Searches every move within `budget`, of which simulations are nodes, with the threads and the memory of `play`;
    /// `evaluator` makes one for each thread.
    pub fn new(play: &PlayConfig, budget: Budget, evaluator: impl Fn() -> E) -> Self {
        let memory = play.memory as usize;
        let table = match budget {
            Budget::Simulations(nodes) => (1 + nodes as usize / NODES_A_MEBIBYTE).min(memory),
            Budget::MoveTime(_) | Budget::Clock(_) => memory,
        };
        let evaluators = (0..play.threads).map(|_| evaluator()).collect();
        AlphaBetaPlayer { search: AlphaBeta::new(table), evaluators, budget }
    }
}

impl<G: Game, E: Evaluator<G> + Send> Player<G> for AlphaBetaPlayer<G, E> {
    fn begin(&mut self) -> Result<(), Forfeit> {
        self.search.forget();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut dyn Rng) -> Result<Choice<G::Move>, Forfeit> {
        let begin = Instant::now();
        let mut legal = Vec::new();
        turn.game.legal_moves(&mut legal);
        let mut limits = SearchLimits::UNLIMITED;
        if let Budget::Simulations(nodes) = self.budget {
            // What comes out must not depend on what was played before.
            self.search.forget();
            limits.nodes = nodes.into();
        }
        if legal.len() == 1 {
            limits.depth = 1;
        }
        let time = match self.budget {
            Budget::Simulations(_) => Limit::None,
            Budget::MoveTime(time) => Limit::At(time),
            Budget::Clock(clock) => {
                let left = turn.clocks[turn.game.side_to_move().index()].unwrap_or(clock.base);
                Limit::By(Pace::new(Allotment::of(clock.increment, left)))
            }
        };
        let mut watch = Watch { begin, limit: time, is_stopped: turn.is_stopped };
        let found = self.search.search(turn.game, &limits, &mut self.evaluators, &mut watch);
        Ok(Choice::Play(found.mv()))
    }

    fn clock(&self) -> Option<Clock> {
        match self.budget {
            Budget::Clock(clock) => Some(clock),
            Budget::Simulations(_) | Budget::MoveTime(_) => None,
        }
    }
}

/// When a search ends.
enum Limit<M> {
    None,
    At(Duration),
    By(Pace<M>),
}

/// Ends a search in time.
struct Watch<'a, M> {
    begin: Instant,
    limit: Limit<M>,
    is_stopped: &'a (dyn Fn() -> bool + Sync + 'a),
}

impl<M: Copy + PartialEq> SearchObserver<M> for Watch<'_, M> {
    fn keep_going(&mut self) -> bool {
        let has_time = match &mut self.limit {
            Limit::None => true,
            Limit::At(time) => self.begin.elapsed() < *time,
            Limit::By(pace) => pace.goes_on(self.begin.elapsed()),
        };
        has_time && !(self.is_stopped)()
    }

    fn depth_done(&mut self, found: &SearchResult<M>) {
        if let Limit::By(pace) = &mut self.limit {
            pace.hear(found);
        }
    }
}
