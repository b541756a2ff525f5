//! Nothing stops a run but who means it: ignored signals, and readers that go away.
#![cfg(unix)]

use crate::tiny_run;

use std::{
    io,
    path::Path,
    process::{Child, Command, Stdio},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tiny_run::{essence, said, sanki, train, wait_until_running};

/// `command` as a shell starts it that ignores `signal` for it, as `nohup` does.
#[cfg(target_os = "linux")]
fn ignoring(signal: &str, command: &Command) -> Command {
    // Whatever the tests themselves were started to ignore.
    let mut shell = Command::new("env");
    shell.args([
        "--default-signal=HUP,INT,TERM",
        "bash",
        "-c",
        &format!("trap '' {signal}; exec \"$0\" \"$@\""),
    ]);
    shell.arg(command.get_program()).args(command.get_args());
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

fn send(child: &Child, signal: Signal) {
    kill(Pid::from_raw(child.id() as i32), signal).expect("it runs");
}

/// The end of a stream that nobody reads.
fn nobody() -> Stdio {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// Starts a run and sends it `signal` once it runs, while it ignores `ignored`. Its exit code and its generations.
#[cfg(target_os = "linux")]
fn signalled(folder: &Path, ignored: &str, signal: Signal) -> (Option<i32>, u32) {
    let mut child = ignoring(ignored, &train(folder, &[])).spawn().unwrap();
    wait_until_running(folder, &mut child);
    send(&child, signal);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), essence(folder).0.generation)
}

#[cfg(target_os = "linux")]
#[test]
fn ignored_signals_stop_nothing_and_the_others_do() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, ignored, signal| signalled(&folder.path().join(name), ignored, signal);
    assert_eq!(run("nohup", "HUP", Signal::SIGHUP), (Some(0), 8), "nohup sanki train");
    assert_eq!(run("background", "INT", Signal::SIGINT), (Some(0), 8), "sanki train & in a script");
    let (code, generations) = run("term", "HUP", Signal::SIGTERM);
    assert_eq!(code, Some(130));
    assert!(generations < 8, "it was stopped");
    assert_eq!(run("closed", "INT", Signal::SIGHUP).0, Some(130), "a terminal that closes");
}

#[test]
fn a_run_goes_on_when_nobody_reads_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    for (name, json) in [("words", false), ("json", true)] {
        let run = folder.path().join(name);
        let mut command = train(&run, &["budget.generations=3"]);
        command.stderr(nobody()).stdout(nobody());
        if json {
            command.arg("--json");
        }
        assert_eq!(command.status().unwrap().code(), Some(0), "{name}");
        assert_eq!(essence(&run).0.generation, 3);
    }
}

#[test]
fn a_run_is_stopped_although_nobody_reads_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = train(folder.path(), &[]).stderr(nobody()).stdout(nobody()).spawn().unwrap();
    wait_until_running(folder.path(), &mut child);
    send(&child, Signal::SIGTERM);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(essence(folder.path()).0.generation < 8, "it was stopped");
}

#[test]
fn an_error_that_nobody_reads_keeps_its_code() {
    for (arguments, code) in [
        (&["match", "no/such/file", "random"][..], 1),
        (&["match", "random", "random"], 2),
        (&["train", "--sett"], 2),
        (&["show"], 2),
    ] {
        let status = sanki(arguments).stderr(nobody()).stdout(nobody()).status().unwrap();
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn results_that_nobody_reads_are_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    tiny_run::finish(train(&run, &["budget.generations=1"]));
    let model = run.to_str().unwrap();
    for arguments in [
        &["show", "--game", "dobutsu"][..],
        &["perft", "--game", "dobutsu", "--depth", "3", "--divide"],
        &["play", "--model", model],
        &["show", "--model", model],
        &["--help"],
    ] {
        let output = sanki(arguments).stdout(nobody()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", said(&output));
    }
}
