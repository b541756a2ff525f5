//! What janggi and xiangqi share: boards of points with palaces, up to nine files by ten ranks.
//!
//! Owns squares and sets of them, the lines along which rooks go, moves and what becomes of generated ones, the
//! board part and the counters of a FEN, and the past of a game. Which pieces there are, how they go and what ends a game is each game's own.

pub(super) mod fen;
pub(super) mod history;
pub(super) mod lines;
mod mv;
pub(super) mod notation;
pub(super) mod sink;
mod square;
pub(super) mod zobrist;

pub use mv::PalaceMove;
pub use square::{SQUARES, STRIDE, Set, Square, Squares};
