//! The one door between search and network.

use super::Wdl;
use crate::rules::Game;

/// A position to be judged, with the legal moves that the judgement is about.
#[derive(Clone, Debug)]
pub struct Query<G: Game> {
    /// The position; its game is not over.
    pub game: G,
    /// In [`Game::legal_moves`] order, or some of them; empty where only the value is wanted.
    pub moves: Vec<G::Move>,
}

/// What an evaluator thinks of one position. A buffer: reused from one call to the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// From the point of view of the side to move.
    pub wdl: Wdl,
    /// One unnormalised log-probability for each move of the query, in its order.
    pub logits: Vec<f32>,
}

/// Judges positions in batches.
pub trait Evaluator<G: Game> {
    /// `out[i]` answers `queries[i]`, whatever else is in the batch. `out` is as long as `queries`; its
    /// buffers are reused, so that no call allocates.
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]);
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for Box<E> {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        (**self).evaluate(queries, out);
    }
}
