//! What notations tell of a move.

use crate::games::rules::Point;

/// What a piece is: the capital of its kind in a FEN, and whether it is promoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The letter of the unpromoted kind.
    pub letter: char,
    /// Whether it has promoted.
    pub promoted: bool,
}

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveInfo {
    /// The piece as it stands before the move.
    pub piece: Piece,
    /// Where it comes from; `None` for a drop.
    pub from: Option<Point>,
    /// Where it goes.
    pub to: Point,
    /// Whether it takes a piece.
    pub captures: bool,
    /// Whether it promotes.
    pub promotes: bool,
}
