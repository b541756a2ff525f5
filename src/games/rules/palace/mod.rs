//! What janggi and xiangqi share: boards of points with palaces, up to nine files by ten ranks.
//!
//! Owns squares and sets of them, pieces and how they are moved, the lines along which rooks go, moves and what
//! becomes of generated ones, the FEN, and the past of a game. How the pieces go and what ends a game is each
//! game's own.

pub(super) mod endings;
pub(super) mod fen;
pub(super) mod history;
pub(super) mod lines;
mod mv;
pub(super) mod notation;
mod piece;
mod pieces;
pub(super) mod sink;
mod square;
pub(super) mod zobrist;

pub use mv::PalaceMove;
pub use piece::{KINDS, PalaceKind, PieceNames};
pub(super) use pieces::Pieces;
pub use square::{FILE, FILES, PalaceSquare, PalaceSquares, SQUARES, STRIDE, Set};
