//! A position as notations look at it: who can go where.

use super::{Notate, Piece, Point, Step};
use crate::games::rules::{Game, Side};

/// A position with its legal moves.
pub(super) struct Scene<G: Game> {
    pub(super) side: Side,
    pub(super) steps: Vec<(G::Move, Step)>,
    /// The pieces on the board of the side to move.
    pub(super) pieces: Vec<(Piece, Point)>,
    /// Where the move before went.
    pub(super) last: Option<Point>,
}

impl<G: Notate> Scene<G> {
    pub(super) fn of(game: &G, last: Option<G::Move>) -> Self {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let side = game.side_to_move();
        Scene {
            side,
            steps: moves.into_iter().map(|mv| (mv, game.step(mv))).collect(),
            pieces: game.pieces_of(side),
            last: last.map(G::target),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.steps.is_empty()
    }

    /// The origins of the moves by which other pieces of the same kind can go to the same square.
    pub(super) fn rivals(&self, step: &Step) -> Vec<Point> {
        let is_rival =
            |other: &Step| other.piece == step.piece && other.to == step.to && other.from != step.from;
        self.steps.iter().filter(|(_, other)| is_rival(other)).filter_map(|(_, other)| other.from).collect()
    }

    /// Whether the same piece could promote by going there.
    pub(super) fn could_promote(&self, step: &Step) -> bool {
        self.steps.iter().any(|(_, other)| {
            other.promotes && other.from == step.from && other.to == step.to && step.from.is_some()
        })
    }
}
