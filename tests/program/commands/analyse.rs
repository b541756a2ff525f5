//! `sanki analyse`.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{assert_fails, model, sanki, stdout};

/// Ply 2 leaves the lion where a promoting chick takes it: `a4a3` instead of taking the chick.
const BLUNDER: &str = "1. b2b3 a4a3 2. b3b4+";

/// A file with `text` in a folder of its own.
fn file(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

fn analyse(path: &std::path::Path, args: &[&str]) -> String {
    stdout(&sanki(&[&["analyse", path.to_str().unwrap()], args].concat(), ""))
}

#[test]
fn the_lion_that_was_left_to_be_taken_is_the_worst_move() {
    let (folder, path) = file("moves.txt", BLUNDER);
    let args = ["--game", "dobutsu", "--sims", "200"];
    let json: Value = serde_json::from_str(&analyse(&path, &[&args[..], &["--json"]].concat())).unwrap();
    assert_eq!(json["worst"][0], 2, "{json}");
    let worst = &json["moves"][1];
    assert_eq!(
        (&worst["move"], &worst["best"], &worst["side"]),
        (&"a4a3".into(), &"c4b3".into(), &"second".into())
    );
    assert!(worst["loss"].as_f64().unwrap() > 0.3, "{json}");
    assert_eq!(worst["line"][0], "c4b3");
    assert_eq!((&json["result"], &json["reason"]), (&"1-0".into(), &"lion_captured".into()));
    let scores: Vec<f64> =
        json["scores"].as_array().unwrap().iter().map(|score| score.as_f64().unwrap()).collect();
    assert_eq!((scores.len(), scores[2], scores[3]), (4, 1.0, 1.0), "{json}");
    assert_eq!((&json["simulations"], &json["turning_points"]), (&200.into(), &json["worst"]));
    let accuracy = |side: usize| json["accuracy"][side].as_f64().unwrap();
    assert!(accuracy(0) > 0.9 && accuracy(1) < 0.5, "{json}");

    let text = analyse(&path, &args);
    let worst = text.split("turning points, the moves that lost most:").nth(1).expect(&text);
    assert!(worst.trim_start().starts_with("2  Second a4a3 lost "), "{text}");
    assert!(worst.contains("then First wins in 1 move") && worst.contains("better: c4b3"), "{text}");
    assert!(text.contains("First: accuracy ") && text.contains("%, lost "), "{text}");
    assert!(text.contains("200 simulations a position") && text.contains("dobutsu.sanki"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");

    let page = folder.path().join("page.html");
    let out = page.to_str().unwrap();
    assert!(analyse(&path, &[&args[..], &["--html", out]].concat()).contains("open it in a browser"));
    let html = fs::read_to_string(&page).unwrap();
    for wanted in
        ["<svg", "Turning points", "Accuracy of First", "href=\"#ply-2\"", "a4a3", "Better was <strong>c4b3"]
    {
        assert!(html.contains(wanted), "{wanted}");
    }
    // The name of the namespace is no address.
    let elsewhere = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!elsewhere.contains("http://") && !elsewhere.contains("https://"), "nothing from outside");
    let again = sanki(&[&["analyse", path.to_str().unwrap()], &args[..], &["--html", out]].concat(), "");
    assert_fails(&again, 1, "exists already");
}

#[test]
fn threads_and_searches_may_be_chosen() {
    let (_folder, path) = file("moves.txt", BLUNDER);
    let judged = |args: &[&str]| analyse(&path, &[&["--game", "dobutsu", "--json"], args].concat());
    assert_eq!(judged(&["--sims", "60", "--threads", "1"]), judged(&["--sims", "60", "--threads", "3"]));
    let json: Value = serde_json::from_str(&judged(&["--nodes", "500"])).unwrap();
    assert_eq!(
        (&json["nodes"], &json["simulations"], &json["worst"][0]),
        (&500.into(), &Value::Null, &2.into())
    );
    assert!(json["moves"][0]["nodes"].as_u64().unwrap() > 0, "{json}");
}

/// Xiangqi: Red leaves the first rank to a chariot that its own could have taken.
#[test]
fn a_hung_mate_in_one_is_the_worst_move() {
    let fen = "3k5/R8/9/9/9/r8/9/9/7r1/4K4 w - - 0 1";
    let (_folder, path) = file("moves.txt", "a9i9 a5a1");
    let args = ["--game", "xiangqi", "--fen", fen, "--sims", "100", "--json"];
    let json: Value = serde_json::from_str(&analyse(&path, &args)).unwrap();
    assert_eq!((&json["worst"][0], &json["moves"][0]["move"]), (&1.into(), &"a9i9".into()), "{json}");
    assert_eq!(json["moves"][0]["words"], "Black wins in 1 move");
    assert!(json["moves"][0]["loss"].as_f64().unwrap() > 0.3, "{json}");
    assert_eq!((&json["result"], &json["reason"]), (&"0-1".into(), &"checkmate".into()));
}

#[test]
fn saved_games_and_those_of_matches_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved.json");
    let typed = format!("b2b3\na4a3\nsave {}\nquit\n", saved.display());
    stdout(&sanki(&["play", "human", "human", "--game", "dobutsu"], &typed));
    let json: Value = serde_json::from_str(&analyse(&saved, &["--sims", "20", "--json"])).unwrap();
    assert_eq!((&json["game"], &json["result"]), (&"dobutsu".into(), &Value::Null));
    assert_eq!(json["first"], "human");

    let games = folder.path().join("match");
    let out = games.to_str().unwrap();
    stdout(&sanki(
        &["match", "random", "uniform@sims=4", "--game", "dobutsu", "--games", "4", "--out", out],
        "",
    ));
    let log = games.join("games.jsonl");
    let judged = analyse(&log, &["--game-number", "2", "--sims", "10"]);
    assert!(judged.contains("First random") || judged.contains("Second random"), "{judged}");
    // People count the games from 1, the log from 0.
    for line in fs::read_to_string(&log).unwrap().lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        let number = (game["number"].as_u64().unwrap() + 1).to_string();
        let text = analyse(&log, &["--game-number", &number, "--sims", "1", "--json"]);
        let judged: Value = serde_json::from_str(&text).unwrap();
        let moves: Vec<&str> = judged["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|judged| judged["move"].as_str().unwrap())
            .collect();
        assert_eq!(moves.join(" "), game["moves"].as_str().unwrap(), "game {number}");
    }
    let log = log.to_str().unwrap();
    assert_fails(&sanki(&["analyse", log], ""), 2, "holds 4 games");
    assert_fails(&sanki(&["analyse", log, "--game-number", "5"], ""), 1, "no game number 5");
    assert_fails(&sanki(&["analyse", log, "--game-number", "0"], ""), 2, "it must be more than 0");
}

#[test]
fn what_is_no_record_is_refused() {
    for (text, args, code, error) in [
        ("b2b3", &[][..], 2, "does not say which game"),
        ("b2b3 b2b3", &["--game", "dobutsu"], 1, "move 2: bad move 'b2b3'"),
        ("b2b3 a4a3 b3b4+ b1b2", &["--game", "dobutsu"], 1, "move 4"),
        ("{}", &["--game", "dobutsu"], 1, "line 1 is no game"),
        ("b2b3", &["--game", "dobutsu", "--model", "no/such"], 1, "no/such"),
        ("a2a3", &["--game", "minishogi", "--model", model()], 2, "the model plays dobutsu, not minishogi"),
    ] {
        let (_folder, path) = file("record", text);
        assert_fails(&sanki(&[&["analyse", path.to_str().unwrap()], args].concat(), ""), code, error);
    }
    assert_fails(&sanki(&["analyse", "no/such/record"], ""), 1, "no/such/record");
}

#[test]
fn records_of_other_programs_are_judged() {
    let pgn = "[White \"a\"]\n[Black \"b\"]\n[Variant \"Minixiangqi\"]\n[Result \"*\"]\n\n1. c2c3 c6c5 *\n\n";
    let usi = "position startpos moves 7g7f 3c3d\nposition startpos moves 2g2f\n";
    let csa = "V2.2\nN+a\nN-b\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n";
    for (name, text, args, moves) in [
        ("one.pgn", pgn, &["--sims", "1"][..], ["c2c3", "c6c5"]),
        ("two.usi", usi, &["--game", "shogi", "--game-number", "1", "--sims", "1"], ["c3c4", "g7g6"]),
        ("three.csa", csa, &["--sims", "1"], ["c3c4", "g7g6"]),
    ] {
        let (_folder, path) = file(name, text);
        let json: Value = serde_json::from_str(&analyse(&path, &[args, &["--json"]].concat())).expect(name);
        let judged: Vec<&str> =
            json["moves"].as_array().unwrap().iter().map(|judged| judged["move"].as_str().unwrap()).collect();
        assert_eq!(judged, moves, "{name}");
    }
    let (_folder, path) = file("two.usi", usi);
    assert_fails(&sanki(&["analyse", path.to_str().unwrap(), "--game", "shogi"], ""), 2, "holds 2 games");
}

/// Sente may declare, with 28 points, which the record does not say.
const DECLARING: &str = "後手の持駒：なし
| 玉 ・ ・ ・ ・ ・ ・ ・ ・|一
| 歩 歩 歩 歩 歩 歩 歩 歩 歩|二
| ・ 龍 ・ ・ ・ ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・v玉|九
先手の持駒：飛　角　歩四
手数----指手---------消費時間--
";

#[test]
fn a_declaration_that_nobody_made_is_not_the_result() {
    for (end, result, reason) in [
        ("1 投了\nまで0手で後手の勝ち\n", json!("0-1"), json!("resignation")),
        ("1 持将棋\nまで0手で持将棋\n", json!("1/2-1/2"), json!("impasse")),
        ("1 中断\n", Value::Null, Value::Null),
    ] {
        let (_folder, path) = file("game.kif", &format!("{DECLARING}{end}"));
        let json: Value = serde_json::from_str(&analyse(&path, &["--sims", "1", "--json"])).unwrap();
        assert_eq!((&json["result"], &json["reason"]), (&result, &reason), "{end}");
    }
}

#[test]
fn what_only_a_plain_list_can_be_told_is_refused_for_records() {
    let saved = r#"{"game":"dobutsu","rules":"standard","first":"a","second":"b","start":"gle/1c1/1C1/ELG[] w - - 0 1","moves":"b2b3"}"#;
    let pgn = "[Variant \"Minixiangqi\"]\n[Result \"*\"]\n\n1. c2c3 *\n";
    let usi = "position startpos moves 7g7f\n";
    for (name, text, game) in
        [("a.json", saved, "dobutsu"), ("a.pgn", pgn, "minixiangqi"), ("a.usi", usi, "shogi")]
    {
        let (_folder, path) = file(name, text);
        let path = path.to_str().unwrap();
        let run = |args: &[&str]| sanki(&[&["analyse", path, "--sims", "1"], args].concat(), "");
        stdout(&run(&["--game", game]));
        assert_fails(&run(&["--rules", "nonsense"]), 2, "--rules without --game");
        assert_fails(&run(&["--game", game, "--rules", "nonsense"]), 2, "'nonsense'");
        for start in [["--fen", "nonsense"], ["--setup", "nbbn"], ["--handicap", "rook"]] {
            let args = ["--game", game, start[0], start[1]];
            assert_fails(&run(&args), 2, "says itself where its game began");
        }
    }
}
