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

/// Moves of a game whose searches the table holds at a time: it is kept from move to move, as other engines keep theirs.
const SEARCHES_KEPT: u64 = 8;

/// Plays what alpha-beta finds best, with any evaluator. What a search found serves the next ones of the same game.
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
            (None, PlayerBudget::Simulations(nodes)) => Some(SEARCHES_KEPT * u64::from(nodes)),
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

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    };

    use super::*;
    use crate::{
        base::rng::{Purpose, stream},
        games::rules::{RuleSet, Setup, dobutsu::Dobutsu},
        net::PlayTable,
        search::{Evaluation, Query, Wdl},
    };

    /// Finds every position even, and counts what it is asked.
    struct Counting(Arc<AtomicU64>);

    impl Evaluator<Dobutsu> for Counting {
        fn evaluate(&mut self, queries: &[&Query<Dobutsu>], out: &mut [Evaluation]) {
            self.0.fetch_add(queries.len() as u64, Ordering::Relaxed);
            for (query, out) in queries.iter().zip(out) {
                *out = Evaluation { wdl: Wdl::DRAW, logits: vec![0.0; query.moves.len()] };
            }
        }
    }

    #[test]
    fn what_was_found_serves_the_same_game_and_no_other() {
        let asked = Arc::new(AtomicU64::new(0));
        let play = PlayTable::default().complete_without_net(Dobutsu::ID);
        let mut player =
            AlphaBetaPlayer::new(&play, PlayerBudget::Simulations(2000), || Counting(Arc::clone(&asked)));
        let mut rng = stream(1, Purpose::Match, &[]);
        let game = Dobutsu::start(RuleSet::Standard, Setup::Standard, &mut rng);
        let turn = Turn::at(&game);
        let mut questions = |player: &mut AlphaBetaPlayer<_, _>| {
            asked.store(0, Ordering::Relaxed);
            player.choose(&turn, &mut rng).expect("it never forfeits");
            asked.load(Ordering::Relaxed)
        };
        player.begin().expect("it never forfeits");
        let (first, again) = (questions(&mut player), questions(&mut player));
        assert!(again < first, "{again} after {first}");
        player.begin().expect("it never forfeits");
        assert_eq!(questions(&mut player), first);
    }
}
