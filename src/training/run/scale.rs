//! What threads are worth: a whole run at several numbers of them.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::{Result, ensure};
use serde::Serialize;

use super::{
    budget::Budget,
    config::RunConfig,
    laps::Lap,
    machine::Machine,
    report::GenerationReport,
    state::{Idle, RunClock},
    trainer::Trainer,
    watch::Observer,
};
use crate::games::encode::Encode;

/// How long a run is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measured {
    /// Until a number of positions of self-play, which is its budget.
    Positions(u64),
    /// For a number of seconds, to the end of a generation. What is played ahead by then is lost.
    Seconds(f64),
}

/// What a run did on a number of threads.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScaleRow {
    /// Threads.
    pub threads: usize,
    /// Generations.
    pub generations: u32,
    /// Positions of self-play.
    pub positions: u64,
    /// Wall time in seconds: of self-play and learning, and of the checkpoints that were due.
    pub seconds: f64,
    /// Processor time in seconds.
    pub cpu_seconds: f64,
    /// Wall time of self-play.
    pub selfplay_seconds: f64,
    /// Wall time of self-play in which nets were made ready.
    pub load_seconds: f64,
    /// Wall time of learning.
    pub learn_seconds: f64,
    /// The share of the processor time that is not self-play's, in `0.0..=1.0`.
    pub learner_share: f64,
    /// The share of their time in which the threads waited, in `0.0..=1.0`.
    pub idle_share: f64,
    /// Where the time went: wall and processor time of each part of its generations. A name with a dot is of a part of a
    /// part.
    pub parts: BTreeMap<&'static str, Lap>,
}

impl ScaleRow {
    /// Positions of self-play a second, learning counted.
    pub fn positions_per_s(&self) -> f64 {
        self.positions as f64 / self.seconds
    }
}

/// Trains by `config` on `machine` in `folder`, which is empty, and measures that. Its evaluations and the end of its budget are
/// left out. `None` when `stop` was set.
///
/// # Errors
/// Those of a run, and when it ends before its first generation.
pub fn scale_row<G: Encode>(
    config: &RunConfig,
    machine: Machine,
    folder: &Path,
    measured: Measured,
    stop: &AtomicBool,
) -> Result<Option<ScaleRow>> {
    let mut config = config.clone();
    let positions = match measured {
        Measured::Positions(positions) => positions,
        Measured::Seconds(_) => i64::MAX as u64,
    };
    config.budget = Budget { positions: Some(positions), ..Budget::default() };
    let mut trainer = Trainer::<G>::open(config, folder, machine, None)?.without_evaluations();
    let begin = *trainer.clock();
    let is_over = AtomicBool::new(false);
    let mut tally = Tally { measured, begin, stop, is_over: &is_over, reports: Vec::new() };
    trainer.run(&is_over, &mut tally)?;
    let Tally { reports, .. } = tally;
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    ensure!(!reports.is_empty(), "the run ended before its first generation");
    let last = &reports[reports.len() - 1];
    let (seconds, cpu_seconds) = (last.seconds - begin.seconds, last.cpu_seconds - begin.cpu_seconds);
    let sum = |of: fn(&GenerationReport) -> Option<f64>| reports.iter().filter_map(of).sum::<f64>();
    let playing = sum(|report| report.selfplay_cpu_seconds);
    Ok(Some(ScaleRow {
        threads: machine.workers,
        generations: last.generation,
        positions: last.positions,
        seconds,
        cpu_seconds,
        selfplay_seconds: sum(|report| report.selfplay_seconds),
        load_seconds: sum(|report| report.load_seconds),
        learn_seconds: sum(|report| Some(report.learn_seconds)),
        learner_share: (1.0 - playing / cpu_seconds).clamp(0.0, 1.0),
        idle_share: Idle::of(seconds, cpu_seconds, machine.workers).share().unwrap_or(0.0),
        parts: trainer.parts().clone(),
    }))
}

/// Collects the figures of a run, and ends it where enough is measured.
struct Tally<'a> {
    measured: Measured,
    begin: RunClock,
    /// Set by the user.
    stop: &'a AtomicBool,
    /// What the run listens to.
    is_over: &'a AtomicBool,
    reports: Vec<GenerationReport>,
}

impl Observer for Tally<'_> {
    fn progress(&mut self, _: f64, _: &str) {
        self.is_over.fetch_or(self.stop.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    fn generation(&mut self, report: &GenerationReport) {
        let enough = match self.measured {
            Measured::Positions(positions) => report.positions >= positions,
            Measured::Seconds(seconds) => report.seconds - self.begin.seconds >= seconds,
        };
        self.is_over.fetch_or(enough, Ordering::Relaxed);
        self.reports.push(report.clone());
    }
}

/// The serial share `s` by Amdahl's law, by which `n` threads do `1 / (s + (1 - s) / n)` times the work of one: the one that
/// fits `speedups`, pairs of threads and of how many times the work of one thread they did, with the least squares of
/// time. In `0.0..=1.0`; `None` where there is nothing but one thread.
pub fn serial_share(speedups: &[(usize, f64)]) -> Option<f64> {
    let (mut products, mut squares) = (0.0, 0.0);
    for &(threads, speedup) in speedups {
        // Time is 1/n + s (1 - 1/n) of that of one thread.
        let parallel = 1.0 / threads as f64;
        products += (1.0 / speedup - parallel) * (1.0 - parallel);
        squares += (1.0 - parallel) * (1.0 - parallel);
    }
    (squares > 0.0).then(|| (products / squares).clamp(0.0, 1.0))
}

/// How many times the work of one thread `threads` threads do by Amdahl's law.
pub fn amdahl(serial_share: f64, threads: usize) -> f64 {
    1.0 / (serial_share + (1.0 - serial_share) / threads as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_serial_share_that_was_put_in_comes_out() {
        for share in [0.0, 0.05, 0.15, 1.0] {
            let speedups = [1, 2, 4, 16].map(|threads| (threads, amdahl(share, threads)));
            assert!((serial_share(&speedups).unwrap() - share).abs() < 1e-12, "{share}");
        }
        assert!((amdahl(0.15, 16) - 4.923).abs() < 1e-3);
        assert_eq!(serial_share(&[(1, 1.0)]), None);
        assert_eq!(serial_share(&[]), None);
        // More than all: a measurement that was lucky.
        assert_eq!(serial_share(&[(1, 1.0), (2, 2.2)]), Some(0.0));
    }
}
