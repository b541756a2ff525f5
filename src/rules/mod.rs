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
mod parse_error;
mod perft;
pub mod shogi;
mod splitmix;
pub mod xiangqi;

pub use game::{Declaration, Game, Move, Setup};
pub use id::{GameId, RuleSet, UnknownName};
pub use outcome::{Ending, Outcome, Reason, Side, Verdict};
pub use parse_error::ParseError;
