//! Numbers and texts from outside have limits, and an error names them.

use crate::tiny_run;

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use tiny_run::{finish, refuse, said, sanki, train, wait_until_running};

/// The program with `input` on its stdin.
fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = sanki(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    // Whether the program reads to the end is its own affair.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

#[test]
fn numbers_that_no_machine_has_are_refused() {
    for arguments in [
        &["train", "--threads", "18446744073709551615"][..],
        &["match", "random", "random", "--game", "dobutsu", "--threads", "18446744073709551615"],
        &["ladder", "no/such/run", "--threads", "1025"],
        &["bench", "movegen", "--threads", "99999999999999999999"],
        &["train", "--threads", "0"],
    ] {
        let output = sanki(arguments).output().unwrap();
        let error = said(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains("1..=1024"), "{arguments:?}: {error}");
    }
    for net in ["sparse-9223372036854775776", "1x1000000", "1000000x16", "sparse-65536", "1000x4096"] {
        for what in ["net", "train", "selfplay", "search"] {
            let output = sanki(&["bench", what, "--net", net, "--game", "shogi"]).output().unwrap();
            let error = said(&output);
            assert_eq!(output.status.code(), Some(2), "{what} {net}: {error}");
            assert!(error.contains("at most") || error.contains("more than 134217728"), "{net}: {error}");
        }
    }
    for batch in ["18446744073709551615", "1048577"] {
        let output =
            sanki(&["bench", "net", "--game", "dobutsu", "--net", "1x16", "--batch", batch]).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("at most 1048576"), "{}", said(&output));
    }
    let folder = tempfile::tempdir().unwrap();
    for (setting, limit) in [
        ("evaluation.games=4294967295", "at most 1000000"),
        ("net.hidden=1000000", "at most 65536"),
        ("net.hidden=9223372036854775776", "at most 65536"),
    ] {
        let output = train(&folder.path().join("run"), &[setting]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains(limit), "{}", said(&output));
    }
    assert!(!folder.path().join("run").exists(), "before anything was begun");
}

#[test]
fn errors_have_an_end() {
    let long = format!("seed={}", "x".repeat(100_000));
    let error = refuse(sanki(&["train", "--out", "no/such/run", "--set", &long]));
    assert!(error.contains("seed") && error.chars().count() < 1000, "{} letters", error.chars().count());
}

#[cfg(unix)]
#[test]
fn files_have_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let (huge, run) = (folder.path().join("huge"), folder.path().join("run"));
    fs::File::create(&huge).unwrap().set_len(1 << 40).unwrap();
    let (huge, run) = (huge.to_str().unwrap(), run.to_str().unwrap());
    for path in ["/dev/zero", huge] {
        for arguments in [
            &["train", "--config", path, "--out", run][..],
            &["match", "random", "random", "--game", "dobutsu", "--games", "2", "--openings", path],
            &["match", path, "random"],
            &["train", "--init-from", path, "--out", run],
        ] {
            let error = refuse(sanki(arguments));
            assert!(error.starts_with("error: ") && error.contains(path), "{arguments:?}: {error}");
        }
    }
}

#[test]
fn a_request_has_an_end() {
    let mut input = vec![b'x'; 3 << 20];
    input.extend_from_slice(b"\n{\"game\":\"dobutsu\"}\n");
    let output = with_input(&["show", "--stdin"], &input);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].contains("more than 1048576 bytes"), "{text}");
    assert!(lines[1].contains("\"legal\""), "{text}");
}

#[test]
fn whatever_a_person_types_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    finish(train(folder.path(), &["budget.generations=1"]));
    let typed = [&b"\xff\xfe\n\x1b[2Jb2b4\x07\n"[..], &[b'x'; 100_000], b"\nb2b3\nquit\n"].concat();
    let model = folder.path().to_str().unwrap();
    let output = with_input(&["play", "--model", model, "--sims", "2"], &typed);
    assert!(output.status.success(), "{}", said(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches(" is no move and no command").count(), 3, "{text:?}");
    assert!(text.contains("moves: b2b3"), "{text:?}");
    assert!(!text.contains(|letter: char| letter.is_control() && letter != '\n'), "{text:?}");
}

#[test]
fn errors_are_printed_without_control_characters() {
    let output = sanki(&["match", "no\u{1b}[31m\u{7}such", "random"]).output().unwrap();
    let error = said(&output);
    assert!(error.contains("such"), "{error}");
    assert!(!error.contains(|letter: char| letter.is_control() && letter != '\n'), "{error:?}");
}

/// Ladders of a run whose checkpoints come and go.
#[test]
fn a_ladder_of_a_run_that_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let mut child = train(
        &run,
        &[
            "budget.generations=100000",
            "selfplay.positions_per_generation=20",
            "checkpoints.every=1",
            "checkpoints.keep=2",
            "evaluation.every=1000",
        ],
    )
    .spawn()
    .unwrap();
    wait_until_running(&run, &mut child);
    let begin = Instant::now();
    while listed(&run) < 20 {
        assert!(begin.elapsed() < Duration::from_secs(60), "no twenty generations after a minute");
        thread::sleep(Duration::from_millis(10));
    }
    let name = run.to_str().unwrap();
    let ladders: Vec<Output> =
        (0..8).map(|_| sanki(&["ladder", name, "--games", "2", "--sims", "1"]).output().unwrap()).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    for ladder in ladders {
        assert!(ladder.status.success(), "{}", said(&ladder));
    }
}

/// Generations in the list of figures.
fn listed(run: &Path) -> usize {
    fs::read_to_string(run.join("metrics.jsonl")).map_or(0, |text| text.lines().count())
}
