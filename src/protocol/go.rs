//! The command `go`: what limits a search.

use super::{Dialect, GoClocks};
use crate::games::rules::Side;

/// What a `go` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoCommand {
    /// Think while the other side does.
    pub ponder: bool,
    /// Think until a `stop`.
    pub infinite: bool,
    /// Nodes at most, as the search counts them.
    pub nodes: Option<u64>,
    /// Depth at most.
    pub depth: Option<u64>,
    /// Milliseconds for the move.
    pub movetime: Option<u64>,
    /// What the clocks say.
    pub clocks: GoClocks,
    /// Look for a mate.
    pub mate: Option<MateLimit>,
    /// Count positions at this depth.
    pub perft: Option<u64>,
    /// Only these moves; all of them where there are none.
    pub searchmoves: Vec<String>,
}

/// How far a mate is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateLimit {
    /// In UCI within this many moves, in USI within this many milliseconds.
    Within(u64),
    /// Until it is found.
    Infinite,
}

/// Words of `go` that end a list of moves.
const KEYWORDS: [&str; 24] = [
    "ponder",
    "infinite",
    "nodes",
    "depth",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "time",
    "increment",
    "opptime",
    "oppincrement",
    "oppmovestogo",
    "byoyomi",
    "movestogo",
    "mate",
    "perft",
    "searchmoves",
    "draw",
    "rate",
    "rtime",
    "rinc",
    "opprate",
];

impl GoCommand {
    /// Reads what follows a `go`. A word that means nothing is skipped: better a move than none.
    pub fn parse(words: &[&str], dialect: Dialect) -> (GoCommand, Vec<String>) {
        let mut go = GoCommand::default();
        let mut skipped = Vec::new();
        // Black moves first in shogi.
        let white = if dialect == Dialect::Usi { Side::Second } else { Side::First }.index();
        let mut at = 0;
        while let Some(&word) = words.get(at) {
            at += 1;
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                // An offer, which is not taken.
                "draw" => {}
                "searchmoves" => {
                    let before = go.searchmoves.len();
                    let moves = words[at..].iter().take_while(|word| !KEYWORDS.contains(word));
                    go.searchmoves.extend(moves.map(|&mv| mv.to_owned()));
                    at += go.searchmoves.len() - before;
                }
                "depth" | "mate" if words.get(at) == Some(&"infinite") => {
                    at += 1;
                    match word {
                        "mate" => go.mate = Some(MateLimit::Infinite),
                        _ => go.infinite = true,
                    }
                }
                // Some clients reckon in fractions, and a clock may have run out.
                _ => match words.get(at).and_then(|value| value.parse::<f64>().ok()) {
                    Some(value) if KEYWORDS.contains(&word) => {
                        at += 1;
                        go.set(word, value as u64, white);
                    }
                    _ => skipped.push(word.to_owned()),
                },
            }
        }
        (go, skipped)
    }

    fn set(&mut self, word: &str, value: u64, white: usize) {
        let clocks = &mut self.clocks;
        match word {
            "nodes" => self.nodes = Some(value),
            "depth" => self.depth = Some(value),
            "movetime" => self.movetime = Some(value),
            "perft" => self.perft = Some(value),
            "mate" => self.mate = Some(MateLimit::Within(value)),
            "wtime" => clocks.time[white] = Some(value),
            "btime" => clocks.time[1 - white] = Some(value),
            "winc" => clocks.increment[white] = Some(value),
            "binc" => clocks.increment[1 - white] = Some(value),
            "time" => clocks.own = Some(value),
            "increment" => clocks.own_increment = Some(value),
            "byoyomi" => clocks.byoyomi = Some(value),
            // None to go is not given, as other engines take it: not all of the clock is for this move.
            "movestogo" => clocks.moves_to_go = (value > 0).then(|| value.min(1000) as u32),
            // The other side's.
            _ => {}
        }
    }

    /// As a line, for a move of `side`; times are in milliseconds: UCCI's seconds of old are what `usemillisec` turns off.
    ///
    /// In USI a time for a move is a byoyomi behind clocks that have run out, and a clock without an increment is one with a
    /// byoyomi of 0: the protocol began so, and engines such as GPSShogi abort at `movetime` and `binc`.
    pub fn write(&self, dialect: Dialect, side: Side) -> String {
        let mut line = "go".to_owned();
        for (word, is_said) in [("ponder", self.ponder), ("infinite", self.infinite)] {
            if is_said {
                line += &format!(" {word}");
            }
        }
        let mut numbers = vec![("nodes", self.nodes), ("depth", self.depth), ("perft", self.perft)];
        // An engine may take 0 for "not given".
        match (self.movetime.map(|time| time.max(1)), dialect) {
            (Some(time), Dialect::Uci) => numbers.push(("movetime", Some(time))),
            (Some(time), Dialect::Usi) => {
                numbers.extend([("btime", Some(0)), ("wtime", Some(0)), ("byoyomi", Some(time))]);
            }
            // The time up to the next time control, which is after this move.
            (Some(time), Dialect::Ucci) => numbers.extend([("time", Some(time)), ("movestogo", Some(1))]),
            (None, _) => numbers.extend(self.clocks.words(dialect, side)),
        }
        for (word, number) in numbers {
            if let Some(number) = number {
                line += &format!(" {word} {number}");
            }
        }
        match self.mate {
            Some(MateLimit::Within(limit)) => line += &format!(" mate {limit}"),
            Some(MateLimit::Infinite) => line += " mate infinite",
            None => {}
        }
        if !self.searchmoves.is_empty() {
            line += &format!(" searchmoves {}", self.searchmoves.join(" "));
        }
        line
    }

    /// Whether nothing says when to end.
    pub fn is_unlimited(&self) -> bool {
        self.infinite
            || self.nodes.is_none()
                && self.depth.is_none()
                && self.movetime.is_none()
                && self.mate.is_none()
                && self.perft.is_none()
                && self.clocks.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn read(words: &str, dialect: Dialect) -> (GoCommand, Vec<String>) {
        GoCommand::parse(&words.split_ascii_whitespace().collect::<Vec<_>>(), dialect)
    }

    #[test]
    fn limits_become_a_line_of_each_dialect() {
        use Dialect::{Ucci, Uci, Usi};
        let clocks = |time: [u64; 2], increment| GoCommand {
            clocks: GoClocks { time: time.map(Some), increment: [Some(increment); 2], ..GoClocks::default() },
            ..GoCommand::default()
        };
        let nodes = GoCommand { nodes: Some(7), ..GoCommand::default() };
        let time = GoCommand { movetime: Some(100), ..GoCommand::default() };
        let (clock, sudden) = (clocks([5100, 4200], 50), clocks([5100, 4200], 0));
        for (dialect, go, side, line) in [
            (Uci, &nodes, Side::First, "go nodes 7"),
            (Ucci, &nodes, Side::First, "go nodes 7"),
            (Uci, &time, Side::First, "go movetime 100"),
            (Usi, &time, Side::First, "go btime 0 wtime 0 byoyomi 100"),
            (Usi, &sudden, Side::First, "go btime 5100 wtime 4200 byoyomi 0"),
            (Uci, &sudden, Side::First, "go wtime 5100 btime 4200 winc 0 binc 0"),
            (Ucci, &time, Side::First, "go time 100 movestogo 1"),
            (Uci, &clock, Side::Second, "go wtime 5100 btime 4200 winc 50 binc 50"),
            (Usi, &clock, Side::Second, "go btime 5100 wtime 4200 binc 50 winc 50"),
            (Ucci, &clock, Side::First, "go time 5100 increment 50 opptime 4200 oppincrement 50"),
            (Ucci, &clock, Side::Second, "go time 4200 increment 50 opptime 5100 oppincrement 50"),
            (Uci, &clocks([0, 0], 50), Side::First, "go wtime 1 btime 1 winc 50 binc 50"),
        ] {
            assert_eq!(go.write(dialect, side), line);
            // What is read back gives the side to move the same clock.
            let (again, skipped) = read(&line[3..], dialect);
            assert!(skipped.is_empty(), "{skipped:?}");
            let ms = Duration::from_millis(1);
            let state = |go: &GoCommand| go.clocks.state(side, ms).filter(|_| go.movetime.is_none());
            if go.movetime.is_none() && line.contains("5100") {
                assert_eq!(state(&again), state(go), "{line}");
            }
            assert_eq!(again.nodes, go.nodes);
        }
    }

    #[test]
    fn every_word_of_uci_is_read_back() {
        let go = GoCommand {
            ponder: true,
            infinite: true,
            nodes: Some(1),
            depth: Some(2),
            movetime: None,
            clocks: GoClocks {
                time: [Some(3), Some(4)],
                increment: [Some(5), Some(6)],
                byoyomi: Some(7),
                moves_to_go: Some(8),
                ..GoClocks::default()
            },
            mate: Some(MateLimit::Infinite),
            perft: Some(9),
            searchmoves: vec!["a1a2".to_owned(), "b1b2".to_owned()],
        };
        let line = go.write(Dialect::Uci, Side::First);
        assert_eq!(read(&line[3..], Dialect::Uci), (go, Vec::new()), "{line}");
    }

    #[test]
    fn clocks_belong_to_sides() {
        let clocks = |words, dialect| read(words, dialect).0.clocks;
        let words = "wtime 1 btime 2 winc 3 binc 4 movestogo 5";
        let uci = clocks(words, Dialect::Uci);
        assert_eq!((uci.time, uci.increment), ([Some(1), Some(2)], [Some(3), Some(4)]));
        assert_eq!(uci.moves_to_go, Some(5));
        assert_eq!(clocks(words, Dialect::Usi).time, [Some(2), Some(1)]);
        assert_eq!(clocks("btime 7 wtime 8 byoyomi 9", Dialect::Usi).time, [Some(7), Some(8)]);
        let ucci = clocks("time 10 increment 1 opptime 20 oppincrement 2", Dialect::Ucci);
        assert_eq!((ucci.own, ucci.own_increment, ucci.time), (Some(10), Some(1), [None; 2]));
        assert_eq!(clocks("wtime -30 btime 5.0", Dialect::Uci).time, [Some(0), Some(5)]);
    }

    #[test]
    fn no_moves_to_go_are_not_given() {
        let clocks = |words: &str, dialect| read(words, dialect).0.clocks;
        for (words, dialect) in [("wtime 9 btime 9", Dialect::Uci), ("time 9 opptime 9", Dialect::Ucci)] {
            for none in ["0", "-3", "0.5", "nan"] {
                let said = clocks(&format!("{words} movestogo {none}"), dialect);
                assert_eq!(said, clocks(words, dialect), "{words} movestogo {none}");
            }
        }
        // Other numbers below 0 are 0.
        let negative = clocks("wtime -9 winc -5 binc -5 byoyomi -5", Dialect::Uci);
        assert_eq!(negative, clocks("wtime 0 winc 0 binc 0 byoyomi 0", Dialect::Uci));
    }

    #[test]
    fn goes_are_read_and_senseless_words_skipped() {
        let go = |words| read(words, Dialect::Uci);
        let (only, skipped) = go("searchmoves a1a2 b1b2 nodes 7 ponder");
        assert_eq!((only.searchmoves.len(), only.nodes, only.ponder), (2, Some(7), true));
        assert!(skipped.is_empty());
        let (twice, skipped) = go("searchmoves a1a2 b1b2 searchmoves c1c2 nodes 7");
        assert_eq!((twice.searchmoves.len(), twice.nodes, skipped.len()), (3, Some(7), 0));
        assert_eq!(go("depth infinite").0, go("infinite").0);
        assert_eq!(go("mate infinite").0.mate, Some(MateLimit::Infinite));
        assert_eq!(go("mate 3").0.mate, Some(MateLimit::Within(3)));
        let (spoilt, skipped) = go("wtime soon nodes 5 quickly 3");
        assert_eq!(spoilt.nodes, Some(5));
        assert_eq!(skipped, ["wtime", "soon", "quickly", "3"]);
        assert!(go("").0.is_unlimited() && go("ponder").0.is_unlimited());
        assert!(!go("mate 3").0.is_unlimited() && !go("byoyomi 1000").0.is_unlimited());
    }
}
