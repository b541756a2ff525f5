//! Nothing stops a run but who means it: ignored signals, and readers that go away.
#![cfg(unix)]

#[cfg(target_os = "linux")]
use crate::skipped::skipped;
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
#[cfg(target_os = "linux")]
use tiny_run::wait_for_more_generations;
use tiny_run::{ENDLESS, essence, said, sanki, train, wait_until_running};

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

/// Whether `env` can do what [`ignoring`] asks of it: that of GNU coreutils 8.31 can.
#[cfg(target_os = "linux")]
fn resets_signals() -> bool {
    let output = Command::new("env").args(["--default-signal=HUP,INT,TERM", "bash", "-c", "true"]).output();
    output.is_ok_and(|output| output.status.success())
}

/// Starts a run that ignores `ignored`, and sends it `signals`, one after the other, each when it has played on for some
/// generations. Its exit code.
#[cfg(target_os = "linux")]
fn signalled(folder: &Path, ignored: &str, signals: &[Signal]) -> Option<i32> {
    let mut child = ignoring(ignored, &train(folder, &ENDLESS)).spawn().unwrap();
    wait_until_running(folder, &mut child);
    for &signal in signals {
        wait_for_more_generations(folder, &mut child, 3);
        send(&child, signal);
    }
    child.wait_with_output().unwrap().status.code()
}

#[cfg(target_os = "linux")]
#[test]
fn ignored_signals_stop_nothing_and_the_others_do() {
    if !resets_signals() {
        return skipped("env or bash cannot start a program that ignores certain signals");
    }
    let folder = tempfile::tempdir().unwrap();
    let run =
        |name: &str, ignored, signals: &[Signal]| signalled(&folder.path().join(name), ignored, signals);
    // It plays on after the first, and ends by the second.
    let (hup, int, term) = (Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM);
    assert_eq!(run("nohup", "HUP", &[hup, term]), Some(130), "nohup sanki train");
    assert_eq!(run("background", "INT", &[int, term]), Some(130), "sanki train & in a script");
    assert_eq!(run("term", "HUP", &[term]), Some(130));
    assert_eq!(run("closed", "INT", &[hup]), Some(130), "a terminal that closes");
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
    let mut child = train(folder.path(), &ENDLESS).stderr(nobody()).stdout(nobody()).spawn().unwrap();
    wait_until_running(folder.path(), &mut child);
    send(&child, Signal::SIGTERM);
    assert_eq!(child.wait().unwrap().code(), Some(130));
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
