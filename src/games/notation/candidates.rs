//! A position as notations look at it: who can go where.

use super::{MoveInfo, Notate, Piece};
use crate::games::rules::{Game, Point, Side};

/// A position with its legal moves.
pub(super) struct Candidates<G: Game> {
    pub(super) side: Side,
    pub(super) steps: Vec<(G::Move, MoveInfo)>,
    /// The pieces on the board of the side to move.
    pub(super) pieces: Vec<(Piece, Point)>,
    /// Where the move before went.
    pub(super) last: Option<Point>,
}

impl<G: Notate> Candidates<G> {
    pub(super) fn of(game: &G, last: Option<G::Move>) -> Self {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let side = game.side_to_move();
        Candidates {
            side,
            steps: moves.into_iter().map(|mv| (mv, game.move_info(mv))).collect(),
            pieces: game.pieces_of(side),
            last: last.map(G::target),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.steps.is_empty()
    }

    /// The origins of the moves by which other pieces of the same kind can go to the same square.
    pub(super) fn rivals(&self, move_info: &MoveInfo) -> Vec<Point> {
        let is_rival = |other: &MoveInfo| {
            other.piece == move_info.piece && other.to == move_info.to && other.from != move_info.from
        };
        self.steps.iter().filter(|(_, other)| is_rival(other)).filter_map(|(_, other)| other.from).collect()
    }

    /// Whether the same piece could promote by going there.
    pub(super) fn could_promote(&self, move_info: &MoveInfo) -> bool {
        self.steps.iter().any(|(_, other)| {
            other.promotes
                && other.from == move_info.from
                && other.to == move_info.to
                && move_info.from.is_some()
        })
    }
}
