//! The tree search of a player: it keeps its tree from one move of a game to the next.

use serde::{Deserialize, Serialize};

use super::{Noise, Search};
use crate::{
    base::rng::{Purpose, stream},
    games::rules::{Game, RuleSet},
};

/// What becomes of a search's tree once the move is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TreeUse {
    /// The next search goes on with what lies below the moves played.
    Kept,
    /// Every search begins anew.
    Fresh,
}

/// A tree search that knows the game that it was asked about last, and goes on with its tree where the next position comes
/// later in the same game.
#[derive(Debug)]
pub struct GameSearch<G: Game> {
    search: Search<G>,
    tree: TreeUse,
    /// The game up to the root of the search; `None` if nothing of that search is kept.
    last: Option<GamePath<G::Move>>,
}

/// A game by how it came about.
#[derive(Debug)]
struct GamePath<M> {
    rules: RuleSet,
    /// The FEN of where it began.
    start: String,
    moves: Vec<M>,
}

impl<G: Game> GameSearch<G> {
    /// With a search that was not started yet.
    pub fn new(search: Search<G>, tree: TreeUse) -> Self {
        GameSearch { search, tree, last: None }
    }

    /// Begins a search of `game`, which came about by `moves` from `start`, with a budget of `simulations` and without
    /// noise.
    ///
    /// # Panics
    /// When the game is over.
    pub fn start(&mut self, start: &G, moves: &[G::Move], game: &G, simulations: u32) {
        let path = GamePath { rules: start.rules(), start: start.fen(), moves: moves.to_vec() };
        let last = self.last.take().filter(|last| {
            self.tree == TreeUse::Kept && (last.rules, &last.start) == (path.rules, &path.start)
        });
        match last.as_ref().and_then(|last| moves.strip_prefix(last.moves.as_slice())) {
            Some(since) => self.search.start_after(since, game, simulations),
            None => {
                // Without noise the search draws no random numbers.
                let mut rng = stream(0, Purpose::Evaluation, &[]);
                self.search.start(game, simulations, Noise::None, &mut rng);
            }
        }
        self.last = Some(path);
    }

    /// Lets the next search begin anew.
    pub fn forget(&mut self) {
        self.last = None;
    }

    /// Whether a search was started since the last [`forget`](Self::forget).
    pub fn is_started(&self) -> bool {
        self.last.is_some()
    }

    /// The search.
    pub fn search(&self) -> &Search<G> {
        &self.search
    }

    /// The search, to run it.
    pub fn search_mut(&mut self) -> &mut Search<G> {
        &mut self.search
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::{
        base::rng::Rng,
        games::rules::{Setup, shogi::Minishogi},
        search::{Evaluation, Evaluator, PuctConfig, Query, SearchConfig, Wdl, run},
    };

    /// Knows nothing.
    struct Even;

    impl<G: Game> Evaluator<G> for Even {
        fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
            for (query, out) in queries.iter().zip(out) {
                (out.wdl, out.logits) = (Wdl::DRAW, vec![0.0; query.moves.len()]);
            }
        }
    }

    /// Visits of the root's moves after a search of ten simulations.
    fn visits(
        search: &mut GameSearch<Minishogi>,
        start: &Minishogi,
        moves: &[<Minishogi as Game>::Move],
    ) -> u32 {
        let mut game = start.clone();
        moves.iter().for_each(|&mv| game.play(mv));
        search.start(start, moves, &game, 10);
        run(search.search_mut(), &mut Even);
        search.search().root_moves().map(|mv| mv.visits).sum()
    }

    #[test]
    fn a_tree_is_kept_within_a_game() {
        let start = Minishogi::start(RuleSet::Standard, Setup::Standard, &mut Rng::seed_from_u64(0));
        let config = SearchConfig::Puct(PuctConfig::default());
        let search = |tree| GameSearch::new(Search::with_memory(config.clone(), 1), tree);
        let (mut kept, mut fresh) = (search(TreeUse::Kept), search(TreeUse::Fresh));
        assert!(!kept.is_started());
        assert_eq!((visits(&mut kept, &start, &[]), visits(&mut fresh, &start, &[])), (10, 10));
        assert_eq!(visits(&mut kept, &start, &[]), 20, "the same position again");
        assert_eq!(visits(&mut fresh, &start, &[]), 10);
        let first = kept.search().best_move();
        assert!(visits(&mut kept, &start, &[first]) > 10);
        assert_eq!(visits(&mut kept, &start, &[]), 10, "the game was taken back");
        let later = start.after(first);
        assert_eq!(visits(&mut kept, &later, &[]), 10, "it began elsewhere");
        kept.forget();
        assert!(!kept.is_started());
        assert_eq!(visits(&mut kept, &later, &[]), 10);
    }
}
