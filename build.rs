//! Tells the program which commit it was built from, for the checkpoints that it writes.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=.git/HEAD");
    println!("cargo:rerun-if-changed=.git/logs/HEAD");
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    let commit = output.ok().filter(|output| output.status.success());
    let commit = commit.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo:rustc-env=SANKI_COMMIT={}", commit.as_deref().unwrap_or("unknown commit"));
}
