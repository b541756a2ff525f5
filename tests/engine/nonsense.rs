//! A hundred thousand lines that make no sense, or make it in the wrong order.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::app::engine::{EngineConfig, Session};

const LINES: usize = 100_000;

/// Sensible lines of all dialects.
const GOOD: [&str; 41] = [
    "uci",
    "usi",
    "ucci",
    "isready",
    "ucinewgame",
    "usinewgame",
    "setoption newgame",
    "setoption name UCI_Variant value janggi",
    "setoption name UCI_Variant value xiangqi",
    "setoption name UCI_Variant value minishogi",
    "setoption name UCI_Variant value dobutsu",
    "setoption name Rules value kakao",
    "setoption name MultiPV value 3",
    "setoption name UCI_ShowWDL value true",
    "setoption name Threads value 2",
    "setoption usemillisec true",
    "position startpos",
    "position startpos moves h3e3 h10g8",
    "position startpos moves 7g7f 3c3d",
    "position startpos moves e2e2",
    "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2",
    "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r",
    "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f",
    "position sfen rbsgk/4p/5/P4/KGSBR b - 1",
    "position fen gle/1c1/1C1/ELG[] w - - 0 1 moves b2b3",
    "go nodes 20",
    "go infinite",
    "go depth 3",
    "go movetime 1",
    "go wtime 10 btime 10 winc 0 binc 0",
    "go btime 0 wtime 0 byoyomi 2",
    "go time 1 increment 0",
    "go ponder wtime 10 btime 10",
    "go searchmoves h3e3 b3e3 nodes 10",
    "go mate 3",
    "go mate infinite",
    "stop",
    "ponderhit",
    "banmoves h2e2",
    "gameover win",
    "d",
];

/// What was said, for another thread's eyes.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Heard {
    fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut self.0.lock().expect("no panic"))).expect("UTF-8")
    }
}

/// A line, as it should be or spoilt.
fn line(rng: &mut impl Rng) -> String {
    let good = GOOD[rng.random_range(0..GOOD.len())];
    let mut words: Vec<&str> = good.split(' ').collect();
    match rng.random_range(0..8) {
        0 => return (0..rng.random_range(0..40)).map(|_| rng.random_range(' '..='\u{2ff}')).collect(),
        1 => {
            let (a, b) = (rng.random_range(0..words.len()), rng.random_range(0..words.len()));
            words.swap(a, b);
        }
        2 => drop(words.remove(rng.random_range(0..words.len()))),
        3 => {
            let other = GOOD[rng.random_range(0..GOOD.len())];
            words.extend(other.split(' ').skip(1));
        }
        4 => {
            let mut letters: Vec<char> = good.chars().collect();
            let at = rng.random_range(0..letters.len());
            letters[at] = rng.random_range('!'..='~');
            return letters.into_iter().collect();
        }
        _ => {}
    }
    words.join(" ")
}

/// Lines that the engine says, by how they begin.
fn is_of_a_protocol(line: &str) -> bool {
    const WORDS: [&str; 14] = [
        "id",
        "option",
        "uciok",
        "usiok",
        "ucciok",
        "readyok",
        "info",
        "bestmove",
        "nobestmove",
        "checkmate",
        "bye",
        "Fen:",
        "Key:",
        "Checkers:",
    ];
    WORDS.contains(&line.split(' ').next().unwrap_or_default())
}

#[test]
fn nonsense_is_survived_and_every_go_is_answered() {
    let heard = Heard::default();
    let notes = Heard::default();
    let mut session = Session::new(EngineConfig::default(), Box::new(heard.clone()), Box::new(notes.clone()))
        .expect("no net");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(20);
    let (mut asked, mut answered, mut strange) = (0, 0, 0);
    for number in 1..=LINES {
        let line = line(&mut rng);
        asked += usize::from(line.split_ascii_whitespace().next() == Some("go"));
        // Whoever says `quit` here goes on all the same.
        let _ = session.handle_line(&line);
        if number % 1000 == 0 {
            let _ = session.handle_line("isready");
            // Also ends what is searched, so that its answer is here.
            let _ = session.handle_line("ucinewgame");
            let said = heard.take();
            assert!(said.lines().any(|line| line == "readyok"), "after {number} lines: {said}");
            let is_answer = |line: &&str| {
                ["bestmove", "nobestmove", "checkmate"].contains(&line.split(' ').next().unwrap_or_default())
            };
            answered += said.lines().filter(is_answer).count();
            // But for boards, which `d` draws.
            strange += said.lines().filter(|line| !is_of_a_protocol(line)).count();
            assert!(notes.take().lines().all(|note| note.len() < 600), "notes are short");
        }
    }
    assert_eq!(asked, answered, "one answer to each go");
    assert!(asked > LINES / 10, "{asked}");
    println!("{asked} searches among {LINES} lines, {strange} lines of boards");
    session.end();
}

/// It plays them, and says once that they are unusual.
#[test]
fn composed_positions_are_played() {
    let (heard, notes) = (Heard::default(), Heard::default());
    let mut session =
        Session::new(EngineConfig::default(), Box::new(heard.clone()), Box::new(notes.clone())).unwrap();
    let position = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 3R 1";
    for line in ["usi", position, "go nodes 20", "isready", &format!("{position} moves R*5c"), "isready"] {
        let _ = session.handle_line(line);
    }
    assert!(heard.take().contains("bestmove R*"), "it plays");
    let notes = notes.take();
    let unusual: Vec<&str> = notes.lines().filter(|note| note.contains("unusual")).collect();
    assert_eq!(unusual, ["an unusual position: it has 3 of 'R', a set has 2"], "{notes}");
}
