//! What notations tell of a move.

/// A square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// From 0 at the first player's left.
    pub file: u8,
    /// From 0 at the first player's side.
    pub rank: u8,
}

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
pub struct Step {
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
