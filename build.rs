//! Tells the program which commit it was built from, for the checkpoints that it writes.

use std::process::Command;

/// What git answers, if it is there and knows.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn main() {
    // In a worktree of its own these are not below `.git`.
    for path in ["HEAD", "logs/HEAD"].into_iter().filter_map(|path| git(&["rev-parse", "--git-path", path])) {
        println!("cargo:rerun-if-changed={path}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    let commit = git(&["rev-parse", "--short=12", "HEAD"]);
    println!("cargo:rustc-env=SANKI_COMMIT={}", commit.as_deref().unwrap_or("unknown commit"));
}
