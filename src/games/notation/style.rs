//! The ways to write a move.

use std::fmt;

/// A way to write a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// UCI with Fairy-Stockfish's coordinates: `h3e3`, `P@e5`, `c7c8+`. Every game has it.
    Uci,
    /// USI: `7g7f`, `P*5e`, `8h2b+`.
    Usi,
    /// Shogi's, as in KIF: `７六歩(77)`, `同　歩(76)`, `５五角打`, `２二角成(88)`.
    Kif,
    /// Shogi's, as in CSA: `+7776FU`.
    Csa,
    /// Shogi's in the west, after Hodges: `P-7f`, `Bx2b+`, `P*5e`, `G6i-5h`, and `=` for a promotion declined.
    Western,
    /// The short algebraic notation of PGN: `Ch5+`, `Hxe4`, `Pab4`.
    San,
    /// The World Xiangqi Federation's: `C2.5`, `H8+7`, `R+.4`.
    Wxf,
    /// Xiangqi's four characters: `炮二平五`, `马8进7`, `前车退一`.
    Chinese,
    /// Janggi's numbers with the piece between, ranks from the top first: `79졸78`, `한수쉼` for a pass.
    Korean,
    /// The same in Latin letters: `P79-78`, `C32x22`.
    Numbers,
}

impl Style {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Style::Uci => "uci",
            Style::Usi => "usi",
            Style::Kif => "kif",
            Style::Csa => "csa",
            Style::Western => "western",
            Style::San => "san",
            Style::Wxf => "wxf",
            Style::Chinese => "chinese",
            Style::Korean => "korean",
            Style::Numbers => "numbers",
        }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
