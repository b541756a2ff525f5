//! Notations and the files that they are kept in.

mod convert;
mod foreign;
mod notation;
mod other_games;
mod parsers;
mod readers;
#[path = "../support/verdicts.rs"]
mod verdicts;

use std::{path::Path, process::Command};

/// Runs the program in `folder`: its exit code, and what it printed.
fn sanki(folder: &Path, args: &[&str]) -> (i32, String) {
    let out =
        Command::new(env!("CARGO_BIN_EXE_sanki")).current_dir(folder).args(args).output().expect("it runs");
    let text = [out.stdout, out.stderr].concat();
    (out.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
}
