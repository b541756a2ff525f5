//! What needs a trained model, as a user runs it: `sanki match`, `levels`, `play`, `analyse` and `show --model`; and `sanki bench`.

mod analyse;
mod bench;
mod book;
mod devices;
mod explore;
mod ladder;
mod levels;
mod manual;
mod matches;
mod openings;
mod play;
use crate::short_run;
mod show;
mod train;

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
    sync::LazyLock,
    thread,
};

/// A run on dobutsu that learned for a moment: the folder.
fn model() -> &'static str {
    static MODEL: LazyLock<String> = LazyLock::new(train_model);
    &MODEL
}

fn train_model() -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli_play");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    let folder = folder.into_os_string().into_string().expect("UTF-8");
    stdout(&sanki(&short_run::arguments(&folder), ""));
    folder
}

/// Runs the program with `input` on its stdin, which then ends.
fn sanki(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sanki"))
        .args(args)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // Whether the program reads to the end is its own affair.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("no panic");
    output
}

/// What a program that succeeded printed.
fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Checks exit code and error of a program that must fail.
fn assert_fails(output: &Output, code: i32, error: &str) {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with("error: ") && stderr.contains(error), "{stderr}");
}
