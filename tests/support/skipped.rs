//! What a test says that cannot run here.
#![allow(dead_code, reason = "on some systems no test is skipped")]

use std::io::{self, Write};

/// Says why a test, or a part of it, is skipped. The test harness hides what a passing test prints by `println!` and
/// `eprintln!`; this it shows.
pub fn skipped(why: &str) {
    let _ = writeln!(io::stderr(), "skipped: {why}");
}
