//! `sanki ladder`.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

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
fn a_game_of_a_player_against_itself_is_played_again() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("ladder").into_os_string().into_string().unwrap();
    let args = ["ladder", model(), "--games", "4", "--sims", "2", "--out", &folder];
    let played = stdout(&sanki(&args, ""));
    let log = Path::new(&folder).join("games.jsonl");
    let lines: Vec<Value> =
        fs::read_to_string(&log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut alone = lines.clone();
    alone[3]["second"] = alone[3]["first"].clone();
    fs::write(&log, alone.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    assert_eq!(stdout(&sanki(&args, "")), played);
    assert!(Path::new(&folder).join("games.jsonl.damaged").exists());
}

#[test]
fn what_is_no_run_has_no_ladder() {
    let empty = tempfile::tempdir().unwrap();
    let path = empty.path().to_str().unwrap();
    assert_fails(&sanki(&["ladder", path], ""), 1, "is no run");
    assert_fails(&sanki(&["ladder", "no/such/run"], ""), 1, "no/such/run");
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/checkpoints/dobutsu.sanki");
    assert_fails(&sanki(&["ladder", net], ""), 2, "name the folder of a run");
}

#[test]
fn a_ladder_that_ctrl_c_stopped_goes_on_with_its_page() {
    let parent = tempfile::tempdir().unwrap();
    let path = |name: &str| parent.path().join(name).into_os_string().into_string().unwrap();
    let (folder, page) = (path("ladder"), path("ladder.html"));
    // So long that it does not end before it is stopped, on a busy machine either.
    let args = ["ladder", model(), "--games", "2000", "--sims", "400", "--out", &folder, "--html", &page];
    let log = Path::new(&folder).join("games.jsonl");
    let records = || fs::read_to_string(&log).unwrap_or_default().lines().count();
    for _ in 0..2 {
        let before = records();
        let mut child = Command::new(env!("CARGO_BIN_EXE_sanki"))
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while records() == before {
            if child.try_wait().unwrap().is_some() {
                panic!("it ended by itself: {:?}", child.wait_with_output());
            }
            thread::sleep(Duration::from_millis(1));
        }
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        assert!(!Path::new(&page).exists(), "the same command would not overwrite it");
        assert!(Path::new(&folder).join("report.html").exists());
    }
}
