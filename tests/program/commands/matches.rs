//! `sanki match`.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use super::{assert_fails, model, sanki, stdout};

/// `sanki match` on dobutsu with `--json`.
fn play(args: &[&str]) -> Value {
    let args = [&["match", "--game", "dobutsu", "--json"], args].concat();
    let output = stdout(&sanki(&args, ""));
    assert_eq!(output.lines().count(), 1, "{output}");
    serde_json::from_str(&output).expect("JSON")
}

/// The model's folder with a budget behind it.
fn model_at(budget: &str) -> String {
    format!("{}@{budget}", model())
}

#[test]
fn random_loses_to_uniform() {
    let args = ["match", "random", "uniform", "--game", "dobutsu", "--games", "20", "--sims", "64"];
    let output = stdout(&sanki(&args, ""));
    assert!(output.starts_with("games 20 from 10 openings: +"), "{output}");
    assert!(output.contains("\nplayers: random against uniform@sims=64\n"), "{output}");
    let result = play(&args[1..3].iter().chain(&args[5..]).copied().collect::<Vec<_>>());
    assert!(result["score"].as_f64().unwrap() < 0.25, "{result}");
    assert!(result["elo_high"].as_f64().unwrap() < 0.0, "{result}");
}

#[test]
fn a_model_plays_and_the_json_adds_up() {
    let result = play(&[model(), "uniform@sims=64", "--games", "12", "--sims", "8"]);
    let number = |key: &str| result[key].as_f64().unwrap_or_else(|| panic!("{key} in {result}"));
    assert_eq!(number("games"), 12.0);
    assert_eq!(number("wins") + number("draws") + number("losses"), 12.0);
    assert_eq!(number("score"), (number("wins") + 0.5 * number("draws")) / 12.0);
    assert!(number("elo_low") < number("elo") && number("elo") < number("elo_high"), "{result}");
    let pairs = result["pentanomial"].as_array().unwrap();
    assert_eq!(pairs.len(), 5);
    assert_eq!(pairs.iter().map(|pairs| pairs.as_u64().unwrap()).sum::<u64>(), 6, "two games a pair");
    let points = |(half, pairs): (usize, &Value)| half as f64 * pairs.as_f64().unwrap() / 2.0;
    assert_eq!(pairs.iter().enumerate().map(points).sum::<f64>(), 12.0 * number("score"));
}

#[test]
fn against_itself_every_pair_of_games_is_even() {
    // The same opening twice with colours swapped is the same game twice.
    let result = play(&[model(), model(), "--games", "12", "--sims", "8"]);
    assert_eq!(result["pentanomial"], json!([0, 0, 6, 0, 0]));
    assert_eq!((&result["score"], &result["openings"]), (&json!(0.5), &json!(6)));
}

#[test]
fn a_players_own_budget_goes_before_the_common_one() {
    let common = play(&[model(), "uniform", "--games", "8", "--sims", "12"]);
    let own = play(&[&model_at("sims=12"), "uniform@nodes=12", "--games", "8", "--sims", "1"]);
    assert_eq!(common, own);
    let other = play(&[&model_at("sims=2"), "uniform@sims=50", "--games", "8", "--sims", "12"]);
    assert_ne!(common, other);
}

#[test]
fn a_clock_is_a_budget() {
    let result = play(&[&model_at("movetime=2"), "uniform@sims=4", "--games", "2"]);
    assert_eq!(result["games"], 2);
    let result = play(&[model(), "random", "--games", "2", "--movetime", "2"]);
    assert_eq!(result["games"], 2);
    let no_clock = ["match", model(), "uniform", "--movetime", "2"];
    assert_fails(&sanki(&no_clock, ""), 2, "uniform has no clock");
    let two_budgets = ["match", model(), "random", "--movetime", "2", "--sims", "2"];
    assert_fails(&sanki(&two_budgets, ""), 2, "--sims");
}

#[test]
fn one_seed_is_one_result_on_any_number_of_threads() {
    let on = |threads: &str, seed: &str| {
        play(&["random", &model_at("sims=8"), "--games", "12", "--threads", threads, "--seed", seed])
    };
    assert_eq!(on("1", "5"), on("2", "5"));
    assert_ne!(on("2", "5"), on("2", "6"));
}

#[test]
fn a_model_brings_its_game_and_plays_no_other() {
    let args = ["match", model(), "random", "--games", "2", "--sims", "2"];
    assert!(stdout(&sanki(&args, "")).starts_with("games 2 from 1 openings"));
    let other = [&args[..], &["--game", "minishogi"]].concat();
    assert_fails(&sanki(&other, ""), 2, "the model plays dobutsu, not minishogi");
    let shogi = concat!(env!("CARGO_MANIFEST_DIR"), "/checkpoints/shogi.sanki");
    let two = ["match", model(), shogi, "--games", "2", "--sims", "2"];
    assert_fails(&sanki(&two, ""), 2, "the model plays shogi, not dobutsu");
}

/// A folder for the games of one test.
fn folder() -> (tempfile::TempDir, String) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("match").into_os_string().into_string().unwrap();
    (parent, folder)
}

#[test]
fn every_game_is_kept_and_the_same_command_plays_the_others() {
    let (_parent, folder) = folder();
    let games = |count| play(&["random", "uniform@sims=4", "--games", count, "--out", &folder]);
    let first = games("6");
    let lines = |name: &str| fs::read_to_string(format!("{folder}/{name}")).unwrap();
    let records: Vec<Value> =
        lines("games.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((records.len(), &first["games"]), (6, &json!(6)));
    for record in &records {
        assert_eq!([&record["first"], &record["second"]].iter().filter(|name| **name == "random").count(), 1);
        assert!(record["moves"].as_str().unwrap().contains(' '), "{record}");
    }
    let more = games("10");
    assert_eq!(more["games"], 10);
    assert_eq!(lines("games.jsonl").lines().count(), 10);
    assert_eq!(more, play(&["random", "uniform@sims=4", "--games", "10"]), "as in one go");

    let other = ["match", "random", "uniform@sims=5", "--game", "dobutsu", "--out", &folder];
    assert_fails(&sanki(&other, ""), 1, "holds games of other players");
}

#[test]
fn fewer_games_than_before_and_then_more_lose_none() {
    let (_parent, folder) = folder();
    let games = |count| play(&["random", "random", "--games", count, "--out", &folder]);
    let log = || fs::read_to_string(format!("{folder}/games.jsonl")).unwrap();
    // More pairs than there are openings of ours.
    let all = games("1100");
    let before = log();
    assert_eq!(games("400"), play(&["random", "random", "--games", "400"]), "as if there were no others");
    assert_eq!(games("1100"), all);
    assert_eq!(log(), before);
    assert!(!Path::new(&folder).join("games.jsonl.damaged").exists());
    // A number that is damaged makes no openings.
    let far = before.replacen("\"number\":1099,", "\"number\":999998,", 1);
    fs::write(format!("{folder}/games.jsonl"), far).unwrap();
    assert_eq!(games("1100"), all, "it is played again");
}

#[test]
fn a_match_that_ctrl_c_stopped_goes_on() {
    let (parent, folder) = folder();
    let page = parent.path().join("page.html");
    let html = page.to_str().unwrap();
    let players = ["random", "uniform@sims=50000", "--threads", "2"];
    let kept = ["--out", &folder, "--html", html];
    // Far more games than are played before it is stopped.
    let args = [&players[..], &["--games", "400"], &kept].concat();
    let mut child = Command::new(env!("CARGO_BIN_EXE_sanki"))
        .args(["match", "--game", "dobutsu"])
        .args(&args)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let records = || fs::read_to_string(format!("{folder}/games.jsonl")).unwrap_or_default().lines().count();
    while records() < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        thread::sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("--out") && (3..400).contains(&records()), "{stderr}");
    assert!(!page.exists(), "the same command would not overwrite it");
    assert!(Path::new(&folder).join("report.html").exists());
    // Some more, in whole pairs.
    let games = (records().next_multiple_of(2) + 6).to_string();
    let all = [&players[..], &["--games", &games]].concat();
    assert_eq!(play(&[&all[..], &kept].concat()), play(&all), "as in one go");
    assert!(page.exists());
}

#[test]
fn a_sequential_test_ends_the_match() {
    let result = play(&["uniform@sims=64", "random", "--games", "1000", "--sprt", "0,50"]);
    assert_eq!(result["sprt"]["accepted"], "H1", "{result}");
    let number = |key: &str| result["sprt"][key].as_f64().unwrap();
    assert!(number("llr") >= number("upper") && number("lower") < 0.0, "{result}");
    assert!(result["games"].as_u64().unwrap() < 200, "{result}");
    let text = ["match", "uniform@sims=64", "random", "--game", "dobutsu", "--sprt=-50,0", "--games", "4"];
    assert!(stdout(&sanki(&text, "")).contains("SPRT"));
    assert_fails(&sanki(&["match", "random", "uniform", "--sprt", "5,0"], ""), 2, "5,0");
}

#[test]
fn the_node_count_that_holds_its_own_is_found() {
    let result = play(&["uniform@sims=32", "uniform", "--find-n50", "--games", "200"]);
    let number = |key: &str| result[key].as_f64().unwrap_or_else(|| panic!("{key} in {result}"));
    assert_eq!(number("games"), 200.0);
    assert!(number("n50_low") < 32.0 && 32.0 < number("n50_high"), "{result}");
    let counts = result["nodes"].as_array().unwrap();
    assert_eq!(counts.iter().map(|count| count["games"].as_u64().unwrap()).sum::<u64>(), 200);
    let text = ["match", "uniform@sims=8", "uniform", "--find-n50", "--game", "dobutsu", "--games", "20"];
    assert!(stdout(&sanki(&text, "")).contains("N50: "));
    assert!(result["reasons"]["lion_captured"].is_number(), "{result}");
    let own = ["match", "uniform", "uniform@sims=8", "--find-n50", "--game", "dobutsu"];
    assert_fails(&sanki(&own, ""), 2, "B has a budget of its own");
    assert_fails(&sanki(&["match", "uniform", "random", "--find-n50", "--game", "dobutsu"], ""), 2, "no N50");
}

/// Which format is the faster one may change from start to start.
#[test]
fn players_keep_the_number_formats_of_their_folder() {
    let net = format!("{}?precision=auto", model());
    let plain = [&format!("{net}@sims=2"), "random", "--games", "2"];
    let any_nodes = ["uniform@sims=2", &net, "--games", "20", "--find-n50"];
    for players in [&plain[..], &any_nodes] {
        let (_parent, folder) = folder();
        let args = [&["match", "--out", &folder][..], players].concat();
        stdout(&sanki(&args, ""));
        let settings = format!("{folder}/match.json");
        let text = fs::read_to_string(&settings).unwrap();
        let formats = [", fp32", ", bf16"];
        let taken = formats.into_iter().find(|format| text.contains(format)).expect("it was measured");
        for format in formats {
            fs::write(&settings, text.replace(taken, format)).unwrap();
            stdout(&sanki(&args, ""));
        }
    }
}

#[test]
fn more_games_than_openings_are_other_games() {
    // Two nets without noise would repeat the games of an opening that came again.
    let (_parent, folder) = folder();
    let first = format!("{}/checkpoints/gen-000001.sanki@sims=2", model());
    let result = play(&[&first, &model_at("sims=2"), "--games", "1200", "--out", &folder]);
    assert_eq!((&result["games"], &result["openings"]), (&json!(1200), &json!(600)));
    let text = fs::read_to_string(format!("{folder}/games.jsonl")).unwrap();
    let games: std::collections::HashSet<String> = text
        .lines()
        .map(|line| {
            let record: Value = serde_json::from_str(line).unwrap();
            format!("{} {} {}", record["start"], record["first"], record["moves"])
        })
        .collect();
    assert_eq!(games.len(), 1200);
}

#[test]
fn a_few_positions_of_the_users_are_used_again_with_a_warning() {
    let (parent, _) = folder();
    let file = parent.path().join("positions.epd");
    fs::write(&file, "# two\ngle/1c1/1C1/ELG[-] w 0 1\nl1G/gc1/1C1/EL1[E] b - - 0 3 id \"mine\";\n").unwrap();
    let file = file.to_str().unwrap();
    let args = ["match", "random", "random", "--game", "dobutsu", "--games", "8", "--openings", file];
    let output = sanki(&args, "");
    assert!(stdout(&output).starts_with("games 8 from 2 openings"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("are used again"), "{output:?}");
    let setup = ["match", "random", "random", "--game", "janggi", "--setup", "nbbn/nbbn", "--openings", file];
    assert_fails(&sanki(&setup, ""), 2, "--setup");
    fs::write(file, "hello\n").unwrap();
    assert_fails(&sanki(&args, ""), 1, "line 1");
}

#[test]
fn the_advice_for_a_game_without_handicaps_is_an_option_that_is_there() {
    let without = |arguments: &[&str]| {
        let output = sanki(&[arguments, &["--game", "dobutsu", "--handicap", "rook"]].concat(), "");
        assert_fails(&output, 2, "no handicaps with names");
        String::from_utf8_lossy(&output.stderr).contains("a FEN can name")
    };
    assert!(!without(&["match", "random", "random"]));
    assert!(without(&["play", "human", "human"]));
}

#[test]
fn a_handicap_match_says_how_each_fared_as_the_giver() {
    let (parent, folder) = folder();
    let base = ["match", "random", "uniform@sims=8", "--game", "shogi", "--handicap", "ten-piece"];
    let args = [&base[..], &["--games", "8", "--out", &folder]].concat();
    let output = stdout(&sanki(&args, ""));
    assert!(output.starts_with("games 8 from 4 openings"), "{output}");
    assert!(output.contains("score of random where it gives the pieces: "), "{output}");
    assert!(output.contains("score of uniform@sims=8 where it gives the pieces: "), "{output}");
    let games = fs::read_to_string(Path::new(&folder).join("games.jsonl")).unwrap();
    for line in games.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let start = record["start"].as_str().unwrap();
        let white: usize = start.split('[').next().unwrap().chars().filter(char::is_ascii_lowercase).count();
        assert!(white <= 10 && record["opening"].as_str().unwrap().starts_with("ten-piece "), "{record}");
    }
    let other = parent.path().join("other");
    let other = [&base[..], &["--games", "8", "--json", "--out", other.to_str().unwrap()]].concat();
    let json: Value = serde_json::from_str(&stdout(&sanki(&other, ""))).unwrap();
    let scores: Vec<f64> = serde_json::from_value(json["as_giver"].clone()).unwrap();
    assert!(scores.len() == 2 && scores[0] < scores[1], "{json}");
    let file = parent.path().join("positions.epd");
    fs::write(&file, "startpos\n").unwrap();
    let both = [&base[..], &["--openings", file.to_str().unwrap()]].concat();
    assert_fails(&sanki(&both, ""), 2, "--handicap");
}

#[test]
fn a_player_that_is_not_there_is_told_with_the_players_that_there_are() {
    let met = |name| sanki(&["match", "random", name, "--game", "dobutsu"], "");
    assert_fails(&met("fairy-stockfish"), 1, "uci:COMMAND, as in uci:fairy-stockfish; also random");
    assert_fails(&met("no/such/run"), 1, "other engines: uci:COMMAND; also random");
}

#[test]
fn a_report_that_cannot_be_written_is_said_before_the_games() {
    let (parent, folder) = folder();
    let page = parent.path().join("no/such/folder/page.html");
    let args = ["match", "random", "random", "--game", "dobutsu", "--games", "2", "--out", &folder, "--html"];
    let output = sanki(&[&args[..], &[page.to_str().unwrap()]].concat(), "");
    assert_fails(&output, 1, "no/such/folder");
    assert!(!Path::new(&folder).exists());
    let page = parent.path().join("page.html");
    stdout(&sanki(&[&args[..], &[page.to_str().unwrap()]].concat(), ""));
    assert!(fs::read_to_string(page).unwrap().starts_with("<!DOCTYPE html>"));
}
