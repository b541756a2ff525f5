//! The runs of a cycle: what they learn from, and what comes out of them.

use std::{
    fs,
    panic::resume_unwind,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use anyhow::{Context, Result};

use super::{
    folder::run_of,
    plan::{RUNS, Step},
};
use crate::{
    base::store::retry_change,
    games::encode::Encode,
    net::{Backend, ModelFile},
    training::run::{
        Budget, GenerationReport, Machine, Observer, RunConfig, RunDir, RunEnd, Trainer, saved_config,
    },
};

/// The share of a run after which its learning rate falls, and what it falls to.
const DECAY_FROM: f32 = 0.5;
const LAST_FRACTION: f32 = 0.02;

/// The runs of a cycle, which begin with the same net and have a seed each.
pub(super) struct CycleRuns<'a> {
    /// The cycle's number, from 1.
    pub cycle: u32,
    /// Its net, rate, minutes and number of runs.
    pub step: &'a Step,
    /// The settings of every cycle.
    pub base: &'a RunConfig,
    /// What all of them have together.
    pub machine: Machine,
    /// What they begin with.
    pub learner: &'a ModelFile,
    /// The cycle's folder.
    pub folder: PathBuf,
}

/// What the runs of a cycle have trained.
#[derive(Default)]
pub(super) struct TrainedRuns {
    /// A net a run.
    pub nets: Vec<ModelFile>,
    /// Positions of self-play, of all runs.
    pub positions: u64,
    /// Seconds of wall time.
    pub seconds: f64,
}

impl CycleRuns<'_> {
    /// Trains them, or goes on with what was stopped; `None` when stopped. `on_progress` hears how far all of them are, in
    /// `0.0..=1.0`, and what one of them does.
    ///
    /// # Errors
    /// Those of [`Trainer::run`]. `stop` is set then, so that no other run goes on for nothing.
    pub fn train<G: Encode>(
        &self,
        stop: &AtomicBool,
        on_progress: &mut (dyn FnMut(f64, &str) + Send),
    ) -> Result<Option<TrainedRuns>> {
        let runs: Vec<u32> = (1..=self.step.runs).collect();
        let told = Mutex::new(ToldProgress { done: vec![0.0; runs.len()], on_progress });
        let mut all = TrainedRuns::default();
        for group in runs.chunks(self.at_once() as usize) {
            // An error of one comes before the stop of the other, which it caused.
            let ended: Vec<_> =
                self.side_by_side::<G>(group, stop, &told).into_iter().collect::<Result<_>>()?;
            let mut seconds = 0.0;
            for run in ended {
                let Some((net, run_seconds)) = run else { return Ok(None) };
                all.positions += net.meta.positions;
                all.nets.push(net);
                seconds = run_seconds.max(seconds);
            }
            all.seconds += seconds;
        }
        Ok(Some(all))
    }

    /// Runs that train at the same time: each needs a thread of its own, and a graphics card is for one. Two runs leave fewer
    /// threads without work than one run on all of them.
    fn at_once(&self) -> u32 {
        let backends = [Some(self.machine.backend), self.base.learner.backend];
        let on_card = backends.into_iter().flatten().any(Backend::is_gpu);
        if on_card || self.machine.workers < self.step.runs as usize { 1 } else { self.step.runs }
    }

    /// The nets of some runs and the seconds that each took.
    fn side_by_side<G: Encode>(
        &self,
        runs: &[u32],
        stop: &AtomicBool,
        told: &Mutex<ToldProgress>,
    ) -> Vec<Result<Option<(ModelFile, f64)>>> {
        thread::scope(|scope| {
            let start = |run: u32| scope.spawn(move || self.train_one::<G>(run, stop, told));
            let handles: Vec<_> = runs.iter().map(|&run| start(run)).collect();
            handles
                .into_iter()
                .map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic)))
                .collect()
        })
    }

    /// A run, counted from 1: its net and the seconds that it took. `None` when stopped.
    fn train_one<G: Encode>(
        &self,
        run: u32,
        stop: &AtomicBool,
        told: &Mutex<ToldProgress>,
    ) -> Result<Option<(ModelFile, f64)>> {
        let train = || {
            let folder = run_of(&self.folder, run);
            let is_begun = RunDir::create(&folder)?.newest()?.is_some();
            let init = (!is_begun).then_some(self.learner);
            let mut trainer = Trainer::<G>::open(self.config(run), &folder, self.machine_of(run), init)?;
            let end = trainer.run(stop, &mut CycleObserver { told, run })?;
            Ok((end == RunEnd::Done).then(|| (trainer.model(), trainer.clock().seconds)))
        };
        train().inspect_err(|_| stop.store(true, Ordering::Relaxed))
    }

    /// A run's part of the threads.
    fn machine_of(&self, run: u32) -> Machine {
        let (workers, at_once) = (self.machine.workers, self.at_once() as usize);
        let is_larger = (run as usize - 1) % at_once < workers % at_once;
        Machine { workers: workers / at_once + usize::from(is_larger), ..self.machine }
    }

    /// The settings of a run, counted from 1.
    fn config(&self, run: u32) -> RunConfig {
        let Step { rate, net, minutes, runs } = self.step;
        let minutes = minutes * f64::from(self.at_once()) / f64::from(*runs);
        let mut config = self.base.clone();
        config.net = net.clone();
        config.seed = self.base.seed.wrapping_add(u64::from(RUNS * (self.cycle - 1) + run));
        config.budget = Budget { minutes: Some(minutes), ..Budget::default() };
        let schedule = &mut config.learner.schedule;
        schedule.peak *= *rate as f32;
        schedule.decay_from = DECAY_FROM;
        schedule.last_fraction = LAST_FRACTION;
        // Matches of its own judge the net.
        (config.evaluation.every, config.evaluation.games) = (u32::MAX, 2);
        config
    }
}

/// Whether the runs in the cycle's `folder` were begun as `step` says: another version of this program may have begun them with
/// another net.
pub(super) fn was_begun_as(step: &Step, folder: &Path) -> bool {
    let run = run_of(folder, 1);
    let net = || RunConfig::parse(&saved_config(&run).ok()??, &[]).ok().map(|config| config.net);
    run.exists() && net().is_none_or(|net| net == step.net)
}

/// Removes what the runs of the cycle in `folder` learnt from, which is of no further use once the cycle is done.
pub(super) fn remove_runs(folder: &Path) -> Result<()> {
    for folder in (1..=RUNS).map(|run| run_of(folder, run)).filter(|folder| folder.exists()) {
        retry_change(|| fs::remove_dir_all(&folder))
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// How far the runs are, and who is told.
struct ToldProgress<'a> {
    /// A share a run, in `0.0..=1.0`.
    done: Vec<f64>,
    on_progress: &'a mut (dyn FnMut(f64, &str) + Send),
}

/// Passes on what a run tells.
struct CycleObserver<'a, 'b> {
    told: &'a Mutex<ToldProgress<'b>>,
    run: u32,
}

impl Observer for CycleObserver<'_, '_> {
    fn progress(&mut self, done: f64, doing: &str) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.done[self.run as usize - 1] = done;
        let (all, runs) = (told.done.iter().sum::<f64>(), told.done.len());
        (told.on_progress)(all / runs as f64, &format!("run {} of {runs}: {doing}", self.run));
    }

    fn generation(&mut self, report: &GenerationReport) {
        tracing::info!("run {}: {report}", self.run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::rules::{GameId, RuleSet, dobutsu::Dobutsu},
        net::Model,
    };

    /// The threads and the minutes of each run of a cycle of ten minutes.
    fn shares(workers: usize, backend: Backend, runs: u32) -> Vec<(usize, Option<f64>)> {
        let base = RunConfig::parse(GameId::Dobutsu.facts().config, &[]).unwrap();
        let model = Model::init(&base.net, Dobutsu::SHAPE, 1);
        let learner = ModelFile::untrained::<Dobutsu>(RuleSet::Standard, model);
        let step = Step { rate: 0.25, net: base.net.clone(), minutes: 10.0, runs };
        let machine = Machine { workers, backend };
        let folder = PathBuf::new();
        let runs = CycleRuns { cycle: 1, step: &step, base: &base, machine, learner: &learner, folder };
        (1..=step.runs).map(|run| (runs.machine_of(run).workers, runs.config(run).budget.minutes)).collect()
    }

    #[test]
    fn runs_share_the_threads_or_the_time() {
        let (half, whole) = (Some(5.0), Some(10.0));
        assert_eq!(shares(2, Backend::Native, 2), [(1, whole), (1, whole)]);
        assert_eq!(shares(5, Backend::Native, 2), [(3, whole), (2, whole)]);
        assert_eq!(shares(1, Backend::Native, 2), [(1, half), (1, half)]);
        assert_eq!(shares(4, Backend::Wgpu, 2), [(4, half), (4, half)], "a card is for one");
        assert_eq!(shares(4, Backend::Native, 1), [(4, whole)]);
    }

    #[test]
    fn no_two_runs_have_one_seed() {
        let base = RunConfig::parse(GameId::Dobutsu.facts().config, &[]).unwrap();
        let learner =
            ModelFile::untrained::<Dobutsu>(RuleSet::Standard, Model::init(&base.net, Dobutsu::SHAPE, 1));
        let machine = Machine { workers: 2, backend: Backend::Native };
        let step = Step { rate: 0.25, net: base.net.clone(), minutes: 10.0, runs: RUNS };
        let seeds = (1..=5).flat_map(|cycle| {
            let (base, step, learner) = (&base, &step, &learner);
            let runs = CycleRuns { cycle, step, base, machine, learner, folder: PathBuf::new() };
            (1..=RUNS).map(|run| runs.config(run).seed).collect::<Vec<_>>()
        });
        let seeds: std::collections::BTreeSet<u64> = seeds.collect();
        assert_eq!(seeds.len(), 5 * RUNS as usize);
    }
}
