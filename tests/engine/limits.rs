//! When an answer comes: budgets, clocks, pondering, `stop`.

use std::time::{Duration, Instant};

use super::{Engine, after};

/// How long it takes from `line` to `answer`.
fn time(engine: &mut Engine, line: &str, answer: &str) -> Duration {
    let begin = Instant::now();
    engine.say(line);
    engine.until(answer);
    begin.elapsed()
}

/// A figure of the last line that tells what was found.
fn last(lines: &[String], figure: &str) -> u64 {
    let line = lines.iter().rev().find(|line| line.starts_with("info depth")).expect("an info");
    after(line, figure).parse().expect("a number")
}

#[test]
fn budgets_are_kept() {
    let mut engine = Engine::playing("minixiangqi");
    for (go, figure, value) in
        [("go nodes 300", "nodes", 300), ("go depth 6", "depth", 6), ("go nodes 1", "nodes", 1)]
    {
        engine.say("ucinewgame");
        engine.say(go);
        assert_eq!(last(&engine.until("bestmove"), figure), value, "{go}");
    }
    // Alpha-beta counts plies, the tree doublings of its simulations.
    engine.say("go depth 1");
    assert!(last(&engine.until("bestmove"), "nodes") > 1);
    engine.say("setoption name Temperature value 2");
    engine.say("go depth 5");
    assert_eq!(last(&engine.until("bestmove"), "nodes"), 31);
    let begin = Instant::now();
    engine.answer("go movetime 200");
    assert!(begin.elapsed() >= Duration::from_millis(150), "{:?}", begin.elapsed());
    engine.quit();
}

#[test]
fn clocks_are_never_overrun() {
    for (dialect, go) in [
        ("uci", "go wtime 100 btime 100"),
        ("uci", "go wtime 1 btime 1 winc 10 binc 10"),
        ("uci", "go wtime 100 btime 100 movestogo 1"),
        ("uci", "go wtime -50 btime -50"),
        ("usi", "go btime 0 wtime 0 byoyomi 100"),
        ("ucci", "go time 0"),
    ] {
        let mut engine = Engine::greeted(dialect);
        engine.say("isready");
        engine.until("readyok");
        // A busy machine may hold up one of them.
        let mut rounds: Vec<(Duration, Duration)> = (0..3)
            .map(|_| {
                let other = time(&mut engine, "isready", "readyok");
                (time(&mut engine, go, "bestmove"), other)
            })
            .collect();
        rounds.sort_unstable();
        let machine: Duration = rounds.iter().map(|(_, other)| *other).sum();
        // Room for a busy machine; the engine's own share is far less.
        assert!(rounds[1].0 < Duration::from_millis(1000) + 4 * machine, "{go}, isready: {rounds:?}");
        engine.quit();
    }
}

#[test]
fn infinite_thought_waits_for_stop_even_when_all_is_known() {
    let mut engine = Engine::playing("dobutsu");
    // The lion is taken at once.
    engine.say("position fen 1l1/1C1/3/1L1[] w - - 0 1");
    engine.say("go infinite");
    assert!(engine.is_silent());
    engine.say("isready");
    engine.until("readyok");
    engine.say("stop");
    assert_eq!(engine.until("bestmove").last().unwrap(), "bestmove b3b4+");
    // Nothing is under way any more, and nothing comes of these.
    engine.say("stop");
    engine.say("ponderhit");
    assert!(engine.is_silent());
    engine.quit();
}

#[test]
fn a_ponderhit_starts_the_clock() {
    let mut engine = Engine::playing("xiangqi");
    engine.say("isready");
    engine.until("readyok");
    engine.say("position startpos moves h3e3 h10g8");
    engine.say("go ponder movetime 100");
    assert!(engine.is_silent(), "it thinks on the other side's time");
    let begin = Instant::now();
    engine.say("ponderhit");
    engine.until("bestmove");
    let taken = begin.elapsed();
    assert!(taken >= Duration::from_millis(80), "{taken:?}");
    // What was found while pondering serves the next search.
    engine.say("go nodes 1");
    engine.until("bestmove");
    engine.quit();
}

#[test]
fn a_new_command_ends_the_search_before_it() {
    let mut engine = Engine::playing("xiangqi");
    engine.say("go infinite");
    engine.say("go nodes 10");
    engine.until("bestmove");
    engine.until("bestmove");
    engine.say("go infinite");
    engine.say("position startpos moves h3e3");
    engine.until("bestmove");
    engine.say("go infinite");
    assert!(engine.quit().last().unwrap().starts_with("bestmove"), "also at the end");
    let mut engine = Engine::playing("xiangqi");
    engine.say("go infinite");
    engine.end();
}

/// Reports how soon an answer comes after `stop`: within 20 ms, and what a busy machine takes to let anybody speak, which
/// an `isready` in the middle of the search tells.
#[test]
fn stop_is_answered_soon() {
    for variant in ["xiangqi", "shogi", "dobutsu"] {
        let mut engine = Engine::playing(variant);
        engine.say("isready");
        engine.until("readyok");
        let (mut stops, mut others): (Vec<Duration>, Vec<Duration>) = (0..15)
            .map(|round| {
                engine.say("position startpos");
                engine.say("go infinite");
                engine.until("info depth");
                std::thread::sleep(Duration::from_millis(20 + 7 * round));
                let other = time(&mut engine, "isready", "readyok");
                (time(&mut engine, "stop", "bestmove"), other)
            })
            .unzip();
        stops.sort_unstable();
        others.sort_unstable();
        println!("{variant}: stop answered after {:?} in the middle, {:?} at most", stops[7], stops[14]);
        let machine = others[7] * 4 + others[14];
        assert!(stops[7] < Duration::from_millis(20) + machine, "{stops:?}, and isready {others:?}");
        engine.quit();
    }
}

/// There is never room for two tables.
#[cfg(target_os = "linux")]
#[test]
fn a_table_is_given_back_before_the_next_one_is_made() {
    let mut engine = Engine::greeted("uci");
    let mut prepare = |option: &str| {
        engine.say(&format!("setoption name {option}"));
        engine.say("isready");
        engine.until("readyok");
        let status = std::fs::read_to_string(format!("/proc/{}/status", engine.child.id())).expect("it runs");
        // Not every machine tells it.
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.split_whitespace().next()?.parse::<u64>().expect("KiB") >> 10)
    };
    let first = prepare("Hash value 256");
    for option in ["Threads value 2", "Threads value 3", "Threads value 1"] {
        let peak = prepare(option);
        if let (Some(first), Some(peak)) = (first, peak) {
            assert!(peak < first + 128, "{option}: {peak} MiB at most, and {first} before");
        }
    }
    engine.quit();
}

/// Who names one move wants to know what it is worth; who plays by the clock has no choice.
#[test]
fn one_move_is_searched_unless_it_is_the_only_one_to_be_played() {
    let mut engine = Engine::playing("minixiangqi");
    for search in ["alphabeta", "puct"] {
        engine.say(&format!("setoption name Search value {search}"));
        for (go, least) in [("go nodes 300 searchmoves b1b4", 100), ("go movetime 300 searchmoves b1b4", 3)] {
            engine.say("ucinewgame");
            engine.say(go);
            assert!(last(&engine.until("bestmove b1b4"), "nodes") >= least, "{search}: {go}");
        }
    }
    engine.say("go wtime 60000 btime 60000 searchmoves b1b4");
    assert_eq!(last(&engine.until("bestmove b1b4"), "nodes"), 1);
    engine.quit();
}
