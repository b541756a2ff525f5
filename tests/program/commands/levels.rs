//! `sanki levels`, and players of a level.

use serde_json::Value;

use super::{assert_fails, sanki, stdout};

const NET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/checkpoints/dobutsu.sanki");

#[test]
fn a_net_gets_levels_and_plays_at_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("levels.sanki").into_os_string().into_string().unwrap();
    let measure = |more: &[&str]| {
        let args = ["levels", NET, "--games", "20", "--first", "0", "--last", "3", "-o", &file];
        sanki(&[&args[..], more].concat(), "")
    };
    let found: Value = serde_json::from_str(&stdout(&measure(&["--json"]))).unwrap();
    let levels: Vec<f64> =
        found["levels"].as_array().unwrap().iter().map(|level| level.as_f64().unwrap()).collect();
    assert!(levels.len() == 19 && levels.is_sorted() && levels[18] > levels[0], "{found}");
    assert_eq!(found["curve"][0]["elo"], 0.0);
    let neighbours: Vec<[f64; 2]> =
        levels.windows(2).map(|pair| [pair[0], pair[1]]).filter(|[a, b]| a < b).collect();
    let ladder = found["ladder"].as_array().unwrap();
    let played: Vec<[f64; 2]> =
        ladder.iter().map(|of| ["low", "high"].map(|key| of[key].as_f64().unwrap())).collect();
    assert_eq!(played, neighbours, "each level against the one below");
    assert_fails(&measure(&[]), 1, "levels.sanki");
    let again = stdout(&measure(&["--force", "--threads", "1"]));
    assert_eq!(again.lines().count(), 21, "{again}");
    for (line, level) in again.lines().skip(1).zip(&levels) {
        let strength: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!((strength - level).abs() < 0.006, "the same on one thread: {line}, {level}");
    }

    // Far apart, so a few games are enough.
    let [weak, strong] = [1, 19].map(|level| format!("{file}?level={level}@sims=1"));
    let output = stdout(&sanki(&["match", &strong, &weak, "--games", "60", "--json"], ""));
    let result: Value = serde_json::from_str(&output).unwrap();
    assert!(result["score"].as_f64().unwrap() > 0.6, "{output}");
}

#[test]
fn a_person_chooses_the_level_of_the_opponent() {
    let args = ["play", "--game", "dobutsu", "--model", NET];
    let output = stdout(&sanki(&[&args[..], &["--level", "2"]].concat(), "quit\n"));
    assert!(output.contains("level=2"), "{output}");
    assert_fails(&sanki(&[&args[..], &["--level", "21"]].concat(), ""), 2, "21");
}
