//! The runs of a cycle: what they learn from, and what comes out of them.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use anyhow::{Context, Result};

use super::{
    folder::run_of,
    plan::{RUNS, Step},
};
use crate::{
    base::store::retry_change,
    games::encode::Encode,
    net::ModelFile,
    training::run::{Budget, GenerationReport, Machine, Observer, RunConfig, RunDir, RunEnd, Trainer},
};

/// The share of a run after which its learning rate falls, and what it falls to.
const DECAY_FROM: f32 = 0.5;
const LAST_FRACTION: f32 = 0.02;

/// The runs of a cycle, one after the other, which begin with the same net and have a seed each.
pub(super) struct CycleRuns<'a> {
    /// The cycle's number, from 1.
    pub cycle: u32,
    pub step: &'a Step,
    /// The settings of every cycle.
    pub base: &'a RunConfig,
    pub machine: Machine,
    /// What they begin with.
    pub learner: &'a ModelFile,
    /// The cycle's folder.
    pub folder: PathBuf,
}

/// What the runs of a cycle have trained.
pub(super) struct TrainedRuns {
    /// A net a run.
    pub nets: Vec<ModelFile>,
    /// Positions of self-play, of all runs.
    pub positions: u64,
    /// Seconds of self-play and learning, of all runs.
    pub seconds: f64,
}

impl CycleRuns<'_> {
    /// Trains them, or goes on with what was stopped; `None` when stopped. `on_progress` hears how far all of them are, in
    /// `0.0..=1.0`, and what they do.
    pub fn train<G: Encode>(
        &self,
        stop: &AtomicBool,
        on_progress: &mut (dyn FnMut(f64, &str) + Send),
    ) -> Result<Option<TrainedRuns>> {
        let mut trained = TrainedRuns { nets: Vec::new(), positions: 0, seconds: 0.0 };
        for run in 1..=self.step.runs {
            let folder = run_of(&self.folder, run);
            let is_begun = RunDir::create(&folder)?.newest()?.is_some();
            let init = (!is_begun).then_some(self.learner);
            let mut trainer = Trainer::<G>::open(self.config(run), &folder, self.machine, init)?;
            let mut observer = CycleObserver { on_progress, run, runs: self.step.runs };
            if trainer.run(stop, &mut observer)? != RunEnd::Done {
                return Ok(None);
            }
            let net = trainer.model();
            trained.positions += net.meta.positions;
            trained.seconds += trainer.clock().seconds;
            trained.nets.push(net);
        }
        Ok(Some(trained))
    }

    /// The settings of a run, counted from 1.
    fn config(&self, run: u32) -> RunConfig {
        let Step { rate, net, minutes, runs } = self.step;
        let mut config = self.base.clone();
        config.net = net.clone();
        config.seed = self.base.seed.wrapping_add(u64::from(RUNS * (self.cycle - 1) + run));
        config.budget = Budget { minutes: Some(minutes / f64::from(*runs)), ..Budget::default() };
        let schedule = &mut config.learner.schedule;
        schedule.peak *= *rate as f32;
        schedule.decay_from = DECAY_FROM;
        schedule.last_fraction = LAST_FRACTION;
        // Matches of its own judge the net.
        (config.evaluation.every, config.evaluation.games) = (u32::MAX, 2);
        config
    }
}

/// Removes what the runs of the cycle in `folder` learnt from, which is of no further use once the cycle is done.
pub(super) fn remove_runs(folder: &Path, runs: u32) -> Result<()> {
    for folder in (1..=runs).map(|run| run_of(folder, run)) {
        retry_change(|| fs::remove_dir_all(&folder))
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// Passes on what a run tells.
struct CycleObserver<'a> {
    on_progress: &'a mut (dyn FnMut(f64, &str) + Send),
    run: u32,
    runs: u32,
}

impl Observer for CycleObserver<'_> {
    fn progress(&mut self, done: f64, doing: &str) {
        let all = (f64::from(self.run - 1) + done) / f64::from(self.runs);
        match self.runs {
            1 => (self.on_progress)(all, doing),
            runs => (self.on_progress)(all, &format!("run {} of {runs}: {doing}", self.run)),
        }
    }

    fn generation(&mut self, report: &GenerationReport) {
        tracing::info!("{report}");
    }
}
