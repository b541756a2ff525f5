//! `sanki match`.

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
    let result = play(&args[1..3].iter().chain(&args[5..]).copied().collect::<Vec<_>>());
    assert!(result["score"].as_f64().unwrap() < 0.25, "{result}");
    assert!(result["elo_high"].as_f64().unwrap() < 0.0, "{result}");
}

#[test]
fn a_model_plays_and_the_json_adds_up() {
    let result = play(&[model(), "uniform", "--games", "12", "--sims", "8"]);
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
    assert_fails(&sanki(&other, ""), 1, "the model plays dobutsu, not minishogi");
}
