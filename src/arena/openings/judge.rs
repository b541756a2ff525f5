//! Whether a position is even, by a search that knows nothing but the rules.

use rand::RngExt;

use super::worth::Worths;
use crate::{
    rng::Rng,
    rules::Game,
    search::{Evaluation, Evaluator, Noise, PuctConfig, Query, Search, SearchConfig, Wdl, run},
};

/// Simulations of a judgement. Measured against Fairy-Stockfish's opinion at depth 8: 16,000 choose no better.
const SIMULATIONS: u32 = 4000;
/// A position is even when its value, in `-1..=1`, is no further from 0. Measured in the same way: 0.1 lets a few
/// more through that are not, 0.04 does not differ.
const EVEN: f32 = 0.05;

/// Frozen, so that what is even does not change when the search of play is tuned.
const CONSTANTS: PuctConfig = PuctConfig {
    c_init: 1.5,
    c_base: 19652.0,
    fpu_reduction: 0.25,
    temperature: 1.0,
    uniform_share: 0.0,
    root_widening: 0,
    mate_visits: 0,
    mate_plies: 3,
    noise_concentration: 10.83,
    noise_fraction: 0.25,
    root_temperature: 1.1,
};

/// Judges one position after another.
pub(super) struct Judge<'a, G: Game> {
    search: Search<G>,
    worths: &'a Worths,
}

impl<'a, G: Game> Judge<'a, G> {
    pub fn new(worths: &'a Worths) -> Self {
        Judge { search: Search::new(SearchConfig::Puct(CONSTANTS)), worths }
    }

    /// Whether `game`, which must not be over, is even.
    pub fn is_even(&mut self, game: &G, rng: &mut Rng) -> bool {
        self.search.start(game, SIMULATIONS, Noise::None, rng);
        run(&mut self.search, &mut Leaf { worths: self.worths, rng });
        self.search.root_wdl().q().abs() <= EVEN
    }
}

/// Judges a leaf by the pieces and by how many moves each side has; all moves alike.
struct Leaf<'a> {
    worths: &'a Worths,
    rng: &'a mut Rng,
}

impl<G: Game> Evaluator<G> for Leaf<'_> {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        for (query, out) in queries.iter().zip(out) {
            let value = (self.worths.balance(&query.game) + self.mobility(query)).tanh();
            out.wdl = Wdl { win: value.max(0.0), draw: 1.0 - value.abs(), loss: (-value).max(0.0) };
            out.logits.clear();
            out.logits.resize(query.moves.len(), 0.0);
        }
    }
}

impl Leaf<'_> {
    /// How much more the side to move can choose from than the other after a random move, in `-1..=1`.
    fn mobility<G: Game>(&mut self, query: &Query<G>) -> f32 {
        let mut next = query.game.clone();
        next.play(query.moves[self.rng.random_range(0..query.moves.len())]);
        let mut replies = Vec::new();
        next.legal_moves(&mut replies);
        if replies.is_empty() {
            // The game is over: what a random move happens to do says nothing of the position.
            return 0.0;
        }
        let (own, other) = (query.moves.len() as f32, replies.len() as f32);
        (own - other) / (own + other)
    }
}
