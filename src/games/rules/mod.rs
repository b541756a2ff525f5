//! Positions, moves, legality and results of every game; FEN and SFEN; perft.
//!
//! Owns all that the rule texts say, and for each game a table of what the program has to know of it ([`Facts`]). Knows
//! no tensors, no I/O and no clock; only reading text can fail.
//! Everything above this module sees a game through [`Game`] and its [`Facts`].

mod divide;
pub mod dobutsu;
mod endings;
mod facts;
mod game;
mod handicap;
mod history;
mod id;
pub mod janggi;
mod mover;
mod outcome;
pub mod palace;
mod parse_error;
mod perft;
mod point;
mod rule_set;
pub mod shogi;
pub mod xiangqi;

pub use divide::divide;
pub use facts::{Colour, Facts, Family, PlayFacts};
pub use game::{Declaration, Game, MOST_PLIES, Move, Setup};
pub use handicap::{Handicap, Handicaps};
pub use id::{GameId, UnknownName};
pub use outcome::{Ending, Outcome, Reason, Side, Verdict};
pub use parse_error::ParseError;
pub use point::Point;
pub use rule_set::RuleSet;
