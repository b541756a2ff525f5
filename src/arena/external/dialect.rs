//! What UCI, USI and UCCI say differently.

use std::{fmt, time::Duration};

use super::notation::Notation;
use crate::{
    arena::Budget,
    games::rules::{Family, GameId, Side},
};

/// A language that engines speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Chess's, and with Fairy-Stockfish's names everybody's.
    Uci,
    /// Shogi's.
    Usi,
    /// Xiangqi's older one.
    Ucci,
}

/// What an engine said when it was asked for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer<'a> {
    /// It plays what is written so, whatever that may be.
    Move(&'a str),
    /// It gives up.
    Resign,
}

impl Dialect {
    const ALL: [Dialect; 3] = [Dialect::Uci, Dialect::Usi, Dialect::Ucci];

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

    /// The command that sets an option, or presses a button.
    pub(super) fn set_option(self, name: &str, value: Option<&str>) -> String {
        match (self, value) {
            (Dialect::Uci | Dialect::Usi, Some(value)) => format!("setoption name {name} value {value}"),
            (Dialect::Uci | Dialect::Usi, None) => format!("setoption name {name}"),
            (Dialect::Ucci, Some(value)) => format!("setoption {name} {value}"),
            (Dialect::Ucci, None) => format!("setoption {name}"),
        }
    }

    /// Whether `isready` may be sent before every move. In USI it prepares for a game, and engines clear their hash
    /// tables.
    pub(super) fn may_ask_ready_between_moves(self) -> bool {
        self != Dialect::Usi
    }

    /// The command that asks for a move within `budget`, of `side`, with `left` on the two clocks, the first side's
    /// before the second's. Times are in milliseconds: UCCI's seconds of old are what `usemillisec` turns off.
    ///
    /// In USI a time for a move is a byoyomi behind clocks that have run out, and a clock without an increment is one with
    /// a byoyomi of 0: the protocol began so, and engines such as GPSShogi abort at `movetime` and `binc`.
    pub(super) fn go(self, budget: Budget, left: [Duration; 2], side: Side) -> String {
        // An engine may take 0 for "not given".
        let ms = |time: Duration| time.as_millis().max(1);
        match (budget, self) {
            (Budget::Simulations(nodes), _) => format!("go nodes {nodes}"),
            (Budget::MoveTime(time), Dialect::Uci) => format!("go movetime {}", ms(time)),
            (Budget::MoveTime(time), Dialect::Usi) => format!("go btime 0 wtime 0 byoyomi {}", ms(time)),
            // So much for the moves up to the next control, which is the next move.
            (Budget::MoveTime(time), Dialect::Ucci) => format!("go time {} movestogo 1", ms(time)),
            (Budget::Clock(clock), dialect) => {
                let [first, second] = left.map(ms);
                let inc = clock.increment.as_millis();
                match dialect {
                    Dialect::Uci => format!("go wtime {first} btime {second} winc {inc} binc {inc}"),
                    // Black moves first in shogi.
                    Dialect::Usi if inc == 0 => format!("go btime {first} wtime {second} byoyomi 0"),
                    Dialect::Usi => format!("go btime {first} wtime {second} binc {inc} winc {inc}"),
                    Dialect::Ucci => {
                        let [own, other] =
                            if side == Side::First { [first, second] } else { [second, first] };
                        format!("go time {own} increment {inc} opptime {other} oppincrement {inc}")
                    }
                }
            }
        }
    }

    /// The answer in a line; `None` if it is in none such.
    pub(super) fn answer(self, line: &str) -> Option<Answer<'_>> {
        let mut words = line.split_ascii_whitespace();
        match (self, words.next()?) {
            (Dialect::Ucci, "nobestmove") => return Some(Answer::Move("nobestmove")),
            (_, "bestmove") => {}
            _ => return None,
        }
        let mv = words.next().unwrap_or("");
        // UCCI gives up behind the move.
        let gives_up = mv == "resign" || self == Dialect::Ucci && words.any(|word| word == "resign");
        Some(if gives_up { Answer::Resign } else { Answer::Move(mv) })
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Clock;

    #[test]
    fn a_budget_becomes_a_go() {
        let left = [Duration::from_millis(5100), Duration::from_millis(4200)];
        let increment = Duration::from_millis(50);
        let clock = Budget::Clock(Clock { base: Duration::from_secs(60), increment });
        let sudden = Budget::Clock(Clock { base: Duration::from_secs(60), increment: Duration::ZERO });
        let time = Budget::MoveTime(Duration::from_millis(100));
        for (dialect, budget, side, command) in [
            (Dialect::Uci, Budget::Simulations(7), Side::First, "go nodes 7"),
            (Dialect::Ucci, Budget::Simulations(7), Side::First, "go nodes 7"),
            (Dialect::Uci, time, Side::First, "go movetime 100"),
            (Dialect::Usi, time, Side::First, "go btime 0 wtime 0 byoyomi 100"),
            (Dialect::Usi, sudden, Side::First, "go btime 5100 wtime 4200 byoyomi 0"),
            (Dialect::Uci, sudden, Side::First, "go wtime 5100 btime 4200 winc 0 binc 0"),
            (Dialect::Ucci, time, Side::First, "go time 100 movestogo 1"),
            (Dialect::Uci, clock, Side::Second, "go wtime 5100 btime 4200 winc 50 binc 50"),
            (Dialect::Usi, clock, Side::Second, "go btime 5100 wtime 4200 binc 50 winc 50"),
            (Dialect::Ucci, clock, Side::First, "go time 5100 increment 50 opptime 4200 oppincrement 50"),
            (Dialect::Ucci, clock, Side::Second, "go time 4200 increment 50 opptime 5100 oppincrement 50"),
        ] {
            assert_eq!(dialect.go(budget, left, side), command);
        }
        let none_left = Dialect::Uci.go(clock, [Duration::ZERO; 2], Side::First);
        assert_eq!(none_left, "go wtime 1 btime 1 winc 50 binc 50");
    }

    #[test]
    fn answers_are_told_from_other_lines() {
        use Answer::{Move, Resign};
        for (dialect, line, answer) in [
            (Dialect::Uci, "bestmove h3e3 ponder a10a9", Some(Move("h3e3"))),
            (Dialect::Uci, "bestmove (none)", Some(Move("(none)"))),
            (Dialect::Uci, "bestmove", Some(Move(""))),
            (Dialect::Uci, "info string bestmove a1a2", None),
            (Dialect::Uci, "bestmoves a1a2", None),
            (Dialect::Uci, "nobestmove", None),
            (Dialect::Uci, "", None),
            (Dialect::Usi, "bestmove resign", Some(Resign)),
            (Dialect::Usi, "bestmove win", Some(Move("win"))),
            (Dialect::Ucci, "nobestmove", Some(Move("nobestmove"))),
            (Dialect::Ucci, "bestmove h2e2 ponder h9g7 resign", Some(Resign)),
            (Dialect::Ucci, "bestmove h2e2 draw", Some(Move("h2e2"))),
        ] {
            assert_eq!(dialect.answer(line), answer, "{line}");
        }
    }

    #[test]
    fn options_are_set_as_each_dialect_wants_it() {
        let uci = Dialect::Uci;
        assert_eq!(uci.set_option("Skill Level", Some("0")), "setoption name Skill Level value 0");
        assert_eq!(uci.set_option("Clear Hash", None), "setoption name Clear Hash");
        assert_eq!(Dialect::Ucci.set_option("hashsize", Some("16")), "setoption hashsize 16");
        assert_eq!(Dialect::Ucci.set_option("newgame", None), "setoption newgame");
    }
}
