//! Tells the program which commit it was built from, for the checkpoints that it writes.

use std::{fs, process::Command};

/// What `cargo package` writes into a crate: the commit that it was made from.
const PACKED: &str = ".cargo_vcs_info.json";
/// Digits of a commit that are told.
const DIGITS: usize = 12;

/// What git answers, if it is there and knows.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The commit of a packed crate. Its folder may lie in a repository of something else, which git would answer for.
fn packed_commit() -> Option<String> {
    let info = fs::read_to_string(PACKED).ok()?;
    let (_, commit) = info.split_once("\"sha1\"")?;
    let commit: String = commit.chars().filter(char::is_ascii_hexdigit).take(DIGITS).collect();
    (commit.len() == DIGITS).then_some(commit)
}

/// The commit of a clone.
fn cloned_commit() -> Option<String> {
    // In a worktree of its own these are not below `.git`.
    for path in ["HEAD", "logs/HEAD"].into_iter().filter_map(|path| git(&["rev-parse", "--git-path", path])) {
        println!("cargo:rerun-if-changed={path}");
    }
    git(&["rev-parse", &format!("--short={DIGITS}"), "HEAD"])
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let commit = if fs::exists(PACKED).unwrap_or(false) {
        println!("cargo:rerun-if-changed={PACKED}");
        packed_commit()
    } else {
        cloned_commit()
    };
    println!("cargo:rustc-env=SANKI_COMMIT={}", commit.as_deref().unwrap_or("unknown commit"));
}
