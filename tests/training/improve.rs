//! `sanki improve`: a net gets better, and whatever stops it, the best net and the log stay whole.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

use sanki::{
    net::ModelFile,
    training::improve::{CycleReport, Kept},
};

use crate::tiny_run::{finish, refuse, said, sanki, train};

/// A run that has learnt next to nothing.
fn beginner(folder: &Path) -> PathBuf {
    let run = folder.join("run");
    finish(train(&run, &["budget.generations=1", "learner.batch=128"]));
    run
}

/// Cycles of `minutes`, with small matches.
fn improve(folder: &Path, minutes: &str, hours: &str, more: &[&str]) -> Command {
    let mut command =
        sanki(&["improve", "--hours", hours, "--cycle", minutes, "--games", "40", "--nodes", "100"]);
    command.args(["--threads", "2", "--out"]).arg(folder).args(more);
    command
}

fn cycles(folder: &Path) -> Vec<CycleReport> {
    let text = fs::read_to_string(folder.join("cycles.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// The best net is that of the last cycle that kept one.
fn check_best(folder: &Path) {
    let last = cycles(folder).into_iter().rfind(|cycle| cycle.kept != Kept::Best);
    let name = last.map_or("start.sanki".to_owned(), |cycle| format!("best-{:03}.sanki", cycle.cycle));
    let [best, kept] = ["best.sanki", &name].map(|name| ModelFile::read(&folder.join(name)).unwrap());
    assert!(best == kept, "best.sanki is not {name}");
}

#[test]
fn a_beginner_gets_better_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    let net = run.to_str().unwrap();
    // At the full rate: a quarter is for nets that know something.
    let output = finish(improve(&out, "0.1", "0.004", &[net, "--set", "learner.schedule.peak=0.008"]));
    let done = cycles(&out);
    assert!(!done.is_empty(), "{}", said(&output));
    assert!(done.iter().any(|cycle| cycle.kept != Kept::Best), "nothing was gained: {done:?}");
    let mut elo = 0.0;
    for (cycle, number) in done.iter().zip(1..) {
        assert_eq!(cycle.cycle, number);
        assert_eq!(cycle.elo > elo, cycle.kept != Kept::Best, "{cycle:?}");
        elo = cycle.elo;
        assert!(!out.join(format!("cycle-{number:03}/run")).exists(), "what it learnt from is removed");
    }
    assert!(said(&output).contains(&format!("Elo {elo:+.0} since the start")), "{}", said(&output));
    check_best(&out);
    let matches = fs::read_dir(out.join("cycle-001")).unwrap().count();
    assert_eq!(matches, 2, "the trained net and the mean");
    assert!(fs::read_to_string(out.join("improve.html")).unwrap().contains("<svg"));

    // With more hours it goes on, without being told the net again.
    let spent: f64 = done.iter().map(|cycle| cycle.seconds).sum();
    finish(improve(&out, "0.1", &((spent + 8.0) / 3600.0).to_string(), &[]));
    let more = cycles(&out);
    assert!(more.len() > done.len() && more[..done.len()] == done[..], "{more:?}");
    check_best(&out);
}

#[test]
fn a_kill_costs_nothing_that_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    let net = run.to_str().unwrap();
    let mut before: Vec<CycleReport> = Vec::new();
    for pause in [300, 1500, 2500] {
        let mut child = improve(&out, "0.02", "10", &[net]).spawn().unwrap();
        let begin = Instant::now();
        while cycles_so_far(&out) <= before.len() {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
            assert!(begin.elapsed() < Duration::from_secs(120), "no cycle ends");
            sleep(Duration::from_millis(20));
        }
        sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        // The last line may be cut; what was there before stays.
        let torn = fs::read_to_string(out.join("cycles.jsonl")).unwrap();
        let whole = torn.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let now: Vec<CycleReport> = whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(now[..before.len()], before[..]);
        ModelFile::read(&out.join("best.sanki")).expect("the best net is whole");
        before = now;
    }
    let spent: f64 = before.iter().map(|cycle| cycle.seconds).sum();
    finish(improve(&out, "0.02", &format!("{}", (spent + 3.0) / 3600.0), &[]));
    assert_eq!(cycles(&out)[..before.len()], before[..]);
    check_best(&out);
}

fn cycles_so_far(folder: &Path) -> usize {
    fs::read_to_string(folder.join("cycles.jsonl")).map_or(0, |text| text.matches('\n').count())
}

#[test]
fn what_cannot_be_improved_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    let net = run.to_str().unwrap();
    let output = improve(&out, "0.02", "0.001", &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("no net is named"), "{}", said(&output));
    assert!(!out.exists());

    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("letter.txt"), "hello").unwrap();
    let error = refuse(improve(&foreign, "0.02", "0.001", &[net]));
    assert!(error.contains("no folder of an improvement"), "{error}");
    assert_eq!(fs::read_dir(&foreign).unwrap().count(), 1);

    let error = refuse(improve(&run, "0.02", "0.001", &[net]));
    assert!(error.contains("no folder of an improvement"), "{error}");

    finish(improve(&out, "0.02", "0.0001", &[net]));
    let other = folder.path().join("other");
    finish(train(&other, &["budget.generations=1", "seed=9"]));
    let error = refuse(improve(&out, "0.02", "0.001", &[other.to_str().unwrap()]));
    assert!(error.contains("began with another net"), "{error}");
}
