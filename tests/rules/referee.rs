//! Results of recorded matches, confirmed by a referee that is not ours: pyffish.

use std::{env, fs, path::Path, process::Command};

use serde_json::Value;

use crate::skipped::skipped;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/referee.py");

/// The Python that has pyffish.
fn python() -> Option<String> {
    let python = env::var("SANKI_PYFFISH_PYTHON").ok();
    if python.is_none() {
        skipped("SANKI_PYFFISH_PYTHON names no Python with pyffish (.ci/run installs one)");
    }
    python
}

/// What the referee says of the records in `folder`, and whether it is content.
fn judge(python: &str, game: &str, rules: &str, folder: &Path) -> (Value, bool) {
    let output = Command::new(python)
        .args([SCRIPT, game, rules])
        .arg(folder.join("games.jsonl"))
        .output()
        .expect("Python starts");
    let error = String::from_utf8_lossy(&output.stderr);
    let summary = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{error}"));
    (summary, output.status.success())
}

/// Plays a short match and keeps it in `folder`.
fn play(game: &str, rules: &str, folder: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sanki"));
    let players = ["match", "uniform@sims=16", "uniform@sims=4", "--games", "6", "--max-plies", "120"];
    let output = command.args(players).args(["--game", game, "--rules", rules, "--out"]).arg(folder).output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn it_confirms_every_result() {
    let Some(python) = python() else { return };
    let mut by_rule = 0;
    for (game, rules) in [
        ("janggi", "points"),
        ("janggi", "traditional"),
        ("janggi", "kakao"),
        ("janggi", "casual"),
        ("xiangqi", "axf"),
        ("shogi", "csa27"),
        ("minixiangqi", "standard"),
        ("minishogi", "standard"),
        ("dobutsu", "standard"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        play(game, rules, folder.path());
        let (summary, content) = judge(&python, game, rules, folder.path());
        assert!(content && summary["games"] == 6, "{game} {rules}: {summary}");
        by_rule += summary["by_rule"].as_u64().unwrap();
    }
    assert!(by_rule >= 18, "{by_rule} games were ended by a rule");
}

#[test]
fn it_notices_a_false_record() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    play("dobutsu", "standard", folder.path());
    let path = folder.path().join("games.jsonl");
    let games = fs::read_to_string(&path).unwrap();
    let reversed =
        games.replace("\"1-0\"", "\"?\"").replace("\"0-1\"", "\"1-0\"").replace("\"?\"", "\"0-1\"");
    assert_ne!(games, reversed);
    fs::write(&path, reversed).unwrap();
    let (summary, content) = judge(&python, "dobutsu", "standard", folder.path());
    assert!(!content && !summary["contradictions"].as_array().unwrap().is_empty(), "{summary}");
}
