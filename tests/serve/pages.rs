//! Matches that are begun on the page, and nets that are taken away.

use std::{fs, path::Path};

use super::served::{Served, make_match};

#[test]
fn a_match_is_played_and_goes_on() {
    let served = Served::with(&["--engines"]);
    let form = |b: &str, games: &str| {
        format!("a=random&b={b}&game=dobutsu&amount=2&unit=sims&games={games}&cores=1")
    };
    let answer = served.post("/contests/match", &form("uniform@sims=8", "4"));
    assert_eq!(answer.status, 303, "{}", answer.text);
    served.until("/contests/dobutsu-1", "data-games=\"4\"");
    let answer = served.until("/contests/dobutsu-1", "data-activity=\"idle\"");
    for number in 1..=4 {
        let game = format!("/review/matches/dobutsu-1/{number}");
        assert!(answer.text.contains(&format!("\"{game}\"")), "{}", answer.text);
        assert_eq!(served.get(&game).status, 200, "{game}");
    }
    let openings = "/review/matches/dobutsu-1/openings";
    assert!(served.get("/review/matches/dobutsu-1").text.contains(&format!("\"{openings}\"")));
    let answer = served.get(openings);
    assert!(answer.status == 200 && answer.text.contains(&format!("{openings}?start=")), "{}", answer.text);
    for bad in ["?moves=a1a9", "?start=x", "?start=%00&moves=%ff"] {
        assert!([400, 404].contains(&served.get(&format!("{openings}{bad}")).status), "{bad}");
    }
    assert_eq!(served.get("/review/matches/none/openings").status, 404);
    let report = served.get("/contests/dobutsu-1/report");
    assert!(report.status == 200 && report.text.contains("content-security-policy: sandbox allow-scripts;"));
    assert_eq!(served.post("/contests/dobutsu-1/stop", "").status, 303, "what has ended is stopped");
    assert_eq!(served.post("/contests/dobutsu-1/go-on", "games=6").status, 303);
    served.until("/contests/dobutsu-1", "data-games=\"6\"");
    served.until("/contests/dobutsu-1", "data-activity=\"idle\"");

    // What cannot be is said in words, and nothing is begun.
    for (b, games, words) in [("random", "1", "from 2 to 100000"), ("run:none", "4", "no such player")] {
        let answer = served.post("/contests/match", &form(b, games));
        assert!(answer.status == 200 && answer.text.contains(words), "{}", answer.text);
    }
    assert!(!served.path("matches/dobutsu-2").exists());
    // What fails says why in its own words.
    let answer = served.post("/contests/match", &form("engine&b_command=uci:/no/such/engine", "4"));
    assert_eq!(answer.status, 303, "{}", answer.text);
    let answer = served.until("/contests/dobutsu-2", "data-activity=\"failed\"");
    assert!(answer.text.contains("/no/such/engine"), "{}", answer.text);
}

/// As an installation does it: another file takes the place of the one that runs.
#[cfg(target_os = "linux")]
#[test]
fn a_match_begins_after_the_program_was_replaced() {
    // Where the program can be linked to.
    let programs = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let program = programs.path().join("sanki");
    let install = || fs::hard_link(env!("CARGO_BIN_EXE_sanki"), &program).unwrap();
    install();
    let served = Served::of(&program, tempfile::tempdir().unwrap(), &[], &[]);
    fs::remove_file(&program).unwrap();
    install();
    let form = "a=random&b=random&game=dobutsu&amount=2&unit=sims&games=2&cores=1";
    let answer = served.post("/contests/match", form);
    assert_eq!(answer.status, 303, "{}", answer.text);
    served.until("/contests/dobutsu-1", "data-games=\"2\"");
}

#[test]
fn ladders_of_runs_are_matches_too() {
    let served = Served::new();
    fs::create_dir_all(served.path("runs/first")).unwrap();
    make_match(&served.path("runs/first"), "m");
    fs::rename(served.path("runs/first/matches"), served.path("runs/first/ladders")).unwrap();
    let list = served.get("/contests");
    assert!(list.text.contains("\"/contests/first~m\"") && list.text.contains("first – m"), "{}", list.text);
    let ladder = served.get("/contests/first~m");
    assert!(ladder.text.contains("\"/review/matches/first~m/1\""), "{}", ladder.text);
    assert_eq!(served.get("/review/matches/first~m/1").status, 200);
    assert!(served.get("/review").text.contains("\"/review/matches/first~m\""));
    assert_eq!(served.get("/contests/first~..").status, 404);
}

#[test]
fn names_of_players_are_text() {
    let served = Served::new();
    make_match(served.folder.path(), "m");
    let answer = served.get("/contests/m");
    assert!(answer.text.contains("&lt;b onload=alert(1)&gt;") && !answer.text.contains("<b onload"));
}

#[test]
fn nets_are_taken_away() {
    let served = Served::new();
    let checkpoints = served.path("runs/first/checkpoints");
    fs::create_dir_all(&checkpoints).unwrap();
    let net = Path::new(env!("CARGO_MANIFEST_DIR")).join("checkpoints/dobutsu.sanki");
    fs::copy(&net, checkpoints.join("gen-000001.sanki")).unwrap();
    let page = served.get("/take/run:first@1");
    assert_eq!(page.status, 200, "{}", page.text);
    for (kind, begin) in [("sanki", "SANKI"), ("html", "<!DOCTYPE html>"), ("onnx", ""), ("safetensors", "")]
    {
        let address = format!("/take/run:first@1/{kind}");
        assert!(page.text.contains(&address), "{kind}");
        let answer = served.get(&address);
        assert_eq!(answer.status, 200, "{kind}");
        let (head, body) = answer.text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("filename=\"first-1.{kind}\"")), "{head}");
        assert!(body.len() > 100_000 && body.starts_with(begin), "{kind}: {} bytes", body.len());
    }
    assert_eq!(served.get("/take/run:first@1/exe").status, 404);
    assert_eq!(served.get("/take/run:first@2").status, 404);
    assert_eq!(served.get("/take/run:..%2ffirst@1").status, 404);
}

#[test]
fn a_ladder_whose_name_would_be_too_long_is_refused() {
    let served = Served::new();
    let name = "a".repeat(115);
    let run = served.path("runs").join(&name);
    fs::create_dir_all(run.join("checkpoints")).unwrap();
    let ours = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(ours.join("configs/dobutsu.toml"), run.join("config.toml")).unwrap();
    fs::copy(ours.join("checkpoints/dobutsu.sanki"), run.join("checkpoints/gen-000001.sanki")).unwrap();
    let form = format!("run={name}&amount=2&unit=sims&games=2&cores=1");
    let answer = served.post("/contests/ladder", &form);
    assert!(answer.status == 400 && answer.text.contains("up to 120 letters"), "{}", answer.text);
}

#[test]
fn boards_are_kept_under_their_own_version_alone() {
    let served = Served::new();
    let start = served.get("/").text;
    let version = start.split_once("/boards/").and_then(|(_, rest)| rest.get(..8)).expect("an address");
    let kept = |version: &str| {
        let answer = served.get(&format!("/boards/{version}"));
        (answer.status, answer.header("cache-control").unwrap_or_default().to_owned())
    };
    assert_eq!(kept(version), (200, "private, max-age=31536000, immutable".to_owned()));
    assert_eq!(kept("zzz"), (200, "no-store".to_owned()));
}
