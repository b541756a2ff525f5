//! Positions, moves, legality and results of every game; FEN and SFEN; perft.
//!
//! Owns all that the rule texts say. Knows no tensors, no I/O and no clock; only reading text can fail.
//! Everything above this module sees a game through [`Game`] alone.

mod by_side;
pub mod dobutsu;
mod endings;
mod game;
mod history;
mod id;
pub mod janggi;
mod outcome;
pub mod palace;
mod perft;
pub mod shogi;
mod splitmix;
pub mod xiangqi;

pub use endings::Ending;
pub use game::{Declaration, Game, Move, ParseError, Setup};
pub use id::{GameId, RuleSet, UnknownName};
pub use outcome::{Outcome, Reason, Side, Verdict};
