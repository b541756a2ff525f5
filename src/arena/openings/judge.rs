//! Whether a position is even, by a search that knows nothing but the rules.

use rand::RngExt;

use super::{tree::Tree, worth::Worths};
use crate::{
    base::{maths::tanh, rng::Rng},
    games::rules::Game,
    search::Wdl,
};

/// Simulations of a judgement. Measured against Fairy-Stockfish's opinion at depth 8: 16,000 choose no better.
const SIMULATIONS: u32 = 4000;
/// A position is even when its value, in `-1..=1`, is no further from 0. Measured in the same way: 0.1 lets a few
/// more through that are not, 0.04 does not differ.
const EVEN: f32 = 0.05;

/// Judges one position after another.
pub(super) struct Judge<'a, G: Game> {
    tree: Tree<G>,
    worths: &'a Worths,
}

impl<'a, G: Game> Judge<'a, G> {
    pub fn new(worths: &'a Worths) -> Self {
        Judge { tree: Tree::new(), worths }
    }

    /// Whether `game`, which must not be over, is even.
    pub fn is_even(&mut self, game: &G, rng: &mut Rng) -> bool {
        let mut leaf = Leaf { worths: self.worths, rng };
        self.tree.search(game, SIMULATIONS, |game, moves| leaf.judge(game, moves)).q().abs() <= EVEN
    }
}

/// Judges a leaf by the pieces and by how many moves each side has; all moves alike.
struct Leaf<'a> {
    worths: &'a Worths,
    rng: &'a mut Rng,
}

impl Leaf<'_> {
    /// The value of `game`, which has these legal moves, for its side to move.
    fn judge<G: Game>(&mut self, game: &G, moves: &[G::Move]) -> Wdl {
        let value = tanh(self.worths.balance(game) + self.mobility(game, moves));
        Wdl { win: value.max(0.0), draw: 1.0 - value.abs(), loss: (-value).max(0.0) }
    }

    /// How much more the side to move can choose from than the other after a random move, in `-1..=1`.
    fn mobility<G: Game>(&mut self, game: &G, moves: &[G::Move]) -> f32 {
        let next = game.after(moves[self.rng.random_range(0..moves.len())]);
        let mut replies = Vec::new();
        next.legal_moves(&mut replies);
        if replies.is_empty() {
            // The game is over: what a random move happens to do says nothing of the position.
            return 0.0;
        }
        let (own, other) = (moves.len() as f32, replies.len() as f32);
        (own - other) / (own + other)
    }
}
