//! The lines that an engine is sent, as commands.

use super::{Dialect, GoClocks, GoCommand, OptionSetting, PositionText, position::STARTS};
use crate::base::store::without_mark;

/// What a line asks an engine for.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineCommand {
    /// `uci`, `usi`, `ucci`: who are you, and what are your options?
    Hello(Dialect),
    /// `isready`.
    IsReady,
    /// `setoption`.
    SetOption(OptionSetting),
    /// `ucinewgame`, `usinewgame`.
    NewGame,
    /// `position`, or what follows that word alone; else what is wrong with it.
    Position(Result<PositionText, String>),
    /// `go`, with the words in it that mean nothing.
    Go(GoCommand, Vec<String>),
    /// `stop`.
    Stop,
    /// `ponderhit`, in USI with the clocks that a `go ponder` did not tell.
    PonderHit(GoClocks),
    /// `banmoves`: moves that may not be played now.
    BanMoves(Vec<String>),
    /// `gameover`.
    GameOver,
    /// `d`: the board.
    Show,
    /// `quit`.
    Quit,
}

/// Whether a line sets a position, well or badly.
pub fn is_position(line: &str) -> bool {
    let first = without_mark(line).split_ascii_whitespace().next();
    first.is_some_and(|word| word == "position" || STARTS.contains(&word))
}

impl EngineCommand {
    /// Reads a line; `None` where nothing is asked.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(line: &str, dialect: Dialect) -> Result<Option<Self>, String> {
        let mut words = without_mark(line).split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(None) };
        if let Some(dialect) = Dialect::from_name(first) {
            return Ok(Some(EngineCommand::Hello(dialect)));
        }
        let rest: Vec<&str> = words.collect();
        Ok(Some(match first {
            "isready" => EngineCommand::IsReady,
            "setoption" => {
                EngineCommand::SetOption(OptionSetting::parse(&rest, dialect).ok_or("it names no option")?)
            }
            "ucinewgame" | "usinewgame" | "uccinewgame" => EngineCommand::NewGame,
            "position" => EngineCommand::Position(PositionText::parse(&rest)),
            start if STARTS.contains(&start) => {
                EngineCommand::Position(PositionText::parse(&[&[first], rest.as_slice()].concat()))
            }
            "go" => {
                let (go, skipped) = GoCommand::parse(&rest, dialect);
                EngineCommand::Go(go, skipped)
            }
            "stop" => EngineCommand::Stop,
            "ponderhit" => EngineCommand::PonderHit(GoCommand::parse(&rest, dialect).0.clocks),
            "banmoves" => EngineCommand::BanMoves(owned(&rest)),
            "gameover" => EngineCommand::GameOver,
            "d" => EngineCommand::Show,
            "quit" => EngineCommand::Quit,
            // Part of UCI, and nothing to us.
            "debug" | "register" => return Ok(None),
            _ => return Err("it is no command".to_owned()),
        }))
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::StartText;

    fn read(line: &str, dialect: Dialect) -> EngineCommand {
        EngineCommand::parse(line, dialect).expect(line).expect(line)
    }

    fn position(start: &str, moves: &[&str]) -> EngineCommand {
        let start = if start.is_empty() { StartText::Standard } else { StartText::Fen(start.to_owned()) };
        EngineCommand::Position(Ok(PositionText { start, moves: owned(moves) }))
    }

    #[test]
    fn positions_are_read_however_they_are_written() {
        use Dialect::Uci;
        assert_eq!(read("position startpos", Uci), position("", &[]));
        assert_eq!(read("position startpos moves", Uci), position("", &[]));
        assert_eq!(read("startpos moves a1a2 b1b2\r", Uci), position("", &["a1a2", "b1b2"]));
        assert_eq!(read("  position  fen 4k/4K w moves a1a2", Uci), position("4k/4K w", &["a1a2"]));
        assert_eq!(read("fen 4k/4K r moves h2e2", Uci), position("4k/4K r", &["h2e2"]));
        assert_eq!(read("position sfen 4k/4K b - 1", Dialect::Usi), position("4k/4K b - 1", &[]));
        for bad in
            ["position", "position moves a1a2", "position fen", "position startpos a1a2", "fen moves x"]
        {
            assert!(matches!(read(bad, Uci), EngineCommand::Position(Err(_))) && is_position(bad), "{bad}");
        }
        assert!(!is_position("go infinite") && !is_position(""));
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(read("\u{feff}usi", Dialect::Uci), EngineCommand::Hello(Dialect::Usi));
        assert_eq!(read("\u{feff}position startpos", Dialect::Uci), position("", &[]));
        assert_eq!(EngineCommand::parse("\u{feff}", Dialect::Uci), Ok(None));
    }

    #[test]
    fn options_are_read_in_every_dialect() {
        use Dialect::{Ucci, Uci};
        let option = |name: &str, value: Option<&str>| {
            EngineCommand::SetOption(OptionSetting { name: name.into(), value: value.map(str::to_owned) })
        };
        assert_eq!(read("setoption name Hash value 16", Uci), option("Hash", Some("16")));
        assert_eq!(read("setoption name Clear Hash", Uci), option("Clear Hash", None));
        assert_eq!(read("setoption option Hash value 16", Uci), option("Hash", Some("16")));
        let path = "setoption name Weights File value my nets/a value.sanki";
        assert_eq!(read(path, Uci), option("Weights File", Some("my nets/a value.sanki")));
        assert_eq!(read("setoption name X value", Uci), option("X", Some("")));
        assert_eq!(read("setoption hashsize 16", Ucci), option("hashsize", Some("16")));
        assert_eq!(read("setoption newgame", Ucci), option("newgame", None));
        assert_eq!(read("setoption name hashsize value 16", Ucci), option("hashsize", Some("16")));
        for bad in ["setoption", "setoption name", "setoption name value 3", "setoption Hash 16"] {
            assert!(EngineCommand::parse(bad, Uci).is_err(), "{bad}");
        }
    }

    #[test]
    fn other_lines_are_nothing_or_wrong() {
        assert_eq!(EngineCommand::parse("", Dialect::Uci), Ok(None));
        assert_eq!(EngineCommand::parse(" \t ", Dialect::Uci), Ok(None));
        assert_eq!(EngineCommand::parse("debug on", Dialect::Uci), Ok(None));
        assert_eq!(read("\u{feff}usi", Dialect::Uci), EngineCommand::Hello(Dialect::Usi));
        assert_eq!(read("ucci", Dialect::Uci), EngineCommand::Hello(Dialect::Ucci));
        assert_eq!(read("gameover draw", Dialect::Usi), EngineCommand::GameOver);
        assert!(EngineCommand::parse("xyzzy", Dialect::Uci).is_err());
    }
}
