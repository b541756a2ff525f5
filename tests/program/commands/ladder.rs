//! `sanki ladder`.

use serde_json::Value;

use super::{assert_fails, model, sanki, stdout};

#[test]
fn checkpoints_and_references_stand_on_one_list() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("ladder").into_os_string().into_string().unwrap();
    let args =
        ["ladder", model(), "--games", "96", "--sims", "8", "--opponent", "uniform@sims=2", "--out", &folder];
    let output = stdout(&sanki(&[&args[..], &["--json"]].concat(), ""));
    let list: Value = serde_json::from_str(&output).unwrap();
    let players = list["players"].as_array().unwrap();
    assert_eq!(list["games"], 96);
    let name = |player: &Value| player["name"].as_str().unwrap().to_owned();
    let elo: Vec<f64> = players.iter().map(|player| player["elo"].as_f64().unwrap()).collect();
    assert!(elo.is_sorted_by(|a, b| a >= b), "{output}");
    let games: u64 = players.iter().map(|player| player["games"].as_u64().unwrap()).sum();
    assert_eq!(games, 2 * 96);
    let checkpoints: Vec<_> = players.iter().filter(|player| player["positions"].is_number()).collect();
    assert_eq!(checkpoints.len(), 3, "generations 0, 1 and 2 in {output}");
    for wanted in ["random", "uniform@sims=512", "uniform@sims=2", "generation 2"] {
        assert!(players.iter().any(|player| name(player) == wanted), "{wanted} in {output}");
    }
    let anchor = players.iter().find(|player| name(player) == "uniform@sims=32").unwrap();
    assert_eq!(anchor["elo"], 0.0);

    let text = stdout(&sanki(&args, ""));
    assert!(text.contains("rank") && text.contains("generation 2"), "{text}");
    assert!(text.contains("Elo is relative to uniform@sims=32"), "{text}");
    assert_eq!(text.lines().count(), 4 + players.len(), "nothing was left to play: {text}");
}

#[test]
fn what_is_no_run_has_no_ladder() {
    let empty = tempfile::tempdir().unwrap();
    let path = empty.path().to_str().unwrap();
    assert_fails(&sanki(&["ladder", path], ""), 1, "is no run");
    assert_fails(&sanki(&["ladder", "no/such/run"], ""), 1, "no/such/run");
}
