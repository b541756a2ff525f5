//! The player that searches by alpha-beta.

use std::time::{Duration, Instant};

use rand::Rng;

use super::{Budget, Choice, Clock, Forfeit, Player, Turn, time::Allotment};
use crate::{
    rules::Game,
    search::{AlphaBeta, Evaluator},
};

/// Nodes of a budget for which one MiB is enough: a node keeps one entry of 16 bytes, and half of the table stays
/// empty.
const NODES_A_MEBIBYTE: usize = 1 << 15;

/// Plays what alpha-beta finds best, with any evaluator.
pub struct AlphaBetaPlayer<G: Game, E> {
    search: AlphaBeta<G>,
    evaluator: E,
    budget: Budget,
}

impl<G: Game, E: Evaluator<G>> AlphaBetaPlayer<G, E> {
    /// Searches every move within `budget`, of which simulations are nodes, and keeps what it knows of positions in at most
    /// so many MiB.
    pub fn new(budget: Budget, memory: u32, evaluator: E) -> Self {
        let memory = memory as usize;
        let table = match budget {
            Budget::Simulations(nodes) => (1 + nodes as usize / NODES_A_MEBIBYTE).min(memory),
            Budget::MoveTime(_) | Budget::Clock(_) => memory,
        };
        AlphaBetaPlayer { search: AlphaBeta::new(table), evaluator, budget }
    }
}

impl<G: Game, E: Evaluator<G>> Player<G> for AlphaBetaPlayer<G, E> {
    fn begin(&mut self) -> Result<(), Forfeit> {
        self.search.forget();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut dyn Rng) -> Result<Choice<G::Move>, Forfeit> {
        let begin = Instant::now();
        let (nodes, time) = match self.budget {
            Budget::Simulations(nodes) => {
                // What comes out must not depend on what was played before.
                self.search.forget();
                (nodes.into(), Duration::MAX)
            }
            Budget::MoveTime(time) => (u64::MAX, time),
            Budget::Clock(clock) => {
                let left = turn.clocks[turn.game.side_to_move().index()].unwrap_or(clock.base);
                (u64::MAX, Allotment::of(clock.increment, left).usual)
            }
        };
        let mut goes_on = || begin.elapsed() < time && !(turn.is_stopped)();
        let found = self.search.search(turn.game, nodes, &mut self.evaluator, &mut goes_on);
        Ok(Choice::Play(found.mv))
    }

    fn clock(&self) -> Option<Clock> {
        match self.budget {
            Budget::Clock(clock) => Some(clock),
            Budget::Simulations(_) | Budget::MoveTime(_) => None,
        }
    }
}
