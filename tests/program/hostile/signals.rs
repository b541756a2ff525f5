//! Signals at any moment of a run.

use std::{
    os::unix::process::ExitStatusExt,
    path::Path,
    process::Child,
    thread::sleep,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use rand::{RngExt, SeedableRng};
use sanki::base::rng::Rng;

use super::{
    runs::{ends_well, goes_on, quiet, scratch, survived, tidy, train},
    size,
    tally::{Fate, Tally},
    tiny_run::{finish, said},
};

/// What is sent, a millisecond apart.
const SENT: [&[Signal]; 16] = [
    &[Signal::SIGINT],
    &[Signal::SIGTERM],
    &[Signal::SIGHUP],
    &[Signal::SIGINT, Signal::SIGINT],
    &[Signal::SIGTERM, Signal::SIGKILL],
    &[Signal::SIGKILL],
    &[Signal::SIGQUIT],
    &[Signal::SIGABRT],
    &[Signal::SIGSEGV],
    &[Signal::SIGUSR1],
    &[Signal::SIGALRM],
    &[Signal::SIGSTOP, Signal::SIGCONT],
    &[Signal::SIGTSTP, Signal::SIGCONT],
    &[Signal::SIGPIPE],
    &[Signal::SIGCHLD],
    &[Signal::SIGWINCH],
];
/// Those after which a run goes on.
const HARMLESS: usize = 5;

#[derive(Debug)]
struct Case {
    number: usize,
    sent: &'static [Signal],
    is_harmless: bool,
    /// When, as a share of the time that the run takes.
    moment: f64,
}

fn send(child: &Child, signal: Signal) {
    // It may have ended by the one before.
    let _ = kill(Pid::from_raw(child.id() as i32), signal);
}

/// Whether a run went on after harmless signals, or else ended as it was told to.
fn check(case: &Case, folder: &Path, whole: Duration) -> Result<(), String> {
    let mut moment = whole.mul_f64(case.moment);
    let child = loop {
        let mut child = train(folder, &[]).spawn().unwrap();
        sleep(moment);
        if child.try_wait().unwrap().is_none() {
            break child;
        }
        // This time it was faster: once more, and sooner.
        super::runs::tidy(folder, Fate::Survived);
        moment = moment.mul_f64(0.7);
    };
    // Before it writes, a signal does what it does to all programs, also one that is harmless later.
    let has_begun = folder.exists();
    for &signal in case.sent {
        send(&child, signal);
        sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().unwrap();
    let killed_by = output.status.signal().and_then(|number| Signal::try_from(number).ok());
    match (output.status.code(), killed_by) {
        (Some(0), _) => {
            quiet(&output)?;
            return ends_well(folder);
        }
        (_, Some(signal)) if !(case.is_harmless && has_begun) && case.sent.contains(&signal) => {}
        (Some(130), _) if !case.is_harmless && !said(&output).contains("error: ") => {}
        _ => return Err(format!("{}, {}", output.status, said(&output))),
    }
    goes_on(folder)
}

#[test]
fn a_run_survives_signals() {
    let whole = scratch("signals-whole");
    let begin = Instant::now();
    finish(train(&whole, &[]));
    let time = begin.elapsed();
    let mut rng = Rng::seed_from_u64(15);
    let count = size(32, 160);
    let cases: Vec<Case> = (0..count)
        .map(|number| Case {
            number,
            sent: SENT[number % SENT.len()],
            is_harmless: number % SENT.len() >= SENT.len() - HARMLESS,
            moment: rng.random_range(0.0..1.0),
        })
        .collect();
    Tally::of("signals at any moment", &cases, |case| {
        let folder = scratch(&format!("signal-{}", case.number));
        tidy(&folder, survived(check(case, &folder, time)))
    })
    .check(count)
    .all_survive();
}
