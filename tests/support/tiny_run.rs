//! Runs of about 0.3 s on dobutsu, most of which the disk takes, and what is left of them: for tests of faults from outside.
#![allow(dead_code, reason = "every test program uses a part")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use sanki::{
    net::file::newest,
    training::run::{Checkpoint, State},
};

/// Everything at its smallest, with an evaluation and a checkpoint every so often.
pub const SETTINGS: [&str; 15] = [
    "budget.positions=1000000",
    "budget.generations=8",
    "net.hidden=32",
    "selfplay.positions_per_generation=300",
    "selfplay.simulations=4",
    "selfplay.max_plies=60",
    "selfplay.lag=0",
    "selfplay.resign.min_measured=5",
    "learner.batch=32",
    "learner.shard=16",
    "replay.window_start=500",
    "evaluation.every=3",
    "evaluation.games=4",
    "evaluation.simulations=2",
    "checkpoints.every=2",
];

/// The program with `arguments`, nothing on its stdin and its words in pipes.
pub fn sanki(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sanki"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// `sanki train` of such a run in `folder`, on two threads; `settings` come after [`SETTINGS`].
pub fn train(folder: &Path, settings: &[&str]) -> Command {
    train_with(folder, "2", SETTINGS.iter().chain(settings))
}

/// `sanki train` of dobutsu in `folder`, on so many threads and with these settings.
pub fn train_with<'a>(
    folder: &Path,
    threads: &str,
    settings: impl IntoIterator<Item = &'a &'a str>,
) -> Command {
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/dobutsu.toml");
    let mut command = sanki(&["train", "--config", config, "--threads", threads, "--out"]);
    command.arg(folder);
    for setting in settings {
        command.args(["--set", setting]);
    }
    command
}

/// The run of `folder` goes on with the settings that it has.
pub fn resume(folder: &Path) -> Command {
    let mut command = sanki(&["train", "--threads", "2", "--out"]);
    command.arg(folder);
    command
}

/// What a program that must succeed did.
pub fn finish(mut command: Command) -> Output {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{command:?}: {}", said(&output));
    output
}

/// What a program that must fail with exit code 1 said.
pub fn refuse(mut command: Command) -> String {
    let output = command.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1), "{command:?}: {}", said(&output));
    said(&output)
}

/// All that it wrote to stderr.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What must not depend on what happened to a run: all but the time taken.
pub fn essence(folder: &Path) -> (State, Vec<u8>, Vec<f32>) {
    let checkpoint = Checkpoint::read(&newest(folder).unwrap()).unwrap();
    (checkpoint.state, checkpoint.learner, checkpoint.model.model.weights().to_vec())
}

/// Settings of a run that is still there whenever it is stopped or looked at. Its learning rate does not depend on the
/// budget: whatever that is set to later, the run ends as if it had begun with it.
pub const ENDLESS: [&str; 2] = ["budget.generations=100000", "learner.schedule.decay_from=1.0"];

/// Generations that the run in `folder` has done.
pub fn generations(folder: &Path) -> usize {
    fs::read_to_string(folder.join("metrics.jsonl")).map_or(0, |lines| lines.lines().count())
}

/// Waits until the run in `folder` has done `count` generations more.
pub fn wait_for_more_generations(folder: &Path, child: &mut Child, count: usize) {
    let (begin, before) = (Instant::now(), generations(folder));
    while generations(folder) < before + count {
        assert!(child.try_wait().unwrap().is_none(), "the run ended early");
        assert!(begin.elapsed() < Duration::from_secs(60), "no {count} generations after a minute");
        sleep(Duration::from_millis(5));
    }
}

/// Waits until the run has written its first checkpoint and plays on.
pub fn wait_until_running(folder: &Path, child: &mut Child) {
    let begin = Instant::now();
    while !folder.join("latest").exists() {
        assert!(child.try_wait().unwrap().is_none(), "the run ended early");
        assert!(begin.elapsed() < Duration::from_secs(60), "no checkpoint after a minute");
        sleep(Duration::from_millis(5));
    }
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if path.is_dir() { copy(&path, &to) } else { fs::copy(path, to).map(drop).unwrap() }
    }
}

/// All files below a folder, and what is in them.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(contents(&path));
        } else {
            files.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    files
}
