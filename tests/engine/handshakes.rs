//! What known programs say to an engine, in their order and words.

use std::{
    fs,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use super::{Engine, PATIENCE, after, words};

/// The names of the options announced.
fn option_names(lines: &[String]) -> Vec<String> {
    let options = lines.iter().filter_map(|line| line.strip_prefix("option "));
    options
        .map(|rest| rest.strip_prefix("name ").unwrap_or(rest))
        .map(|rest| rest.split_once(" type ").expect(rest).0.to_owned())
        .collect()
}

#[test]
fn every_dialect_is_answered_in_its_own_words() {
    for (dialect, own, foreign) in [
        ("uci", "UCI_Variant", "USI_Hash"),
        ("usi", "MaxMovesToDraw", "UCI_Variant"),
        ("ucci", "usemillisec", "UCI_Variant"),
    ] {
        let mut engine = Engine::start();
        engine.say(dialect);
        let lines = engine.until(&format!("{dialect}ok"));
        assert!(lines[0].starts_with("id name Sanki "), "{lines:?}");
        assert!(lines[1].len() > "id author ".len(), "{lines:?}");
        let names = option_names(&lines);
        assert!(names.iter().any(|name| name == own), "{names:?}");
        assert!(!names.iter().any(|name| name == foreign), "{names:?}");
        assert!(names.iter().all(|name| !name.contains(' ')), "some programs cannot read them: {names:?}");
        engine.say("isready");
        let ready = engine.until("readyok");
        // Strict programs warn at lines that nobody asked for.
        assert!(dialect == "uci" || ready.len() == 1, "{ready:?}");
        engine.quit();
    }
}

#[test]
fn a_bare_path_plays_without_more_ado() {
    let mut engine = Engine::start();
    let best = engine.answer("go nodes 20");
    assert!(best[1].len() >= 4, "{best:?}");
    engine.quit();
    let mut engine = Engine::of(Command::new(env!("CARGO_BIN_EXE_sanki")).args(["engine", "--threads", "2"]));
    engine.say("uci");
    let lines = engine.until("uciok");
    assert!(lines.iter().any(|line| line.contains("Threads type spin default 2 ")), "{lines:?}");
    engine.answer("go nodes 20");
    engine.quit();
}

#[test]
fn shogihome() {
    let mut engine = Engine::start();
    engine.say("usi");
    engine.until("usiok");
    engine.say("setoption name USI_Ponder value true");
    engine.say("setoption name USI_Hash value 32");
    engine.say("setoption name WeightsFile value <empty>");
    for game in 0..2 {
        engine.say("isready");
        assert_eq!(engine.until("readyok").len(), 1);
        engine.say("usinewgame");
        engine.say("position startpos moves 7g7f");
        let best = engine.answer("go btime 0 wtime 0 byoyomi 1000");
        assert_eq!((best[0].as_str(), best[2].as_str()), ("bestmove", "ponder"), "{best:?}");
        engine.say(&format!("position startpos moves 7g7f {} {}", best[1], best[3]));
        engine.say("go ponder");
        assert!(engine.is_silent(), "no answer while pondering");
        engine.say("ponderhit btime 0 wtime 0 byoyomi 200");
        assert!(words(engine.until("bestmove").last().unwrap()).len() >= 2);
        // The other move was played.
        engine.say("position startpos moves 7g7f 3c3d 2g2f");
        engine.say("go ponder btime 1000 wtime 1000 byoyomi 0");
        assert!(engine.is_silent());
        engine.say("stop");
        engine.until("bestmove");
        engine.say(if game == 0 { "gameover draw" } else { "gameover lose" });
    }
    engine.say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1");
    engine.say("go mate infinite");
    assert_eq!(engine.until("checkmate").last().unwrap(), "checkmate G*5b");
    // Nothing was left running, and nothing is said at the end.
    assert_eq!(engine.quit(), Vec::<String>::new());
}

#[test]
fn liground() {
    for variant in
        ["janggi", "janggimodern", "janggitraditional", "janggicasual", "xiangqi", "shogi", "minishogi"]
    {
        let mut engine = Engine::start();
        engine.say("uci");
        let lines = engine.until("uciok");
        let variants = lines.iter().find(|line| line.contains("UCI_Variant")).unwrap();
        assert!(words(variants).iter().any(|word| word == variant), "{variants}");
        engine.say("setoption name UCI_AnalyseMode value true");
        engine.say("setoption name Analysis Contempt value Off");
        engine.say(&format!("setoption name UCI_Variant value {variant}"));
        engine.say("setoption name MultiPV value 3");
        engine.say("isready");
        engine.until("readyok");
        engine.say("position startpos");
        engine.say("go infinite");
        let lines = engine.until("info depth");
        assert!(lines.iter().any(|line| line.starts_with("info") && after(line, "multipv") == "1"));
        engine.say("stop");
        engine.until("bestmove");
        engine.quit();
    }
}

#[test]
fn xboard_by_uci2wb_in_uci() {
    let mut engine = Engine::start();
    engine.say("uci");
    // It sets every option to what was announced.
    for line in engine.until("uciok") {
        if let Some((name, rest)) =
            line.strip_prefix("option name ").and_then(|line| line.split_once(" type "))
        {
            engine.say(&format!("setoption name {name} value {}", after(rest, "default")));
        }
    }
    engine.say("isready");
    engine.until("readyok");
    engine.say("ucinewgame");
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    // Ranks from 0, red as `r`, and no word `position`.
    engine.say(&format!("fen {start} r - - 0 1 moves h2e2"));
    let best = engine.answer("go wtime 1000 btime 1000");
    assert!(
        best[1].contains('9') || best[1].contains('6') || best[1].contains('7'),
        "from Black's side: {best:?}"
    );
    // The same numbering from then on, in a new game and before any move too; a short FEN alone tells it as well.
    engine.say("setoption name MultiPV value 100");
    for fresh in [false, true] {
        if fresh {
            engine = Engine::greeted("uci");
            engine.say("setoption name MultiPV value 100");
        }
        engine.say("ucinewgame");
        engine.say(&if fresh { format!("position fen {start} w") } else { "position startpos".to_owned() });
        engine.say("go nodes 3000");
        let lines = engine.until("bestmove");
        let moves: Vec<&str> =
            lines.iter().filter(|line| line.contains(" pv ")).map(|line| after(line, "pv")).collect();
        assert!(moves.contains(&"a0a1") && !moves.contains(&"a1a2"), "{moves:?}");
    }
    // Moves that are legal from 1 alone turn it back.
    engine.say("position startpos moves h3e3");
    engine.say("go nodes 3000");
    let lines = engine.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" pv a10a9")), "{lines:?}");
    engine.quit();
}

#[test]
fn cchess_and_uci2wb_in_ucci() {
    let mut engine = Engine::start();
    engine.say("ucci\r");
    engine.until("ucciok");
    engine.say("setoption name Threads value 1\r");
    engine.say("setoption usemillisec true\r");
    engine.say("setoption newgame\r");
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    engine.say(&format!("position fen {start} moves h2e2 h9g7\r"));
    let best = engine.answer("go time 500 increment 0 opptime 500 oppincrement 0\r")[1].clone();
    engine.say(&format!("position fen {start} moves h2e2 h9g7"));
    engine.say(&format!("banmoves {best}"));
    assert_ne!(engine.answer("go nodes 300")[1], best);
    engine.say("go draw depth 5");
    let lines = engine.until("bestmove");
    assert!(after(&lines[0], "score").parse::<i32>().is_ok(), "a bare number: {lines:?}");
    // Mated: White's rooks hold both ranks.
    engine.say("position fen R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1");
    engine.say("go nodes 10");
    assert_eq!(engine.until("nobestmove"), ["nobestmove"]);
    assert_eq!(engine.quit(), ["bye"]);
}

#[test]
fn clocks_of_old_ucci_are_in_seconds() {
    let mut engine = Engine::greeted("ucci");
    let begin = std::time::Instant::now();
    engine.answer("go time 5 movestogo 5");
    // As milliseconds, five would be over at once.
    assert!(begin.elapsed().as_millis() > 200, "{:?}", begin.elapsed());
    engine.quit();
}

#[test]
fn fairyfishnet_and_match_drivers() {
    let mut engine = Engine::playing("janggi");
    engine.say("position startpos moves e2e2 e9e9");
    engine.say("d");
    let lines = engine.until("Checkers:");
    assert!(lines.iter().any(|line| line.starts_with("Fen: rnba1abnr/4k4/")), "{lines:?}");
    // Both passed, so the game is over, and no move is left.
    engine.say("go depth 5");
    let lines = engine.until("bestmove");
    assert_eq!(lines[lines.len() - 1], "bestmove (none)");
    assert!(lines[lines.len() - 2].contains("score mate 0"), "{lines:?}");
    engine.say("position startpos");
    engine.say("go perft 2");
    let lines = engine.until("Nodes searched");
    assert!(lines.iter().any(|line| line == "e2e2: 32"), "the pass: {lines:?}");
    assert_eq!(lines.last().unwrap(), "Nodes searched: 1024");
    engine.quit();
}

/// A net is packed on as many threads as search, and they end: a thread a core, which waits, is none that was asked for.
#[cfg(target_os = "linux")]
#[test]
fn packing_a_net_leaves_no_threads() {
    let mut engine = Engine::greeted("uci");
    let tasks = format!("/proc/{}/task", engine.child.id());
    let threads = || fs::read_dir(&tasks).unwrap().count();
    // The one that reads, and those of an emulator.
    let before = threads();
    engine.say("isready");
    engine.until("readyok");
    let begin = Instant::now();
    while threads() > before {
        assert!(begin.elapsed() < PATIENCE, "threads besides the one that reads");
        thread::sleep(Duration::from_millis(5));
    }
    engine.quit();
}

#[test]
fn janggi_begins_with_the_set_up_that_is_named() {
    let mut engine = Engine::playing("janggi");
    engine.say("setoption name Setup value bnbn/nbnb");
    engine.say("position startpos");
    engine.say("d");
    let shown = engine.until("Fen:");
    assert!(shown.last().unwrap().contains("rnba1anbr/"), "{shown:?}");
    engine.quit();
}

/// What an option chose and nobody plays is told to people.
#[test]
fn a_choice_that_cannot_be_played_is_noted() {
    for (dialect, option, note) in [
        ("ucci", "UCCI_Variant minixiangqi", "minixiangqi cannot be played in this protocol"),
        ("uci", "Rules jsa24", "xiangqi has no rule set jsa24"),
    ] {
        let mut engine = Engine::greeted(dialect);
        let (name, value) = option.split_once(' ').unwrap();
        let value = if dialect == "ucci" { value.to_owned() } else { format!("value {value}") };
        let name = if dialect == "ucci" { name.to_owned() } else { format!("name {name}") };
        engine.say(&format!("setoption {name} {value}"));
        engine.say("isready");
        engine.until("readyok");
        assert!(engine.state().contains(note), "{}", engine.state());
        engine.quit();
    }
}
