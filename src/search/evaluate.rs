//! The interface between search and network.

use super::Wdl;
use crate::games::rules::Game;

/// A position to be evaluated, with the legal moves whose policy is wanted.
#[derive(Clone, Debug)]
pub struct Query<G: Game> {
    /// The position; its game is not over.
    pub game: G,
    /// In [`Game::legal_moves`] order, or some of them; empty where only the value is wanted.
    pub moves: Vec<G::Move>,
    /// Whether only the policy is wanted. Then the value of the evaluation means nothing.
    pub policy_only: bool,
}

/// What an evaluator says of one position. A buffer: reused from one call to the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// From the point of view of the side to move.
    pub wdl: Wdl,
    /// One unnormalised log-probability for each move of the query, in its order.
    pub logits: Vec<f32>,
}

/// When a search asks for the policy of a position that it visits. Most positions are visited only once, so that their
/// policy is never used. Either way the search finds the same, as long as its memory is not full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyAsked {
    /// At the first visit, together with the value: for an evaluator that computes both in one pass.
    WithValue,
    /// At the second visit: for an evaluator that is clearly faster where only the value is wanted.
    OnReturn,
}

/// Evaluates positions in batches.
pub trait Evaluator<G: Game> {
    /// `out[i]` becomes the evaluation of `queries[i]`, whatever else is in the batch. `out` is as long as `queries`;
    /// its buffers are reused, so that no call allocates.
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]);

    /// When it is best asked for policies. Its evaluations must not depend on that.
    fn policy_asked(&self) -> PolicyAsked {
        PolicyAsked::WithValue
    }
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for Box<E> {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        (**self).evaluate(queries, out);
    }

    fn policy_asked(&self) -> PolicyAsked {
        (**self).policy_asked()
    }
}
