//! One engine has one search, whatever limits it, and an option chooses another.

use std::collections::HashSet;

use super::{Engine, after};

/// Whether the last search was a tree's: in a tree the depth is the binary logarithm of the nodes.
fn is_tree(engine: &mut Engine, go: &str) -> bool {
    engine.say("ucinewgame");
    engine.say(go);
    let lines = engine.until("bestmove");
    let figures = |line: &String| {
        let [depth, nodes] = ["depth", "nodes"].map(|key| after(line, key).parse::<u64>().expect("a number"));
        u64::from((nodes + 1).ilog2()) == depth
    };
    let mut told = lines.iter().filter(|line| line.starts_with("info depth")).peekable();
    assert!(told.peek().is_some(), "{lines:?}");
    told.all(figures)
}

const LIMITS: [&str; 4] = ["go nodes 3000", "go depth 4", "go movetime 100", "go wtime 2000 btime 2000"];

#[test]
fn a_sparse_net_plays_by_alpha_beta_whatever_the_limit_is() {
    let mut engine = Engine::playing("xiangqi");
    for go in LIMITS {
        assert!(!is_tree(&mut engine, go), "{go}");
    }
    for (search, expected) in [("puct", true), ("alphabeta", false), ("auto", false)] {
        engine.say(&format!("setoption name Search value {search}"));
        for go in ["go nodes 3000", "go movetime 100"] {
            assert_eq!(is_tree(&mut engine, go), expected, "{search} {go}");
        }
    }
    // Only a tree has visits to tell, and heeds these.
    for (option, on, off) in
        [("VerboseMoveStats", "true", "false"), ("CPuct", "1.5", "auto"), ("Temperature", "1.5", "auto")]
    {
        engine.say(&format!("setoption name {option} value {on}"));
        for go in ["go nodes 3000", "go movetime 100"] {
            assert!(is_tree(&mut engine, go), "{option} {go}");
        }
        engine.say(&format!("setoption name {option} value {off}"));
    }
    engine.quit();
}

#[test]
fn nodes_are_those_of_the_search_and_no_more() {
    let mut engine = Engine::playing("xiangqi");
    for search in ["alphabeta", "puct"] {
        engine.say(&format!("setoption name Search value {search}"));
        for nodes in [1, 50, 2000] {
            engine.say("ucinewgame");
            engine.say(&format!("go nodes {nodes}"));
            let lines = engine.until("bestmove");
            let last = lines.iter().rev().find(|line| line.starts_with("info depth")).expect("an info");
            let spent: u64 = after(last, "nodes").parse().expect("a number");
            assert!(spent <= nodes.max(1) && spent * 2 > nodes, "{search}: {spent} of {nodes}");
        }
    }
    engine.quit();
}

#[test]
fn the_same_nodes_give_the_same_answer() {
    let search = || {
        let mut engine = Engine::playing("janggi");
        engine.say("go nodes 5000");
        let lines = engine.until("bestmove");
        engine.quit();
        // Without the times.
        let figures = |line: &String| line.split(" nps ").next().unwrap_or_default().to_owned();
        lines.iter().filter(|line| !line.starts_with("info string")).map(figures).collect::<Vec<_>>()
    };
    assert_eq!(search(), search());
}

#[test]
fn a_weak_level_answers_with_moves_of_its_own() {
    let mut engine = Engine::playing("xiangqi");
    let answers = |engine: &mut Engine, option: &str, go: &str| -> HashSet<String> {
        engine.say(option);
        let mut moves = HashSet::new();
        for _ in 0..12 {
            engine.say("ucinewgame");
            engine.say(go);
            let lines = engine.until("bestmove");
            let best = after(lines.last().expect("an answer"), "bestmove").to_owned();
            let told: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth")).collect();
            assert!(told.iter().all(|line| after(line, "pv") == best) || option.contains("20"), "{lines:?}");
            moves.insert(best);
        }
        moves
    };
    let weak = answers(&mut engine, "setoption name Skill Level value 1", "go movetime 5000");
    assert!(weak.len() > 4, "{weak:?}");
    let full = answers(&mut engine, "setoption name Skill_Level value 20", "go depth 3");
    assert_eq!(full.len(), 1, "{full:?}");
    engine.say("setoption name UCI_LimitStrength value true");
    let weak = answers(&mut engine, "setoption name UCI_Elo value 500", "go nodes 1000");
    assert!(weak.len() > 4, "{weak:?}");
    // It waits to be asked, as at full strength.
    engine.say("go infinite");
    engine.say("stop");
    engine.until("bestmove");
    engine.quit();
}
