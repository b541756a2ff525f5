//! `sanki show --model`.

use std::path::Path;

use sanki::{
    games::{
        encode::Encode,
        rules::{Game, dobutsu::Dobutsu},
    },
    net::{Backend, ModelFile, NetEvaluator, Precision},
    search::{Evaluation, Evaluator, Query},
};
use serde_json::{Map, Value};

use super::{assert_fails, model, sanki, stdout};

const MOVES: &str = "b2b3 c4b3";

fn show(args: &[&str]) -> Value {
    let args = [&["show", "--model", model(), "--json"], args].concat();
    serde_json::from_str(&stdout(&sanki(&args, ""))).expect("JSON")
}

/// The object at `key`, whose keys must be the legal moves.
fn by_move<'a>(answer: &'a Value, key: &str) -> &'a Map<String, Value> {
    let object = answer[key].as_object().unwrap_or_else(|| panic!("{key} in {answer}"));
    let mut moves: Vec<&str> = object.keys().map(String::as_str).collect();
    moves.sort_unstable();
    assert_eq!(answer["legal"], Value::from(moves));
    object
}

fn close(value: &Value, expected: f32) -> bool {
    (value.as_f64().expect("a number") - f64::from(expected)).abs() < 1e-6
}

/// What the net says of the position after [`MOVES`], asked by hand.
fn asked_by_hand() -> (Query<Dobutsu>, Evaluation) {
    let file = ModelFile::read(Path::new(model())).unwrap();
    let mut game = Dobutsu::from_fen(file.meta.rules, "gle/1c1/1C1/ELG[-] w 0 1").unwrap();
    MOVES.split(' ').for_each(|text| game.play(game.parse_move(text).unwrap()));
    let mut query = Query { game, moves: Vec::new(), policy_only: false };
    query.game.legal_moves(&mut query.moves);
    let mut out = [Evaluation::default()];
    // As it is played, in the precision that is the fastest here.
    let net = Backend::Native.load_in(&file.model, Precision::Auto).unwrap();
    NetEvaluator::new(net.evaluator(Dobutsu::SHAPE)).evaluate(&[&query], &mut out);
    let [evaluation] = out;
    (query, evaluation)
}

#[test]
fn the_net_is_shown_as_it_is() {
    let answer = show(&["--moves", MOVES]);
    let (query, evaluation) = asked_by_hand();
    let wdl = evaluation.wdl;
    for (shown, expected) in answer["wdl"].as_array().unwrap().iter().zip([wdl.win, wdl.draw, wdl.loss]) {
        assert!(close(shown, expected), "{answer}");
    }
    let policy = by_move(&answer, "policy");
    let total: f32 = evaluation.logits.iter().map(|logit| logit.exp()).sum();
    for (mv, logit) in query.moves.iter().zip(&evaluation.logits) {
        assert!(close(&policy[&mv.to_string()], logit.exp() / total), "{mv} in {answer}");
    }
    assert!(answer.get("visits").is_none(), "no search was asked for: {answer}");
}

#[test]
fn a_search_adds_its_visits() {
    let answer = show(&["--moves", MOVES, "--sims", "50"]);
    let visits = by_move(&answer, "visits");
    assert_eq!(visits.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), 50);
    let most = visits.values().map(|n| n.as_u64().unwrap()).max().unwrap();
    let of_best = visits[answer["best"].as_str().unwrap()].as_u64().unwrap();
    assert!(5 * of_best >= most, "the best move is one of those visited often: {answer}");
    let wdl: f64 = answer["search_wdl"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).sum();
    assert!((wdl - 1.0).abs() < 1e-5, "{answer}");
    let alone = show(&["--moves", MOVES]);
    assert_eq!((&answer["wdl"], &answer["policy"]), (&alone["wdl"], &alone["policy"]));
}

#[test]
fn a_win_in_one_is_found() {
    let answer = show(&["--fen", "gle/1C1/3/ELG[C] w - - 0 1", "--sims", "50"]);
    assert_eq!(answer["best"], "b3b4+");
    assert_eq!(answer["search_wdl"], serde_json::json!([1.0, 0.0, 0.0]));
}

#[test]
fn nothing_is_thought_of_a_finished_game() {
    let answer = show(&["--moves", "b2b3 a4a3 b3b4+", "--sims", "8"]);
    assert_eq!(answer["ended_at"], 3);
    for key in ["wdl", "policy", "visits", "best", "search_wdl"] {
        assert!(answer.get(key).is_none(), "{key} in {answer}");
    }
}

#[test]
fn people_get_a_table_with_the_best_move_first() {
    let args = ["show", "--model", model(), "--moves", MOVES];
    let output = stdout(&sanki(&args, ""));
    assert!(output.contains("net: win ") && !output.contains("visits"), "{output}");
    let output = stdout(&sanki(&[&args[..], &["--sims", "50"]].concat(), ""));
    let mut lines = output.lines().skip_while(|line| !line.starts_with("move "));
    assert!(lines.next().expect(&output).ends_with("visits"), "{output}");
    let visits: Vec<u32> = lines.filter_map(|line| line.split_whitespace().nth(2)?.parse().ok()).collect();
    assert!(visits.len() > 1 && visits.is_sorted_by(|a, b| a >= b), "{output}");
}

#[test]
fn many_positions_are_judged_line_by_line() {
    let lines = format!(
        "{{\"game\":\"dobutsu\",\"moves\":\"{MOVES}\"}}\n{{\"game\":\"shogi\"}}\n{{\"game\":\"dobutsu\"}}"
    );
    let output = stdout(&sanki(&["show", "--stdin", "--model", model(), "--sims", "8"], &lines));
    let answers: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0], show(&["--moves", MOVES, "--sims", "8"]));
    assert_eq!(answers[1], serde_json::json!({ "error": "the model plays dobutsu, not shogi" }));
    assert_eq!(answers[2], show(&["--game", "dobutsu", "--sims", "8"]));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let other = ["show", "--game", "minishogi", "--model", model()];
    assert_fails(&sanki(&other, ""), 2, "the model plays dobutsu, not minishogi");
    assert_fails(&sanki(&["show", "--game", "dobutsu", "--sims", "8"], ""), 2, "--model");
    assert_fails(&sanki(&["show", "--model", "no-such-file"], ""), 1, "no-such-file");
}
