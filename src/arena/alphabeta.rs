//! The player that searches by alpha-beta.

use std::time::Instant;

use rand::Rng;

use super::{Forfeit, GameClock, Player, PlayerAction, PlayerBudget, Turn};
use crate::{
    games::rules::Game,
    net::PlayConfig,
    search::{
        AlphaBeta, Evaluator, SearchLimits, SearchObserver, SearchResult, Strength, TimeManager,
        search_limited,
    },
};

/// Nodes of a budget for which one MiB is enough: a node keeps one entry of 16 bytes, and half of the table stays
/// empty.
const NODES_A_MEBIBYTE: u64 = 1 << 15;
/// MiB of the table for a search of so many nodes, of `memory` at most.
pub(super) fn table_for(nodes: u64, memory: u32) -> usize {
    (1 + nodes / NODES_A_MEBIBYTE).min(memory.into()) as usize
}

/// Plays what alpha-beta finds best, with any evaluator.
pub struct AlphaBetaPlayer<G: Game, E> {
    search: AlphaBeta<G>,
    /// One for each thread.
    evaluators: Vec<E>,
    budget: PlayerBudget,
    /// How strong it is at most.
    strength: Option<Strength>,
}

impl<G: Game, E: Evaluator<G> + Send> AlphaBetaPlayer<G, E> {
    /// Searches every move within `budget`, of which simulations are nodes, with the threads and the memory of `play`. Where
    /// its strength is limited, that says how many nodes it searches; time limits it all the same. `evaluator` makes one for
    /// each thread.
    pub fn new(play: &PlayConfig, budget: PlayerBudget, evaluator: impl Fn() -> E) -> Self {
        let nodes = match (play.strength, budget) {
            (Some(strength), _) => Some(strength.most_nodes()),
            (None, PlayerBudget::Simulations(nodes)) => Some(nodes.into()),
            (None, PlayerBudget::MoveTime(_) | PlayerBudget::Clock(_)) => None,
        };
        let table = nodes.map_or(play.memory as usize, |nodes| table_for(nodes, play.memory));
        let evaluators = (0..play.threads).map(|_| evaluator()).collect();
        AlphaBetaPlayer { search: AlphaBeta::new(table), evaluators, budget, strength: play.strength }
    }
}

impl<G: Game, E: Evaluator<G> + Send> Player<G> for AlphaBetaPlayer<G, E> {
    fn begin(&mut self) -> Result<(), Forfeit> {
        self.search.forget();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, G>, rng: &mut dyn Rng) -> Result<PlayerAction<G::Move>, Forfeit> {
        let begin = Instant::now();
        let mut legal = Vec::new();
        turn.game.legal_moves(&mut legal);
        let mut limits = SearchLimits::UNLIMITED;
        if let (None, PlayerBudget::Simulations(nodes)) = (self.strength, self.budget) {
            // What comes out must not depend on what was played before.
            self.search.forget();
            limits.nodes = nodes.into();
        }
        if legal.len() == 1 {
            limits.depth = 1;
        }
        let time = TimeManager::new(self.budget.time_limit(turn));
        let mut observer = TurnObserver { begin, time, is_stopped: turn.is_stopped };
        let AlphaBetaPlayer { search, evaluators, .. } = self;
        let found = match self.strength {
            Some(strength) => {
                search_limited(search, strength, turn.game, &limits, evaluators, &mut observer, rng)
            }
            None => search.search(turn.game, &limits, evaluators, &mut observer),
        };
        Ok(PlayerAction::Play(found.mv()))
    }

    fn clock(&self) -> Option<GameClock> {
        self.budget.clock()
    }
}

/// Ends a search in time.
struct TurnObserver<'a, M> {
    begin: Instant,
    time: TimeManager<M>,
    is_stopped: &'a (dyn Fn() -> bool + Sync + 'a),
}

impl<M: Copy + PartialEq> SearchObserver<M> for TurnObserver<'_, M> {
    fn keep_going(&mut self) -> bool {
        self.time.goes_on(self.begin.elapsed()) && !(self.is_stopped)()
    }

    fn depth_done(&mut self, found: &SearchResult<M>) {
        self.time.note(found);
    }
}
