//! What `sanki match` says of engines that fail.

use super::*;

/// What `sanki match` says of an engine whose games begin at these boards with these numbers: the exit code, stdout and
/// stderr.
fn match_output(starts: &[(&str, usize)], folder: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let marker = marker("output");
    let openings = folder.join("openings.txt");
    let lines: Vec<String> =
        starts.iter().map(|(board, number)| format!("{board}[-] w - - 0 {number}")).collect();
    std::fs::write(&openings, lines.join("\n")).expect("a folder that can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sanki"));
    command.args(["match", "random", &bad_engine(&marker), "--game", "dobutsu", "--nodes", "1"]);
    command.args(["--threads", "1", "--games", "8"]).args(more).arg("--openings").arg(openings);
    command.arg("--out").arg(folder.join("match"));
    let output = command.output().expect("our program");
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.code(), stdout, stderr)
}

#[test]
fn a_match_with_an_engine_that_crashes_at_once_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let exit = Mode::ALL.iter().position(|&mode| mode == Mode::Exit).expect("a mode");
    let (code, stdout, stderr) = match_output(&[("gle/1c1/1C1/ELG", exit)], folder.path(), &[]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("failed in its first moves in 4 games in a row"), "{stderr}");
    assert!(stderr.contains("its last words: out of cheese") && stderr.contains("help: "), "{stderr}");
    let games = std::fs::read_to_string(folder.path().join("match/games.jsonl")).unwrap_or_default();
    assert_eq!(games, "", "none of them counts when the match goes on");
}

#[test]
fn games_that_were_not_decided_on_the_board_are_counted_apart() {
    let exit = Mode::ALL.iter().position(|&mode| mode == Mode::Exit).expect("a mode");
    let starts = [
        ("gle/1c1/1C1/ELG", exit),
        ("gle/c2/1C1/ELG", HONEST),
        ("gle/2c/1C1/ELG", exit),
        ("gle/c2/2C/ELG", HONEST),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let (code, stdout, stderr) = match_output(&starts, folder.path(), &[]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains(", of which +4 -0 were not decided on the board"), "{stdout}");
    let lines: Vec<&str> = stdout.lines().collect();
    let elo = lines.iter().position(|line| line.starts_with("Elo ")).expect("the Elo");
    assert!(lines[elo + 1].starts_with("warning: 4 of 8 games "), "{stdout}");
    let page = std::fs::read_to_string(folder.path().join("match/report.html")).expect("the report");
    assert!(
        page.contains("4 of 8 games were decided by a crash") && page.contains("Not decided on the board")
    );
    let folder = tempfile::tempdir().expect("a folder");
    let (_, stdout, stderr) = match_output(&starts, folder.path(), &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(json["forfeits"], serde_json::json!({"wins": 4, "losses": 0}));
    assert!(json["reasons"]["crash"] == 4 && stderr.contains("warning: 4 of 8 games "), "{json} {stderr}");
}
