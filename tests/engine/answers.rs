//! Answers to `go`: the right moves, lines and scores.

use super::{Engine, after, words};

/// The scores of the last lines of a search, by their places.
fn last_lines(lines: &[String], places: usize) -> Vec<String> {
    let infos: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth")).collect();
    infos[infos.len() - places..].iter().map(|line| (*line).clone()).collect()
}

/// The score of a line as one number: a mate is beyond all other scores, and the further the shorter it is.
fn score(line: &str) -> i32 {
    let (_, rest) = line.split_once(" score ").expect("a score");
    let words = words(rest);
    match (words[0].as_str(), words[1].parse::<i32>().expect("a number")) {
        ("mate", moves @ 1..) => 100_000 - moves,
        ("mate", moves) => -100_000 - moves,
        (_, score) => score,
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = Engine::playing("minishogi");
    engine.say("position startpos");
    let best = engine.answer("go nodes 200 searchmoves a2a3 e1e2 e9e8");
    assert!(["a2a3", "e1e2"].contains(&best[1].as_str()), "{best:?}");
    assert_eq!(engine.answer("go nodes 50 searchmoves a2a3")[1], "a2a3");
    // Without a legal move among them it is as if none were named.
    assert_ne!(engine.answer("go nodes 50 searchmoves e9e8")[1], "e9e8");
    // And all moves are searched again.
    engine.say("setoption name MultiPV value 100");
    engine.say("go nodes 3000");
    let lines = engine.until("bestmove").join("\n");
    assert!(lines.contains("multipv 14 "), "{lines}");
    engine.quit();
}

#[test]
fn several_lines_are_told_best_first() {
    let mut engine = Engine::playing("dobutsu");
    engine.say("setoption name MultiPV value 3");
    engine.say("setoption name UCI_ShowWDL value true");
    engine.say("setoption name VerboseMoveStats value true");
    engine.say("go nodes 500");
    let lines = engine.until("bestmove");
    let last = last_lines(&lines, 3);
    for (line, place) in last.iter().zip(1..) {
        assert_eq!(after(line, "multipv"), place.to_string(), "{last:?}");
        let shares: i32 =
            words(line.split_once(" wdl ").unwrap().1)[..3].iter().map(|n| n.parse::<i32>().unwrap()).sum();
        assert_eq!(shares, 1000, "{line}");
    }
    let best = words(lines.last().unwrap());
    assert_eq!(after(&last[0], "pv"), best[1]);
    assert_eq!(words(&last[0]).iter().filter(|word| **word == "pv").count(), 1);
    let stats = lines.iter().filter(|line| line.starts_with("info string") && line.contains(" N: "));
    assert_eq!(stats.count(), 4, "one for each legal move: {lines:?}");
    // Behind the first those that lose, and before them the others by their visits.
    let visits = |line: &String| {
        let start = format!("info string {} N: ", after(line, "pv"));
        let stat = lines.iter().find(|line| line.starts_with(&start)).expect("one for each legal move");
        after(stat, "N:").parse::<i32>().expect("a number")
    };
    let place = |line: &String| (line.contains(" score mate -"), -visits(line));
    assert!(last[1..].is_sorted_by_key(place), "{lines:?}");
    engine.quit();
}

#[test]
fn several_lines_of_alpha_beta_are_told_by_their_scores() {
    let mut engine = Engine::playing("minishogi");
    engine.say("setoption name MultiPV value 4");
    let mut search = |go: &str| {
        engine.say("ucinewgame");
        engine.say(go);
        let lines = engine.until("bestmove");
        let last = last_lines(&lines, 4);
        for (line, place) in last.iter().zip(1..) {
            assert_eq!(after(line, "multipv"), place.to_string(), "{last:?}");
        }
        assert_eq!(after(&last[0], "pv"), words(lines.last().unwrap())[1]);
        last
    };
    for go in ["go depth 3", "go depth 4"] {
        let last = search(go);
        assert!(last.is_sorted_by_key(|line| -score(line)), "{go}: {last:?}");
    }
    // The last iteration was interrupted: its best line is played, and some of the others are of the one before.
    let mut mixed = 0;
    for nodes in (600..4_000).step_by(200) {
        let last = search(&format!("go nodes {nodes}"));
        assert!(last[1..].is_sorted_by_key(|line| -score(line)), "{nodes}: {last:?}");
        let depths: Vec<u32> = last.iter().map(|line| after(line, "depth").parse().unwrap()).collect();
        assert!(depths.iter().all(|&depth| depth == depths[0] || depth + 1 == depths[0]), "{last:?}");
        mixed += usize::from(depths.iter().any(|&depth| depth != depths[0]));
    }
    assert!(mixed > 2, "{mixed} searches ended with lines of two depths");
    engine.quit();
}

#[test]
fn a_game_that_is_over_has_the_score_of_its_result() {
    let stalemate = "fen 3k5/8R/9/9/9/9/9/9/9/4K4 b - - 0 1";
    for (option, position, score) in [
        // Two passes end the game: by points, where the first side loses or wins, or as a draw.
        ("UCI_Variant value janggi", "startpos moves e2e2 e9e9", "mate 0"),
        ("UCI_Variant value janggi", "fen 3k5/9/9/9/9/9/9/9/4K4/R7R w - - 0 1 moves e2e2 d10d10", "cp 1320"),
        ("UCI_Variant value janggitraditional", "startpos moves e2e2 e9e9", "cp 0"),
        ("UCI_Variant value xiangqi", stalemate, "mate 0"),
        ("Rules value wang1994", stalemate, "cp 0"),
    ] {
        let mut engine = Engine::greeted("uci");
        engine.say(&format!("setoption name {option}"));
        engine.say(&format!("position {position}"));
        engine.say("go depth 5");
        let lines = engine.until("bestmove");
        assert_eq!(lines.last().unwrap(), "bestmove (none)", "{option}");
        let line = &last_lines(&lines, 1)[0];
        assert!(line.contains(&format!(" score {score} ")), "{option}: {line}");
        engine.quit();
    }
    // It is not over where every move is banned.
    let mut engine = Engine::playing("dobutsu");
    engine.say("position fen 2l/3/3/L2[] w - - 0 1");
    engine.say("banmoves a1a2 a1b1 a1b2");
    engine.say("go depth 5");
    let lines = engine.until("bestmove");
    assert_eq!(lines.last().unwrap(), "bestmove (none)");
    assert!(lines.iter().all(|line| !line.contains(" score ")), "{lines:?}");
    engine.quit();
}

/// One node is no search: the score is what the net says of the position.
#[test]
fn a_line_that_was_not_searched_has_a_score_of_its_own() {
    let mut engine = Engine::playing("xiangqi");
    // Black has no rooks.
    engine.say("position fen 1nbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    engine.say("go nodes 1");
    let line = &last_lines(&engine.until("bestmove"), 1)[0];
    assert_eq!((after(line, "depth"), after(line, "nodes")), ("0", "1"), "{line}");
    assert!(score(line) > 0, "{line}");
    engine.quit();
}

#[test]
fn mates_are_told_in_moves_and_in_plies() {
    let fen = "4k4/9/4P4/9/9/9/9/9/4K4[G] w - - 0 1";
    let mut engine = Engine::playing("shogi");
    engine.say(&format!("position fen {fen}"));
    engine.say("go mate 1");
    let lines = engine.until("bestmove");
    assert_eq!(after(&last_lines(&lines, 1)[0], "mate"), "1");
    assert_eq!(words(lines.last().unwrap())[1], "G@e8");
    engine.quit();
    // The problem is the same, and its mate has three plies, two of them the attacker's.
    for (dialect, length) in [("uci", "2"), ("usi", "3")] {
        let mut engine = Engine::greeted(dialect);
        engine.say("setoption name UCI_Variant value shogi");
        engine.say("setoption name Search value puct");
        engine.say("position sfen 7l1/7pk/7R1/5P3/9/9/9/9/9 b 2G 1");
        engine.say("go nodes 2000");
        let lines = engine.until("bestmove");
        assert_eq!(after(&last_lines(&lines, 1)[0], "mate"), length, "{dialect}: {lines:?}");
        engine.quit();
    }
    let mut engine = Engine::greeted("usi");
    // Mated.
    engine.say("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    assert_eq!(engine.answer("go nodes 10"), ["bestmove", "resign"]);
    engine.say("position startpos");
    engine.say("go mate 100");
    assert_eq!(engine.until("checkmate").last().unwrap(), "checkmate timeout");
    engine.quit();
}

#[test]
fn a_winning_declaration_is_made_in_usi() {
    // 28 points in the zone and in hand, ten pieces there.
    let sfen = "+L+NSGKGS+N+L/1R5B1/PPPPPP3/9/9/9/9/9/4k4 b RB3P9p 1";
    let mut engine = Engine::greeted("usi");
    engine.say(&format!("position sfen {sfen}"));
    assert_eq!(engine.answer("go nodes 10"), ["bestmove", "win"]);
    engine.say("go ponder");
    assert!(engine.is_silent());
    engine.say("ponderhit");
    assert_eq!(engine.until("bestmove"), ["bestmove win"]);
    // Other dialects have no word for it, so a move is played.
    engine.say("uci");
    engine.until("uciok");
    engine.say("setoption name UCI_Variant value shogi");
    engine.say(&format!("position sfen {sfen}"));
    assert!(engine.answer("go nodes 10")[1].len() >= 4);
    engine.quit();
}

#[test]
fn rules_can_be_named_apart() {
    let bared = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1";
    let mut engine = Engine::playing("janggi");
    engine.say("setoption name Rules value kakao");
    engine.say(&format!("position fen {bared}"));
    engine.say("isready");
    engine.until("readyok");
    // No bikjang there: the kings may stay as they stand, so the pass does not end the game.
    engine.say("position fen 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e1e1");
    assert!(engine.answer("go nodes 10")[1].len() >= 4);
    engine.say("setoption name Rules value auto");
    engine.say("position fen 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e1e1");
    assert_eq!(engine.answer("go nodes 10")[1], "(none)");
    engine.quit();
}

#[test]
fn usi_plays_every_game_of_its_family() {
    let mut engine = Engine::greeted("usi");
    for (sfen, board) in [
        ("rbsgk/4p/5/P4/KGSBR b - 1", 5),
        ("gle/1c1/1C1/ELG b - 1", 4),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 9),
    ] {
        engine.say(&format!("position sfen {sfen}"));
        let best = engine.answer("go nodes 50");
        let from = best[1].as_bytes();
        assert!(from[0] - b'0' <= board && from[1] - b'a' < board, "{best:?}");
    }
    // A bad one leaves the board as it is.
    engine.say("position sfen 5/5/5/5/5 b - 1");
    engine.say("d");
    assert!(engine.until("Checkers").iter().any(|line| line.starts_with("Fen: lnsgkgsnl/")));
    engine.say("usi");
    engine.until("usiok");
    engine.say("setoption name USI_Variant value minishogi");
    engine.say("position startpos");
    engine.say("d");
    assert!(engine.until("Checkers").iter().any(|line| line.starts_with("Fen: rbsgk/")));
    engine.quit();
}
