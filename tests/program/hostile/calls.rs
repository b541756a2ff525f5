//! Runs that are killed at system calls, and whose system calls fail.

use std::{
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
};

use rand::{SeedableRng, seq::IndexedRandom};
use sanki::base::rng::Rng;

use super::{
    runs::{ends_well, goes_on, killed, output, quiet, refused, scratch, survived, tidy, train},
    size,
    strace::{self, Call, calls, inject, is_mute},
    tally::{Fate, Tally},
    tiny_run::copy,
};

/// Where a run stands when it meets the fault.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stand {
    /// Nothing is there.
    New,
    /// It goes on after a kill.
    Killed,
}

/// What calls can say, by a system that does not lie, and that a program does not simply try again.
const ERRORS: [(&str, &[&str]); 15] = [
    ("openat", &["EIO", "EACCES", "EMFILE", "ENOSPC"]),
    ("read", &["EIO"]),
    ("write", &["ENOSPC", "EIO", "EDQUOT", "EFBIG"]),
    ("fsync", &["EIO", "ENOSPC", "EDQUOT"]),
    ("ftruncate", &["EIO", "EFBIG"]),
    ("lseek", &["EIO"]),
    ("mkdir", &["ENOSPC", "EACCES", "EROFS"]),
    ("renameat", &["ENOSPC", "EIO", "EROFS"]),
    ("rename", &["ENOSPC", "EIO", "EROFS"]),
    ("unlink", &["EIO", "EACCES", "EROFS"]),
    ("statx", &["EIO", "EACCES"]),
    ("newfstatat", &["EIO"]),
    ("getdents64", &["EIO"]),
    ("flock", &["ENOLCK", "EIO"]),
    ("close", &["EIO", "ENOSPC"]),
];

#[derive(Debug)]
struct Case {
    number: usize,
    stand: Stand,
    call: Call,
    fault: String,
    /// A second one, in the run that goes on after the first.
    again: Option<Call>,
}

impl Stand {
    /// The folder of a case, as it is before it.
    fn prepare(self, folder: &Path) {
        if self == Stand::Killed {
            copy(killed(), folder);
        }
    }

    /// The calls that a run makes from here, found out once for all tests.
    fn calls(self) -> Vec<Call> {
        static FOUND: Mutex<[Option<Vec<Call>>; 2]> = Mutex::new([None, None]);
        let found = &mut FOUND.lock().unwrap()[self as usize];
        let find = || {
            let folder = scratch(&format!("calls-{self:?}"));
            self.prepare(&folder);
            calls(&train(&folder, &[]), &folder)
        };
        found.get_or_insert_with(find).clone()
    }
}

/// `count` of them, as many of every kind of call as there are, and at least one of each.
fn chosen(cases: Vec<(Stand, Call, String)>, count: usize) -> Vec<(Stand, Call, String)> {
    let mut rng = Rng::seed_from_u64(3);
    let mut chosen: Vec<_> = Vec::new();
    let (mut first, mut others) = (Vec::new(), Vec::new());
    let mut seen = std::collections::HashSet::new();
    for case in cases {
        let is_first = seen.insert((format!("{:?}", case.0), case.1.name.clone(), case.2.clone()));
        if is_first { first.push(case) } else { others.push(case) }
    }
    chosen.append(&mut first);
    let room = count.saturating_sub(chosen.len());
    chosen.extend(others.sample(&mut rng, room).cloned());
    chosen
}

fn folder(kind: &str, number: usize) -> PathBuf {
    scratch(&format!("{kind}-{number}"))
}

#[test]
fn a_run_survives_kills_at_system_calls() {
    if !strace::is_there() {
        return;
    }
    let count = size(40, 260);
    let points = [Stand::New, Stand::Killed].map(|stand| stand.calls());
    let kill = |stand: Stand, call: &Call| (stand, call.clone(), "signal=KILL".to_owned());
    let all = points[0].iter().map(|call| kill(Stand::New, call));
    let all = all.chain(points[1].iter().map(|call| kill(Stand::Killed, call))).collect();
    let mut rng = Rng::seed_from_u64(4);
    let cases: Vec<Case> = (0..)
        .zip(chosen(all, count))
        .map(|(number, (stand, call, fault))| {
            let again = (number % 3 == 0).then(|| points[1].choose(&mut rng).expect("calls").clone());
            Case { number, stand, call, fault, again }
        })
        .collect();
    let tally = Tally::of("kills at system calls", &cases, |case| {
        let folder = folder("kill", case.number);
        case.stand.prepare(&folder);
        let kill = |call: &Call| {
            killed_at(inject(&train(&folder, &[]), call, &case.fault, Path::new("/dev/null")), &folder)
        };
        let result = kill(&case.call).and_then(|is_over| match (&case.again, is_over) {
            (Some(again), false) => kill(again),
            _ => Ok(is_over),
        });
        tidy(&folder, survived(result.and_then(|_| goes_on(&folder))))
    });
    tally.check(count).all_survive();
}

/// Whether a run was over before it came to be killed.
fn killed_at(command: Command, folder: &Path) -> Result<bool, String> {
    let output = output(command)?;
    match (output.status.signal(), output.status.code()) {
        (Some(9), _) => Ok(false),
        (_, Some(0)) => ends_well(folder).map(|()| true),
        _ => Err(format!("{}, {}", output.status, super::tiny_run::said(&output))),
    }
}

#[test]
fn a_run_survives_errors_of_the_system() {
    if !strace::is_there() {
        return;
    }
    let count = size(80, 430);
    let mut all = Vec::new();
    for stand in [Stand::New, Stand::Killed] {
        for call in stand.calls() {
            let errors =
                ERRORS.iter().find(|(name, _)| *name == call.name).map_or(&[][..], |(_, errors)| errors);
            all.extend(errors.iter().map(|error| (stand, call.clone(), format!("error={error}"))));
        }
    }
    let cases: Vec<Case> = (0..)
        .zip(chosen(all, count))
        .map(|(number, (stand, call, fault))| Case { number, stand, call, fault, again: None })
        .collect();
    Tally::of("errors of system calls", &cases, |case| {
        let folder = folder("error", case.number);
        case.stand.prepare(&folder);
        tidy(&folder, with_error(case, &folder))
    })
    .check(count);
}

/// What an error does: nothing, or it is named, and the run goes on later.
fn with_error(case: &Case, folder: &Path) -> Fate {
    let list = folder.with_extension("calls");
    let output = match output(inject(&train(folder, &[]), &case.call, &case.fault, &list)) {
        Ok(output) => output,
        Err(hangs) => return Fate::Lost(hangs),
    };
    let is_mute = is_mute(&list);
    std::fs::remove_file(&list).unwrap();
    if output.status.success() {
        return survived(quiet(&output).and_then(|()| ends_well(folder)));
    }
    // The fault meets every thread at its call of this number, which may be one that reads the config.
    match refused(&output, &[folder.to_str().unwrap(), "configs/dobutsu.toml"]) {
        // Or the one that says what is wrong, for the same number.
        Fate::Lost(_) if is_mute && output.status.code() == Some(1) => survived(goes_on(folder)),
        Fate::Refused => goes_on(folder).map_or_else(
            |how| Fate::Lost(format!("{how}; before it said {}", super::tiny_run::said(&output))),
            |()| Fate::Refused,
        ),
        other => other,
    }
}
