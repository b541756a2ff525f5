//! The loop of cycles in its folder.

use std::{
    marker::PhantomData,
    path::{Path, PathBuf},
    slice,
    sync::atomic::AtomicBool,
};

use anyhow::Result;

use super::{
    cycle::{CycleReport, Kept},
    folder::{BEST, check_ours, folder_of, keep_later, net_of, open_cycles, promising_of, start_net},
    judge::{Judge, is_better},
    match_clock::MatchClock,
    plan::{ImproveConfig, Step},
    runs::{CycleRuns, TrainedRuns, remove_runs, was_begun_as},
};
use crate::{
    arena::{Match, MatchResult},
    base::{
        rng::{self, Purpose},
        store::{DirLock, JsonLog, OpenedLog, write_atomic},
    },
    games::encode::Encode,
    net::ModelFile,
    training::run::{Machine, RunConfig, RunEnd},
};

/// A cycle begins only if so much of its time is left.
const LEAST_PART: f64 = 0.5;

/// What an [`Improver`] reports while it works.
pub trait ImproveObserver: Send {
    /// A cycle begins, or goes on after a stop.
    fn begin(&mut self, cycle: u32, step: &Step);
    /// How far the cycle's training is, in `0.0..=1.0`, and what it does.
    fn training(&mut self, done: f64, doing: &str);
    /// The match of a candidate, `trained` or `mean`, as far as it was played.
    fn game(&mut self, candidate: &str, played: &Match);
    /// A cycle is done, and all that it found is safe on the disk.
    fn cycle(&mut self, report: &CycleReport);
}

/// The improvement of a net of `G` in its folder.
pub struct Improver<G: Encode> {
    root: PathBuf,
    base: RunConfig,
    config: ImproveConfig,
    machine: Machine,
    start: ModelFile,
    best: ModelFile,
    /// What the next cycle trains: the best net, or a promising one.
    learner: ModelFile,
    log: JsonLog,
    cycles: Vec<CycleReport>,
    _lock: DirLock,
    _game: PhantomData<G>,
}

impl<G: Encode> Improver<G> {
    /// Opens the improvement in `root`, or begins one of `start`; `base` has the settings of every cycle's run, of which
    /// the budget, the net and the learning rate are the cycle's own.
    ///
    /// # Errors
    /// When the folder has other files, is in use, cannot be written, or began with another net or game.
    pub fn open(
        root: &Path,
        start: Option<ModelFile>,
        base: RunConfig,
        config: ImproveConfig,
        machine: Machine,
    ) -> Result<Self> {
        check_ours(root)?;
        let lock = DirLock::acquire(root)?;
        let start = start_net::<G>(root, start, &base)?;
        let OpenedLog { log, values: cycles, damage } = open_cycles(root)?;
        let best = match cycles.iter().rfind(|report| report.kept != Kept::Best) {
            Some(report) => ModelFile::read(&net_of(root, report.cycle))?,
            None => start.clone(),
        };
        let learner = match cycles.last().filter(|report| report.promising.is_some()) {
            Some(report) => ModelFile::read(&promising_of(root, report.cycle))?,
            None => best.clone(),
        };
        let next = cycles.len() as u32 + 1;
        let step = Step::next(&config, &cycles, learner.model.net());
        let goes_on = damage.is_none() && was_begun_as(&step, &folder_of(root, next));
        keep_later(root, if goes_on { next } else { next - 1 })?;
        // A kill may have come before.
        remove_runs(&folder_of(root, next - 1))?;
        let improver = Improver {
            root: root.to_owned(),
            base,
            config,
            machine,
            start,
            best,
            learner,
            log,
            cycles,
            _lock: lock,
            _game: PhantomData,
        };
        improver.write_best()?;
        Ok(improver)
    }

    /// The net that all began with.
    pub fn start(&self) -> &ModelFile {
        &self.start
    }

    /// The cycles so far.
    pub fn cycles(&self) -> &[CycleReport] {
        &self.cycles
    }

    /// Where the best net so far is.
    pub fn best_path(&self) -> PathBuf {
        self.root.join(BEST)
    }

    /// Improves until `hours` are spent, those of earlier calls counted, or `stop` is set: then the same folder goes on.
    ///
    /// # Errors
    /// Those of [`Trainer::run`](crate::training::run::Trainer::run) and a file that cannot be written. The best net is safe in any case.
    pub fn run(
        &mut self,
        hours: f64,
        stop: &AtomicBool,
        observer: &mut dyn ImproveObserver,
    ) -> Result<RunEnd> {
        loop {
            let spent: f64 = self.cycles.iter().map(|cycle| cycle.seconds).sum();
            let left = (3600.0 * hours - spent) / 60.0;
            let mut step = Step::next(&self.config, &self.cycles, self.learner.model.net());
            if left < LEAST_PART * step.minutes {
                return Ok(RunEnd::Done);
            }
            step.minutes = step.minutes.min(left);
            match self.cycle(&step, stop, observer)? {
                None => return Ok(RunEnd::Interrupted),
                Some(report) => observer.cycle(&report),
            }
        }
    }

    /// One cycle; `None` when stopped.
    fn cycle(
        &mut self,
        step: &Step,
        stop: &AtomicBool,
        observer: &mut dyn ImproveObserver,
    ) -> Result<Option<CycleReport>> {
        let cycle = self.cycles.len() as u32 + 1;
        observer.begin(cycle, step);
        let runs = CycleRuns {
            cycle,
            step,
            base: &self.base,
            machine: self.machine,
            learner: &self.learner,
            folder: folder_of(&self.root, cycle),
        };
        let mut on_progress = |done: f64, doing: &str| observer.training(done, doing);
        let Some(trained) = runs.train::<G>(stop, &mut on_progress)? else { return Ok(None) };
        let TrainedRuns { nets, positions, seconds } = trained;
        let mut clock = MatchClock::start(&folder_of(&self.root, cycle));
        let Some(judged) = self.judge(cycle, &nets, &mut clock, stop, observer)? else {
            clock.save()?;
            return Ok(None);
        };
        let score_of = |kept: Kept| {
            judged.iter().find(|judged| judged.kept == kept).map(|judged| (&judged.result).into())
        };
        let mut report = CycleReport {
            cycle,
            net: step.net.to_string(),
            widened: step.net != *self.best.model.net(),
            rate: f64::from(self.base.learner.schedule.peak) * step.rate,
            positions,
            seconds: seconds + clock.seconds(),
            trained: score_of(Kept::Trained).expect("it was played"),
            mean: score_of(Kept::Mean),
            kept: Kept::Best,
            promising: None,
            elo: self.cycles.last().map_or(0.0, |cycle| cycle.elo),
        };
        self.decide(&mut report, judged)?;
        self.log.append(&report)?;
        self.cycles.push(report.clone());
        self.write_best()?;
        remove_runs(&folder_of(&self.root, cycle))?;
        Ok(Some(report))
    }

    /// Makes the strongest candidate the best net, where it is better, or what the next cycle trains, where it looks so.
    fn decide(&mut self, report: &mut CycleReport, judged: Vec<Judged>) -> Result<()> {
        self.learner = match strongest(judged) {
            Some(Judged { kept, net, result }) if is_better(&result) => {
                report.kept = kept;
                report.elo += result.elo;
                write_net(&net_of(&self.root, report.cycle), &net)?;
                self.best = net.clone();
                net
            }
            Some(Judged { kept, net, result }) if result.score > 0.5 => {
                report.promising = Some(kept);
                write_net(&promising_of(&self.root, report.cycle), &net)?;
                net
            }
            _ => self.best.clone(),
        };
        Ok(())
    }

    /// Plays the mean of what a cycle's runs trained against the best net, and so the mean of that with the best net where
    /// they are of one size; `None` when stopped. `clock` is saved on the way.
    fn judge(
        &self,
        cycle: u32,
        nets: &[ModelFile],
        clock: &mut MatchClock,
        stop: &AtomicBool,
        observer: &mut dyn ImproveObserver,
    ) -> Result<Option<Vec<Judged>>> {
        let trained = ModelFile::mean(nets)?;
        let is_one_size = trained.model.net() == self.best.model.net();
        let with_best = || ModelFile::mean(&[nets, slice::from_ref(&self.best)].concat());
        let mean = is_one_size.then(with_best).transpose()?;
        let judge = Judge {
            config: &self.config,
            rules: self.base.rules,
            max_plies: self.base.selfplay.max_plies,
            seed: rng::stream_seed(self.base.seed, Purpose::Evaluation, &[u64::from(cycle)]),
            machine: self.machine,
            best: &self.best,
        };
        let mut judged = Vec::new();
        for (kept, candidate) in [(Kept::Trained, Some(trained)), (Kept::Mean, mean)] {
            let Some(net) = candidate else { continue };
            let name = kept.to_string();
            let folder = folder_of(&self.root, cycle).join(&name);
            let result = judge.play::<G>(&net, &folder, stop, &mut |played| {
                observer.game(&name, played);
                clock.save_at_times()
            })?;
            let Some(result) = result else { return Ok(None) };
            judged.push(Judged { kept, net, result });
        }
        Ok(Some(judged))
    }

    fn write_best(&self) -> Result<()> {
        write_net(&self.best_path(), &self.best)
    }
}

/// A candidate, and its match against the best net.
struct Judged {
    kept: Kept,
    net: ModelFile,
    result: MatchResult,
}

/// The strongest of those that may take the best net's place, else of all.
fn strongest(judged: Vec<Judged>) -> Option<Judged> {
    judged.into_iter().max_by(|a, b| {
        let by_test = is_better(&a.result).cmp(&is_better(&b.result));
        by_test.then(a.result.elo.total_cmp(&b.result.elo))
    })
}

fn write_net(path: &Path, net: &ModelFile) -> Result<()> {
    write_atomic(path, &net.to_container().to_bytes())
}
