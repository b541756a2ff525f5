//! Moves from a book, where the engine was told to play from one.

use std::fs;

use super::Engine;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";

#[test]
fn it_plays_from_a_book_when_it_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my own.book");
    fs::write(&path, format!("sanki book 1 xiangqi\n{START}\ta4a5 5 a1a9 5 i4i5 0\n")).unwrap();
    let mut engine = Engine::playing("xiangqi");
    engine.say(&format!("setoption name BookFile value {}", path.display()));
    engine.say("position startpos");
    let is_booked = |lines: &[String]| lines.iter().any(|line| line == "info string a move of the book");
    let go = |engine: &mut Engine, go: &str| {
        engine.say(go);
        engine.until("bestmove")
    };
    assert!(!is_booked(&go(&mut engine, "go nodes 100")), "nobody asked for it");
    engine.say("setoption name OwnBook value true");
    let lines = go(&mut engine, "go nodes 100");
    assert!(is_booked(&lines), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove a4a5"), "the only legal one with a weight");
    // Who wants other moves, or an analysis, gets a search; so does a position that the book has not.
    assert!(!is_booked(&go(&mut engine, "go nodes 100 searchmoves h3e3")));
    engine.say("go infinite");
    engine.until("info depth");
    assert!(!is_booked(&go(&mut engine, "stop")));
    engine.say("position startpos moves a4a5");
    assert!(!is_booked(&go(&mut engine, "go nodes 100")));
    engine.quit();
}

#[test]
fn a_book_that_cannot_be_used_is_named_and_play_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.book");
    fs::write(&other, "sanki book 1 shogi\n").unwrap();
    for (path, why) in [(other.display().to_string(), "it is for shogi"), ("no.book".to_owned(), "no.book")] {
        let mut engine = Engine::playing("xiangqi");
        engine.say(&format!("setoption name BookFile value {path}"));
        engine.say("setoption name OwnBook value true");
        engine.say("position startpos");
        engine.say("go nodes 100");
        let lines = engine.until("bestmove");
        assert!(lines.iter().any(|line| line.starts_with("info string") && line.contains(why)), "{lines:?}");
        engine.quit();
    }
}

#[test]
fn the_other_dialects_have_their_names_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shogi.book");
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w";
    fs::write(&path, format!("sanki book 1 shogi\n{start}\tg3g4 1\n")).unwrap();
    let mut engine = Engine::greeted("usi");
    engine.say(&format!("setoption name BookFile value {}", path.display()));
    engine.say("setoption name USI_OwnBook value true");
    engine.say("position startpos");
    assert_eq!(engine.answer("go btime 0 wtime 0 byoyomi 100"), ["bestmove", "3g3f"]);
    engine.quit();
    fs::write(&path, format!("sanki book 1 xiangqi\n{START}\ta4a5 5\n")).unwrap();
    let mut engine = Engine::greeted("ucci");
    engine.say(&format!("setoption bookfiles {}", path.display()));
    engine.say("setoption usebook true");
    engine.say("position startpos");
    assert_eq!(engine.answer("go nodes 100"), ["bestmove", "a3a4"]);
    engine.quit();
}
