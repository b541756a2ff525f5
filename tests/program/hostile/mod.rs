//! What may happen to the program from outside, many times over: signals, kills and errors at system calls, damaged
//! files, senseless settings, crafted models, and resumes. Whatever it is, a run survives, which is to end as if it
//! had been left alone, or what is wrong is refused by name. Nothing is lost, panics or hangs.
//!
//! A part of it runs in minutes; `SANKI_HOSTILE=full cargo test --release --test program hostile:: -- --nocapture` is all
//! of it, and prints the table of `docs/robustness.md`.
#![cfg(target_os = "linux")]

mod calls;
mod configs;
mod damage;
mod file_systems;
mod files;
mod games;
mod models;
mod resumes;
mod runs;
mod signals;
mod strace;
mod tally;
use crate::tiny_run;

/// `few` cases, or `all` where everything is asked for.
fn size(few: usize, all: usize) -> usize {
    match std::env::var("SANKI_HOSTILE").as_deref() {
        Ok("full") => all,
        Ok(other) => panic!("SANKI_HOSTILE={other}: full is all that it can be"),
        Err(_) => few,
    }
}
