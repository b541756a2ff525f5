//! Lines from outside as commands. Pure: what a line means, not what comes of it.

use super::{
    clock::Clocks,
    position::{PositionText, Start},
};
use crate::{arena::Dialect, base::store::without_mark, games::rules::Side};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `uci`, `usi`, `ucci`: who are you, and what are your options?
    Hello(Dialect),
    /// `isready`.
    IsReady,
    /// `setoption`: a name, and a value unless it is a button.
    SetOption(String, Option<String>),
    /// `ucinewgame`, `usinewgame`.
    NewGame,
    /// `position`, or what follows that word alone; else what is wrong with it.
    Position(Result<PositionText, String>),
    /// `go`, with the words in it that mean nothing.
    Go(Go, Vec<String>),
    /// `stop`.
    Stop,
    /// `ponderhit`, in USI with the clocks that a `go ponder` did not tell.
    PonderHit(Clocks),
    /// `banmoves`: moves that may not be played now.
    BanMoves(Vec<String>),
    /// `gameover`.
    GameOver,
    /// `d`: the board.
    Show,
    /// `quit`.
    Quit,
}

/// What a `go` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    /// Think while the other side does.
    pub ponder: bool,
    /// Think until told to stop.
    pub infinite: bool,
    /// So many nodes, as the search counts them.
    pub nodes: Option<u64>,
    /// So deep.
    pub depth: Option<u64>,
    /// So many milliseconds.
    pub movetime: Option<u64>,
    /// What the clocks say.
    pub clocks: Clocks,
    /// Look for a mate.
    pub mate: Option<MateGo>,
    /// Count positions so deep.
    pub perft: Option<u64>,
    /// Only these moves; all of them where there are none.
    pub searchmoves: Vec<String>,
}

/// How far a mate is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateGo {
    /// In UCI so many moves, in USI so many milliseconds.
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

/// Whether a line sets a position, well or badly.
pub fn is_position(line: &str) -> bool {
    let first = without_mark(line).split_ascii_whitespace().next();
    first.is_some_and(|word| word == "position" || STARTS.contains(&word))
}

/// What begins a position; the word `position` may be missing before it.
const STARTS: [&str; 3] = ["startpos", "fen", "sfen"];

/// Reads a line; `None` where nothing is asked.
///
/// # Errors
/// Says what is wrong with it.
pub fn parse(line: &str, dialect: Dialect) -> Result<Option<Command>, String> {
    let mut words = without_mark(line).split_ascii_whitespace();
    let Some(first) = words.next() else { return Ok(None) };
    if let Some(dialect) = Dialect::from_name(first) {
        return Ok(Some(Command::Hello(dialect)));
    }
    let rest: Vec<&str> = words.collect();
    Ok(Some(match first {
        "isready" => Command::IsReady,
        "setoption" => {
            let (name, value) = parse_option(&rest, dialect).ok_or("it names no option")?;
            Command::SetOption(name, value)
        }
        "ucinewgame" | "usinewgame" | "uccinewgame" => Command::NewGame,
        "position" => Command::Position(parse_position(&rest)),
        start if STARTS.contains(&start) => {
            Command::Position(parse_position(&[&[first], rest.as_slice()].concat()))
        }
        "go" => {
            let (go, skipped) = parse_go(&rest, dialect);
            Command::Go(go, skipped)
        }
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit(parse_go(&rest, dialect).0.clocks),
        "banmoves" => Command::BanMoves(owned(&rest)),
        "gameover" => Command::GameOver,
        "d" => Command::Show,
        "quit" => Command::Quit,
        // Part of UCI, and nothing to us.
        "debug" | "register" => return Ok(None),
        _ => return Err("it is no command".to_owned()),
    }))
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// `name NAME value VALUE`, both of any number of words; in UCCI also `NAME VALUE`. Some clients of janggi say `option` for
/// `name`.
fn parse_option(words: &[&str], dialect: Dialect) -> Option<(String, Option<String>)> {
    let (name, value) = match words.split_first()? {
        (&"name" | &"option", rest) => match rest.iter().position(|&word| word == "value") {
            Some(at) => (&rest[..at], Some(&rest[at + 1..])),
            None => (rest, None),
        },
        _ if dialect != Dialect::Ucci => return None,
        (_, []) => (words, None),
        (_, rest) => (&words[..1], Some(rest)),
    };
    (!name.is_empty()).then(|| (name.join(" "), value.map(|value| value.join(" "))))
}

fn parse_position(words: &[&str]) -> Result<PositionText, String> {
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let start = match &words[..end] {
        ["startpos"] => Start::Standard,
        ["fen" | "sfen", fen @ ..] if !fen.is_empty() => Start::Fen(fen.join(" ")),
        _ => return Err("it names no position: startpos, fen FEN or sfen SFEN".to_owned()),
    };
    Ok(PositionText { start, moves: owned(words.get(end + 1..).unwrap_or_default()) })
}

/// Reads what follows a `go`. A word that means nothing is skipped: better a move than none.
fn parse_go(words: &[&str], dialect: Dialect) -> (Go, Vec<String>) {
    let mut go = Go::default();
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
                let moves = words[at..].iter().take_while(|word| !KEYWORDS.contains(word));
                go.searchmoves.extend(moves.map(|&mv| mv.to_owned()));
                at += go.searchmoves.len();
            }
            "depth" | "mate" if words.get(at) == Some(&"infinite") => {
                at += 1;
                match word {
                    "mate" => go.mate = Some(MateGo::Infinite),
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

impl Go {
    fn set(&mut self, word: &str, value: u64, white: usize) {
        let clocks = &mut self.clocks;
        match word {
            "nodes" => self.nodes = Some(value),
            "depth" => self.depth = Some(value),
            "movetime" => self.movetime = Some(value),
            "perft" => self.perft = Some(value),
            "mate" => self.mate = Some(MateGo::Within(value)),
            "wtime" => clocks.time[white] = Some(value),
            "btime" => clocks.time[1 - white] = Some(value),
            "winc" => clocks.increment[white] = Some(value),
            "binc" => clocks.increment[1 - white] = Some(value),
            "time" => clocks.own = Some(value),
            "increment" => clocks.own_increment = Some(value),
            "byoyomi" => clocks.byoyomi = Some(value),
            "movestogo" => clocks.moves_to_go = Some(value.clamp(1, 1000) as u32),
            // The other side's.
            _ => {}
        }
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

/// As much of a line as a person reads.
pub fn shortened(line: &str) -> String {
    const MOST: usize = 120;
    let line = line.trim();
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, dialect: Dialect) -> Command {
        parse(line, dialect).expect(line).expect(line)
    }

    fn position(start: &str, moves: &[&str]) -> Command {
        let start = if start.is_empty() { Start::Standard } else { Start::Fen(start.to_owned()) };
        Command::Position(Ok(PositionText { start, moves: owned(moves) }))
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
            assert!(matches!(read(bad, Uci), Command::Position(Err(_))) && is_position(bad), "{bad}");
        }
        assert!(!is_position("go infinite") && !is_position(""));
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(read("\u{feff}usi", Dialect::Uci), Command::Hello(Dialect::Usi));
        assert_eq!(read("\u{feff}position startpos", Dialect::Uci), position("", &[]));
        assert_eq!(parse("\u{feff}", Dialect::Uci), Ok(None));
    }

    #[test]
    fn options_are_read_in_every_dialect() {
        use Dialect::{Ucci, Uci};
        let option =
            |name: &str, value: Option<&str>| Command::SetOption(name.into(), value.map(str::to_owned));
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
            assert!(parse(bad, Uci).is_err(), "{bad}");
        }
    }

    #[test]
    fn clocks_belong_to_sides() {
        let clocks = |line, dialect| match read(line, dialect) {
            Command::Go(go, _) => go.clocks,
            Command::PonderHit(clocks) => clocks,
            other => panic!("{other:?}"),
        };
        let line = "go wtime 1 btime 2 winc 3 binc 4 movestogo 5";
        let uci = clocks(line, Dialect::Uci);
        assert_eq!((uci.time, uci.increment), ([Some(1), Some(2)], [Some(3), Some(4)]));
        assert_eq!(uci.moves_to_go, Some(5));
        assert_eq!(clocks(line, Dialect::Usi).time, [Some(2), Some(1)]);
        assert_eq!(clocks("ponderhit btime 7 wtime 8 byoyomi 9", Dialect::Usi).time, [Some(7), Some(8)]);
        let ucci = clocks("go time 10 increment 1 opptime 20 oppincrement 2", Dialect::Ucci);
        assert_eq!((ucci.own, ucci.own_increment, ucci.time), (Some(10), Some(1), [None; 2]));
        assert_eq!(clocks("go wtime -30 btime 5.0", Dialect::Uci).time, [Some(0), Some(5)]);
    }

    #[test]
    fn goes_are_read_and_senseless_words_skipped() {
        let go = |line| match read(line, Dialect::Uci) {
            Command::Go(go, skipped) => (go, skipped),
            other => panic!("{other:?}"),
        };
        let (only, skipped) = go("go searchmoves a1a2 b1b2 nodes 7 ponder");
        assert_eq!((only.searchmoves.len(), only.nodes, only.ponder), (2, Some(7), true));
        assert!(skipped.is_empty());
        assert_eq!(go("go depth infinite").0, go("go infinite").0);
        assert_eq!(go("go mate infinite").0.mate, Some(MateGo::Infinite));
        assert_eq!(go("go mate 3").0.mate, Some(MateGo::Within(3)));
        let (spoilt, skipped) = go("go wtime soon nodes 5 quickly 3");
        assert_eq!((spoilt.nodes, skipped), (Some(5), owned(&["wtime", "soon", "quickly", "3"])));
        assert!(go("go").0.is_unlimited() && go("go ponder").0.is_unlimited());
        assert!(!go("go mate 3").0.is_unlimited() && !go("go byoyomi 1000").0.is_unlimited());
    }

    #[test]
    fn other_lines_are_nothing_or_wrong() {
        assert_eq!(parse("", Dialect::Uci), Ok(None));
        assert_eq!(parse(" \t ", Dialect::Uci), Ok(None));
        assert_eq!(parse("debug on", Dialect::Uci), Ok(None));
        assert_eq!(read("\u{feff}usi", Dialect::Uci), Command::Hello(Dialect::Usi));
        assert_eq!(read("ucci", Dialect::Uci), Command::Hello(Dialect::Ucci));
        assert_eq!(read("gameover draw", Dialect::Usi), Command::GameOver);
        assert!(parse("xyzzy", Dialect::Uci).is_err());
    }
}
