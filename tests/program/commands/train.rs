//! `sanki train` on every config that comes with the program.

use std::fs;

use serde_json::Value;

use super::{assert_fails, sanki, stdout};

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
        // Those for a GPU too, without one.
        args.extend(["--set", "learner.backend=native"]);
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

#[test]
fn a_plan_is_a_config() {
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/dobutsu.toml");
    let plan = |more: &[&str]| {
        let args = ["train", "--config", config, "--set", "learner.batch=64", "--plan", "200"];
        sanki(&[&args[..], more].concat(), "")
    };
    let found: Value = serde_json::from_str(&stdout(&plan(&["--json"]))).expect("JSON");
    for rate in ["positions_per_core_s", "samples_per_s", "taken_in_per_s", "positions_per_game"] {
        assert!(found["measured"][rate].as_f64().is_some_and(|rate| rate > 0.0), "{rate} in {found}");
    }
    // So many cores are more than one learner takes as the config has it.
    let busy = found["advice"]["learner_busy"].as_f64().expect("a share");
    assert!((0.5..=1.0).contains(&busy), "{found}");
    let set: Vec<&str> = found["set"].as_array().unwrap().iter().map(|set| set.as_str().unwrap()).collect();
    assert!(
        set.contains(&"replay.reuse=1") && set.iter().any(|set| set.starts_with("net.hidden=")),
        "{found}"
    );
    // A run takes these settings.
    let mut args = vec!["bench", "scale", "--config", config, "--threads", "1", "--positions", "10"];
    set.iter().for_each(|set| args.extend(["--set", set]));
    args.extend(["--set", "selfplay.positions_per_generation=100", "--set", "selfplay.simulations=2"]);
    assert!(stdout(&sanki(&args, "")).lines().count() == 2, "a row below its columns");

    assert_fails(&plan(&["--out", "somewhere"]), 2, "--out");
    assert_fails(&sanki(&["train", "--plan", "0"], ""), 2, "0");
}

#[test]
fn a_tuned_config_trains() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.toml");
    let (config, file) =
        (concat!(env!("CARGO_MANIFEST_DIR"), "/configs/dobutsu.toml"), file.to_str().unwrap());
    let tune = |more: &[&str]| {
        let args =
            ["tune", "--config", config, "--seconds", "2", "--threads", "2", "--hours", "0.5", "-o", file];
        sanki(&[&args[..], more].concat(), "")
    };
    let output = tune(&["--json"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(" s each; threads: up to 2\n"), "{said}");
    let found: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let measured = found["measured"].as_array().expect("a list");
    assert!(measured.len() >= 4 && measured[0]["setting"] == "as it is", "{found}");
    assert!(
        measured.iter().all(|row| row["positions_per_s"].as_f64().is_some_and(|speed| speed > 0.0)),
        "{found}"
    );
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains("minutes = 30") && text.starts_with('#'), "{text}");
    assert_fails(&tune(&[]), 1, "small.toml");

    let out = folder.path().join("run");
    let mut args = vec!["train", "--json", "--config", file, "--out", out.to_str().unwrap()];
    for setting in SETTINGS {
        args.extend(["--set", setting]);
    }
    stdout(&sanki(&args, ""));
}

#[test]
fn what_is_asked_for_cannot_be_said_before() {
    for said in [["--game", "dobutsu"], ["--hours", "1"]] {
        assert_fails(&sanki(&["tune", "--ask", said[0], said[1]], ""), 2, "--ask");
    }
}

#[test]
fn a_short_run_takes_its_own_settings_and_keeps_its_net() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let train = |more: &[&str]| {
        let mut args = vec!["train", "--json", "--game", "shogi", "--threads", "2", "--out"];
        args.push(out.to_str().unwrap());
        SETTINGS.iter().for_each(|setting| args.extend(["--set", setting]));
        stdout(&sanki(&[&args[..], more].concat(), ""));
        let text = fs::read_to_string(out.join("config.toml")).unwrap();
        let config: toml::Table = toml::from_str(&text).unwrap();
        assert!(!config.contains_key("short"), "{text}");
        (config["net"]["hidden"].clone(), config["budget"]["minutes"].clone())
    };
    let short = train(&["--hours", "1"]);
    assert_eq!(short, (toml::Value::Integer(128), toml::Value::Float(60.0)), "two threads for an hour");
    let longer = train(&["--hours", "8", "--set", "budget.generations=2"]);
    assert_eq!(longer, (toml::Value::Integer(128), toml::Value::Float(480.0)), "the net of a run stays");
    assert_fails(&sanki(&["train", "--game", "shogi", "--config", "shogi.toml"], ""), 2, "--config");
}

#[test]
fn a_run_without_a_time_is_told_how_to_give_it_one() {
    let folder = tempfile::tempdir().unwrap();
    let told = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let mut args = vec!["train", "--game", "shogi", "--threads", "2", "--out", out.to_str().unwrap()];
        SETTINGS.iter().for_each(|setting| args.extend(["--set", setting]));
        let output = sanki(&[&args[..], more].concat(), "");
        stdout(&output);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = told("long", &[]);
    assert!(said.contains("names no time"), "{said}");
    let said = told("short", &["--hours", "1", "--set", "budget.generations=1"]);
    assert!(!said.contains("names no time"), "{said}");
}

#[test]
fn a_run_that_goes_on_knows_its_best_evaluation() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let train = |end: &str| {
        let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/dobutsu.toml");
        let mut args = vec!["train", "--config", config, "--threads", "1", "--out", out.to_str().unwrap()];
        SETTINGS.iter().for_each(|setting| args.extend(["--set", setting]));
        args.extend(["--set", end]);
        let output = sanki(&args, "");
        stdout(&output);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = train("budget.generations=1");
    assert!(said.contains(" net; threads: 1\n") && !said.contains("warning: elo is"), "{said}");
    let list = out.join("metrics.jsonl");
    let mut report: Value = serde_json::from_str(&fs::read_to_string(&list).unwrap()).unwrap();
    report["elo"] = Value::from(5000.0);
    fs::write(&list, format!("{report}\n")).unwrap();
    let said = train("budget.generations=2");
    assert!(said.contains("warning: elo is"), "{said}");
}
