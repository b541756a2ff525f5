//! The three protocols.

use std::fmt;

use super::Notation;
use crate::games::rules::{Family, GameId};

/// A language that engines speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The universal chess interface; with Fairy-Stockfish's names of variants it serves every game.
    Uci,
    /// Its version for shogi.
    Usi,
    /// The older protocol of xiangqi.
    Ucci,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 3] = [Dialect::Uci, Dialect::Usi, Dialect::Ucci];

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Self::ALL.into_iter().find(|dialect| dialect.as_str() == name)
    }

    /// Its name, which is also the first thing said in it.
    pub fn as_str(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Usi => "usi",
            Dialect::Ucci => "ucci",
        }
    }

    /// The last line of the answer to [`as_str`](Self::as_str), behind the options.
    pub fn welcome(self) -> String {
        format!("{self}ok")
    }

    /// Whether `game` can be written in it.
    pub fn plays(self, game: GameId) -> bool {
        match self {
            Dialect::Uci => true,
            Dialect::Usi => game.facts().family == Family::Shogi,
            Dialect::Ucci => game == GameId::Xiangqi,
        }
    }

    /// How it writes moves, if the engine says nothing else.
    pub fn notation(self) -> Notation {
        match self {
            Dialect::Uci => Notation::Own,
            Dialect::Usi => Notation::Shogi,
            Dialect::Ucci => Notation::RanksFromZero,
        }
    }

    /// Whether `isready` may be sent before every move. In USI it prepares for a game, and engines clear their hash
    /// tables.
    pub fn may_ask_ready_between_moves(self) -> bool {
        self != Dialect::Usi
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
