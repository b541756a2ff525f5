//! After a position that was refused nothing is answered for the one before it.

use super::Engine;

/// Positions that cannot be read, one for each way: no position, a bad FEN, a bad move.
const REFUSED: [&str; 5] = [
    "position",
    "position fen",
    "position fen 9/9 w - - 0 1",
    "position startpos moves a1a1",
    "fen no board at all",
];

/// Why the last position was refused, and the answer to `go`.
fn refusal(engine: &mut Engine, go: &str, answer: &str) -> String {
    engine.say(go);
    let mut lines = engine.until(answer);
    assert_eq!(lines.pop().as_deref(), Some(answer), "{go}");
    assert!(lines.iter().all(|line| line.starts_with("info string no position to search: ")), "{lines:?}");
    lines.pop().expect("why")
}

#[test]
fn nothing_is_answered_for_the_position_before_in_any_dialect() {
    for (dialect, answer, good) in [
        ("uci", "bestmove (none)", "position startpos moves h3e3"),
        ("usi", "bestmove resign", "position startpos moves 7g7f"),
        ("ucci", "nobestmove", "position startpos moves h2e2"),
    ] {
        let mut engine = Engine::greeted(dialect);
        for bad in REFUSED {
            engine.say(good);
            engine.answer("go nodes 20");
            engine.say(bad);
            for go in [
                "go nodes 20",
                "go depth 2",
                "go movetime 5",
                "go perft 1",
                "go mate 1",
                "go searchmoves h2e2",
            ] {
                if (dialect, go) == ("usi", "go mate 1") {
                    refusal(&mut engine, go, "checkmate notimplemented");
                } else if go.starts_with("go searchmoves") {
                    engine.say(go);
                    engine.say("stop");
                    engine.until(answer);
                } else {
                    refusal(&mut engine, go, answer);
                }
            }
            // Neither a new game nor an option brings a position.
            engine.say(&format!("{dialect}newgame"));
            engine.say("setoption name Threads value 1");
            refusal(&mut engine, "go nodes 20", answer);
        }
        engine.say(good);
        let best = engine.answer("go nodes 20");
        assert!(best[1].len() >= 4 && best[1] != "(none)" && best[1] != "resign", "{best:?}");
        engine.quit();
    }
}

#[test]
fn it_says_why_and_names_the_move() {
    let mut engine = Engine::playing("xiangqi");
    engine.say("position startpos moves h3e3 a1a1");
    let why = refusal(&mut engine, "go nodes 5", "bestmove (none)");
    assert!(why.contains("move 2, 'a1a1', is not legal") || why.contains("move 1, 'h3e3'"), "{why}");
    engine.quit();
}

#[test]
fn a_refusal_waits_as_long_as_a_search_would() {
    let mut engine = Engine::playing("xiangqi");
    engine.say("position fen x");
    engine.say("go infinite");
    assert!(engine.is_silent());
    engine.say("stop");
    assert_eq!(engine.until("bestmove").last().unwrap(), "bestmove (none)");
    engine.say("go ponder wtime 1000 btime 1000");
    assert!(engine.is_silent());
    engine.say("ponderhit");
    assert_eq!(engine.until("bestmove").last().unwrap(), "bestmove (none)");
    engine.quit();
}

#[test]
fn a_line_that_is_cut_sets_no_position() {
    let mut engine = Engine::playing("xiangqi");
    engine.say(&format!("position startpos moves {}", "h3e3 ".repeat(300_000)));
    refusal(&mut engine, "go nodes 5", "bestmove (none)");
    engine.quit();
}

#[test]
fn the_board_that_is_shown_is_said_to_be_the_one_before() {
    let mut engine = Engine::playing("xiangqi");
    engine.say("position fen x");
    engine.say("d");
    assert!(engine.until("Checkers")[0].starts_with("info string the position before the refused one"));
    engine.quit();
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_skipped() {
    for dialect in ["uci", "usi", "ucci"] {
        let mut engine = Engine::start();
        engine.say(&format!("\u{feff}{dialect}"));
        engine.until(&format!("{dialect}ok"));
        engine.quit();
    }
}

/// The ranks are still counted as before.
#[test]
fn a_refused_position_does_not_change_how_moves_are_written() {
    let mut engine = Engine::playing("xiangqi");
    engine.say("position startpos moves h3e3");
    engine.answer("go nodes 20");
    // Written as by programs that count from 0.
    engine.say("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w moves zzzz");
    engine.say("position startpos");
    engine.say("go nodes 20 searchmoves h3e3");
    assert_eq!(engine.until("bestmove").last().unwrap().split(' ').nth(1), Some("h3e3"));
    engine.quit();
}

/// Not by another net, which nobody asked for.
#[test]
fn nothing_is_played_while_the_named_net_cannot_be_read() {
    let mut engine = Engine::playing("minishogi");
    engine.say("setoption name WeightsFile value no/such/net.sanki");
    for _ in 0..2 {
        engine.say("go nodes 20");
        let lines = engine.until("bestmove (none)");
        let why = &lines[lines.len() - 2];
        assert!(why.starts_with("info string the net no/such/net.sanki cannot be read"), "{lines:?}");
    }
    engine.say("setoption name WeightsFile value <empty>");
    assert_ne!(engine.answer("go nodes 20")[1], "(none)");
    engine.quit();
}
