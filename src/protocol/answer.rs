//! The answers to `go`.

use super::Dialect;

/// The answer to a search for the best move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// A move as the engine writes it, and the one that it expects then. Of a foreign engine it may be any text.
    Move(String, Option<String>),
    /// No move is legal.
    Nothing,
    /// A declaration that wins. Only USI has a word for it.
    Win,
    /// The engine gives up. USI says the same where no move is legal.
    Resign,
}

impl BestMove {
    /// As a line.
    pub fn write(&self, dialect: Dialect) -> String {
        match self {
            BestMove::Move(mv, Some(expected)) => format!("bestmove {mv} ponder {expected}"),
            BestMove::Nothing | BestMove::Resign if dialect == Dialect::Ucci => NOTHING_IN_UCCI.to_owned(),
            _ => format!("bestmove {}", self.word(dialect)),
        }
    }

    /// The word that stands for the move.
    pub fn word(&self, dialect: Dialect) -> &str {
        match (self, dialect) {
            (BestMove::Move(mv, _), _) => mv,
            (BestMove::Nothing, Dialect::Uci) => NOTHING_IN_UCI,
            (BestMove::Nothing, Dialect::Ucci) => NOTHING_IN_UCCI,
            (BestMove::Nothing, Dialect::Usi) | (BestMove::Resign, _) => "resign",
            (BestMove::Win, _) => "win",
        }
    }

    /// Reads a line; `None` if it is no answer.
    pub fn parse(line: &str, dialect: Dialect) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        match (dialect, words.next()?) {
            (Dialect::Ucci, NOTHING_IN_UCCI) => return Some(BestMove::Nothing),
            (_, "bestmove") => {}
            _ => return None,
        }
        let (mv, rest) = (words.next().unwrap_or(""), words.collect::<Vec<_>>());
        Some(match mv {
            "resign" => BestMove::Resign,
            // UCCI gives up behind the move.
            _ if dialect == Dialect::Ucci && rest.contains(&"resign") => BestMove::Resign,
            NOTHING_IN_UCI if dialect == Dialect::Uci => BestMove::Nothing,
            "win" if dialect == Dialect::Usi => BestMove::Win,
            _ => {
                let ponder = rest.iter().position(|&word| word == "ponder");
                let expected = ponder.and_then(|at| rest.get(at + 1)).map(|&word| word.to_owned());
                BestMove::Move(mv.to_owned(), expected)
            }
        })
    }
}

const NOTHING_IN_UCI: &str = "(none)";
const NOTHING_IN_UCCI: &str = "nobestmove";

/// USI's answer to a search for a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateAnswer {
    /// The moves that mate.
    Moves(Vec<String>),
    /// There is no mate.
    NoMate,
    /// None was found in time.
    Timeout,
    /// It is not looked for.
    NotImplemented,
}

impl MateAnswer {
    /// As a line.
    pub fn write(&self) -> String {
        match self {
            MateAnswer::Moves(moves) => format!("checkmate {}", moves.join(" ")),
            MateAnswer::NoMate => "checkmate nomate".to_owned(),
            MateAnswer::Timeout => "checkmate timeout".to_owned(),
            MateAnswer::NotImplemented => "checkmate notimplemented".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use Dialect::{Ucci, Uci, Usi};

    use super::*;

    fn mv(mv: &str, expected: Option<&str>) -> BestMove {
        BestMove::Move(mv.to_owned(), expected.map(str::to_owned))
    }

    #[test]
    fn answers_are_written_and_read_back() {
        for (answer, dialect, line) in [
            (mv("a1a2", Some("b1b2")), Ucci, "bestmove a1a2 ponder b1b2"),
            (mv("7g7f", None), Usi, "bestmove 7g7f"),
            (BestMove::Nothing, Uci, "bestmove (none)"),
            (BestMove::Resign, Usi, "bestmove resign"),
            (BestMove::Nothing, Ucci, "nobestmove"),
            (BestMove::Win, Usi, "bestmove win"),
        ] {
            assert_eq!(answer.write(dialect), line);
            assert_eq!(BestMove::parse(line, dialect), Some(answer), "{line}");
        }
        assert_eq!(BestMove::Nothing.write(Usi), "bestmove resign");
        assert_eq!(BestMove::Resign.write(Ucci), "nobestmove");
        assert_eq!(MateAnswer::Moves(vec!["G*5b".into(), "5a4a".into()]).write(), "checkmate G*5b 5a4a");
        assert_eq!(MateAnswer::NoMate.write(), "checkmate nomate");
    }

    #[test]
    fn answers_are_told_from_other_lines() {
        for (dialect, line, answer) in [
            (Uci, "bestmove h3e3 ponder a10a9", Some(mv("h3e3", Some("a10a9")))),
            (Uci, "bestmove", Some(mv("", None))),
            (Uci, "bestmove win", Some(mv("win", None))),
            (Uci, "info string bestmove a1a2", None),
            (Uci, "bestmoves a1a2", None),
            (Uci, "nobestmove", None),
            (Uci, "", None),
            (Usi, "bestmove (none)", Some(mv("(none)", None))),
            (Uci, "bestmove resign", Some(BestMove::Resign)),
            (Ucci, "bestmove h2e2 ponder h9g7 resign", Some(BestMove::Resign)),
            (Ucci, "bestmove h2e2 draw", Some(mv("h2e2", None))),
        ] {
            assert_eq!(BestMove::parse(line, dialect), answer, "{line}");
            // Whatever is answered, it can be said what it was.
            assert!(answer.is_none_or(|answer| line.contains(answer.word(dialect))), "{line}");
        }
    }
}
