//! Positions as they are written in the command `position`.

use super::{Dialect, Notation};
use crate::games::rules::{Family, Game, GameId};

/// What begins a position; the word `position` may be missing before it.
pub const STARTS: [&str; 3] = ["startpos", "fen", "sfen"];

/// Where a game began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartText {
    /// As the game begins.
    Standard,
    /// A FEN or SFEN, perhaps a short one.
    Fen(String),
}

/// A position as it came in, not looked at yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionText {
    /// Where it began.
    pub start: StartText,
    /// The moves since, as texts.
    pub moves: Vec<String>,
}

impl PositionText {
    /// Reads what follows the word `position`.
    ///
    /// # Errors
    /// When it names no position.
    pub fn parse(words: &[&str]) -> Result<Self, String> {
        let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let start = match &words[..end] {
            ["startpos"] => StartText::Standard,
            ["fen" | "sfen", fen @ ..] if !fen.is_empty() => StartText::Fen(fen.join(" ")),
            _ => return Err("it names no position: startpos, fen FEN or sfen SFEN".to_owned()),
        };
        Ok(PositionText {
            start,
            moves: words.get(end + 1..).unwrap_or_default().iter().map(|&mv| mv.to_owned()).collect(),
        })
    }

    /// Where games begin.
    pub const STANDARD: PositionText = PositionText { start: StartText::Standard, moves: Vec::new() };

    /// The position that `moves` led to from `start`, as `notation` writes it.
    pub fn of<G: Game>(start: &G, moves: &[G::Move], notation: Notation) -> Self {
        PositionText {
            start: StartText::Fen(notation.write_fen(start)),
            moves: moves.iter().map(|&mv| notation.write_move::<G>(mv)).collect(),
        }
    }

    /// As a line.
    pub fn write(&self, dialect: Dialect) -> String {
        let mut line = match (&self.start, dialect) {
            (StartText::Standard, _) => "position startpos".to_owned(),
            (StartText::Fen(fen), Dialect::Usi) => format!("position sfen {fen}"),
            (StartText::Fen(fen), Dialect::Uci | Dialect::Ucci) => format!("position fen {fen}"),
        };
        if !self.moves.is_empty() {
            line += " moves ";
            line += &self.moves.join(" ");
        }
        line
    }

    /// Whether the FEN is written as programs write it that count the ranks of xiangqi from 0: without the fields behind the
    /// side to move, or with `r` for red.
    pub fn is_of_rank_zero(&self) -> bool {
        let StartText::Fen(fen) = &self.start else { return false };
        let fields: Vec<&str> = fen.split_whitespace().collect();
        fields.len() <= 2 || fields[1] == "r"
    }

    /// The game of the shogi family that is played on a board of this size, if an SFEN is given. In USI nothing else says
    /// which game is meant.
    pub fn shogi_game(&self) -> Option<GameId> {
        let StartText::Fen(fen) = &self.start else { return None };
        Family::Shogi.game_of_ranks(fen.split_whitespace().next()?.split('/').count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(fen: &str) -> PositionText {
        let start = if fen.is_empty() { StartText::Standard } else { StartText::Fen(fen.to_owned()) };
        PositionText { start, moves: Vec::new() }
    }

    #[test]
    fn positions_are_written_and_read_back() {
        let moves = vec!["a1a2".to_owned(), "b1b2".to_owned()];
        for (dialect, line) in [
            (Dialect::Uci, "position fen 4k/4K w - - 0 1 moves a1a2 b1b2"),
            (Dialect::Usi, "position sfen 4k/4K b - 1 moves a1a2 b1b2"),
            (Dialect::Ucci, "position startpos moves a1a2 b1b2"),
            (Dialect::Uci, "position startpos"),
        ] {
            let words: Vec<&str> = line.split(' ').skip(1).collect();
            let position = PositionText::parse(&words).unwrap();
            assert_eq!(position.write(dialect), line);
            assert_eq!(position.moves == moves, line.contains("moves"));
        }
    }

    #[test]
    fn the_form_of_a_fen_tells_who_counts_from_zero() {
        for (fen, is_zero) in
            [("x w", true), ("x", true), ("x r - - 0 1", true), ("x w - - 0 1", false), ("", false)]
        {
            assert_eq!(text(fen).is_of_rank_zero(), is_zero, "{fen}");
        }
    }

    #[test]
    fn a_board_of_shogi_tells_the_game() {
        assert_eq!(text("rbsgk/4p/5/P4/KGSBR b - 1").shogi_game(), Some(GameId::Minishogi));
        assert_eq!(text("gle/1c1/1C1/ELG b - 1").shogi_game(), Some(GameId::Dobutsu));
        assert_eq!((text("").shogi_game(), text("4k/4K b").shogi_game()), (None, None));
    }
}
