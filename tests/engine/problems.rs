//! Mate problems of shogi (tsume), in which the attacker has no king.

use super::{Engine, after};

/// Problems as SFENs, and the plies of their shortest mate.
const PROBLEMS: [(&str, usize); 8] = [
    ("8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 1),
    ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 1),
    ("7k1/9/7P1/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", 1),
    ("8k/6G2/7B1/9/9/9/9/9/9 b G2rb2g4s4n4l18p 1", 1),
    ("7l1/7pk/7R1/5P3/9/9/9/9/9 b 2G 1", 3),
    ("9/6k2/5RBls/9/9/9/9/9/9 b G 1", 3),
    ("7p1/5s1k1/5R3/6S2/9/9/9/9/9 b RG 1", 3),
    // The second side is the attacker.
    ("9/9/9/9/9/9/8p/9/8K w 2R2B3G4S4N4L17Pg 1", 1),
];

/// The moves of the mate that is found.
fn mate(engine: &mut Engine, position: &str) -> Vec<String> {
    engine.say(&format!("position {position}"));
    engine.say("go mate 10000");
    let answer = engine.until("checkmate").pop().expect("an answer");
    answer.split_whitespace().skip(1).map(str::to_owned).collect()
}

#[test]
fn problems_without_the_attackers_king_are_solved() {
    let mut engine = Engine::greeted("usi");
    for (sfen, plies) in PROBLEMS {
        let moves = mate(&mut engine, &format!("sfen {sfen}"));
        assert_eq!(moves.len(), plies, "{sfen}: {moves:?}");
        // In the middle of the solution, and at its end.
        engine.say(&format!("position sfen {sfen} moves {}", moves.join(" ")));
        assert_eq!(engine.answer("go nodes 10"), ["bestmove", "resign"], "{sfen}");
    }
    engine.quit();
}

#[test]
fn a_problem_after_a_refused_one_is_answered_for_itself() {
    let mut engine = Engine::greeted("usi");
    assert_eq!(mate(&mut engine, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), ["G*5b"]);
    // The defender's king is missing: that is no problem.
    assert_eq!(mate(&mut engine, "sfen 9/9/4P4/9/9/9/9/9/4K4 b G 1"), ["notimplemented"]);
    assert_eq!(mate(&mut engine, "sfen 8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"), ["G*1b"]);
    engine.quit();
}

/// The mate is found behind the only legal move, too.
#[test]
fn a_problem_that_begins_with_the_only_move_is_solved() {
    let mut engine = Engine::greeted("usi");
    let moves = mate(&mut engine, "sfen lkg6/p8/2ppp4/9/9/9/lS7/gL7/K8 b RBG 1");
    assert!(moves.len() > 5 && moves.len() % 2 == 1 && moves[0] == "8g9h", "{moves:?}");
    engine.quit();
}

#[test]
fn the_tree_counts_the_plies_of_a_mate_and_tells_them() {
    let mut engine = Engine::greeted("usi");
    engine.say("setoption name Search value puct");
    for (sfen, plies) in PROBLEMS {
        engine.say(&format!("position sfen {sfen}"));
        engine.say("go nodes 2000");
        let lines = engine.until("bestmove");
        let line = lines.iter().rev().find(|line| line.contains(" score mate ")).expect("a mate");
        assert_eq!(after(line, "mate"), plies.to_string(), "{sfen}: {line}");
        let (_, moves) = line.split_once(" pv ").expect("a line");
        assert_eq!(moves.split(' ').count(), plies, "{sfen}: {line}");
    }
    engine.quit();
}
