//! `sanki train` on every config that comes with the program.

use std::fs;

use serde_json::Value;

use super::{sanki, stdout};

/// Everything at its smallest.
const SETTINGS: [&str; 12] = [
    "budget.generations=1",
    "selfplay.positions_per_generation=300",
    "selfplay.simulations=4",
    "selfplay.quick_simulations=2",
    "selfplay.full_share=0.5",
    "selfplay.max_plies=20",
    "learner.batch=16",
    "learner.shard=8",
    "replay.window_start=100",
    "evaluation.every=1",
    "evaluation.games=2",
    "evaluation.simulations=2",
];

#[test]
fn every_config_trains() {
    let configs = concat!(env!("CARGO_MANIFEST_DIR"), "/configs");
    let mut games = Vec::new();
    for entry in fs::read_dir(configs).unwrap() {
        let config = entry.unwrap().path();
        let folder = tempfile::tempdir().unwrap();
        let mut args = vec!["train", "--json", "--config", config.to_str().unwrap(), "--out"];
        args.push(folder.path().to_str().unwrap());
        for setting in SETTINGS {
            args.extend(["--set", setting]);
        }
        // A budget in minutes too, which is not reached.
        let output = stdout(&sanki(&args, ""));
        let report: Value = serde_json::from_str(output.lines().next().expect("a generation")).expect("JSON");
        assert!(report["positions"].as_u64().is_some_and(|positions| positions >= 100), "{report}");
        assert!(report["policy_loss"].as_f64().is_some_and(|loss| loss > 0.0), "{report}");
        let text = fs::read_to_string(folder.path().join("config.toml")).unwrap();
        games.extend(text.lines().find(|line| line.starts_with("game = ")).map(str::to_owned));
    }
    games.sort();
    games.dedup();
    assert_eq!(games.len(), 6, "a config for each game: {games:?}");
}
