//! The program killed at any moment, and other faults from outside.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

#[cfg(unix)]
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use rand::{RngExt, SeedableRng};
use sanki::{
    base::rng::Rng,
    net::file::newest,
    training::run::{Checkpoint, State},
};

#[cfg(target_os = "linux")]
use crate::skipped::skipped;
use crate::tiny_run::{ENDLESS, said};

const KILLS: usize = 20;
/// A run that takes about half a second.
const SETTINGS: [&str; 13] = [
    "budget.positions=1000000",
    "budget.generations=8",
    "net.hidden=32",
    "selfplay.positions_per_generation=700",
    "selfplay.simulations=8",
    "selfplay.max_plies=60",
    "selfplay.resign.min_measured=5",
    "learner.batch=32",
    "learner.shard=16",
    "evaluation.every=3",
    "evaluation.games=20",
    "evaluation.simulations=8",
    "checkpoints.every=2",
];

fn sanki(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sanki"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// `sanki train` on dobutsu, on so many threads.
fn train(folder: &Path, threads: usize) -> Command {
    train_with(folder, threads, &[])
}

fn train_with(folder: &Path, threads: usize, more: &[&str]) -> Command {
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/dobutsu.toml");
    let mut command = sanki(&["train", "--config", config, "--json"]);
    command.arg("--out").arg(folder).args(["--threads", &threads.to_string()]);
    SETTINGS.iter().chain(more).for_each(|setting| {
        command.args(["--set", setting]);
    });
    command
}

fn finish(mut command: Command) -> Output {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// What must not depend on kills: all but the time taken.
fn essence(folder: &Path) -> (State, Vec<u8>, Vec<f32>) {
    let checkpoint = Checkpoint::read(&newest(folder).unwrap()).unwrap();
    (checkpoint.state, checkpoint.learner, checkpoint.model.model.weights().to_vec())
}

#[test]
fn killed_at_twenty_random_moments_a_run_ends_as_if_left_alone() {
    ends_as_if_left_alone(&[]);
}

/// Play and learning go on at a time, and are killed together.
#[test]
fn killed_at_twenty_random_moments_a_run_with_a_lag_ends_as_if_left_alone() {
    ends_as_if_left_alone(&["selfplay.lag=1", "checkpoints.every=3"]);
}

fn ends_as_if_left_alone(settings: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let begin = Instant::now();
    finish(train_with(&whole, 2, settings));
    let mut all = begin.elapsed();

    let mut rng = Rng::seed_from_u64(7);
    let mut kills = 0;
    while kills < KILLS {
        let mut child = train_with(&killed, 1 + kills % 2, settings).spawn().unwrap();
        // A share of the whole run's time, so that a fast machine is hit in mid-run too.
        sleep(all.mul_f64(rng.random_range(0.01..0.06)));
        let ended = child.try_wait().unwrap();
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        match ended {
            // This time it was faster: from the start, and sooner.
            Some(status) => {
                assert!(status.success(), "after {kills} kills: {}", said(&output));
                fs::remove_dir_all(&killed).unwrap();
                (kills, all) = (0, all.mul_f64(0.7));
            }
            None => kills += 1,
        }
    }
    finish(train_with(&killed, 2, settings));
    assert!(essence(&whole) == essence(&killed));
}

/// Waits until the run has written its first checkpoint and plays on.
fn wait_until_running(folder: &Path, child: &mut Child) {
    let begin = Instant::now();
    while newest(folder).is_err() {
        assert!(child.try_wait().unwrap().is_none(), "the run ended early");
        assert!(begin.elapsed() < Duration::from_secs(60), "no checkpoint after a minute");
        sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_ends_with_130_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, stopped) = (folder.path().join("whole"), folder.path().join("stopped"));
    let mut child = train_with(&stopped, 2, &ENDLESS).spawn().unwrap();
    wait_until_running(&stopped, &mut child);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("resumes it"), "{said}");
    let ends = format!("budget.generations={}", essence(&stopped).0.generation + 4);
    let settings = [&ENDLESS[..], &[ends.as_str()]].concat();
    finish(train_with(&whole, 2, &settings));
    finish(train_with(&stopped, 2, &settings));
    assert!(essence(&whole) == essence(&stopped));
}

#[test]
fn one_json_object_a_generation_and_nothing_else_on_stdout() {
    let folder = tempfile::tempdir().unwrap();
    let output = finish(train(&folder.path().join("run"), 2));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 8);
    for (i, line) in lines.iter().enumerate() {
        assert_eq!(line["generation"], i + 1);
        for key in ["positions", "games", "samples", "seconds", "policy_loss", "value_loss"] {
            assert!(line[key].as_f64().is_some_and(|value| value > 0.0), "{key} in {line}");
        }
    }
}

#[test]
fn two_runs_on_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let mut first = train_with(&run, 1, &ENDLESS).spawn().unwrap();
    wait_until_running(&run, &mut first);
    let second = train_with(&run, 1, &ENDLESS).output().unwrap();
    first.kill().unwrap();
    first.wait().unwrap();
    let error = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(1), "{error}");
    assert!(error.contains("error: another run is using"), "{error}");
}

/// A file size limit is a full disk as far as a program can tell: writing fails in the middle of a file.
#[cfg(unix)]
#[test]
fn a_full_disk_is_named_and_costs_nothing_that_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let mut first = train(&run, 2);
    first.args(["--set", "budget.generations=2"]);
    finish(first);
    let before = essence(&run);
    let whole = fs::metadata(newest(&run).unwrap()).unwrap().len();
    let blocks = whole / 1024 / 2;

    let program = train(&run, 2);
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut limited = Command::new("bash");
    limited.args(["-c", &script]).arg(program.get_program()).args(program.get_args());
    let output = limited.output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("error: cannot write"), "{error}");
    assert!(essence(&run) == before, "the last checkpoint is intact");

    finish(train(&run, 2));
    assert_eq!(essence(&run).0.generation, 8);
}

/// A small file system in memory, where this user may mount one.
#[cfg(target_os = "linux")]
struct SmallDisk<'a>(&'a Path);

#[cfg(target_os = "linux")]
impl<'a> SmallDisk<'a> {
    fn mount(folder: &'a Path) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=32m", "tmpfs"]).arg(folder);
        mount.output().is_ok_and(|output| output.status.success()).then_some(SmallDisk(folder))
    }

    fn enlarge(&self) {
        let mut mount = Command::new("mount");
        mount.args(["-o", "remount,size=512m"]).arg(self.0);
        assert!(mount.output().unwrap().status.success());
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        Command::new("umount").arg(self.0).output().ok();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_stops_before_a_small_disk_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(folder.path()) else {
        return skipped("no file system can be mounted here");
    };
    let run = folder.path().join("run");
    let output = train(&run, 2).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("error: the disk of ") && error.contains("help: make room"), "{error}");
    assert!(error.contains("disk: about "), "the estimate stands at the start: {error}");
    disk.enlarge();
    finish(train(&run, 2));
    assert_eq!(essence(&run).0.generation, 8);
}

#[test]
fn bad_files_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let foreign = folder.path().join("foreign");
    fs::write(&foreign, "not a checkpoint").unwrap();
    let missing = folder.path().join("missing");
    for (arguments, expected) in [
        (vec!["match", foreign.to_str().unwrap(), "random"], "not a file of this program"),
        (vec!["match", missing.to_str().unwrap(), "random"], "there is no file"),
        (vec!["play", "--game", "dobutsu", "--model", folder.path().to_str().unwrap()], "is no run"),
        (vec!["train", "--config", foreign.to_str().unwrap()], "foreign"),
        (vec!["train", "--config", missing.to_str().unwrap()], "cannot read"),
        (vec!["match", "random", "uniform"], "no game is named"),
        (vec!["match", "random", "uniform@depth=3", "--game", "dobutsu"], "depth=3"),
    ] {
        let output = sanki(&arguments).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {error}");
        assert!(error.starts_with("error: ") && error.contains(expected), "{arguments:?}: {error}");
        assert!(error.lines().count() <= 2, "{error}");
    }
}
